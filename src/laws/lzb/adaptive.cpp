// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/adaptive.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Part of the user's tolerance allowed to one step: errors of a few dozen steps add up, and gap
/// rates combine several impulses.
constexpr double kStepShare = 0.1;

}  // namespace

template <class Pair>
void AdaptiveIntegrator<Pair>::prepare(const ImpactSetup& setup, const Lzb& law,
                                       ContactPhases& phases, Recorder* recorder) {
  setup_ = &setup;
  phases_ = &phases;
  recorder_ = recorder;
  law_ = law;
  tolerance_ = kStepShare * law.tolerance;
  counts_ = {};
  status_ = Status::Ok;
  fraction_ = 1.0;
  landing_blocked_ = false;
  dynamics_.assign(setup, phases);
  step_.resize(setup.m, dynamics_.size());
  events_.assign(setup, phases);
}

template <class Pair>
Status AdaptiveIntegrator<Pair>::run(const ImpactSetup& setup, const Lzb& law,
                                     ContactPhases& phases, Recorder* recorder) {
  prepare(setup, law, phases, recorder);
  std::fill_n(step_.rk.state(), step_.rk.size(), 0.0);
  phases.start(setup, law, step_.rk.state());
  dt_ = setup.time_scale * std::min(0.3, std::pow(tolerance_, 1.0 / Pair::kOrder));
  begin_segment();
  record();
  while (!finished(setup, phases, now())) {
    if (collapsed(setup, phases, now(), law_.collapse_velocity)) return Status::Zeno;
    if (counts_.steps + counts_.rejected >= law_.max_steps ||
        phases_->events() >= law_.max_events || dt_ > 1e15 * setup.time_scale) {
      return Status::NotTerminated;
    }
    if (!advance()) return status_;
  }
  return Status::Ok;
}

// ------------------------------------------------------------------------- segments between events

/// Starts afresh after an event (or at the beginning).
template <class Pair>
void AdaptiveIntegrator<Pair>::begin_segment() {
  for (int i = 0; i < setup_->m; ++i) {
    // Rounding may leave a spent contact a trace below zero.
    if (phases_->loaded(i)) step_.rk.state()[i] = std::max(step_.rk.state()[i], 0.0);
  }
  step_.measure_start(*setup_, *phases_);
  for (int pass = 0; pass < 3 && settle(*setup_, *phases_, now()); ++pass)
    step_.measure_start(*setup_, *phases_);
  int k = 1;
  for (int i = 0; i < setup_->m; ++i) {
    const Phase phase = (*phases_)[i].phase;
    const bool starting = phase == Phase::Compressing || phase == Phase::Resting;
    if (starting && indentation()[i] <= setup_->spent[i]) {
      k = std::max(k, setup_->contact[i].radical());
    }
  }
  enter_time_mode(k);
}

template <class Pair>
void AdaptiveIntegrator<Pair>::enter_time_mode(int k) {
  x_ = 0.0;
  fraction_ = 1.0;
  dynamics_.use_time(k);
  if (k == 1) {
    step_.rk.start(dynamics_, x_);
  } else {
    std::fill_n(step_.rk.slope(), step_.rk.size(), 0.0);  // dτ/dx = 0 at x = 0
  }
}

template <class Pair>
void AdaptiveIntegrator<Pair>::enter_landing_mode(int i) {
  const int k = setup_->contact[i].radical();
  x_ = k == 2 ? std::sqrt(indentation()[i]) : indentation()[i];
  dynamics_.use_landing(i, (*phases_)[i].gain * step_.U0[i]);
  step_.rk.start(dynamics_, x_);
}

// ---------------------------------------------------------------------------------------- one step

/// Chooses the independent variable and the length of the next step in it.
template <class Pair>
double AdaptiveIntegrator<Pair>::plan() {
  const double blind = 1e4 * tolerance_ * setup_->velocity_scale;
  double dt = std::min(dt_, largest_safe_step(*setup_, *phases_, now(), blind));
  const Opening opening = next_opening(*setup_, *phases_, now());
  if (opening.contact >= 0 && dt > 0.7 * opening.time_left) {
    // The landing variable is good where the rate of the contact changes little on the way.
    if (opening.growth > 0.25 && opening.growth < 4.0 && !landing_blocked_) {
      if (dynamics_.landing() != opening.contact) enter_landing_mode(opening.contact);
      return -x_ * fraction_;
    }
    dt = 0.5 * opening.time_left;
  }
  if (dynamics_.landing() >= 0) enter_time_mode(1);
  dt_ = dt;
  const int k = dynamics_.radical();
  if (k == 1) return dt;
  return std::sqrt(x_ * x_ + dt) - x_;
}

/// Makes the next step shorter. False if that is no longer possible.
template <class Pair>
bool AdaptiveIntegrator<Pair>::reject(double factor) {
  ++counts_.rejected;
  factor = std::clamp(factor, 0.1, 0.9);
  if (dynamics_.landing() >= 0) {
    fraction_ *= factor;
    if (fraction_ < 1e-3) {
      landing_blocked_ = true;
      const Opening opening = next_opening(*setup_, *phases_, now());
      if (opening.contact >= 0) dt_ = std::min(dt_, 0.5 * opening.time_left);
    }
    return true;
  }
  dt_ *= factor;
  if (dt_ > 1e-14 * setup_->time_scale) return true;
  status_ = Status::StepUnderflow;
  return false;
}

/// Local error relative to the tolerance: indentations, gap rates and impulses, work, time.
template <class Pair>
double AdaptiveIntegrator<Pair>::error(double h) {
  const int m = setup_->m;
  const double* y = step_.rk.trial();
  const ImpactSetup& s = *setup_;
  // Rounding of gap rates, magnified by 1/e² during expansion, is no error of the step.
  const double rounding = 1e-15 * s.velocity_scale * (y[3 * m] - time()) / tolerance_;
  return step_.rk.error(h, [&](const double* e) {
    s.G.apply(e + m, step_.scratch.data());
    double worst = 0.0;
    for (int i = 0; i < m; ++i) {
      const double unit = s.indentation_scale[i] + std::abs(y[i]);
      const double xi = std::abs(e[i]) / (unit + rounding * (*phases_)[i].gain);
      const double U = std::abs(step_.scratch[i]) / s.velocity_scale;
      const double P = std::abs(e[m + i]) / (s.impulse_scale + std::abs(y[m + i]));
      const double W = std::abs(e[2 * m + i]) / (2.0 * s.energy_scale + std::abs(y[2 * m + i]));
      if (std::isnan(xi + U + P + W)) return std::numeric_limits<double>::quiet_NaN();
      worst = std::max({worst, xi, U, P, W});
    }
    return worst / tolerance_;
  });
}

/// A resting contact has no events: it must be given its phase before the first one is due.
template <class Pair>
bool AdaptiveIntegrator<Pair>::resting_contact_missed_its_phase() const {
  for (int i = 0; i < setup_->m; ++i) {
    if ((*phases_)[i].phase != Phase::Resting) continue;
    const ContactLaw& contact = setup_->contact[i];
    const double xi = step_.rk.trial()[i];
    if (contact.model() == ContactModel::TriStiffness && xi > 0.5 * contact.yield_indentation()) {
      return true;
    }
    // Loaded and separating already: it has skipped the end of its compression.
    const double unseen = 30.0 * setup_->gap_rate_tol;
    if (step_.U1[i] > setup_->gap_rate_tol &&
        contact.energy(xi) > 0.5 * setup_->effective_mass[i] * unseen * unseen) {
      return true;
    }
  }
  return false;
}

/// Tries one step. False if the run cannot go on.
template <class Pair>
bool AdaptiveIntegrator<Pair>::advance() {
  const double h = plan();
  dense_ready_ = false;
  if (!step_.rk.attempt(dynamics_, x_, h)) return reject(0.5);
  const double e = error(h);
  if (!(e <= 1.0)) return reject(std::isfinite(e) ? 0.9 * std::pow(e, -1.0 / Pair::kOrder) : 0.1);
  step_.measure_end(*setup_, *phases_, dynamics_);
  if (resting_contact_missed_its_phase()) return reject(0.5);

  if (events_.suspect(step_, h, dynamics_.landing())) {
    // Without dense output the step reaches beyond where the dynamics are defined: come closer.
    if (!prepare_dense(h)) return reject(0.5);
    const Crossing crossing = events_.earliest(step_);
    if (crossing.theta <= 1.0) return land_on(crossing, h);
    note_passive(1.0);
  }
  accept(h);
  adapt(h, e);
  return true;
}

template <class Pair>
void AdaptiveIntegrator<Pair>::accept(double h) {
  if (recorder_) record_times(h);
  const double before = time();
  step_.accept();
  x_ += h;
  ++counts_.steps;
  landing_blocked_ = false;
  if (dynamics_.landing() >= 0 && fraction_ == 1.0) {
    dt_ = std::max(dt_, time() - before);
    finish_landing();
    return;
  }
  const long events = phases_->events();
  const bool changed = tidy(*setup_, *phases_, now());
  if (recorder_ && (phases_->events() > events || recorder_->due())) record();
  if (changed) begin_segment();
}

/// Next step length by the usual controller.
template <class Pair>
void AdaptiveIntegrator<Pair>::adapt(double h, double error) {
  const double growth = std::min(6.0, 0.9 * std::pow(std::max(error, 1e-10), -1.0 / Pair::kOrder));
  if (dynamics_.landing() >= 0) {
    fraction_ = std::min(1.0, std::abs(h) * growth / x_);
    return;
  }
  if (x_ == 0.0) return;  // a new segment has begun: keep the natural step
  const int k = dynamics_.radical();
  dt_ = LzbDynamics::power(x_ + h * growth, k) - LzbDynamics::power(x_, k);
}

/// The landing contact has reached ξ = 0; others may open at the same instant.
template <class Pair>
void AdaptiveIntegrator<Pair>::finish_landing() {
  const int first = dynamics_.landing();
  record();
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    const bool opening = s.phase == Phase::Expanding && s.has_target && s.xi_target == 0.0 &&
                         indentation()[i] <= setup_->spent[i];
    if (i == first || opening) step_.rk.state()[i] = phases_->reach_target(i, now().point(i));
  }
  tidy(*setup_, *phases_, now());
  begin_segment();
}

// ------------------------------------------------------------------------------------------ events

template <class Pair>
bool AdaptiveIntegrator<Pair>::prepare_dense(double h) {
  const long before = dynamics_.evaluations();
  dense_ready_ = step_.rk.prepare_dense(dynamics_, x_, h);
  counts_.event_evaluations += dynamics_.evaluations() - before;
  return dense_ready_;
}

/// Repeats the step up to the event, polishes its end until the event function vanishes, applies
/// it.
template <class Pair>
bool AdaptiveIntegrator<Pair>::land_on(const Crossing& crossing, double h) {
  const Watch& w = crossing.watch;
  double part = crossing.theta * h;
  const bool here = std::abs(part) <= 1e-15 * std::abs(h);
  if (!here && !(approach(w, h, part) && error(part) <= 1.0)) return reject(0.5);
  note_passive(crossing.theta);
  if (!here) {
    dense_ready_ = false;
    if (recorder_) record_times(part);
    step_.accept();
    x_ += part;
    ++counts_.steps;
  }
  record();
  apply(w);
  apply_simultaneous(w);
  tidy(*setup_, *phases_, now());
  begin_segment();
  record();
  return true;
}

/// Steps to the zero of w near `part` and corrects `part`. False if it is not found.
template <class Pair>
bool AdaptiveIntegrator<Pair>::approach(const Watch& w, double h, double& part) {
  const long before = dynamics_.evaluations();
  const double furthest = 1.5 * std::abs(part);
  bool found = false;
  for (int attempt = 0; attempt < 4 && !found; ++attempt) {
    if (!step_.rk.attempt(dynamics_, x_, part)) break;
    double next = 0.0;
    found = polish(w, part, next);
    if (found) break;
    // Too far for a linear correction: step again, from the start.
    part = next / h > 0.0 && std::abs(next) < furthest ? next : 0.5 * part;
  }
  counts_.event_evaluations += dynamics_.evaluations() - before;
  return found;
}

/// Newton corrections of the trial state along its slope. False, with a better length in `next`, if
/// the event is too far away for that.
template <class Pair>
bool AdaptiveIntegrator<Pair>::polish(const Watch& w, double& part, double& next) {
  double x = x_ + part;
  for (int round = 0;; ++round) {
    step_.measure_end(*setup_, *phases_, dynamics_);
    const double g = events_.value(w, step_.rk.trial(), step_.U1.data());
    const double slope = events_.slope(w, step_.rk.trial_slope(), step_.a1.data());
    if (slope == 0.0 && std::abs(g) > w.floor) {
      next = 0.5 * part;
      return false;
    }
    const double correction = slope != 0.0 ? -g / slope : 0.0;
    const bool done = std::abs(g) <= 0.01 * w.floor || std::abs(correction) <= 1e-16 * std::abs(x);
    if (done || round == 4) {
      part = x - x_;
      return true;
    }
    if (std::abs(correction) > 1e-4 * std::abs(part)) {
      next = part + correction;
      return false;
    }
    for (int k = 0; k < step_.rk.size(); ++k) {
      step_.rk.trial()[k] += correction * step_.rk.trial_slope()[k];
    }
    x += correction;
    dynamics_(x, step_.rk.trial(), step_.rk.trial_slope());
  }
}

/// Carries out the event announced by w at the current state.
template <class Pair>
void AdaptiveIntegrator<Pair>::apply(const Watch& w) {
  const int i = w.contact;
  const Phase phase = (*phases_)[i].phase;
  double& xi = step_.rk.state()[i];
  if (!w.on_gap_rate) {
    xi = phases_->reach_target(i, now().point(i));
  } else if (phase == Phase::Compressing) {
    xi = phases_->end_compression(i, now().point(i));
  } else if (phase == Phase::Expanding) {
    xi = phases_->recompress(i, now().point(i));
  } else {
    xi = phases_->reenter(i, now().point(i));
  }
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
template <class Pair>
void AdaptiveIntegrator<Pair>::apply_simultaneous(const Watch& done) {
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    Watch due;
    bool found = false;
    events_.for_each_watch(i, dynamics_.landing(), [&](const Watch& w) {
      const double g = events_.value(w, step_.rk.state(), step_.U0.data());
      const double slope = events_.slope(w, step_.rk.slope(), step_.a0.data());
      const double falling = dynamics_.landing() >= 0 ? -slope : slope;
      if (!found && std::abs(g) <= w.floor && falling < 0.0) {
        due = w;
        found = true;
      }
    });
    if (found) apply(due);
  }
}

/// Elastic contacts: carries out, and records, their changes up to θ = until.
template <class Pair>
void AdaptiveIntegrator<Pair>::note_passive(double until) {
  if (!dense_ready_) return;
  events_.note_passive(step_, until, [&](double theta) {
    if (recorder_) record_inside(theta);
  });
}

/// Samples at the times asked for, by dense output.
template <class Pair>
void AdaptiveIntegrator<Pair>::record_times(double h) {
  const int last = 3 * setup_->m;
  double asked = 0.0;
  while (recorder_->next_time(step_.rk.trial()[last], asked)) {
    if (!dense_ready_ && !prepare_dense(h)) return;
    const auto late = [&](double theta) { return step_.rk.dense(last, theta) - asked; };
    record_inside(numerics::bracketed_root(late, 0.0, 1.0, 1e-15));
  }
}

/// A sample inside the step, from its dense output.
template <class Pair>
void AdaptiveIntegrator<Pair>::record_inside(double theta) {
  const int m = setup_->m;
  Vector y(step_.rk.size());
  for (int k = 0; k < step_.rk.size(); ++k) y[k] = step_.rk.dense(k, theta);
  Vector U(m);
  setup_->G.apply(setup_->U_before.data(), y.data() + m, U.data());
  recorder_->sample(y[3 * m], [&](int i) { return contact_sample(i, y.data(), U[i]); });
}

template <class Pair>
void AdaptiveIntegrator<Pair>::record() {
  if (!recorder_) return;
  recorder_->sample(time(),
                    [&](int i) { return contact_sample(i, step_.rk.state(), step_.U0[i]); });
}

template <class Pair>
ContactSample AdaptiveIntegrator<Pair>::contact_sample(int i, const double* y, double U) const {
  const int m = setup_->m;
  const double stored = phases_->stored_energy(i, y[i]);
  return {.impulse = y[m + i],
          .force = phases_->force(i, y[i]),
          .indentation = phases_->loaded(i) ? y[i] : 0.0,
          .stored_energy = stored,
          .dissipated = setup_->initial_energy[i] + y[2 * m + i] - stored,
          .gap_rate = U};
}

template class AdaptiveIntegrator<numerics::DormandPrince5>;
template class AdaptiveIntegrator<numerics::DormandPrince8>;

}  // namespace percute::laws
