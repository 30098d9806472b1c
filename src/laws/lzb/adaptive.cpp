// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/adaptive.hpp"

#include "laws/lzb/step_events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
  rk_.resize(dynamics_.size());
  const auto size = static_cast<std::size_t>(setup.m);
  for (auto* v : {&U0_, &U1_, &a0_, &a1_, &scratch_}) v->assign(size, 0.0);
  suspects_.reserve(3 * size);
  passive_.reserve(size);
}

template <class Pair>
Status AdaptiveIntegrator<Pair>::run(const ImpactSetup& setup, const Lzb& law,
                                     ContactPhases& phases, Recorder* recorder) {
  prepare(setup, law, phases, recorder);
  std::fill_n(rk_.state(), rk_.size(), 0.0);
  phases.start(setup, law, rk_.state());
  dt_ = setup.time_scale * std::min(0.3, std::pow(tolerance_, 1.0 / Pair::kOrder));
  begin_segment();
  record();
  while (!finished()) {
    if (collapsed()) return Status::Zeno;
    if (counts_.steps + counts_.rejected >= law_.max_steps || phases_->events() >= law_.max_events ||
        dt_ > 1e15 * setup.time_scale) {
      return Status::NotTerminated;
    }
    if (!step()) return status_;
  }
  return Status::Ok;
}

template <class Pair>
bool AdaptiveIntegrator<Pair>::finished() const {
  for (int i = 0; i < setup_->m; ++i) {
    const Phase phase = (*phases_)[i].phase;
    if (phase == Phase::Compressing || phase == Phase::Expanding) return false;
    if (U0_[i] < -setup_->gap_rate_tol) return false;
  }
  return true;
}

/// Infinitely many impacts in finite time: the motion that is left is negligible.
template <class Pair>
bool AdaptiveIntegrator<Pair>::collapsed() const {
  if (phases_->events() <= 10) return false;
  const double slow = law_.collapse_velocity * setup_->velocity_scale;
  const double little = law_.collapse_velocity * law_.collapse_velocity * setup_->energy_scale;
  for (int i = 0; i < setup_->m; ++i) {
    if (std::abs(U0_[i]) >= slow) return false;
    if (phases_->stored_energy(i, indentation()[i]) >= little) return false;
  }
  return true;
}

// ------------------------------------------------------------------------- segments between events

/// Gap rates and their derivatives at the current state.
template <class Pair>
void AdaptiveIntegrator<Pair>::measure_start() {
  setup_->G.apply(setup_->U_before.data(), impulse(), U0_.data());
  for (int i = 0; i < setup_->m; ++i) scratch_[i] = phases_->force(i, indentation()[i]);
  setup_->G.apply(scratch_.data(), a0_.data());
}

/// Contacts with zero gap rate take the phase into which their acceleration drives them.
template <class Pair>
bool AdaptiveIntegrator<Pair>::settle() {
  bool changed = false;
  const double still = 10.0 * setup_->noise;
  const double sure = sure_acceleration();
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    const bool plastic = s.phase == Phase::Expanding && setup_->contact[i].restitution() == 0.0 &&
                         setup_->contact[i].model() != ContactModel::TriStiffness;
    if (std::abs(U0_[i]) > still && !plastic) continue;
    const double a = a0_[i];
    double& xi = rk_.state()[i];
    if ((s.phase == Phase::Compressing && a > sure) || (plastic && !(a < -sure))) {
      xi = phases_->end_compression(i, point(i));
    } else if (s.phase == Phase::Expanding && a < -sure) {
      xi = phases_->recompress(i, point(i));
    } else if (s.phase == Phase::Open && !setup_->tracked_gap && a < -sure) {
      xi = phases_->reenter(i, point(i));
    } else if (s.phase == Phase::Resting && a < -sure) {
      phases_->load_resting(i, point(i));
    } else {
      continue;
    }
    changed = true;
  }
  return changed;
}

/// Starts afresh after an event (or at the beginning).
template <class Pair>
void AdaptiveIntegrator<Pair>::begin_segment() {
  for (int i = 0; i < setup_->m; ++i) {
    // Rounding may leave a spent contact a trace below zero.
    if (phases_->loaded(i)) rk_.state()[i] = std::max(rk_.state()[i], 0.0);
  }
  measure_start();
  for (int pass = 0; pass < 3 && settle(); ++pass) measure_start();
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
    rk_.start(dynamics_, x_);
  } else {
    std::fill_n(rk_.slope(), rk_.size(), 0.0);  // dτ/dx = 0 at x = 0
  }
}

template <class Pair>
void AdaptiveIntegrator<Pair>::enter_landing_mode(int i) {
  const int k = setup_->contact[i].radical();
  x_ = k == 2 ? std::sqrt(indentation()[i]) : std::pow(indentation()[i], 1.0 / k);
  dynamics_.use_landing(i, (*phases_)[i].gain * U0_[i]);
  rk_.start(dynamics_, x_);
}

// ---------------------------------------------------------------------------------------- one step

/// Which contact with a singular opening will open first, when (constant acceleration), and by what
/// factor its rate will have grown by then; -1 if none is about to.
template <class Pair>
int AdaptiveIntegrator<Pair>::next_opening(double& time_left, double& growth) const {
  int first = -1;
  time_left = kInfinity;
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    if (s.phase != Phase::Expanding || s.xi_target != 0.0 || U0_[i] <= 0.0) continue;
    if (!setup_->contact[i].singular()) continue;
    const double xi = indentation()[i];
    const double rate = s.gain * U0_[i];
    const double change = s.gain * a0_[i];
    const double discriminant = rate * rate + 2.0 * change * xi;
    if (discriminant < 0.0) continue;
    const double time = 2.0 * xi / (rate + std::sqrt(discriminant));
    if (time < time_left) {
      time_left = time;
      growth = std::sqrt(discriminant) / rate;
      first = i;
    }
  }
  return first;
}

/// Contacts whose motion is too small for the error control to see still bound the step: by the
/// period of the contact at its present energy.
template <class Pair>
double AdaptiveIntegrator<Pair>::largest_safe_step() const {
  double dt = kInfinity;
  const double blind = 1e4 * tolerance_ * setup_->velocity_scale;
  for (int i = 0; i < setup_->m; ++i) {
    const Phase phase = (*phases_)[i].phase;
    if (phase != Phase::Compressing && phase != Phase::Expanding) continue;
    const double mass = setup_->effective_mass[i];
    const ContactLaw& contact = setup_->contact[i];
    const double energy = contact.energy(indentation()[i]) + 0.5 * mass * U0_[i] * U0_[i];
    if (energy > 0.5 * mass * blind * blind) continue;
    const double slope = contact.slope(contact.indentation(energy), false);
    if (slope > 0.0) dt = std::min(dt, 1.5 * std::sqrt(mass / slope));
  }
  return dt;
}

/// Chooses mode and step length; dt is the step in τ (time mode).
template <class Pair>
double AdaptiveIntegrator<Pair>::plan(double& dt) {
  dt = std::min(dt_, largest_safe_step());
  double time_left = kInfinity;
  double growth = 0.0;
  const int opening = next_opening(time_left, growth);
  if (opening >= 0 && dt > 0.7 * time_left) {
    if (growth > 0.25 && growth < 4.0 && !landing_blocked_) {
      if (dynamics_.landing() != opening) enter_landing_mode(opening);
      return -x_ * fraction_;
    }
    dt = 0.5 * time_left;
  }
  if (dynamics_.landing() >= 0) enter_time_mode(1);
  const int k = dynamics_.radical();
  if (k == 1) return dt;
  const double sum = LzbDynamics::power(x_, k) + dt;
  return (k == 2 ? std::sqrt(sum) : std::pow(sum, 1.0 / k)) - x_;
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
      double growth = 0.0;
      double time_left = kInfinity;
      if (next_opening(time_left, growth) >= 0) dt_ = std::min(dt_, 0.5 * time_left);
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
  const double* y = rk_.trial();
  const ImpactSetup& s = *setup_;
  return rk_.error(h, [&](const double* e) {
    s.G.apply(e + m, scratch_.data());
    double worst = 0.0;
    for (int i = 0; i < m; ++i) {
      const double xi = std::abs(e[i]) / (s.indentation_scale[i] + std::abs(y[i]));
      const double U = std::abs(scratch_[i]) / s.velocity_scale;
      const double P = std::abs(e[m + i]) / (s.impulse_scale + std::abs(y[m + i]));
      const double W = std::abs(e[2 * m + i]) / (2.0 * s.energy_scale + std::abs(y[2 * m + i]));
      const double here = std::max(std::max(xi, U), std::max(P, W));
      // Written so that a NaN wins.
      if (!(here <= worst)) worst = here;
    }
    return worst / tolerance_;
  });
}

template <class Pair>
bool AdaptiveIntegrator<Pair>::step() {
  double dt = 0.0;
  const double h = plan(dt);
  if (dynamics_.landing() < 0) dt_ = dt;
  dense_ready_ = false;
  if (!rk_.attempt(dynamics_, x_, h)) return reject(0.5);
  const double e = error(h);
  if (!(e <= 1.0)) return reject(std::isfinite(e) ? 0.9 * std::pow(e, -1.0 / Pair::kOrder) : 0.1);

  const int m = setup_->m;
  std::copy_n(dynamics_.gap_rates().data(), m, U1_.data());
  for (int i = 0; i < m; ++i) {
    const ContactState& s = (*phases_)[i];
    scratch_[i] = phases_->force(i, rk_.trial()[i]);
    if (s.phase != Phase::Resting) continue;
    // A resting contact has no events: it must be given its phase before the first one is due.
    const ContactLaw& contact = setup_->contact[i];
    if (contact.model() == ContactModel::TriStiffness &&
        rk_.trial()[i] > 0.5 * contact.yield_indentation()) {
      return reject(0.5);
    }
    if (U1_[i] > setup_->gap_rate_tol) {
      const double unseen = 30.0 * setup_->gap_rate_tol;
      const double energy = contact.energy(rk_.trial()[i]);
      if (energy > 0.5 * setup_->effective_mass[i] * unseen * unseen) return reject(0.5);
    }
  }
  setup_->G.apply(scratch_.data(), a1_.data());

  const Crossing crossing = earliest_crossing(h);
  // Events are due but the step reaches beyond where the dynamics are defined: come closer first.
  if (!dense_ready_ && !(suspects_.empty() && passive_.empty())) return reject(0.5);
  if (crossing.theta <= 1.0) return land_on(crossing, h);
  note_passive_events(1.0);
  accept(h);
  adapt(h, e);
  return true;
}

template <class Pair>
void AdaptiveIntegrator<Pair>::accept(double h) {
  if (recorder_) record_times(h);
  const double before = time();
  rk_.accept();
  x_ += h;
  U0_.swap(U1_);
  a0_.swap(a1_);
  ++counts_.steps;
  landing_blocked_ = false;
  if (recorder_ && recorder_->due()) record();
  if (dynamics_.landing() >= 0 && fraction_ == 1.0) {
    dt_ = std::max(dt_, time() - before);
    finish_landing();
  } else if (tidy()) {
    begin_segment();
  }
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

/// Phases that follow from magnitudes rather than from crossings: resting contacts that have begun to
/// move, spent contacts that separate, contacts whose motion has died out. True if the dynamics
/// changed by that.
template <class Pair>
bool AdaptiveIntegrator<Pair>::tidy() {
  bool changed = false;
  const double asleep = 0.1 * setup_->gap_rate_tol;
  const double sure = sure_acceleration();
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    const double U = U0_[i];
    double& xi = rk_.state()[i];
    if (s.phase == Phase::Resting) {
      if (std::abs(U) <= setup_->gap_rate_tol) continue;
      xi = phases_->commit_resting(i, point(i));
      changed = changed || U > 0.0;
    } else if (s.phase == Phase::Expanding && s.xi_target == 0.0 && xi <= setup_->spent[i] &&
               U > asleep) {
      xi = phases_->reach_target(i, point(i));
      changed = true;
    } else if (s.phase != Phase::Open && std::abs(U) <= asleep && std::abs(a0_[i]) <= sure &&
               setup_->contact[i].energy(xi) <=
                   0.5 * setup_->effective_mass[i] * asleep * asleep) {
      xi = phases_->fall_asleep(i, point(i));
      changed = true;
    }
  }
  return changed;
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
    if (i == first || opening) rk_.state()[i] = phases_->reach_target(i, point(i));
  }
  tidy();
  begin_segment();
}

template <class Pair>
ContactPoint AdaptiveIntegrator<Pair>::point(int i) const {
  return {.time = time(), .xi = indentation()[i], .P = impulse()[i], .U = U0_[i]};
}

template <class Pair>
ContactPoint AdaptiveIntegrator<Pair>::dense_point(int i, double theta, double U) const {
  const int m = setup_->m;
  return {.time = rk_.dense(3 * m, theta),
          .xi = rk_.dense(i, theta),
          .P = rk_.dense(m + i, theta),
          .U = U};
}

// ------------------------------------------------------------------------------------------ events

/// The functions that announce the next event of contact i.
template <class Pair>
template <class Visit>
void AdaptiveIntegrator<Pair>::for_each_watch(int i, Visit&& visit) const {
  const ContactState& s = (*phases_)[i];
  const double still = 10.0 * setup_->noise;
  if (s.phase == Phase::Compressing) {
    visit(Watch{.contact = i, .on_gap_rate = true, .sign = -1.0, .floor = still});
  } else if (s.phase == Phase::Expanding || (s.phase == Phase::Open && !setup_->tracked_gap)) {
    visit(Watch{.contact = i, .on_gap_rate = true, .sign = 1.0, .floor = still});
  }
  if (s.has_target && i != dynamics_.landing()) {
    const bool downward = s.phase == Phase::Expanding || s.passive;
    visit(Watch{.contact = i,
                .on_gap_rate = false,
                .sign = s.phase != Phase::Open && downward ? 1.0 : -1.0,
                .floor = std::min(setup_->spent[i], 1e-12 * setup_->indentation_scale[i])});
  }
}

template <class Pair>
double AdaptiveIntegrator<Pair>::watch_value(const Watch& w, const double* y,
                                             const double* U) const {
  if (w.on_gap_rate) return w.sign * U[w.contact];
  return w.sign * (y[w.contact] - (*phases_)[w.contact].xi_target);
}

/// dg/dx; the last component of the slope is dτ/dx.
template <class Pair>
double AdaptiveIntegrator<Pair>::watch_slope(const Watch& w, const double* f,
                                             const double* acceleration) const {
  return w.sign * (w.on_gap_rate ? acceleration[w.contact] * f[3 * setup_->m] : f[w.contact]);
}

/// Could g have vanished within the step? Ends of opposite sign, or a dip between positive ends.
template <class Pair>
bool AdaptiveIntegrator<Pair>::suspicious(const Watch& w, double h) const {
  const double g0 = watch_value(w, rk_.state(), U0_.data());
  const double g1 = watch_value(w, rk_.trial(), U1_.data());
  if (g0 <= w.floor) return g1 < -w.floor;
  if (g1 <= 0.0) return true;
  return may_dip_below_zero(g0, h * watch_slope(w, rk_.slope(), a0_.data()), g1,
                            h * watch_slope(w, rk_.trial_slope(), a1_.data()));
}

/// The dense output of the function watched, as coefficients after its value at the start.
template <class Pair>
typename AdaptiveIntegrator<Pair>::Coefficients AdaptiveIntegrator<Pair>::watch_coefficients(
    const Watch& w) const {
  Coefficients c{};
  const int m = setup_->m;
  if (w.on_gap_rate) {
    setup_->G.for_row(w.contact, [&](int j, double G_ij) {
      const double* p = rk_.dense_coefficients(m + j);
      for (int d = 0; d < RK::kDense; ++d) c[d] += w.sign * G_ij * p[d];
    });
  } else {
    const double* p = rk_.dense_coefficients(w.contact);
    for (int d = 0; d < RK::kDense; ++d) c[d] = w.sign * p[d];
  }
  return c;
}

/// Place of the crossing in the step, θ in [0, 1], on the dense output; 2 if there is none.
template <class Pair>
double AdaptiveIntegrator<Pair>::crossing_of(const Watch& w) const {
  const Coefficients c = watch_coefficients(w);
  const double g0 = watch_value(w, rk_.state(), U0_.data());
  const bool armed = g0 > w.floor;
  const auto g = [&](double theta) { return g0 + RK::evaluate(c.data(), theta); };
  const double theta = first_crossing(g, 0.0, armed);
  // Left zero into the wrong direction at once: the event belongs to the start of the step.
  if (theta > 1.0 && !armed) return 0.0;
  return theta;
}

template <class Pair>
typename AdaptiveIntegrator<Pair>::Crossing AdaptiveIntegrator<Pair>::earliest_crossing(double h) {
  suspects_.clear();
  passive_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    for_each_watch(i, [&](const Watch& w) {
      if (!suspicious(w, h)) return;
      if (w.on_gap_rate && (*phases_)[i].passive && (*phases_)[i].phase != Phase::Open) {
        passive_.push_back(i);
      } else {
        suspects_.push_back(w);
      }
    });
  }
  Crossing earliest;
  if (suspects_.empty() && passive_.empty()) return earliest;
  const long before = dynamics_.evaluations();
  dense_ready_ = rk_.prepare_dense(dynamics_, x_, h);
  counts_.event_evaluations += dynamics_.evaluations() - before;
  if (!dense_ready_) return earliest;
  for (const Watch& w : suspects_) {
    const double theta = crossing_of(w);
    if (theta < earliest.theta) earliest = {w, theta};
  }
  return earliest;
}

/// Elastic contacts: note the changes between compression and expansion up to θ = until.
template <class Pair>
void AdaptiveIntegrator<Pair>::note_passive_events(double until) {
  if (!dense_ready_) return;
  for (const int i : passive_) {
    double theta = 0.0;
    for (bool first = true; theta < 1.0; first = false) {
      const bool compressing = (*phases_)[i].phase == Phase::Compressing;
      const Watch w{.contact = i, .on_gap_rate = true, .sign = compressing ? -1.0 : 1.0};
      const Coefficients c = watch_coefficients(w);
      const double g0 = w.sign * U0_[i];
      const auto g = [&](double t) { return g0 + RK::evaluate(c.data(), t); };
      const bool armed = first && g0 > 10.0 * setup_->noise;
      double next = first_crossing(g, theta, armed);
      if (next > 1.0 && first && !armed && g(1.0) < -10.0 * setup_->noise) next = 0.0;
      if (next > until) break;
      const ContactPoint at = dense_point(i, next, 0.0);
      if (compressing) {
        phases_->end_compression(i, at);
      } else {
        phases_->recompress(i, at);
      }
      theta = next;
    }
  }
}

/// Repeats the step up to the event, polishes its end until the event function vanishes, applies it.
template <class Pair>
bool AdaptiveIntegrator<Pair>::land_on(const Crossing& crossing, double h) {
  const long before = dynamics_.evaluations();
  const Watch& w = crossing.watch;
  double part = crossing.theta * h;
  const double full = part;
  bool moved = false;
  for (int attempt = 0; attempt < 4 && !moved; ++attempt) {
    if (std::abs(part) <= 1e-15 * std::abs(h)) break;
    if (!rk_.attempt(dynamics_, x_, part)) return reject(0.5);
    double x = x_ + part;
    for (int polish = 0; polish < 5; ++polish) {
      std::copy_n(dynamics_.gap_rates().data(), setup_->m, U1_.data());
      for (int i = 0; i < setup_->m; ++i) scratch_[i] = phases_->force(i, rk_.trial()[i]);
      setup_->G.apply(scratch_.data(), a1_.data());
      const double g = watch_value(w, rk_.trial(), U1_.data());
      const double slope = watch_slope(w, rk_.trial_slope(), a1_.data());
      const double correction = slope != 0.0 ? -g / slope : 0.0;
      const bool done = std::abs(g) <= 0.01 * w.floor || std::abs(correction) <= 1e-16 * std::abs(x);
      if (done || polish == 4) {
        part = x - x_;
        moved = true;
        break;
      }
      // Too far for a linear correction: step again, from the start.
      if (std::abs(correction) > 1e-4 * std::abs(part)) {
        const double next = part + correction;
        part = next / h > 0.0 && std::abs(next) < 1.5 * std::abs(full) ? next : 0.5 * part;
        break;
      }
      for (int k = 0; k < rk_.size(); ++k) rk_.trial()[k] += correction * rk_.trial_slope()[k];
      x += correction;
      dynamics_(x, rk_.trial(), rk_.trial_slope());
    }
  }
  counts_.event_evaluations += dynamics_.evaluations() - before;
  if (!moved && std::abs(part) > 1e-15 * std::abs(h)) return reject(0.5);
  note_passive_events(crossing.theta);
  if (moved) {
    dense_ready_ = false;
    if (recorder_) record_times(part);
    rk_.accept();
    x_ += part;
    U0_.swap(U1_);
    a0_.swap(a1_);
    ++counts_.steps;
  }
  record();
  apply(w);
  apply_simultaneous(w);
  tidy();
  begin_segment();
  record();
  return true;
}

/// Carries out the event announced by w at the current state.
template <class Pair>
void AdaptiveIntegrator<Pair>::apply(const Watch& w) {
  const int i = w.contact;
  const Phase phase = (*phases_)[i].phase;
  double& xi = rk_.state()[i];
  if (!w.on_gap_rate) {
    xi = phases_->reach_target(i, point(i));
  } else if (phase == Phase::Compressing) {
    xi = phases_->end_compression(i, point(i));
  } else if (phase == Phase::Expanding) {
    xi = phases_->recompress(i, point(i));
  } else {
    xi = phases_->reenter(i, point(i));
  }
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
template <class Pair>
void AdaptiveIntegrator<Pair>::apply_simultaneous(const Watch& done) {
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    Watch due;
    bool found = false;
    for_each_watch(i, [&](const Watch& w) {
      const double g = watch_value(w, rk_.state(), U0_.data());
      const double slope = watch_slope(w, rk_.slope(), a0_.data());
      const double falling = dynamics_.landing() >= 0 ? -slope : slope;
      if (!found && std::abs(g) <= w.floor && falling < 0.0) {
        due = w;
        found = true;
      }
    });
    if (found) apply(due);
  }
}

/// Samples at the times asked for, by dense output.
template <class Pair>
void AdaptiveIntegrator<Pair>::record_times(double h) {
  const int m = setup_->m;
  double asked = 0.0;
  while (recorder_->next_time(rk_.trial()[3 * m], asked)) {
    if (!dense_ready_) dense_ready_ = rk_.prepare_dense(dynamics_, x_, h);
    const double theta = numerics::bracketed_root(
        [&](double t) { return rk_.dense(3 * m, t) - asked; }, 0.0, 1.0, 1e-14);
    Vector y(rk_.size());
    for (int k = 0; k < rk_.size(); ++k) y[k] = rk_.dense(k, theta);
    Vector U(m);
    setup_->G.apply(setup_->U_before.data(), y.data() + m, U.data());
    recorder_->sample(asked, [&](int i) { return contact_sample(i, y.data(), U[i]); });
  }
}

template <class Pair>
void AdaptiveIntegrator<Pair>::record() {
  if (!recorder_) return;
  recorder_->sample(time(), [&](int i) { return contact_sample(i, rk_.state(), U0_[i]); });
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
