// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictionless_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Steps between two looks at the size of impulses, and at first between two looks for stiffness.
constexpr long kStepsBetweenLooks = 64;
/// Looks for stiffness become rarer after each one in vain, down to one in this many steps.
constexpr long kLongestInterval = 4096;
/// Steps longer than this, over the time scale, lead nowhere.
constexpr double kLongest = 1e15;

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

Status FrictionlessRun::run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases,
                            Recorder* recorder) {
  phases.start(setup, law);
  window_.start(setup, phases);
  setup_ = &window_.setup();
  phases_ = &phases;
  recorder_ = recorder;
  law_ = law;
  law_.max_steps = limit_for(setup, law.max_steps);
  law_.max_events = limit_for(setup, law.max_events);
  counts_ = {};
  lost_digits_ = balanced_ = overrun_ = false;
  next_look_ = kStepsBetweenLooks;
  stiff_ = {.next_look = kStepsBetweenLooks, .interval = kStepsBetweenLooks};
  dynamics_.forget_evaluations();
  integrator_.forget_counts();
  assign();
  const Status status = integrate();
  window_.finish(instant());
  lost_digits_ = lost_digits_ || (!setup.bodies.used() && setup.loses_digits(impulse()));
  return status;
}

RunCounts FrictionlessRun::counts() const {
  return {.steps = integrator_.steps(),
          .rejected = integrator_.rejected(),
          .evaluations = dynamics_.evaluations(),
          .event_evaluations = integrator_.dense_evaluations(),
          .reason = counts_.reason};
}

/// Takes memory for the contacts in the window.
void FrictionlessRun::assign() {
  dynamics_.assign(*setup_, *phases_);
  errors_.assign(*setup_);
  stiff_step_.assign(*setup_, *phases_);
  integrator_.resize(size());
  const auto lanes = static_cast<std::size_t>(setup_->lanes);
  for (auto* v : {&now_.U, &now_.a, &end_.U, &end_.a}) v->assign(lanes, 0.0);
}

Status FrictionlessRun::integrate() {
  for (int i = 0; i < setup_->m; ++i) integrator_.state()[i] = phases_->initial_indentation(i);
  const double growth = numerics::RungeKutta<numerics::DormandPrince8>::growth(tolerance());
  variable_ = {};
  variable_.first = variable_.dt = setup_->time_scale * std::min(0.3, 1.0 / growth);
  restart();
  record();
  while (!finished(instant())) {
    if (slower_than(law_.collapse_velocity)) return Status::Zeno;
    if (stopped()) return Status::NotTerminated;
    if (window_.outdated(instant(), integrator_.steps())) move_window();
    if (stiff_.on || integrator_.steps() >= stiff_.next_look) look_for_stiffness();
    if (advance()) continue;
    counts_.reason = "steps have become shorter than 1e-14 of the shortest contact time";
    return Status::StepUnderflow;
  }
  if (!setup_->resolves_by_tolerance() || !phases_->came_to_rest()) return Status::Ok;
  // A cascade may fall below the resolution before the collapse rule sees it.
  const double resolution = 10.0 * setup_->motion / setup_->velocity_scale;
  return slower_than(std::max(law_.collapse_velocity, resolution)) ? Status::Zeno : Status::Ok;
}

/// The collapse rule: all contacts, inside the window and outside, are slower than this part of vs.
bool FrictionlessRun::slower_than(double part) {
  return collapsed(instant(), part) && window_.fastest_outside() < part * setup_->velocity_scale;
}

/// Has the run come to one of its limits?
bool FrictionlessRun::stopped() {
  counts_.reason = limit_reached(law_, tries(), phases_->events());
  if (counts_.reason == nullptr && variable_.dt > kLongest * setup_->time_scale) {
    counts_.reason = "nothing happens any more, but the impact has not ended";
  } else if (counts_.reason == nullptr && integrator_.steps() >= next_look_) {
    take_a_look();
  }
  return lost_digits_ || counts_.reason != nullptr;
}

/// What takes many steps to come about. Impulses only grow: a look now and then, and one at the
/// end, tell whether they have become too large.
void FrictionlessRun::take_a_look() {
  // Steps that pass over oscillations become long.
  next_look_ = integrator_.steps() + (stiff_.on ? 1 : kStepsBetweenLooks);
  lost_digits_ = !setup_->bodies.used() && setup_->loses_digits(integrator_.state() + impulses());
  // At one instant all may stand still that turns round.
  const bool before = balanced_;
  balanced_ = balanced(instant());
  if (before && balanced_)
    counts_.reason = "the forces of loaded contacts balance: they push for ever";
}

// ------------------------------------------------------------------------- segments between events

/// Goes on with the contacts that are live now, in the same independent variable.
void FrictionlessRun::move_window() {
  const double time_now = time();
  const double x = variable_.landing >= 0 ? 0.0 : integrator_.time();
  const int k = variable_.k;
  window_.move(instant());
  assign();
  double* y = integrator_.state();
  for (int i = 0; i < setup_->m; ++i) {
    y[i] = window_.initial_indentation(i);
    y[impulses() + i] = window_.initial_impulse(i);
  }
  y[clock()] = time_now;
  restart();
  if (k == 1 || x == 0.0 || variable_.k != 1) return;
  variable_.k = k;
  follow_variable();
  integrator_.set_time(x);
  integrator_.restart();
}

void FrictionlessRun::follow_variable() {
  dynamics_.follow_phases();
  if (variable_.landing >= 0) {
    dynamics_.use_landing(variable_.landing, variable_.slowest);
  } else {
    dynamics_.use_time(variable_.k);
  }
}

/// Starts afresh after an event (or at the beginning).
bool FrictionlessRun::restart() {
  lift_loaded();
  begin_time();
  for (int pass = 0; pass < 3 && settle(instant()); ++pass) begin_time();
  choose_start();
  return true;
}

bool FrictionlessRun::go_on(bool changed, bool /*more*/) {
  stiff_.entering = false;
  if (changed) return restart();
  dynamics_.follow_phases();
  return true;
}

// ------------------------------------------------------------------------------------------- steps

bool FrictionlessRun::slope(double x, double* y, double* out) {
  const bool defined = with_size([&](auto& own) { return own.slope(x, y, out); });
  if (defined && stiff_.on) stiff_step_.note(y, out);
  return defined;
}

void FrictionlessRun::measure(const double* y) {
  with_size([&](auto& own) { own.measure(y); });
}

/// Of an implicit step. Oscillations are passed over if their error is no larger than the tolerance
/// as a whole, for that error is made only once.
double FrictionlessRun::norm(const double* error) {
  const double size = with_size([&](auto& own) { return own.norm(error); });
  return stiff_.entering ? kStepShare * size : size;
}

/// The step stays inside the window, and no resting contact has missed its phase.
bool FrictionlessRun::trusted() {
  look(integrator_.trial_slope(), integrator_.trial(), end_);
  overrun_ = window_.overrun(integrator_.trial() + impulses());
  if (overrun_) return false;
  for (int i = 0; i < setup_->m; ++i) {
    const double xi = integrator_.trial()[i];
    if (missed_its_phase(*setup_, *phases_, i, xi, end_.U[i], false)) return false;
  }
  return true;
}

bool FrictionlessRun::interrupted() {
  const bool unworthy =
      stiff_.on && integrator_.next_step() * stiff_.fastest < StiffStep::kShortest;
  return overrun_ || unworthy || ImpactRun::interrupted();
}

bool FrictionlessRun::recovers() {
  if (overrun_) {
    overrun_ = false;
    move_window();
    return true;
  }
  if (!stiff_.on) return false;
  variable_.dt = integrator_.next_step();
  leave_stiffness();
  return true;
}

/// Goes over to steps that pass over oscillations, or back, by what they would be worth.
void FrictionlessRun::look_for_stiffness() {
  const double* xi = integrator_.state();
  if (!stiff_.on) {
    if (!variable_.time()) return;
    stiff_.next_look = integrator_.steps() + stiff_.interval;
    if (setup_->m > StiffStep::kMostContacts) return;
    const StiffStep::Fastest fastest = stiff_step_.fastest(xi, now_.a.data());
    if (!(fastest.frequency > 0.0)) return;
    if (!(fastest.speed <= law_.tolerance * setup_->velocity_scale)) return;
    stiff_.on = stiff_.entering = true;
    next_look_ = integrator_.steps();
    variable_.dt = 3.0 * StiffStep::kShortest / fastest.frequency;
  }
  stiff_.fastest = stiff_step_.fastest(xi, now_.a.data()).frequency;
  const bool worthy = variable_.dt * stiff_.fastest >= StiffStep::kShortest;
  if (!variable_.time() || !worthy) leave_stiffness();
}

void FrictionlessRun::leave_stiffness() {
  stiff_.on = stiff_.entering = false;
  if (stiff_.fastest > 0.0) variable_.dt = std::min(variable_.dt, 1.0 / stiff_.fastest);
  stiff_.interval = std::min(2 * stiff_.interval, kLongestInterval);
  stiff_.next_look = integrator_.steps() + stiff_.interval;
}

// ------------------------------------------------------------------------------------------ events

/// Could the function watched have vanished within the step? Ends of opposite sign, or a dip
/// between positive ends.
[[gnu::always_inline]] inline bool FrictionlessRun::suspicious(const Watch& w) const {
  const double g0 = w.value(*phases_, integrator_.state(), now_.U.data());
  const double g1 = w.value(*phases_, integrator_.trial(), end_.U.data());
  if (g0 <= w.floor) return g1 < -w.floor;
  // Contacts that open together with the landing one are opened by the landing.
  const bool lands = variable_.landing >= 0 && w.kind == Watch::Kind::Target;
  if (lands && std::abs(g1) <= w.floor) return false;
  if (g1 <= 0.0) return true;
  // Signs of slopes along the step tell most often.
  const double* slope0 = integrator_.slope();
  const double* slope1 = integrator_.trial_slope();
  if (w.slope(slope0, now_.a.data(), 1.0) >= 0.0) return false;
  if (w.slope(slope1, end_.a.data(), 1.0) <= 0.0) return false;
  const double h = integrator_.step();
  return numerics::may_dip_below_zero(g0, h * w.slope(slope0, now_.a.data(), slope0[clock()]), g1,
                                      h * w.slope(slope1, end_.a.data(), slope1[clock()]));
}

bool FrictionlessRun::suspect() {
  guards_.clear();
  passive_.clear();
  const int m = setup_->m;
  for (int i = 0; i < m; ++i) {
    const ContactState& s = (*phases_)[i];
    if (s.phase == Phase::Resting) continue;
    const bool passive = s.passive && s.phase != Phase::Open;
    // Inlined, the kind of the function watched is known.
    const auto look = [&](const Watch& w) __attribute__((always_inline)) {
      if (!suspicious(w)) return;
      if (passive && w.kind == Watch::Kind::GapRate) {
        passive_.push_back(i);
      } else {
        guards_.push_back(w);
      }
    };
    for_each_watch(*setup_, *phases_, i, variable_.landing, look);
  }
  return !(guards_.empty() && passive_.empty());
}

/// Gap rates are linear in the impulses, or in the velocities of the bodies,
///
///     U_i(θ) − U_i(0) = Σ_j G_ij (P_j(θ) − P_j(0)) = Σ_k W_ki (Δv_k(θ) − Δv_k(0)).
template <class Add>
void FrictionlessRun::terms(const Watch& w, Add&& add) const {
  if (w.kind == Watch::Kind::Target) {
    add(w.contact, w.sign);
  } else if (setup_->bodies.used()) {
    const int first = setup_->velocities();
    setup_->bodies.for_column(w.contact,
                              [&](int k, double W_ki) { add(first + k, w.sign * W_ki); });
  } else {
    const int first = impulses();
    setup_->G.for_row(w.contact, [&](int j, double G_ij) { add(first + j, w.sign * G_ij); });
  }
}

bool FrictionlessRun::happen(const Watch& watch, bool moved) {
  stiff_.entering = false;
  if (moved) correct_end(watch);
  record();
  apply(watch);
  apply_simultaneous(watch);
  follow_magnitudes(instant());
  restart();
  record();
  return true;
}

/// Newton corrections of the end x of the step, along the slope of its state, until the function
/// watched vanishes there to a hundredth of its floor; the dense output has left little to correct.
void FrictionlessRun::correct_end(const Watch& w) {
  const double* slope = integrator_.slope();
  double* y = integrator_.state();
  for (int round = 0; round < 3; ++round) {
    const double g = w.value(*phases_, y, now_.U.data());
    const double rate = w.slope(slope, now_.a.data(), slope[clock()]);
    if (std::abs(g) <= 0.01 * w.floor || rate == 0.0) return;
    const double correction = -g / rate;
    const double x = integrator_.time();
    if (!(std::abs(correction) > 1e-16 * std::abs(x)) ||
        !(std::abs(correction) < 1e-6 * integrator_.step())) {
      return;
    }
    for (int k = 0; k < size(); ++k) y[k] += correction * slope[k];
    integrator_.set_time(x + correction);
    refresh();
  }
}

/// Carries out the event announced by w at the current state.
void FrictionlessRun::apply(const Watch& w) {
  const int i = w.contact;
  integrator_.state()[i] = phases_->carry_out(i, w.kind == Watch::Kind::Target, instant().point(i));
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
void FrictionlessRun::apply_simultaneous(const Watch& done) {
  const double* slope = integrator_.slope();
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    Watch due;
    bool found = false;
    for_each_watch(*setup_, *phases_, i, variable_.landing, [&](const Watch& w) {
      const double g = w.value(*phases_, integrator_.state(), now_.U.data());
      const bool falls = w.slope(slope, now_.a.data(), slope[clock()]) < 0.0;
      if (found || std::abs(g) > w.floor || !falls) return;
      due = w;
      found = true;
    });
    if (found) apply(due);
  }
}

/// Carries out, and records, the changes of an elastic contact up to this part of the step.
void FrictionlessRun::note_passive(int i, double until) {
  const double still = 10.0 * setup_->noise;
  double theta = 0.0;
  for (bool first = true; theta < 1.0; first = false) {
    const bool compressing = (*phases_)[i].phase == Phase::Compressing;
    const Watch w{.contact = i, .sign = compressing ? -1.0 : 1.0};
    const auto g = integrator_.along(w.sign * now_.U[i], [&](auto&& add) { terms(w, add); });
    const double end = g.start + g.c[0];
    const bool armed = first && g.start > still;
    // Opposite signs at the ends of the step, and slopes of one sign at both: one zero between.
    const bool once = armed && end < 0.0 && w.sign * now_.a[i] < 0.0 && w.sign * end_.a[i] < 0.0;
    if (once) {
      theta = g.root({.theta = 0.0, .value = g.start}, {.theta = 1.0, .value = end});
    } else {
      theta = g.first_zero(theta, armed);
      if (theta > 1.0 && first && !armed && end < -still) theta = 0.0;
    }
    if (theta > until) return;
    change_passively(i, theta);
    if (recorder_ != nullptr) sample_inside(integrator_.inside(theta));
    if (once) return;
  }
}

void FrictionlessRun::change_passively(int i, double theta) {
  const double P = phases_->recording() ? integrator_.inside(impulses() + i, theta) : 0.0;
  const ContactPoint at{.time = integrator_.inside(clock(), theta),
                        .xi = integrator_.inside(i, theta),
                        .P = P,
                        .U = 0.0};
  phases_->carry_out(i, false, at);
}

// ----------------------------------------------------------------------------------------- history

void FrictionlessRun::passed(double until) {
  for (const int i : passive_) note_passive(i, until);
  record_times(until, [&](double, const double* y) { sample_inside(y); });
}

void FrictionlessRun::record() {
  if (recorder_ == nullptr) return;
  sample(integrator_.state(), [&](int i) { return now_.U[i]; });
}

/// A sample inside the step, from its dense output.
void FrictionlessRun::sample_inside(const double* y) {
  sample(y, [&](int i) { return setup_->gap_rate(i, y); });
}

/// A sample of all contacts; gap_rate(i) is that of contact i of the window.
template <class GapRate>
void FrictionlessRun::sample(const double* y, GapRate&& gap_rate) {
  recorder_->sample(y[clock()], [&](int contact) {
    const int i = window_.place(contact);
    return i >= 0 ? phases_->sample(i, y[i], y[impulses() + i], gap_rate(i))
                  : window_.outside_sample(contact, *phases_);
  });
}

}  // namespace percute::laws
