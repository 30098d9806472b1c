// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/euler_impulse.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

class EulerRun {
 public:
  EulerRun(const ImpactSetup& setup, const Lzb& law, double impulse_step, Recorder* recorder)
      : setup_(setup), law_(law), step_(impulse_step), recorder_(recorder) {
    const auto m = static_cast<std::size_t>(setup.m);
    for (auto* v :
         {&out_.P, &out_.dissipated, &next_, &ratio_, &W_, &E_start_, &since_, &factor_, &power_}) {
      v->assign(m, 0.0);
    }
    for (int i = 0; i < setup.m; ++i) {
      const double eta = setup.contact[i].exponent();
      power_[i] = eta / (1.0 + eta);
      factor_[i] = std::pow(1.0 + eta, power_[i]) *
                   std::pow(setup.contact[i].stiffness(), 1.0 / (1.0 + eta));
    }
    out_.E = setup.initial_energy;
    out_.summary.assign(m, {});
    closing_.assign(m, false);
    E_c_ = out_.E;
    U_ = setup.U_before;
    for (int i = 0; i < setup.m; ++i) {
      if (U_[i] < -setup.gap_rate_tol) note_compression(i);
    }
  }

  EulerOutcome run();

 private:
  /// λ as a function of the stored energy (report (27)).
  double force(int i) const {
    return out_.E[i] > 0.0 ? factor_[i] * std::pow(out_.E[i], power_[i]) : 0.0;
  }
  void record();
  bool advance();
  int primary() const;
  double restart_increment(int i, double dt) const;
  double restart_time(int i) const;
  double first_critical_point() const;
  void update_contact(int j, double dP, double U_new);
  void note_compression(int i);
  void log(int i, EventKind kind);

  const ImpactSetup& setup_;
  const Lzb& law_;
  double step_;
  Recorder* recorder_;
  EulerOutcome out_;
  int primary_ = -1;
  std::vector<double> U_, next_;        ///< m, gap rates before and after the step
  std::vector<double> ratio_;           ///< m, r_j = dP_j / dP
  std::vector<double> since_;           ///< m, time at which the contact was loaded
  std::vector<double> E_start_;         ///< m, energy at the start of the last compression
  std::vector<double> E_c_;             ///< m, energy at the end of the last compression
  std::vector<double> W_;               ///< m, absorbed work
  std::vector<double> factor_, power_;  ///< m, λ = factor E^power
  std::vector<bool> closing_;           ///< m, compressing
};

/// Largest stored energy (the papers) or largest force; −1 if nothing is stored. Ties: lowest
/// index.
int EulerRun::primary() const {
  int best = -1;
  double largest = 0.0;
  for (int i = 0; i < setup_.m; ++i) {
    if (out_.E[i] <= 0.0) continue;
    const double value = law_.primary == Lzb::EulerPrimary::MaxEnergy ? out_.E[i] : force(i);
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
    if (out_.E[j] <= 0.0) continue;
    const double dU = next_[j] - U_[j];
    // Sign change of the gap rate strictly inside the step.
    if (U_[j] != 0.0 && U_[j] * next_[j] < 0.0) part = std::min(part, -U_[j] / dU);
    if (U_[j] >= 0.0) {
      const ContactLaw& contact = setup_.contact[j];
      const double e = contact.restitution();
      const bool mono = contact.model() == ContactModel::MonoStiffness;
      const double gain = mono || e == 0.0 ? 1.0 : 1.0 / (e * e);
      const double left = out_.E[j] - (mono ? (1.0 - e * e) * E_c_[j] : 0.0);
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
  const int m = setup_.m;
  int i = primary();
  double dt = 0.0;
  if (i < 0) {
    i = static_cast<int>(std::min_element(U_.begin(), U_.end()) - U_.begin());
    if (U_[i] >= -setup_.gap_rate_tol) return false;
    dt = restart_time(i);
    for (int j = 0; j < m; ++j) {
      const bool starts = U_[j] < -setup_.gap_rate_tol;
      ratio_[j] = starts ? std::min(1.0, restart_increment(j, dt) / step_) : 0.0;
    }
  } else {
    const double own = force(i);
    dt = step_ / own;
    for (int j = 0; j < m; ++j) {
      if (out_.E[j] > 0.0) {
        ratio_[j] = force(j) / own;
      } else if (U_[j] < -setup_.gap_rate_tol) {
        ratio_[j] = std::min(1.0, restart_increment(j, dt) / step_);
      } else {
        ratio_[j] = 0.0;
      }
    }
  }
  ratio_[i] = 1.0;
  if (primary_ >= 0 && i != primary_) log(i, EventKind::PrimaryChange);
  primary_ = i;

  // Gap rates after a full step, then after the part of it that ends at a critical point.
  for (int j = 0; j < m; ++j) next_[j] = U_[j] + step_ * setup_.G.row(j, ratio_.data());
  double part = 1.0;
  if (law_.critical_points == Lzb::EulerCriticalPoints::Locate) {
    part = first_critical_point();
    for (int j = 0; j < m; ++j) next_[j] = U_[j] + part * (next_[j] - U_[j]);
  }
  for (int j = 0; j < m; ++j) update_contact(j, part * ratio_[j] * step_, next_[j]);
  U_.swap(next_);
  out_.time += part * dt;
  ++out_.steps;
  return true;
}

/// Work, energy and phase of contact j over one step.
void EulerRun::update_contact(int j, double dP, double U_new) {
  const ContactLaw& contact = setup_.contact[j];
  const double e = contact.restitution();
  const bool mono = contact.model() == ContactModel::MonoStiffness;
  const double work = -0.5 * (U_[j] + U_new) * dP;
  double& E = out_.E[j];
  const bool was_loaded = E > 0.0;
  out_.P[j] += dP;
  W_[j] += work;
  E += U_new <= 0.0 || mono || e == 0.0 ? work : work / (e * e);

  if (U_new < -setup_.gap_rate_tol && !closing_[j] && (E > 0.0 || dP > 0.0)) note_compression(j);
  const bool last_work = law_.compression_work == Lzb::CompressionWork::LastWork;
  if (U_new < 0.0) E_c_[j] = E - (last_work ? E_start_[j] : 0.0);
  if (U_new > 0.0 && closing_[j] && was_loaded) {
    closing_[j] = false;
    log(j, e == 0.0 ? EventKind::PlasticLoss : EventKind::CompressionEnd);
  }
  const bool done = E <= 0.0 || (e == 0.0 && U_new > 0.0) ||
                    (mono && U_new > 0.0 && E <= (1.0 - e * e) * E_c_[j]);
  if (done) {
    if (was_loaded && U_new > 0.0) {
      if (e > 0.0) log(j, mono && E > 0.0 ? EventKind::ClosedOut : EventKind::Opening);
      out_.summary[j].opening_time = out_.time;
      out_.summary[j].duration += out_.time - since_[j];
    }
    E = 0.0;
  }
  if (E > 0.0) {
    const double now = force(j);
    if (now > out_.summary[j].maximal_force) {
      out_.summary[j].maximal_force = now;
      out_.summary[j].maximal_force_time = out_.time;
    }
  }
}

void EulerRun::note_compression(int i) {
  closing_[i] = true;
  E_start_[i] = out_.E[i];
  ContactSummary& summary = out_.summary[i];
  ++summary.compressions;
  const bool loaded = out_.E[i] > 0.0 && summary.compressions > 1;
  if (!loaded) {
    since_[i] = out_.time;
    if (summary.impacts == 0) summary.first_contact_time = out_.time;
    log(i, summary.impacts == 0 ? EventKind::Activation : EventKind::Reengagement);
    ++summary.impacts;
  } else {
    log(i, EventKind::Recompression);
  }
}

void EulerRun::log(int i, EventKind kind) {
  if (kind != EventKind::PrimaryChange) ++out_.changes;
  if (!recorder_) return;
  out_.events.push_back({.time = out_.time,
                         .contact = i,
                         .kind = kind,
                         .impulse = out_.P[i],
                         .gap_rate = U_[i],
                         .stored_energy = out_.E[i],
                         .force = force(i)});
}

void EulerRun::record() {
  recorder_->sample(out_.time, [&](int i) {
    return ContactSample{.impulse = out_.P[i],
                         .force = force(i),
                         .indentation = setup_.contact[i].indentation(out_.E[i]),
                         .stored_energy = out_.E[i],
                         .dissipated = setup_.initial_energy[i] + W_[i] - out_.E[i],
                         .gap_rate = U_[i]};
  });
}

EulerOutcome EulerRun::run() {
  if (recorder_) record();
  for (;;) {
    if (out_.steps >= law_.max_steps || out_.changes >= law_.max_events) {
      out_.status = Status::NotTerminated;
      break;
    }
    if (!advance()) break;
    if (!recorder_) continue;
    bool asked = false;
    for (double time = 0.0; recorder_->next_time(out_.time, time);) asked = true;
    if (recorder_->due() || asked) record();
  }
  if (recorder_) record();
  for (int i = 0; i < setup_.m; ++i) {
    out_.dissipated[i] = setup_.initial_energy[i] + W_[i] - out_.E[i];
  }
  return out_;
}

}  // namespace

EulerOutcome run_euler_impulse(const ImpactSetup& setup, const Lzb& law, double impulse_step,
                               Recorder* recorder) {
  return EulerRun(setup, law, impulse_step, recorder).run();
}

}  // namespace percute::laws
