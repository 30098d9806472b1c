// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/euler_impulse.hpp"

#include "laws/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace percute::laws {

namespace {

/// Σ_ij |M_ij| |v_j⁻| (report (78)); precompression adds Σ √(2 m_i E0_i).
double estimated_impulse(const ImpactProblem& problem, const ImpactSetup& setup) {
  double sum = 0.0;
  const Eigen::Index n = problem.velocity.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      sum += std::abs(problem.mass(i, j)) * std::abs(problem.velocity[j]);
    }
  }
  for (const ImpactContact& contact : setup.contact) {
    sum += std::sqrt(2.0 * contact.effective_mass * contact.initial_energy);
  }
  return sum;
}

/// A contact on its way. λ = factor E^power (report (27)).
struct EulerContact {
  double E = 0.0;        ///< energy still stored
  double W = 0.0;        ///< absorbed work
  double E_start = 0.0;  ///< energy at the start of the last compression
  double E_c = 0.0;      ///< energy at the end of the last compression
  double since = 0.0;    ///< time at which it was loaded
  double factor = 0.0;
  double power = 0.0;
  bool closing = false;  ///< compressing

  double force() const { return E > 0.0 ? factor * std::pow(E, power) : 0.0; }
};

class EulerRun {
 public:
  EulerRun(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
           const Recording* recording);

  ImpactResult run();

 private:
  void record();
  bool advance();
  int primary() const;
  double restart_increment(int i, double dt) const;
  double restart_time(int i) const;
  double first_critical_point() const;
  void update_contact(int j, double dP, double U_new);
  void note_compression(int i);
  void log(int i, EventKind kind);
  double time() const { return result_.diagnostics.duration; }
  double dissipated(int i) const {
    return setup_.contact[i].initial_energy + contact_[i].W - contact_[i].E;
  }

  const ImpactProblem& problem_;
  const Lzb& law_;
  const ImpactSetup& setup_;
  std::optional<Recorder> recorder_;
  double step_;
  int primary_ = -1;
  std::vector<EulerContact> contact_;  ///< m
  std::vector<double> U_, next_;       ///< gap rates before and after the step
  std::vector<double> ratio_;          ///< m, r_j = dP_j / dP
  std::vector<ImpactEvent> events_;
  ImpactResult result_;  ///< impulses, summaries and counts on the way
};

EulerRun::EulerRun(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
                   const Recording* recording)
    : problem_(problem),
      law_(law),
      setup_(setup),
      step_(estimated_impulse(problem, setup) / static_cast<double>(law.steps)),
      contact_(setup.contact.size()),
      U_(setup.U_before),
      next_(setup.contact.size(), 0.0),
      ratio_(setup.contact.size(), 0.0) {
  if (recording != nullptr) recorder_.emplace(setup.m, *recording);
  result_.impulse = Vector::Zero(setup.m);
  result_.diagnostics.contacts.resize(setup.contact.size());
  for (int i = 0; i < setup.m; ++i) {
    const double eta = setup.contact[i].exponent();
    EulerContact& own = contact_[i];
    own.E = own.E_c = setup.contact[i].initial_energy;
    own.power = eta / (1.0 + eta);
    own.factor =
        std::pow(1.0 + eta, own.power) * std::pow(setup.contact[i].stiffness(), 1.0 / (1.0 + eta));
  }
  for (int i = 0; i < setup.m; ++i) {
    if (U_[i] < -setup.gap_rate_tol) note_compression(i);
  }
}

/// Largest stored energy (the papers) or largest force; −1 if nothing is stored. Ties: lowest
/// index.
int EulerRun::primary() const {
  int best = -1;
  double largest = 0.0;
  for (int i = 0; i < setup_.m; ++i) {
    const EulerContact& own = contact_[i];
    if (own.E <= 0.0) continue;
    const double value = law_.primary == Lzb::EulerPrimary::MaxEnergy ? own.E : own.force();
    if (value > largest) {
      largest = value;
      best = i;
    }
  }
  return best;
}

/// First increment of a contact without energy: the printed rule (report (93)), or the exact
/// integral.
double EulerRun::restart_increment(int i, double dt) const {
  const ContactLaw& contact = setup_.contact[i];
  const double eta = contact.exponent();
  const double u = std::max(-U_[i], 0.0);
  const double factor =
      law_.restart == Lzb::EulerRestart::Paper ? std::pow(1.0 + eta, eta) : 1.0 / (1.0 + eta);
  return factor * contact.stiffness() * std::pow(u, eta) * std::pow(dt, 1.0 + eta);
}

/// Time in which restart_increment(i) reaches the impulse step.
double EulerRun::restart_time(int i) const {
  const double eta = setup_.contact[i].exponent();
  return std::pow(step_ / restart_increment(i, 1.0), 1.0 / (1.0 + eta));
}

/// With frozen ratios U_j is linear and E_j quadratic in the impulse of the primary contact: the
/// smallest part of the step at which some U_j or E_j − E_end vanishes; 1 if none does.
double EulerRun::first_critical_point() const {
  double part = 1.0;
  for (int j = 0; j < setup_.m; ++j) {
    if (contact_[j].E <= 0.0) continue;
    const double dU = next_[j] - U_[j];
    // Sign change of the gap rate strictly inside the step.
    if (U_[j] != 0.0 && U_[j] * next_[j] < 0.0) part = std::min(part, -U_[j] / dU);
    if (U_[j] >= 0.0) {
      const ContactLaw& contact = setup_.contact[j];
      const double e = contact.restitution();
      const bool mono = contact.model() == ContactModel::MonoStiffness;
      const double gain = mono || e == 0.0 ? 1.0 : 1.0 / (e * e);
      const double left = contact_[j].E - (mono ? (1.0 - e * e) * contact_[j].E_c : 0.0);
      // left = gain r_j ΔP (U s + ½ dU s²)
      const double b = gain * ratio_[j] * step_ * U_[j];
      const double a = 0.5 * gain * ratio_[j] * step_ * dU;
      const double root = b * b + 4.0 * a * left;
      if (root < 0.0 || left <= 0.0) continue;
      const double s = 2.0 * left / (b + std::sqrt(root));
      if (s > 0.0) part = std::min(part, s);
    }
  }
  return std::max(part, 1e-6);
}

/// One step of the scheme; false when the impact is over.
bool EulerRun::advance() {
  int i = primary();
  const bool loaded = i >= 0;
  double dt = 0.0;
  if (loaded) {
    dt = step_ / contact_[i].force();
  } else {
    i = static_cast<int>(std::min_element(U_.begin(), U_.end()) - U_.begin());
    if (U_[i] >= -setup_.gap_rate_tol) return false;
    dt = restart_time(i);
  }
  for (int j = 0; j < setup_.m; ++j) {
    if (loaded && contact_[j].E > 0.0) {
      ratio_[j] = contact_[j].force() / contact_[i].force();
    } else {
      const bool starts = U_[j] < -setup_.gap_rate_tol;
      ratio_[j] = starts ? std::min(1.0, restart_increment(j, dt) / step_) : 0.0;
    }
  }
  ratio_[i] = 1.0;
  if (primary_ >= 0 && i != primary_) log(i, EventKind::PrimaryChange);
  primary_ = i;

  // Gap rates after a full step, then after the part of it that ends at a critical point.
  for (int j = 0; j < setup_.m; ++j) next_[j] = U_[j] + step_ * setup_.G.row(j, ratio_.data());
  double part = 1.0;
  if (law_.critical_points == Lzb::EulerCriticalPoints::Locate) {
    part = first_critical_point();
    for (int j = 0; j < setup_.m; ++j) next_[j] = U_[j] + part * (next_[j] - U_[j]);
  }
  for (int j = 0; j < setup_.m; ++j) update_contact(j, part * ratio_[j] * step_, next_[j]);
  U_.swap(next_);
  result_.diagnostics.duration += part * dt;
  ++result_.diagnostics.steps;
  return true;
}

/// Work, energy and phase of contact j over one step.
void EulerRun::update_contact(int j, double dP, double U_new) {
  const ContactLaw& contact = setup_.contact[j];
  EulerContact& own = contact_[j];
  ContactSummary& summary = result_.diagnostics.contacts[j];
  const double e = contact.restitution();
  const bool mono = contact.model() == ContactModel::MonoStiffness;
  const double work = -0.5 * (U_[j] + U_new) * dP;
  const bool was_loaded = own.E > 0.0;
  result_.impulse[j] += dP;
  own.W += work;
  own.E += U_new <= 0.0 || mono || e == 0.0 ? work : work / (e * e);

  if (U_new < -setup_.gap_rate_tol && !own.closing && (own.E > 0.0 || dP > 0.0)) {
    note_compression(j);
  }
  const bool last_work = law_.compression_work == Lzb::CompressionWork::LastWork;
  if (U_new < 0.0) own.E_c = own.E - (last_work ? own.E_start : 0.0);
  if (U_new > 0.0 && own.closing && was_loaded) {
    own.closing = false;
    log(j, e == 0.0 ? EventKind::PlasticLoss : EventKind::CompressionEnd);
  }
  const bool done = own.E <= 0.0 || (e == 0.0 && U_new > 0.0) ||
                    (mono && U_new > 0.0 && own.E <= (1.0 - e * e) * own.E_c);
  if (done) {
    if (was_loaded && U_new > 0.0) {
      if (e > 0.0) log(j, mono && own.E > 0.0 ? EventKind::ClosedOut : EventKind::Opening);
      summary.opening_time = time();
      summary.duration += time() - own.since;
    }
    own.E = 0.0;
  }
  if (const double now = own.force(); now > summary.maximal_force) {
    summary.maximal_force = now;
    summary.maximal_force_time = time();
  }
}

void EulerRun::note_compression(int i) {
  EulerContact& own = contact_[i];
  own.closing = true;
  own.E_start = own.E;
  ContactSummary& summary = result_.diagnostics.contacts[i];
  ++summary.compressions;
  const bool loaded = own.E > 0.0 && summary.compressions > 1;
  if (!loaded) {
    own.since = time();
    if (summary.impacts == 0) summary.first_contact_time = time();
    log(i, summary.impacts == 0 ? EventKind::Activation : EventKind::Reengagement);
    ++summary.impacts;
  } else {
    log(i, EventKind::Recompression);
  }
}

void EulerRun::log(int i, EventKind kind) {
  if (kind != EventKind::PrimaryChange) ++result_.diagnostics.events;
  if (!recorder_) return;
  events_.push_back({.time = time(),
                     .contact = i,
                     .kind = kind,
                     .impulse = result_.impulse[i],
                     .gap_rate = U_[i],
                     .stored_energy = contact_[i].E,
                     .force = contact_[i].force()});
}

void EulerRun::record() {
  recorder_->sample(time(), [&](int i) {
    return ContactSample{.impulse = result_.impulse[i],
                         .force = contact_[i].force(),
                         .indentation = setup_.contact[i].indentation(contact_[i].E),
                         .stored_energy = contact_[i].E,
                         .dissipated = dissipated(i),
                         .gap_rate = U_[i]};
  });
}

ImpactResult EulerRun::run() {
  Diagnostics& d = result_.diagnostics;
  if (recorder_) record();
  for (;;) {
    if (d.steps >= law_.max_steps || d.events >= law_.max_events) {
      result_.status = Status::NotTerminated;
      break;
    }
    if (!advance()) break;
    if (!recorder_) continue;
    bool asked = false;
    for (double next = 0.0; recorder_->next_time(time(), next);) asked = true;
    if (recorder_->due() || asked) record();
  }
  if (recorder_) record();
  result_.dissipated.resize(setup_.m);
  for (int i = 0; i < setup_.m; ++i) {
    result_.dissipated[i] = dissipated(i);
    result_.energy.stored += contact_[i].E;
  }
  result_.velocity = problem_.mass.solve(Vector(problem_.gradients * result_.impulse));
  result_.velocity += problem_.velocity;
  d.evaluations = d.steps;
  if (recorder_) result_.history = recorder_->history(problem_, std::move(events_));
  return std::move(result_);
}

}  // namespace

ImpactResult run_euler_impulse(const ImpactProblem& problem, const Lzb& law,
                               const ImpactSetup& setup, const Recording* recording) {
  return EulerRun(problem, law, setup, recording).run();
}

}  // namespace percute::laws
