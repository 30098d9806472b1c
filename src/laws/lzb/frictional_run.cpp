// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional_run.hpp"

#include "numerics/bracketed_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

Status FrictionalRun::run(const ImpactSetup& setup, const FrictionSetup& rows, const Lzb& law,
                          ContactPhases& phases, Recorder* recorder) {
  phases.start(setup, law);
  equations_.assign(setup, rows, law, phases);
  recorder_ = recorder;
  counts_ = {};
  at_once_ = 0;
  variable_ = {};
  log_.clear();
  guards_known_ = false;
  revision_ = -1;
  const auto all = static_cast<std::size_t>(rows.rows);
  for (auto* v : {&now_.U, &now_.a, &end_.U, &end_.a, &U_}) v->assign(all, 0.0);
  decision_.resize(setup.m, rows.tangential());
  closes_and_opens_ = -1;
  integrator_.resize(equations_.size());
  if (equations_.friction().rows().spatial) {
    std::copy(rows.U_before.begin() + setup.m, rows.U_before.end(),
              integrator_.state() + equations_.sliding());
  }
  integrator_.forget_counts();
  return integrate();
}

ImpactInstant FrictionalRun::instant() {
  return {.setup = setup(),
          .phases = phases(),
          .time = time(),
          .xi = integrator_.state(),
          .P = impulse(),
          .U = now_.U.data(),
          .a = now_.a.data()};
}

Status FrictionalRun::integrate() {
  for (int i = 0; i < m(); ++i) integrator_.state()[i] = phases().initial_indentation(i);
  // The error of a first step of natural length is estimated too low: it took up to 1e-9 of the
  // energy at a tolerance of 1e-9.
  constexpr double kFirst = 0.6;
  const double growth = numerics::RungeKutta<numerics::DormandPrince8>::growth(
      kStepShare * equations_.law().tolerance);
  variable_.dt = kFirst * setup().time_scale * std::min(0.3, 1.0 / growth);
  variable_.first = variable_.dt;
  if (!restart()) return Status::NoSlipSolution;
  record();
  while (!finished(instant())) {
    if (collapsed(instant(), equations_.law().collapse_velocity)) return Status::Zeno;
    counts_.reason = wedged() ? contact::kWedged : stopped_by();
    if (counts_.reason != nullptr) return Status::NotTerminated;
    if (advance()) continue;
    if (without_solution() >= 0) return Status::NoSlipSolution;
    counts_.reason = "steps became too short for the numbers they are made in";
    return Status::StepUnderflow;
  }
  return Status::Ok;
}

/// What ends the run before it is over, in words, if anything does.
const char* FrictionalRun::stopped_by() const {
  constexpr int kAtOnce = 1000;      // events without time between them
  constexpr double kLongest = 1e15;  // step, over the time of an impact
  const char* limit = limit_reached(equations_.law(), integrator_.steps() + integrator_.rejected(),
                                    phases().events() + counts_.friction_events);
  if (limit != nullptr) return limit;
  if (at_once_ > kAtOnce) {
    return "contacts at the limit of sticking come to no decision whether to slide";
  }
  if (variable_.dt > kLongest * setup().time_scale) {
    return "what still moves takes longer than 1e15 of the time of an impact";
  }
  return nullptr;
}

/// At rest, and nothing accelerates though contacts push: friction keeps them compressed against
/// each other.
bool FrictionalRun::wedged() const {
  // What stops does so within the tolerance, and contacts that stick keep what was left.
  const double slow =
      std::max(setup().gap_rate_tol, equations_.law().tolerance * setup().velocity_scale);
  if (variable_.landing >= 0 || time() <= setup().time_scale) return false;
  double push = 0.0;
  for (int i = 0; i < m(); ++i) {
    const double force = phases().force(i, integrator_.state()[i]);
    push = std::max(push, force * rows().column(i)[i]);
  }
  return friction().wedges(now_.U, now_.a, slow, push, time());
}

// ------------------------------------------------------------------------- segments between events

/// Starts afresh after an event (or at the beginning). False if there is no solution.
bool FrictionalRun::restart() {
  for (int i = 0; i < m(); ++i) {
    if (phases().loaded(i)) integrator_.state()[i] = std::max(integrator_.state()[i], 0.0);
  }
  const bool same = variable_.time() && phases().revision() == revision_;
  revision_ = phases().revision();
  if (same) {
    integrator_.set_time(0.0);
  } else {
    begin_time();
  }
  guards_known_ = false;
  constexpr int kPasses = 8;
  for (int pass = 0;; ++pass) {
    if (!decision_.decide(*this, time())) return false;
    if (!settle(instant())) break;
    revision_ = phases().revision();
    refresh();
    if (pass < kPasses) continue;
    if (closes_and_opens()) return false;
    break;
  }
  // What was decided twice at one instant must show soon.
  if (friction().again() > 0) variable_.dt = std::min(variable_.dt, friction().soon());
  const int k = starting_radical(instant());
  if (k == 1) return true;
  variable_.k = k;
  variable_.dt = std::min(variable_.dt, variable_.first);
  std::fill_n(integrator_.slope(), equations_.size(), 0.0);  // dτ/dx = 0 at x = 0
  return true;
}

/// The variable is time, counted from here.
void FrictionalRun::begin_time() {
  variable_.k = 1;
  variable_.landing = -1;
  integrator_.set_time(0.0);
  refresh();
}

/// A contact that is drawn together as long as it is open, and apart as soon as infinite friction
/// holds it, comes to no decision: then there is no solution.
bool FrictionalRun::closes_and_opens() {
  for (int i = 0; i < m(); ++i) {
    if (!rows().acts(i) || !std::isinf(rows().mu(i))) continue;
    const bool still = std::abs(now_.U[i]) <= setup().motion;
    if (!still || integrator_.state()[i] > setup().contact[i].spent) continue;
    closes_and_opens_ = i;
    return true;
  }
  return false;
}

/// Gives up a landing.
void FrictionalRun::return_to_time() {
  begin_time();
  guards_known_ = false;
}

void FrictionalRun::begin_landing(int i) {
  const double xi = integrator_.state()[i];
  variable_.k = setup().contact[i].radical();
  variable_.landing = i;
  variable_.slowest = 0.05 * std::abs(phases()[i].gain * now_.U[i]);
  variable_.begin = variable_.k == 2 ? std::sqrt(xi) : xi;
  integrator_.set_time(-variable_.begin);
  integrator_.set_next_step(variable_.begin);
  integrator_.restart();
  guards_known_ = false;
}

/// Far enough from the start of a contact: slopes in √τ become slopes in τ.
void FrictionalRun::leave_start() {
  const double pace = 2.0 * integrator_.time();
  for (int k = 0; k < equations_.size(); ++k) integrator_.slope()[k] /= pace;
  integrator_.set_time(0.0);
  variable_.k = 1;
}

/// Chooses the variable of the next step; returns where it ends at the latest.
double FrictionalRun::choose_variable() {
  const Opening opening = next_opening(instant());
  const bool start = variable_.landing < 0 && variable_.k == 2;
  const bool lands =
      !variable_.no_landing && !start && opening.lands(variable_.dt, variable_.landing);
  if (lands) {
    if (variable_.landing != opening.contact) begin_landing(opening.contact);
    return 0.0;
  }
  if (variable_.landing >= 0) return_to_time();
  variable_.longest = opening.longest_step();
  integrator_.set_next_step(in_variable(variable_.dt));
  return std::numeric_limits<double>::infinity();
}

/// One step. False if the run cannot go on.
bool FrictionalRun::advance() {
  const double end = choose_variable();
  const double before = time();
  const numerics::HybridStep step = integrator_.advance(end);
  if (step.failed) {
    if (variable_.landing < 0) return stopped_by() != nullptr;
    variable_.no_landing = true;
    variable_.dt = std::min(variable_.dt, 0.5 * next_opening(instant()).time_left);
    return_to_time();
    return true;
  }
  at_once_ = time() > before ? 0 : at_once_ + 1;
  if (variable_.time()) variable_.dt = integrator_.next_step();
  if (step.event >= 0) {
    equations_.look(integrator_.slope(), integrator_.state(), now_);
    return happen(guards_[static_cast<std::size_t>(step.event)]);
  }
  std::swap(now_, end_);
  variable_.no_landing = false;
  if (variable_.landing >= 0) {
    if (integrator_.time() < 0.0) return true;
    variable_.dt = std::max(variable_.dt, time() - before);
    return finish_landing();
  }
  if (variable_.k == 2) {
    const double x = integrator_.time();
    const double next = x + std::min(integrator_.next_step(), kStartGrowth * integrator_.step());
    variable_.dt = next * next - x * x;
    if (integrator_.next_step() * 2.0 * x < x * x) leave_start();
  }
  const long events = phases().events();
  const bool changed = follow_magnitudes(instant());
  const bool more = phases().events() > events;
  if (recorder_ != nullptr && (more || recorder_->due())) record();
  const bool died = equations_.friction().died(sliding_rates(), a_t());
  if (died) record();
  return changed || more || died ? restart() : true;
}

bool FrictionalRun::finish_landing() {
  record();
  open_together(instant(), variable_.landing);
  follow_magnitudes(instant());
  return restart();
}

// ------------------------------------------------------------------------------------------ events

/// Whether the sliding of some contact in the plane stops here.
bool FrictionalRun::stops_now() const {
  for (int i = 0; i < m(); ++i) {
    if (!friction().slides(i) || rows().size(i) != 1) continue;
    const double u = friction().mode(i).direction[0];
    if (std::abs(friction().sliding(i, sliding_rates())[0]) > 100.0 * setup().noise) continue;
    if (u * a_t()[rows().row(i)] < 0.0) return true;
  }
  return false;
}

bool FrictionalRun::happen(const Watch& guard) {
  record();
  // A body that can move in one way only comes to rest at all its contacts at once. Where sliding
  // stops as a gap rate vanishes, friction comes first: whether the bodies move on, and where to,
  // decides about compression and expansion.
  const bool friction_first = guard.kind == Kind::GapRate && stops_now();
  if (guard.kind != Kind::Friction && !friction_first) {
    apply(guard);
    apply_simultaneous(guard);
    constexpr int kOften = 20;  // several contacts may open one after the other
    if (at_once_ > kOften && closes_and_opens()) return false;
  }
  follow_magnitudes(instant());
  const bool go_on = restart();
  record();
  return go_on;
}

/// Carries out an event of the normal law at the current state.
void FrictionalRun::apply(const Watch& guard) {
  const int i = guard.contact;
  if (guard.kind == Kind::Pressed) {
    if (phases()[i].phase == Phase::Resting) phases().load_resting(i, instant().point(i));
    return;
  }
  integrator_.state()[i] = phases().carry_out(i, guard.kind == Kind::Target, instant().point(i));
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
void FrictionalRun::apply_simultaneous(const Watch& done) {
  // Contacts opened from rest have no rate yet: those belong together that are parted alike.
  constexpr double kAlike = 1.0 - 1e-9;
  constexpr double kTwins = 1e-2;  // of what presses them
  const auto still = [&](int i) { return std::abs(now_.U[i]) <= setup().noise; };
  const double parted = now_.a[done.contact];
  const bool from_rest = done.kind == Kind::Target && variable_.landing < 0 && still(done.contact);
  int last = done.contact;
  for (const Watch& w : guards_) {
    if (w.contact == done.contact || w.contact == last || w.kind == Kind::Friction) continue;
    const double g = guard_value(w, integrator_.state(), now_.U.data());
    if (w.kind == Kind::Pressed) {
      if (g <= kTwins * least_indentation()) apply(w);
      continue;
    }
    const double falling = guard_slope(w, integrator_.slope(), now_.a.data());
    const bool alike = from_rest && w.kind == Kind::Target && still(w.contact) && parted > 0.0 &&
                       now_.a[w.contact] >= kAlike * parted;
    if (std::abs(g) > w.floor || !(falling < 0.0 || alike)) continue;
    apply(w);
    last = w.contact;
  }
}

// ------------------------------------------------------------------------------------------- steps

bool FrictionalRun::slope(double x, double* y, double* out) {
  ++counts_.evaluations;
  const int landing = variable_.landing;
  if (landing >= 0) y[landing] = variable_.k == 2 ? x * x : -x;
  variable_.pace = 1.0;
  if (!equations_.slopes(y, out)) return false;
  if (variable_.time()) return true;
  double& pace = variable_.pace;
  if (variable_.k == 2) pace = 2.0 * std::abs(x);
  if (landing >= 0) {
    if (!(out[landing] < -variable_.slowest)) return false;
    pace /= -out[landing];
  }
  for (int k = 0; k < equations_.size(); ++k) out[k] *= pace;
  return true;
}

/// The present state anew, in time.
void FrictionalRun::refresh() {
  integrator_.restart();
  equations_.look(integrator_.slope(), integrator_.state(), now_);
}

double FrictionalRun::time_scale() const {
  if (variable_.landing >= 0) return variable_.begin;
  return variable_.k == 2 ? std::sqrt(setup().time_scale) : 10.0 * setup().time_scale;
}

/// The step in x that goes on by dt in τ.
double FrictionalRun::in_variable(double dt) const {
  if (variable_.landing >= 0) {
    const double pace = integrator_.slope()[equations_.clock()];
    return pace > 0.0 ? dt / pace : std::numeric_limits<double>::infinity();
  }
  const double x = integrator_.time();
  return variable_.k == 1 ? dt : std::sqrt(x * x + dt) - x;
}

double FrictionalRun::longest_step() {
  double longest = friction().longest_step(sliding_rates(), a_t());
  if (variable_.landing >= 0) {
    // Two equal steps rather than a long one and a tiny one.
    const double left = -integrator_.time();
    const double next = integrator_.next_step();
    const double part = next < left ? 0.55 * left : left;
    return std::min(part, in_variable(longest));
  }
  const double blind = 1e4 * 0.1 * equations_.law().tolerance * setup().velocity_scale;
  longest = std::min(longest, variable_.longest);
  longest = limit_blind_step(std::min(longest, variable_.dt), instant(), blind);
  return in_variable(longest);
}

bool FrictionalRun::interrupted() {
  constexpr double kLeast = 1e-3;  // of its way, or a landing makes no headway
  if (integrator_.steps() + integrator_.rejected() >= equations_.law().max_steps) return true;
  return variable_.landing >= 0 && integrator_.next_step() < kLeast * -integrator_.time();
}

/// Its energy balances, and no resting contact has missed its phase.
bool FrictionalRun::trusted() {
  equations_.look(integrator_.trial_slope(), integrator_.trial(), end_);
  for (int i = 0; i < m(); ++i) {
    const double xi = integrator_.trial()[i];
    if (missed_its_phase(setup(), phases(), i, xi, end_.U[i], rows().acts(i))) return false;
  }
  return equations_.balances(integrator_.state(), now_.U.data(), integrator_.trial(),
                             end_.U.data());
}

void FrictionalRun::measure(const double* y) {
  equations_.measure(integrator_.state(), sliding_rates(), y);
}

void FrictionalRun::accept(const double* from, double* to) {
  if (friction().redundant()) equations_.share(from, to);
}

bool FrictionalRun::stiff() {
  return equations_.stiff(integrator_.state(), now_);
}

void FrictionalRun::stiff_frame(Matrix& B, Matrix& C) {
  equations_.stiff_frame(B, C);
}

void FrictionalRun::stiff_part(Matrix& D) {
  equations_.stiff_part(D);
  D *= variable_.pace;
}

// ----------------------------------------------------------------------------------------- history

void FrictionalRun::passed(double until) {
  if (recorder_ == nullptr) return;
  const double* last = until < 1.0 ? integrator_.inside(until) : integrator_.trial();
  const double end = last[equations_.clock()];
  double asked = 0.0;
  while (recorder_->next_time(end, asked)) {
    const auto late = [&](double theta) {
      return integrator_.inside(theta)[equations_.clock()] - asked;
    };
    const double* y = integrator_.inside(numerics::bracketed_root(late, 0.0, until, 1e-15));
    equations_.velocities(y, U_.data());
    sample(asked, y, U_.data());
  }
}

void FrictionalRun::record() {
  if (recorder_ != nullptr) sample(time(), integrator_.state(), now_.U.data());
}

void FrictionalRun::sample(double time, const double* y, const double* U) {
  recorder_->sample(time, [&](int i) {
    ContactSample s = phases().sample(i, y[i], y[equations_.impulses() + i], U[i]);
    s.dissipated += y[equations_.losses() + i];
    for (int d = 0; d < rows().size(i); ++d) {
      s.tangential_impulse[static_cast<std::size_t>(d)] =
          y[equations_.impulses() + m() + rows().row(i) + d];
    }
    return s;
  });
}

}  // namespace percute::laws
