// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/adaptive.hpp"

#include "laws/lzb/polish.hpp"
#include "numerics/bracketed_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Steps between two looks at the size of impulses, and at first between two looks for stiffness.
constexpr long kStepsBetweenLooks = 64;
/// Looks for stiffness become rarer after each one in vain, down to one in this many steps.
constexpr long kMostPatience = 4096;
/// Steps longer than this, over the time scale, lead nowhere.
constexpr double kLongest = 1e15;
/// Oscillations are passed over if their error is no larger than this, in terms of that allowed to
/// one step: it is made only once, so it may be as large as the tolerance as a whole.
constexpr double kPassable = 1.0 / StepControl::kStepShare;

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
  tolerance_ = StepControl::kStepShare * law.tolerance;
  counts_ = {};
  lost_digits_ = balanced_ = false;
  next_look_ = kStepsBetweenLooks;
  reason_ = nullptr;
  status_ = Status::Ok;
  step_.assign(*setup_, phases);
  step_.dynamics.forget_evaluations();
  stiff_step_.assign(*setup_, phases);
  stiff_ = entering_ = false;
  patience_ = kStepsBetweenLooks;
  next_stiffness_look_ = patience_;
  events_.assign(*setup_, phases);
}

Status AdaptiveIntegrator::run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases,
                               Recorder* recorder) {
  phases.start(setup, law);
  prepare(setup, law, phases, recorder);
  const Status status = integrate();
  window_.finish(phases, now());
  lost_digits_ = lost_digits_ || (!setup.bodies.used() && setup.loses_digits(impulse()));
  return status;
}

/// Has the run come to one of its limits?
bool AdaptiveIntegrator::stopped() {
  if (counts_.steps + counts_.rejected >= law_.max_steps) {
    reason_ = "the limit law.max_steps ended the run";
  } else if (phases_->events() >= law_.max_events) {
    reason_ = "the limit law.max_events ended the run";
  } else if (at_.dt > kLongest * setup_->time_scale) {
    reason_ = "nothing happens any more, but the impact has not ended";
  } else if (counts_.steps >= next_look_) {
    look();
  }
  return lost_digits_ || reason_ != nullptr;
}

/// What takes many steps to come about. Impulses only grow: a look now and then, and one at the
/// end, tell whether they have become too large.
void AdaptiveIntegrator::look() {
  next_look_ = counts_.steps + kStepsBetweenLooks;
  lost_digits_ = !setup_->bodies.used() && setup_->loses_digits(step_.impulse());
  // At one instant all may stand still that turns round.
  const bool before = balanced_;
  balanced_ = balanced(*setup_, *phases_, now());
  if (before && balanced_) reason_ = "the forces of loaded contacts balance: they push for ever";
}

Status AdaptiveIntegrator::integrate() {
  for (int i = 0; i < setup_->m; ++i) step_.rk.state()[i] = phases_->initial_indentation(i);
  at_.begin(setup_->time_scale, ImpactStep::RK::growth(tolerance_));
  begin_segment();
  record();
  while (!finished(*setup_, *phases_, now())) {
    if (slower_than(law_.collapse_velocity)) return Status::Zeno;
    if (stopped()) return Status::NotTerminated;
    if (!advance()) return status_;
  }
  if (!setup_->resolves_by_tolerance() || !phases_->slept()) return Status::Ok;
  // A cascade may fall below the resolution before the collapse rule sees it.
  const double resolution = 10.0 * setup_->motion / setup_->velocity_scale;
  return slower_than(std::max(law_.collapse_velocity, resolution)) ? Status::Zeno : Status::Ok;
}

/// The collapse rule: all contacts, inside the window and outside, are slower than this part of vs.
bool AdaptiveIntegrator::slower_than(double part) {
  return collapsed(*setup_, *phases_, now(), part) &&
         window_.fastest_outside() < part * setup_->velocity_scale;
}

// ------------------------------------------------------------------------- segments between events

/// Goes on with the contacts that are live now, in the same independent variable.
void AdaptiveIntegrator::move_window() {
  const double time_now = time();
  const double x = step_.dynamics.landing() >= 0 ? 0.0 : at_.x;
  const int k = step_.dynamics.radical();
  window_.move(*phases_, now());
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
  for (int pass = 0; pass < 3 && settle(*setup_, *phases_, now()); ++pass) step_.start();
  const int k = starting_radical(*setup_, *phases_, now());
  at_.count_time();
  if (k == 1) return;
  step_.dynamics.use_time(k);
  at_.start_from_rest(step_.rk);
}

/// Gives up a landing.
void AdaptiveIntegrator::return_to_time() {
  at_.count_time();
  step_.dynamics.use_time(1);
  step_.restart(at_.x);
}

void AdaptiveIntegrator::enter_landing_mode(int i) {
  at_.begin_landing(xi()[i], setup_->contact[i].radical());
  step_.dynamics.use_landing(i, (*phases_)[i].gain * step_.U0[i]);
  step_.restart(at_.x);
}

// ---------------------------------------------------------------------------------------- one step

/// Chooses the independent variable and the length of the next step in it.
double AdaptiveIntegrator::plan() {
  double dt = at_.dt;
  if (!stiff_) {
    const double blind = 1e4 * tolerance_ * setup_->velocity_scale;
    dt = limit_blind_step(dt, *setup_, *phases_, now(), blind);
  }
  const Opening opening = next_opening(*setup_, *phases_, now());
  if (stiff_ && opening.contact >= 0) {
    dt = StepControl::short_of(opening.time_left, dt);
  } else if (opening.contact >= 0) {
    const int landing = step_.dynamics.landing();
    if (at_.lands(opening, dt, landing, step_.dynamics.radical())) {
      if (landing != opening.contact) enter_landing_mode(opening.contact);
      return -at_.x * at_.fraction;
    }
    dt = StepControl::short_of(opening.time_left, dt);
  }
  if (step_.dynamics.landing() >= 0) return_to_time();
  return at_.in_time(dt, step_.dynamics.radical());
}

/// Makes the next step shorter. False if that is no longer possible.
bool AdaptiveIntegrator::reject(double factor) {
  ++counts_.rejected;
  factor = std::clamp(factor, 0.1, 0.9);
  if (stiff_) {
    at_.dt *= factor;
    return true;
  }
  if (step_.dynamics.landing() >= 0) {
    if (at_.shorten_landing(factor)) return true;
    const Opening opening = next_opening(*setup_, *phases_, now());
    if (opening.contact >= 0) at_.dt = std::min(at_.dt, 0.5 * opening.time_left);
    return true;
  }
  at_.dt *= factor;
  if (at_.dt > 1e-14 * setup_->time_scale) return true;
  status_ = Status::StepUnderflow;
  reason_ = "steps have become shorter than 1e-14 of the shortest contact time";
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
  if (window_.outdated(*phases_, now(), counts_.steps)) move_window();
  if (stiff_ || counts_.steps >= next_stiffness_look_) look_for_stiffness();
  const double h = plan();
  dense_ready_ = false;
  if (!(stiff_ ? stiff_step_.attempt(step_, h) : step_.attempt(at_.x, h))) return reject(0.5);
  const double e = stiff_ ? stiff_step_.error(step_, tolerance_) : step_.error(h, tolerance_);
  if (!(e <= (entering_ ? kPassable : 1.0)))
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
  entering_ = false;
  at_.landing_blocked = false;
  if (step_.dynamics.landing() >= 0 && at_.fraction == 1.0) {
    at_.dt = std::max(at_.dt, time() - before);
    finish_landing();
    return;
  }
  const long events = phases_->events();
  const bool changed = tidy(*setup_, *phases_, now());
  if (recorder_ && (phases_->events() > events || recorder_->due())) record();
  if (changed) {
    begin_segment();
  } else {
    step_.dynamics.follow_phases();
  }
}

/// Next step length by the usual controller.
void AdaptiveIntegrator::adapt(double h, double error) {
  const double growth = std::min(StepControl::kMostGrowth,
                                 StepControl::kSafety * allowed_growth(std::max(error, 1e-10)));
  if (step_.dynamics.landing() >= 0) {
    at_.lengthen_landing(h, growth);
  } else if (at_.lengthen(h, growth, step_.dynamics.radical())) {
    at_.leave_start(step_.rk);
    step_.dynamics.use_time(1);
  }
}

double AdaptiveIntegrator::allowed_growth(double error) const {
  return stiff_ ? StiffStep::growth(error) : ImpactStep::RK::growth(error);
}

/// Goes over to steps that pass over oscillations, or back, by what they would be worth.
void AdaptiveIntegrator::look_for_stiffness() {
  const bool in_time = step_.dynamics.landing() < 0 && step_.dynamics.radical() == 1;
  if (!stiff_) {
    if (!in_time) return;
    next_stiffness_look_ = counts_.steps + patience_;
    if (setup_->m > StiffStep::kMostContacts) return;
    const StiffStep::Fastest fastest = stiff_step_.fastest(step_);
    const double passable = kPassable * tolerance_ * setup_->velocity_scale;
    if (!(fastest.frequency > 0.0) || !(fastest.speed <= passable)) return;
    stiff_ = entering_ = true;
    at_.dt = 3.0 * StiffStep::kShortest / fastest.frequency;
  }
  fastest_ = stiff_step_.fastest(step_).frequency;
  if (!in_time || !(at_.dt * fastest_ >= StiffStep::kShortest)) leave_stiffness();
}

void AdaptiveIntegrator::leave_stiffness() {
  stiff_ = entering_ = false;
  if (fastest_ > 0.0) at_.dt = std::min(at_.dt, 1.0 / fastest_);
  patience_ = std::min(2 * patience_, kMostPatience);
  next_stiffness_look_ = counts_.steps + patience_;
}

void AdaptiveIntegrator::finish_landing() {
  record();
  open_together(*setup_, *phases_, now(), step_.dynamics.landing());
  tidy(*setup_, *phases_, now());
  begin_segment();
}

// ------------------------------------------------------------------------------------------ events

bool AdaptiveIntegrator::prepare_dense(double h) {
  const long before = step_.dynamics.evaluations();
  if (stiff_) {
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
    const long before = evaluations();
    double x = at_.x + crossing.theta * h;
    const double defect = step_.interpolate(crossing.theta, x, tolerance_);
    counts_.event_evaluations += evaluations() - before;
    // The end of the step is good, what lies between is not: end it shortly before the event.
    if (!(defect <= StepControl::kLargestDefect)) return reject(0.9 * crossing.theta);
    note_passive(crossing.theta);
    if (recorder_) record_times(h, step_.time_inside(crossing.theta));
    step_.end_inside();
    polish(w, x);
    step_.accept();
    at_.x = x;
    ++counts_.steps;
    entering_ = false;
  }
  record();
  apply(w);
  apply_simultaneous(w);
  tidy(*setup_, *phases_, now());
  begin_segment();
  record();
  return true;
}

void AdaptiveIntegrator::polish(const Watch& w, double& x) {
  laws::polish(
      step_, at_.x, w.floor, [&] { return events_.value(w, step_.rk.trial(), step_.U1.data()); },
      [&] { return events_.slope(w, step_.rk.trial_slope(), step_.a1.data()); }, x);
}

/// Carries out the event announced by w at the current state.
void AdaptiveIntegrator::apply(const Watch& w) {
  const int i = w.contact;
  step_.rk.state()[i] = phases_->carry_out(i, !w.on_gap_rate, now().point(i));
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
void AdaptiveIntegrator::apply_simultaneous(const Watch& done) {
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    Watch due;
    bool found = false;
    events_.for_each_watch(i, step_.dynamics.landing(), [&](const Watch& w) {
      const double g = events_.value(w, step_.rk.state(), step_.U0.data());
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
    return i >= 0 ? contact_sample(i, y, gap_rate(i)) : outside_sample(contact);
  });
}

ContactSample AdaptiveIntegrator::outside_sample(int contact) const {
  return {.impulse = window_.outside_impulse(contact),
          .dissipated = window_.outside_loss(contact, *phases_),
          .gap_rate = window_.outside_gap_rate(contact)};
}

ContactSample AdaptiveIntegrator::contact_sample(int i, const double* y, double U) const {
  const double stored = phases_->stored_energy(i, y[i]);
  return {.impulse = y[setup_->lanes + i],
          .force = phases_->force(i, y[i]),
          .indentation = phases_->loaded(i) ? std::max(y[i], 0.0) : 0.0,
          .stored_energy = stored,
          .dissipated = setup_->initial_energy[i] + phases_->absorbed_work(i, y[i]) - stored,
          .gap_rate = U};
}

}  // namespace percute::laws
