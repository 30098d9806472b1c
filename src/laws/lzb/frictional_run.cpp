// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional_run.hpp"

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
  lift_loaded();
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
  choose_start();
  return true;
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

bool FrictionalRun::go_on(bool changed, bool more) {
  const bool died = equations_.friction().died(sliding_rates(), a_t());
  if (died) record();
  return changed || more || died ? restart() : true;
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

bool FrictionalRun::happen(const Watch& guard, bool /*moved*/) {
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
  pace_ = 1.0;
  if (!equations_.slopes(y, out)) return false;
  if (variable_.time()) return true;
  if (variable_.k == 2) pace_ = 2.0 * std::abs(x);
  if (landing >= 0) {
    if (!(out[landing] < -variable_.slowest)) return false;
    pace_ /= -out[landing];
  }
  for (int k = 0; k < equations_.size(); ++k) out[k] *= pace_;
  return true;
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

bool FrictionalRun::stiff() {
  return equations_.stiff(integrator_.state(), now_);
}

void FrictionalRun::stiff_frame(Matrix& B, Matrix& C) {
  equations_.stiff_frame(B, C);
}

void FrictionalRun::stiff_part(Matrix& D) {
  equations_.stiff_part(D);
  D *= pace_;
}

// ----------------------------------------------------------------------------------------- history

void FrictionalRun::passed(double until) {
  record_times(until, [&](double asked, const double* y) {
    equations_.velocities(y, U_.data());
    sample(asked, y, U_.data());
  });
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
