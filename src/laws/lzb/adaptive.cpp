// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/adaptive.hpp"

#include "numerics/bracketed_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Steps between two looks at the size of impulses, and at first between two looks for stiffness.
constexpr long kStepsBetweenLooks = 64;
/// Part of the step that the error estimate would allow: a rejected step costs more than a short
/// one.
constexpr double kSafety = 0.8;
constexpr double kMostGrowth = 6.0;
/// Defect of the dense output, relative to the tolerance, above which no event is taken from it. It
/// is about ten times the error there; values up to ten are common, useless dense output has 1e6.
constexpr double kLargestDefect = 30.0;
/// Looks for stiffness become rarer after each one in vain, down to one in this many steps.
constexpr long kLongestInterval = 4096;
/// Steps longer than this, over the time scale, lead nowhere.
constexpr double kLongest = 1e15;
/// Oscillations are passed over if their error is no larger than this, in terms of that allowed to
/// one step: it is made only once, so it may be as large as the tolerance as a whole.
constexpr double kPassable = 1.0 / kStepShare;

/// A contact that is this many times as fast as another one may make as many cycles as the limits
/// have been chosen for: four changes of phase each, 100 000 in all, while the slow one is loaded.
constexpr double kLikeTimes = 25000.0;
/// Beyond this factor on the limits a run would take minutes.
constexpr double kLargestShare = 100.0;

/// Limits hold for 1000 contacts, and for contacts of like durations; impacts with more of them, or
/// with some that are much faster than others, may take as many times more.
long limit_for(const ImpactSetup& setup, long limit) {
  const double cycles = std::min(setup.time_ratio / kLikeTimes, kLargestShare);
  const long share = std::max({1L, setup.m / 1000L, static_cast<long>(cycles)});
  return limit < std::numeric_limits<long>::max() / share ? share * limit : limit;
}

}  // namespace

void AdaptiveIntegrator::prepare(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases,
                                 Recorder* recorder) {
  window_.start(setup, phases);
  setup_ = &window_.setup();
  phases_ = &phases;
  recorder_ = recorder;
  law_ = law;
  law_.max_steps = limit_for(setup, law.max_steps);
  law_.max_events = limit_for(setup, law.max_events);
  counts_ = {};
  lost_digits_ = balanced_ = false;
  next_look_ = kStepsBetweenLooks;
  step_.assign(*setup_, phases);
  step_.dynamics.forget_evaluations();
  stiff_step_.assign(*setup_, phases);
  stiff_ = {.next_look = kStepsBetweenLooks, .interval = kStepsBetweenLooks};
  events_.assign(*setup_, phases);
}

Status AdaptiveIntegrator::run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases,
                               Recorder* recorder) {
  phases.start(setup, law);
  prepare(setup, law, phases, recorder);
  const Status status = integrate();
  window_.finish(now());
  lost_digits_ = lost_digits_ || (!setup.bodies.used() && setup.loses_digits(impulse()));
  return status;
}

/// Has the run come to one of its limits?
bool AdaptiveIntegrator::stopped() {
  counts_.reason = limit_reached(law_, counts_.steps + counts_.rejected, phases_->events());
  if (counts_.reason == nullptr && at_.dt > kLongest * setup_->time_scale) {
    counts_.reason = "nothing happens any more, but the impact has not ended";
  } else if (counts_.reason == nullptr && counts_.steps >= next_look_) {
    look();
  }
  return lost_digits_ || counts_.reason != nullptr;
}

/// What takes many steps to come about. Impulses only grow: a look now and then, and one at the
/// end, tell whether they have become too large.
void AdaptiveIntegrator::look() {
  // Steps that pass over oscillations become long.
  next_look_ = counts_.steps + (stiff_.on ? 1 : kStepsBetweenLooks);
  lost_digits_ = !setup_->bodies.used() && setup_->loses_digits(step_.impulse());
  // At one instant all may stand still that turns round.
  const bool before = balanced_;
  balanced_ = balanced(now());
  if (before && balanced_)
    counts_.reason = "the forces of loaded contacts balance: they push for ever";
}

Status AdaptiveIntegrator::integrate() {
  for (int i = 0; i < setup_->m; ++i) step_.rk.state()[i] = phases_->initial_indentation(i);
  at_ = {};
  at_.first = at_.dt =
      setup_->time_scale * std::min(0.3, 1.0 / ImpactStep::RK::growth(tolerance()));
  begin_segment();
  record();
  while (!finished(now())) {
    if (slower_than(law_.collapse_velocity)) return Status::Zeno;
    if (stopped()) return Status::NotTerminated;
    if (!advance()) return Status::StepUnderflow;
  }
  if (!setup_->resolves_by_tolerance() || !phases_->came_to_rest()) return Status::Ok;
  // A cascade may fall below the resolution before the collapse rule sees it.
  const double resolution = 10.0 * setup_->motion / setup_->velocity_scale;
  return slower_than(std::max(law_.collapse_velocity, resolution)) ? Status::Zeno : Status::Ok;
}

/// The collapse rule: all contacts, inside the window and outside, are slower than this part of vs.
bool AdaptiveIntegrator::slower_than(double part) {
  return collapsed(now(), part) && window_.fastest_outside() < part * setup_->velocity_scale;
}

// ------------------------------------------------------------------------- segments between events

/// Goes on with the contacts that are live now, in the same independent variable.
void AdaptiveIntegrator::move_window() {
  const double time_now = time();
  const double x = step_.dynamics.landing() >= 0 ? 0.0 : at_.x;
  const int k = step_.dynamics.radical();
  window_.move(now());
  step_.assign(*setup_, *phases_);
  stiff_step_.assign(*setup_, *phases_);
  events_.assign(*setup_, *phases_);
  double* y = step_.rk.state();
  for (int i = 0; i < setup_->m; ++i) {
    y[i] = window_.initial_indentation(i);
    y[setup_->lanes + i] = window_.initial_impulse(i);
  }
  y[setup_->clock()] = time_now;
  begin_segment();
  if (k == 1 || x == 0.0 || step_.dynamics.radical() != 1) return;
  at_.x = x;
  step_.dynamics.use_time(k);
  step_.restart(at_.x);
}

/// Starts afresh after an event (or at the beginning).
void AdaptiveIntegrator::begin_segment() {
  for (int i = 0; i < setup_->m; ++i) {
    // Rounding may leave a spent contact a trace below zero.
    if (phases_->loaded(i)) step_.rk.state()[i] = std::max(step_.rk.state()[i], 0.0);
  }
  step_.start();
  for (int pass = 0; pass < 3 && settle(now()); ++pass) step_.start();
  const int k = starting_radical(now());
  at_.count_time();
  if (k == 1) return;
  step_.dynamics.use_time(k);
  at_.dt = std::min(at_.dt, at_.first);
  std::fill_n(step_.rk.slope(), step_.rk.size(), 0.0);  // dτ/dx = 0 at x = 0
}

/// Gives up a landing.
void AdaptiveIntegrator::return_to_time() {
  at_.count_time();
  step_.dynamics.use_time(1);
  step_.restart(at_.x);
}

void AdaptiveIntegrator::enter_landing_mode(int i) {
  const double xi = step_.rk.state()[i];
  at_.fraction = 1.0;
  at_.x = setup_->contact[i].radical() == 2 ? std::sqrt(xi) : xi;
  step_.dynamics.use_landing(i, (*phases_)[i].gain * step_.U0[i]);
  step_.restart(at_.x);
}

// ---------------------------------------------------------------------------------------- one step

/// Chooses the independent variable and the length of the next step in it.
double AdaptiveIntegrator::plan() {
  double dt = at_.dt;
  if (!stiff_.on) {
    const double blind = 1e4 * tolerance() * setup_->velocity_scale;
    dt = limit_blind_step(dt, now(), blind);
  }
  const Opening opening = next_opening(now());
  const int landing = step_.dynamics.landing();
  // What starts is smooth in √τ only.
  const bool starts = landing < 0 && step_.dynamics.radical() == 2;
  if (!stiff_.on && !starts && !at_.landing_blocked && opening.lands(dt, landing)) {
    if (landing != opening.contact) enter_landing_mode(opening.contact);
    return -at_.x * at_.fraction;
  }
  at_.dt = std::min(dt, opening.longest_step());
  if (landing >= 0) return_to_time();
  return step_.dynamics.radical() == 1 ? at_.dt : std::sqrt(at_.x * at_.x + at_.dt) - at_.x;
}

/// Makes the next step shorter. False if that is no longer possible.
bool AdaptiveIntegrator::reject(double factor) {
  ++counts_.rejected;
  factor = std::clamp(factor, 0.1, 0.9);
  if (step_.dynamics.landing() >= 0) {
    at_.fraction *= factor;
    if (!(at_.fraction < 1e-3)) return true;
    // The landing makes no headway.
    at_.landing_blocked = true;
    at_.dt = std::min(at_.dt, 0.5 * next_opening(now()).time_left);
    return true;
  }
  at_.dt *= factor;
  if (stiff_.on || at_.dt > 1e-14 * setup_->time_scale) return true;
  counts_.reason = "steps have become shorter than 1e-14 of the shortest contact time";
  return false;
}

bool AdaptiveIntegrator::resting_contact_missed_its_phase() const {
  for (int i = 0; i < setup_->m; ++i) {
    if (missed_its_phase(*setup_, *phases_, i, step_.rk.trial()[i], step_.U1[i], false)) {
      return true;
    }
  }
  return false;
}

/// Tries one step. False if the run cannot go on.
bool AdaptiveIntegrator::advance() {
  if (window_.outdated(now(), counts_.steps)) move_window();
  if (stiff_.on || counts_.steps >= stiff_.next_look) look_for_stiffness();
  const double h = plan();
  dense_ready_ = false;
  if (!stiff_.on && !step_.attempt(at_.x, h)) return reject(0.5);
  const double e =
      stiff_.on ? stiff_step_.attempt(step_, h, tolerance()) : step_.error(h, tolerance());
  if (!(e <= (stiff_.entering ? kPassable : 1.0)))
    return reject(std::isfinite(e) ? 0.9 * allowed_growth(e) : 0.1);
  step_.measure_end();
  if (window_.overrun(step_.trial_impulse())) {
    ++counts_.rejected;
    move_window();
    return true;
  }
  if (resting_contact_missed_its_phase()) return reject(0.5);

  if (events_.suspect(step_, h, step_.dynamics.landing())) {
    // Without dense output the step reaches beyond where the dynamics are defined: come closer.
    if (!prepare_dense(h)) return reject(0.5);
    events_.prepare(step_.rk);
    const Crossing crossing = events_.earliest(step_);
    if (crossing.theta <= 1.0) return land_on(crossing, h);
    note_passive(1.0);
  }
  accept(h);
  adapt(h, e);
  return true;
}

void AdaptiveIntegrator::accept(double h) {
  if (recorder_) record_times(h, step_.trial_time());
  const double before = time();
  step_.accept();
  at_.x += h;
  ++counts_.steps;
  stiff_.entering = false;
  at_.landing_blocked = false;
  if (step_.dynamics.landing() >= 0 && at_.fraction == 1.0) {
    at_.dt = std::max(at_.dt, time() - before);
    finish_landing();
    return;
  }
  const long events = phases_->events();
  const bool changed = follow_magnitudes(now());
  if (recorder_ && (phases_->events() > events || recorder_->due())) record();
  if (changed) {
    begin_segment();
  } else {
    step_.dynamics.follow_phases();
  }
}

/// Next step length by the usual controller.
void AdaptiveIntegrator::adapt(double h, double error) {
  const double growth = std::min(kMostGrowth, kSafety * allowed_growth(std::max(error, 1e-10)));
  if (step_.dynamics.landing() >= 0) {
    at_.fraction = std::abs(h) * growth / at_.x;
    // Two equal steps rather than a long one and a tiny one.
    at_.fraction = at_.fraction >= 1.0 ? 1.0 : std::min(at_.fraction, 0.55);
  } else if (at_.x == 0.0) {
    return;  // a new segment has begun: keep the natural step
  } else if (step_.dynamics.radical() == 1) {
    at_.dt = h * growth;
  } else {
    const double next = at_.x + h * std::min(growth, kStartGrowth);
    const double pace = 2.0 * at_.x;
    at_.dt = next * next - at_.x * at_.x;
    if (!(h * growth * pace < at_.x * at_.x)) return;
    // Far enough from the start: slopes in √τ become slopes in τ.
    for (int k = 0; k < step_.rk.size(); ++k) step_.rk.slope()[k] /= pace;
    at_.x = 0.0;
    step_.dynamics.use_time(1);
  }
}

double AdaptiveIntegrator::allowed_growth(double error) const {
  return stiff_.on ? numerics::RadauTable::growth(error) : ImpactStep::RK::growth(error);
}

/// Goes over to steps that pass over oscillations, or back, by what they would be worth.
void AdaptiveIntegrator::look_for_stiffness() {
  const bool in_time = step_.dynamics.landing() < 0 && step_.dynamics.radical() == 1;
  if (!stiff_.on) {
    if (!in_time) return;
    stiff_.next_look = counts_.steps + stiff_.interval;
    if (setup_->m > StiffStep::kMostContacts) return;
    const StiffStep::Fastest fastest = stiff_step_.fastest(step_);
    const double passable = kPassable * tolerance() * setup_->velocity_scale;
    if (!(fastest.frequency > 0.0) || !(fastest.speed <= passable)) return;
    stiff_.on = stiff_.entering = true;
    next_look_ = counts_.steps;
    at_.dt = 3.0 * StiffStep::kShortest / fastest.frequency;
  }
  stiff_.fastest = stiff_step_.fastest(step_).frequency;
  if (!in_time || !(at_.dt * stiff_.fastest >= StiffStep::kShortest)) leave_stiffness();
}

void AdaptiveIntegrator::leave_stiffness() {
  stiff_.on = stiff_.entering = false;
  if (stiff_.fastest > 0.0) at_.dt = std::min(at_.dt, 1.0 / stiff_.fastest);
  stiff_.interval = std::min(2 * stiff_.interval, kLongestInterval);
  stiff_.next_look = counts_.steps + stiff_.interval;
}

void AdaptiveIntegrator::finish_landing() {
  record();
  open_together(now(), step_.dynamics.landing());
  follow_magnitudes(now());
  begin_segment();
}

// ------------------------------------------------------------------------------------------ events

bool AdaptiveIntegrator::prepare_dense(double h) {
  const long before = step_.dynamics.evaluations();
  if (stiff_.on) {
    stiff_step_.prepare_dense(step_);
    dense_ready_ = true;
  } else {
    dense_ready_ = step_.prepare_dense(at_.x, h);
  }
  counts_.event_evaluations += step_.dynamics.evaluations() - before;
  return dense_ready_;
}

/// Ends the step at the event, on its dense output, and applies it.
bool AdaptiveIntegrator::land_on(const Crossing& crossing, double h) {
  const Watch& w = crossing.watch;
  if (crossing.theta > 1e-15) {
    const long before = step_.dynamics.evaluations();
    double x = at_.x + crossing.theta * h;
    const double defect = step_.interpolate(crossing.theta, x, tolerance());
    counts_.event_evaluations += step_.dynamics.evaluations() - before;
    // The end of the step is good, what lies between is not: end it shortly before the event.
    if (!(defect <= kLargestDefect)) return reject(0.9 * crossing.theta);
    note_passive(crossing.theta);
    if (recorder_) record_times(h, step_.time_inside(crossing.theta));
    step_.end_inside();
    correct_end(w, x);
    step_.accept();
    at_.x = x;
    ++counts_.steps;
    stiff_.entering = false;
  }
  record();
  apply(w);
  apply_simultaneous(w);
  follow_magnitudes(now());
  begin_segment();
  record();
  return true;
}

/// Newton corrections of the end x of the step, along the slope of its trial state, until the event
/// function there vanishes to a hundredth of its floor; the dense output has left little to
/// correct.
void AdaptiveIntegrator::correct_end(const Watch& w, double& x) {
  for (int round = 0; round < 3; ++round) {
    const double g = w.value(*phases_, step_.rk.trial(), step_.U1.data());
    const double rate = events_.slope(w, step_.rk.trial_slope(), step_.a1.data());
    if (std::abs(g) <= 0.01 * w.floor || rate == 0.0) return;
    const double correction = -g / rate;
    if (!(std::abs(correction) > 1e-16 * std::abs(x)) ||
        !(std::abs(correction) < 1e-6 * std::abs(x - at_.x))) {
      return;
    }
    for (int k = 0; k < step_.rk.size(); ++k) {
      step_.rk.trial()[k] += correction * step_.rk.trial_slope()[k];
    }
    x += correction;
    step_.evaluate_trial(x);
  }
}

/// Carries out the event announced by w at the current state.
void AdaptiveIntegrator::apply(const Watch& w) {
  const int i = w.contact;
  step_.rk.state()[i] = phases_->carry_out(i, w.kind == Watch::Kind::Target, now().point(i));
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
void AdaptiveIntegrator::apply_simultaneous(const Watch& done) {
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    Watch due;
    bool found = false;
    for_each_watch(*setup_, *phases_, i, step_.dynamics.landing(), [&](const Watch& w) {
      const double g = w.value(*phases_, step_.rk.state(), step_.U0.data());
      const double slope = events_.slope(w, step_.rk.slope(), step_.a0.data());
      const double falling = step_.dynamics.landing() >= 0 ? -slope : slope;
      if (!found && std::abs(g) <= w.floor && falling < 0.0) {
        due = w;
        found = true;
      }
    });
    if (found) apply(due);
  }
}

/// Elastic contacts: carries out, and records, their changes up to θ = until.
void AdaptiveIntegrator::note_passive(double until) {
  if (!dense_ready_) return;
  events_.note_passive(step_, until, [&](double theta) {
    if (recorder_) record_inside(theta);
  });
}

/// Samples at the times asked for, up to `until`, by dense output.
void AdaptiveIntegrator::record_times(double h, double until) {
  const int last = setup_->clock();
  double asked = 0.0;
  while (recorder_->next_time(until, asked)) {
    if (!dense_ready_ && !prepare_dense(h)) return;
    const auto late = [&](double theta) { return step_.rk.dense(last, theta) - asked; };
    record_inside(numerics::bracketed_root(late, 0.0, 1.0, 1e-15));
  }
}

/// A sample inside the step, from its dense output.
void AdaptiveIntegrator::record_inside(double theta) {
  Vector y(step_.rk.size());
  for (int k = 0; k < step_.rk.size(); ++k) y[k] = step_.rk.dense(k, theta);
  sample(y[setup_->clock()], y.data(), [&](int i) { return setup_->gap_rate(i, y.data()); });
}

void AdaptiveIntegrator::record() {
  if (!recorder_) return;
  sample(time(), step_.rk.state(), [&](int i) { return step_.U0[i]; });
}

/// A sample of all contacts; gap_rate(i) is that of contact i of the window.
template <class GapRate>
void AdaptiveIntegrator::sample(double time, const double* y, GapRate&& gap_rate) {
  recorder_->sample(time, [&](int contact) {
    const int i = window_.place(contact);
    return i >= 0 ? phases_->sample(i, y[i], y[setup_->lanes + i], gap_rate(i))
                  : window_.outside_sample(contact, *phases_);
  });
}

}  // namespace percute::laws
