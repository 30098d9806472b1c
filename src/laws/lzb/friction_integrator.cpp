// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_integrator.hpp"

#include "laws/lzb/polish.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

using Kind = FrictionWatch::Kind;

/// A contact fades when its stop is nearer than this part of the step.
constexpr double kFadingReach = 1.5;

}  // namespace

Status FrictionIntegrator::run(const ImpactSetup& setup, const FrictionSetup& friction,
                               const Lzb& law, ContactPhases& phases, Recorder* recorder) {
  phases.start(setup, law);
  setup_ = &setup;
  friction_ = &friction;
  phases_ = &phases;
  recorder_ = recorder;
  law_ = law;
  tolerance_ = StepControl::kStepShare * law.tolerance;
  counts_ = {};
  status_ = Status::Ok;
  without_solution_ = -1;
  changes_ = 0;
  log_.clear();
  last_change_ = -1.0;
  repeats_ = 0;
  slips_ = {};
  stalls_ = {};
  events_at_once_ = {};
  step_.assign(setup, friction, phases, law.tolerance);
  step_.forget_evaluations();
  events_.assign(setup, friction, phases);
  stopping_.assign(friction);
  const auto m = static_cast<std::size_t>(setup.m);
  list_.reserve(m);
  creeping_.reserve(m);
  drive_.reserve(static_cast<std::size_t>(friction.rows));
  held_.reserve(static_cast<std::size_t>(friction.rows));
  ones_.assign(m, 1.0);
  resting_.reserve(m);
  resting_.clear();
  lambda_.assign(m, 0.0);
  beyond_.assign(m, 0.0);
  scratch_.assign(static_cast<std::size_t>(friction.rows), 0.0);
  before_.assign(static_cast<std::size_t>(friction.rows), 0.0);
  return integrate();
}

Status FrictionIntegrator::integrate() {
  for (int i = 0; i < setup_->m; ++i) step_.rk.state()[i] = phases_->initial_indentation(i);
  // The error of a first step of natural length is estimated too low: it took up to 1e-9 of the
  // energy at a tolerance of 1e-9.
  constexpr double kFirst = 0.6;
  at_.begin(kFirst * setup_->time_scale, FrictionStep::RK::growth(tolerance_));
  begin_segment();
  if (status_ != Status::Ok) return status_;
  record();
  while (!finished(*setup_, *phases_, now())) {
    if (collapsed(*setup_, *phases_, now(), law_.collapse_velocity)) return Status::Zeno;
    if (counts_.steps + counts_.rejected >= law_.max_steps ||
        phases_->events() + changes_ >= law_.max_events || endless()) {
      return Status::NotTerminated;
    }
    if (wedged() || undecided()) return Status::NotTerminated;
    if (!advance() || status_ != Status::Ok) return status_;
  }
  return Status::Ok;
}

/// At rest, and nothing accelerates though contacts push: friction keeps them compressed against
/// each other.
bool FrictionIntegrator::wedged() {
  constexpr double kBalanced = 1e-6;
  wedged_ = false;
  // What stops does so within the tolerance, and contacts that stick keep what was left.
  const double slow = std::max(setup_->gap_rate_tol, law_.tolerance * setup_->velocity_scale);
  if (step_.landing() >= 0 || time() <= setup_->time_scale) return false;
  for (int r = 0; r < friction_->rows; ++r) {
    if (std::abs(step_.U0[r]) > slow) return false;
  }
  double push = 0.0;
  for (int i = 0; i < setup_->m; ++i) {
    const double force = phases_->force(i, step_.rk.state()[i]);
    push = std::max(push, force * friction_->column(i)[i]);
  }
  for (int r = 0; r < friction_->rows; ++r) {
    if (std::abs(step_.a0[r]) > kBalanced * push) return false;
  }
  wedged_ = push > 0.0;
  return wedged_;
}

// ------------------------------------------------------------------------- segments between events

/// Starts afresh after an event (or at the beginning).
void FrictionIntegrator::begin_segment() {
  for (int i = 0; i < setup_->m; ++i) {
    if (phases_->loaded(i)) step_.rk.state()[i] = std::max(step_.rk.state()[i], 0.0);
  }
  step_.start();
  constexpr int kPasses = 8;
  for (int pass = 0; pass <= kPasses; ++pass) {
    const bool friction = follow_loads();
    if (status_ != Status::Ok) return;
    if (friction) step_.start();
    const bool phases = settle(*setup_, *phases_, now());
    if (phases) step_.start();
    if (!friction && !phases) break;
    if (pass == kPasses && closes_and_opens()) return;
  }
  const int k = starting_radical(*setup_, *phases_, now());
  at_.count_time();
  if (k == 1) return;
  step_.use_time(k);
  at_.start_from_rest(step_.rk);
}

/// A contact that is drawn together as long as it is open, and apart as soon as infinite friction
/// holds it, comes to no decision: then there is no solution.
bool FrictionIntegrator::closes_and_opens() {
  for (int i = 0; i < setup_->m; ++i) {
    if (!friction_->acts(i) || !std::isinf(friction_->mu(i))) continue;
    const bool still = std::abs(step_.U0[i]) <= setup_->motion;
    if (!still || step_.rk.state()[i] > setup_->spent[i]) continue;
    status_ = Status::NoSlipSolution;
    without_solution_ = i;
    return true;
  }
  return false;
}

/// Gives up a landing, or fading.
void FrictionIntegrator::return_to_time() {
  at_.count_time();
  step_.use_time(1);
  step_.restart(at_.x);
}

void FrictionIntegrator::enter_landing(int i) {
  at_.begin_landing(step_.rk.state()[i], setup_->contact[i].radical());
  step_.use_landing(i, (*phases_)[i].gain * step_.U0[i]);
  step_.restart(at_.x);
}

// ---------------------------------------------------------------------------------------- one step

/// Chooses the independent variable and the length of the next step in it.
double FrictionIntegrator::plan() {
  const double blind = 1e4 * tolerance_ * setup_->velocity_scale;
  double dt = limit_blind_step(at_.dt, *setup_, *phases_, now(), blind);
  const Opening opening = next_opening(*setup_, *phases_, now());
  const Fade fade = next_fade();
  const bool fades_first =
      fade.contact >= 0 && (opening.contact < 0 || fade.time_left < opening.time_left);
  const bool near = fade.slow || step_.fading() == fade.contact;
  if (fades_first && (near || dt > fade.time_left / kFadingReach)) {
    const bool in_time = step_.radical() == 1 && step_.landing() < 0;
    const bool landing = step_.landing() >= 0;
    if (landing) return_to_time();
    if (in_time || landing) {
      if (step_.fading() != fade.contact) {
        step_.use_fading(fade.contact);
        dx_ = std::min(dt, fade.time_left);
        at_.x = 0.0;
        step_.restart(at_.x);
      }
      return dx_;
    }
    dt = StepControl::short_of(fade.time_left, dt);
  }
  if (step_.fading() >= 0) return_to_time();
  if (opening.contact >= 0) {
    const int landing = step_.landing();
    if (at_.lands(opening, dt, landing, step_.radical())) {
      if (landing != opening.contact) enter_landing(opening.contact);
      return -at_.x * at_.fraction;
    }
    dt = StepControl::short_of(opening.time_left, dt);
  }
  if (step_.landing() >= 0) return_to_time();
  return at_.in_time(dt, step_.radical());
}

/// Makes the next step shorter. False if that is no longer possible.
bool FrictionIntegrator::reject(double factor) {
  ++counts_.rejected;
  factor = std::clamp(factor, 0.1, 0.9);
  if (step_.landing() >= 0) {
    if (at_.shorten_landing(factor)) return true;
    const Opening opening = next_opening(*setup_, *phases_, now());
    if (opening.contact >= 0) at_.dt = std::min(at_.dt, 0.5 * opening.time_left);
    return true;
  }
  double& length = step_.fading() >= 0 ? dx_ : at_.dt;
  length *= factor;
  if (length > 1e-14 * setup_->time_scale) return true;
  status_ = Status::StepUnderflow;
  return false;
}

bool FrictionIntegrator::resting_contact_missed_its_phase() const {
  for (int i = 0; i < setup_->m; ++i) {
    const bool acts = friction_->acts(i);
    if (missed_its_phase(*setup_, *phases_, i, step_.rk.trial()[i], step_.U1[i], acts)) return true;
  }
  return false;
}

/// Whether the energy of the step balances: what bodies gain, contacts absorb and sliding takes,
///
///     ½ (U₀ + U₁)ᵀ (P₁ − P₀) + Σ ΔW_i + Σ ΔD_i = 0,
///
/// where W_i follows from ξ_i alone. Error estimates vanish by accident once in 1e5 impacts, and
/// this shows it. Steps too short to hide an error are not looked at, so that it cannot stop a run.
bool FrictionIntegrator::balances() const {
  constexpr double kShare = 0.1;       // of the tolerance
  constexpr double kRounding = 1e-13;  // of a sum of some hundred terms
  constexpr double kShort = 1e-3;      // of the time scale
  if (step_.trial_time() - time() < kShort * setup_->time_scale) return true;
  const double* before = step_.rk.state();
  const double* after = step_.rk.trial();
  double sum = 0.0;
  double size = 0.0;
  const auto add = [&](double part) {
    sum += part;
    size += std::abs(part);
  };
  for (int r = 0; r < friction_->rows; ++r) {
    const int k = step_.impulses() + r;
    add(0.5 * (step_.U0[r] + step_.U1[r]) * (after[k] - before[k]));
  }
  for (int i = 0; i < setup_->m; ++i) {
    add(phases_->absorbed_work(i, after[i]) - phases_->absorbed_work(i, before[i]));
    add(after[step_.losses() + i] - before[step_.losses() + i]);
  }
  return std::abs(sum) <= kShare * law_.tolerance * setup_->energy_scale + kRounding * size;
}

/// Tries one step. False if the run cannot go on.
bool FrictionIntegrator::advance() {
  if (follow_directions()) {
    begin_segment();
    return status_ == Status::Ok;
  }
  const double h = plan();
  dense_ready_ = false;
  const bool defined = step_.attempt(at_.x, h);
  if (step_.lost_direction() && hurry_slow()) {
    ++counts_.rejected;
    return_to_time();
    return true;
  }
  if (!defined) return reject(0.5);
  const double e = step_.error(h);
  if (!(e <= 1.0)) return reject(std::isfinite(e) ? 0.9 * FrictionStep::RK::growth(e) : 0.1);
  step_.measure_end();
  if (resting_contact_missed_its_phase() || !balances()) return reject(0.5);
  const double outrun = step_.modes.outrun(step_.U1.data() + setup_->m);
  if (outrun > 2.0) return reject(std::sqrt(1.5 / outrun));
  if (events_.suspect(step_, h)) {
    // Without dense output the step reaches beyond where the dynamics are defined: come closer.
    if (!prepare_dense(h)) return reject(0.5);
    const FrictionCrossing crossing = events_.earliest(step_);
    if (crossing.theta <= 1.0) return land_on(crossing, h);
  }
  accept(h);
  adapt(h, e);
  return true;
}

void FrictionIntegrator::accept(double h) {
  if (recorder_ != nullptr) record_times(h, step_.trial_time());
  const double before = time();
  step_.accept();
  at_.x += h;
  ++counts_.steps;
  at_.landing_blocked = false;
  if (step_.fading() >= 0) at_.dt = std::max(time() - before, 1e-12 * setup_->time_scale);
  if (step_.landing() >= 0 && at_.fraction == 1.0) {
    at_.dt = std::max(at_.dt, time() - before);
    finish_landing();
    return;
  }
  const long events = phases_->events();
  const bool changed = tidy(*setup_, *phases_, now());
  if (recorder_ != nullptr && (phases_->events() > events || recorder_->due())) record();
  if (changed || phases_->events() > events) begin_segment();
}

/// Next step length by the usual controller.
void FrictionIntegrator::adapt(double h, double error) {
  const double growth =
      std::min(StepControl::kMostGrowth,
               StepControl::kSafety * FrictionStep::RK::growth(std::max(error, 1e-10)));
  if (step_.fading() >= 0) {
    dx_ = h * growth;
  } else if (step_.landing() >= 0) {
    at_.lengthen_landing(h, growth);
  } else if (at_.lengthen(h, growth, step_.radical())) {
    at_.leave_start(step_.rk);
    step_.use_time(1);
  }
}

void FrictionIntegrator::finish_landing() {
  record();
  open_together(*setup_, *phases_, now(), step_.landing());
  tidy(*setup_, *phases_, now());
  begin_segment();
}

// ------------------------------------------------------------------------------------------ events

bool FrictionIntegrator::prepare_dense(double h) {
  const long before = step_.evaluations();
  dense_ready_ = step_.prepare_dense(at_.x, h);
  counts_.event_evaluations += step_.evaluations() - before;
  return dense_ready_;
}

/// Ends the step at the event, on its dense output, and applies it.
bool FrictionIntegrator::land_on(const FrictionCrossing& crossing, double h) {
  const FrictionWatch& w = crossing.watch;
  if (w.kind == Kind::Slip) look_beyond(crossing);
  if (crossing.theta > 1e-15) {
    const long before = evaluations();
    double x = at_.x + crossing.theta * h;
    const double defect = step_.interpolate(crossing.theta, x);
    counts_.event_evaluations += evaluations() - before;
    // The end of the step is good, what lies between is not: end it shortly before the event.
    if (!(defect <= StepControl::kLargestDefect)) return reject(0.9 * crossing.theta);
    if (recorder_ != nullptr) record_times(h, step_.rk.inside()[step_.clock()]);
    step_.end_inside();
    polish(w, x);
    const double from = time();
    step_.accept();
    at_.x = x;
    if (step_.fading() >= 0) at_.dt = std::max(time() - from, 1e-12 * setup_->time_scale);
    ++counts_.steps;
  }
  record();
  if (w.kind == Kind::Slip) {
    slip(w.contact, crossing.armed);
  } else if (const int stopping = w.kind == Kind::Stop ? w.contact : stops_too(w); stopping >= 0) {
    stop(stopping);
  } else {
    apply(w);
    apply_simultaneous(w);
    constexpr int kOften = 20;  // several contacts may open one after the other
    events_at_once_.add(time(), 0.0);
    if (events_at_once_.count > kOften && closes_and_opens()) return true;
  }
  tidy(*setup_, *phases_, now());
  begin_segment();
  record();
  return true;
}

/// Normal forces shortly after a contact has reached its limit: there the solution with limits
/// shows who slides.
void FrictionIntegrator::look_beyond(const FrictionCrossing& crossing) {
  if (!crossing.armed) {
    step_.normal_forces(step_.rk.trial(), step_.U1.data(), nullptr, 0.0, beyond_.data());
    return;
  }
  if (!step_.modes.redundant()) return;
  step_.rk.interpolate(crossing.theta + 1e-3 * (1.0 - crossing.theta));
  step_.velocities(step_.rk.inside(), scratch_.data());
  step_.normal_forces(step_.rk.inside(), scratch_.data(), nullptr, 0.0, beyond_.data());
}

void FrictionIntegrator::polish(const FrictionWatch& w, double& x) {
  if (w.kind == Kind::Slip) return;
  laws::polish(
      step_, at_.x, w.floor,
      [&] { return events_.value(w, step_, step_.rk.trial(), step_.U1.data()); },
      [&] { return events_.slope(w, step_, step_.rk.trial_slope(), step_.a1.data()); }, x);
}

/// Carries out an event of the normal law at the current state.
void FrictionIntegrator::apply(const FrictionWatch& w) {
  const int i = w.contact;
  step_.rk.state()[i] = phases_->carry_out(i, w.kind == Kind::Target, now().point(i));
}

/// Symmetric problems have several events at one instant: those within rounding belong together.
void FrictionIntegrator::apply_simultaneous(const FrictionWatch& done) {
  // Contacts opened from rest have no rate yet: those belong together that are parted alike.
  constexpr double kAlike = 1.0 - 1e-9;
  const bool from_rest = done.kind == Kind::Target && step_.landing() < 0 &&
                         std::abs(step_.U0[done.contact]) <= setup_->noise;
  const double parted = step_.a0[done.contact];
  for (int i = 0; i < setup_->m; ++i) {
    if (i == done.contact) continue;
    FrictionWatch due;
    events_.for_each_watch(i, step_, [&](const FrictionWatch& w) {
      if (w.kind == Kind::Stop || due.contact >= 0) return;
      const double g = events_.value(w, step_, step_.rk.state(), step_.U0.data());
      const double slope = events_.slope(w, step_, step_.rk.slope(), step_.a0.data());
      const double falling = step_.landing() >= 0 ? -slope : slope;
      const bool alike = from_rest && w.kind == Kind::Target &&
                         std::abs(step_.U0[i]) <= setup_->noise && step_.a0[i] >= kAlike * parted &&
                         parted > 0.0;
      if (std::abs(g) <= w.floor && (falling < 0.0 || alike)) due = w;
    });
    if (due.contact >= 0) apply(due);
  }
}

// ----------------------------------------------------------------------------------------- history

void FrictionIntegrator::record_times(double h, double until) {
  double asked = 0.0;
  while (recorder_->next_time(until, asked)) {
    if (!dense_ready_ && !prepare_dense(h)) return;
    const auto late = [&](double theta) { return step_.rk.dense(step_.clock(), theta) - asked; };
    const double theta = numerics::bracketed_root(late, 0.0, 1.0, 1e-15);
    Vector y(step_.rk.size());
    for (int k = 0; k < step_.rk.size(); ++k) y[k] = step_.rk.dense(k, theta);
    Vector U(friction_->rows);
    step_.velocities(y.data(), U.data());
    sample(asked, y.data(), U.data());
  }
}

void FrictionIntegrator::record() {
  if (recorder_ != nullptr) sample(time(), step_.rk.state(), step_.U0.data());
}

void FrictionIntegrator::sample(double time, const double* y, const double* U) {
  recorder_->sample(time, [&](int i) {
    const double stored = phases_->stored_energy(i, y[i]);
    ContactSample s{.impulse = y[step_.impulses() + i],
                    .force = phases_->force(i, y[i]),
                    .indentation = phases_->loaded(i) ? std::max(y[i], 0.0) : 0.0,
                    .stored_energy = stored,
                    .dissipated = setup_->initial_energy[i] + phases_->absorbed_work(i, y[i]) -
                                  stored + y[step_.losses() + i],
                    .gap_rate = U[i]};
    for (int d = 0; d < friction_->size(i); ++d) {
      s.tangential_impulse[static_cast<std::size_t>(d)] =
          y[step_.impulses() + setup_->m + friction_->row(i) + d];
    }
    return s;
  });
}

}  // namespace percute::laws
