// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/euler_impulse.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

Status EulerRun::run(const ImpactProblem& problem, const ImpactSetup& setup, const Lzb& law,
                     ContactPhases& phases, Recorder* recorder) {
  setup_ = &setup;
  law_ = &law;
  phases_ = &phases;
  recorder_ = recorder;
  step_ = estimated_impulse(problem, setup) / static_cast<double>(law.steps);
  U_ = next_ = setup.U_before;
  const auto m = static_cast<std::size_t>(setup.m);
  for (auto* v : {&xi_, &P_, &W_, &ratio_}) v->assign(m, 0.0);
  phases.start(setup, law);
  for (int i = 0; i < setup.m; ++i) xi_[i] = phases.initial_indentation(i);
  if (recorder != nullptr) record();
  while (steps_ < law.max_steps && phases.events() < law.max_events) {
    if (!advance()) {
      if (recorder != nullptr) record();
      return Status::Ok;
    }
    if (recorder == nullptr) continue;
    bool asked = false;
    for (double next = 0.0; recorder->next_time(time_, next);) asked = true;
    if (recorder->due() || asked) record();
  }
  if (recorder != nullptr) record();
  return Status::NotTerminated;
}

/// Largest stored energy (the papers) or largest force; −1 if nothing is stored. Ties: lowest
/// index.
int EulerRun::primary() const {
  int best = -1;
  double largest = 0.0;
  for (int i = 0; i < setup_->m; ++i) {
    const double value = law_->primary == Lzb::EulerPrimary::MaxEnergy ? energy(i) : force(i);
    if (xi_[i] > 0.0 && value > largest) {
      largest = value;
      best = i;
    }
  }
  return best;
}

/// First increment of a contact without energy: the printed rule (report (93)), or the exact
/// integral.
double EulerRun::restart_increment(int i, double dt) const {
  const ContactLaw& contact = setup_->contact[i];
  const double eta = contact.exponent();
  const double u = std::max(-U_[i], 0.0);
  const double factor =
      law_->restart == Lzb::EulerRestart::Paper ? std::pow(1.0 + eta, eta) : 1.0 / (1.0 + eta);
  return factor * contact.stiffness() * std::pow(u, eta) * std::pow(dt, 1.0 + eta);
}

/// Time in which restart_increment(i) reaches the impulse step.
double EulerRun::restart_time(int i) const {
  const double eta = setup_->contact[i].exponent();
  return std::pow(step_ / restart_increment(i, 1.0), 1.0 / (1.0 + eta));
}

/// With frozen ratios U_j is linear and E_j quadratic in the impulse of the primary contact: the
/// smallest part of the step at which some U_j or E_j − E_end vanishes; 1 if none does.
double EulerRun::first_critical_point() const {
  double part = 1.0;
  for (int j = 0; j < setup_->m; ++j) {
    if (!(xi_[j] > 0.0)) continue;
    const double dU = next_[j] - U_[j];
    // Sign change of the gap rate strictly inside the step.
    if (U_[j] != 0.0 && U_[j] * next_[j] < 0.0) part = std::min(part, -U_[j] / dU);
    const ContactState& s = (*phases_)[j];
    if (s.phase != Phase::Expanding) continue;
    const double left = energy(j) - setup_->contact[j].energy(s.xi_end);
    // left = gain r_j ΔP (U s + ½ dU s²)
    const double b = s.gain * ratio_[j] * step_ * U_[j];
    const double a = 0.5 * s.gain * ratio_[j] * step_ * dU;
    const double root = b * b + 4.0 * a * left;
    if (root < 0.0 || left <= 0.0) continue;
    const double end = 2.0 * left / (b + std::sqrt(root));
    if (end > 0.0) part = std::min(part, end);
  }
  return std::max(part, 1e-6);
}

/// One step of the scheme; false when the impact is over.
bool EulerRun::advance() {
  int i = primary();
  const bool loaded = i >= 0;
  double dt = 0.0;
  if (loaded) {
    dt = step_ / force(i);
  } else {
    i = static_cast<int>(std::min_element(U_.begin(), U_.begin() + setup_->m) - U_.begin());
    if (U_[i] >= -setup_->gap_rate_tol) return false;
    dt = restart_time(i);
  }
  for (int j = 0; j < setup_->m; ++j) {
    if (loaded && xi_[j] > 0.0) {
      ratio_[j] = force(j) / force(i);
    } else {
      const bool starts = U_[j] < -setup_->gap_rate_tol;
      ratio_[j] = starts ? std::min(1.0, restart_increment(j, dt) / step_) : 0.0;
    }
  }
  ratio_[i] = 1.0;
  if (primary_ >= 0 && i != primary_ && recorder_ != nullptr) {
    log_.push_back({.time = time_,
                    .contact = i,
                    .kind = EventKind::PrimaryChange,
                    .impulse = P_[i],
                    .gap_rate = U_[i],
                    .stored_energy = energy(i),
                    .force = force(i)});
  }
  primary_ = i;

  // Gap rates after a full step, then after the part of it that ends at a critical point.
  for (int j = 0; j < setup_->m; ++j) next_[j] = U_[j] + step_ * setup_->G.row(j, ratio_.data());
  double part = 1.0;
  if (law_->critical_points == Lzb::EulerCriticalPoints::Locate) {
    part = first_critical_point();
    for (int j = 0; j < setup_->m; ++j) next_[j] = U_[j] + part * (next_[j] - U_[j]);
  }
  for (int j = 0; j < setup_->m; ++j) update(j, part * ratio_[j] * step_, next_[j]);
  U_.swap(next_);
  time_ += part * dt;
  ++steps_;
  return true;
}

/// Phase, work and energy of contact j over one step, which belongs to the phase that it ends in.
void EulerRun::update(int j, double dP, double U_new) {
  const ContactLaw& contact = setup_->contact[j];
  ContactPhases& phases = *phases_;
  const ContactState& s = phases[j];
  const double work = -0.5 * (U_[j] + U_new) * dP;
  P_[j] += dP;
  W_[j] += work;
  const auto at = [&] { return ContactPoint{.time = time_, .xi = xi_[j], .P = P_[j], .U = U_[j]}; };
  if (dP > 0.0 && s.phase == Phase::Open) phases.reenter(j, at());
  if (dP > 0.0 && s.phase == Phase::Resting) {
    phases.keep_resting(j, time_);
    phases.load_resting(j, at());
  }
  const bool lost = s.phase == Phase::Expanding && phases.loses_all(j);
  if (U_new > 0.0 && (s.phase == Phase::Compressing || lost)) {
    xi_[j] = phases.end_compression(j, at());
  } else if (U_new < -setup_->gap_rate_tol && s.phase == Phase::Expanding) {
    xi_[j] = phases.recompress(j, at());
  }
  if (s.phase == Phase::Open || s.phase == Phase::Resting) return;
  const double E = energy(j) + s.gain * work;
  xi_[j] = contact.indentation(E);
  if (s.phase != Phase::Expanding || E > contact.energy(s.xi_end)) return;
  xi_[j] = s.xi_end;
  xi_[j] = phases.reach_target(j, at());
}

double EulerRun::dissipated(int i) const {
  return setup_->contact[i].initial_energy + W_[i] - energy(i);
}

void EulerRun::record() {
  recorder_->sample(time_, [&](int i) {
    ContactSample sample = phases_->sample(i, xi_[i], P_[i], U_[i]);
    sample.dissipated = dissipated(i);
    return sample;
  });
}

}  // namespace percute::laws
