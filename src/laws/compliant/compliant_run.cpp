// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/compliant_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace percute::laws {

namespace {

/// Forces start and end with fractional powers, where the error estimate of a Runge–Kutta pair says
/// up to a hundred times too little.
constexpr double kEstimateDeficit = 0.01;
constexpr double kFirstStep = 1e-3;  ///< of the time scale
constexpr int kMostEventsAtOnce = 1000;
/// Steps after an event begin anew: no longer than this part of the time scale.
constexpr double kStepAfterEvent = 1e-2;

}  // namespace

CompliantRun::CompliantRun(const ImpactProblem& problem, const Compliant& law,
                           FrozenMechanism& mechanism, const contact::FrictionRows& rows,
                           Recorder* recorder)
    : ContactDynamics(mechanism, rows, law), problem_(problem), recorder_(recorder) {
  scale_ = scales(problem, mechanism.inverse_masses());
  diagnostics_.contacts.resize(problem.contacts.size());
  for (int i = 0; i < m(); ++i) {
    contact(i).law = ContactForce(problem.contacts[static_cast<std::size_t>(i)].material, law.force,
                                  scale_.effective_mass[i], i);
  }
  set_units();
  for (int i = 0; i < m(); ++i) {
    const double energy = problem.contacts[static_cast<std::size_t>(i)].stored_energy;
    if (energy > 0.0) precompress(i, energy);
  }
}

void CompliantRun::set_units() {
  const double speed = scale_.velocity > 0.0 ? scale_.velocity : 1.0;
  std::vector<double> lengths;
  double shortest = std::numeric_limits<double>::infinity();
  for (const CompliantContact& one : contacts_) {
    const double t = one.law.time_scale(speed);
    lengths.push_back(speed * t);
    shortest = std::min(shortest, t);
  }
  static_cast<FrozenMechanism&>(mechanism_).set_units(std::move(lengths), speed);
  units_.speed = speed;
  units_.time = shortest;
  units_.energy = scale_.energy;
  units_.tolerance = kEstimateDeficit * law_.tolerance;
}

/// Starts contact i on its loading curve, where k δ^(n+1)/(n+1) is the energy it has stored.
void CompliantRun::precompress(int i, double energy) {
  integrator_.state()[i] = -contact(i).law.indentation_of(energy);
  integrator_.state()[work() + i] = energy;
  contact(i).memory = contact(i).law.closed_at(0.0, minimum_speed_);
  contact(i).mode = Mode::Touching;
  precompressed_ = true;
}

ImpactResult CompliantRun::run() {
  refresh();
  double approach = 0.0;
  for (int i = 0; i < m(); ++i) approach = std::max(approach, -now_.U[i]);
  minimum_speed_ = law_.minimum_speed.value_or(1e-3 * approach);
  const bool impact = m() > 0 && (precompressed_ || approach > scale_.gap_rate_tol);
  if (!impact) return result(Status::NoImpact);
  const Status status = begin() ? integrate() : stopped();
  diagnostics_.duration = time();
  return result(status);
}

/// Why there is no next step, or no first one.
Status CompliantRun::stopped() {
  const auto contact = [](int i) { return "contacts[" + std::to_string(i) + "]"; };
  std::string& reason = diagnostics_.reason;
  if (const int i = without_solution(); i >= 0) {
    reason = "stopping the sliding of " + contact(i) +
             " alone separates it: infinite friction would act without pressure";
    return Status::NoSlipSolution;
  }
  if (interrupted()) {
    reason = "the limit law.max_steps ended the run";
    return Status::NotTerminated;
  }
  if (const int i = undefined(); i >= 0) {
    reason = "the force or the velocity of " + contact(i) + " is not finite";
  } else {
    reason = "steps became too short for the numbers they are made in";
  }
  return Status::StepUnderflow;
}

/// Contacts that rest or approach take part from the start.
bool CompliantRun::begin() {
  for (int i = 0; i < m(); ++i) {
    CompliantContact& one = contact(i);
    const double U = now_.U[i];
    if (one.mode == Mode::Touching) {  // precompressed
      log(i, EventKind::Activation);
      ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
      summary.impacts = 1;
      one.compressing = U < 0.0;
      summary.compressions = one.compressing ? 1 : 0;
      if (!one.compressing && compressed(i) && one.law.hysteretic(one.memory.branch)) {
        one.law.turn(-now_.gap[i], one.memory);
      }
    } else if (U < -scale_.gap_rate_tol) {
      apply(i, Change::Close);
    } else if (U <= scale_.gap_rate_tol) {
      one.memory = one.law.closed_at(0.0, minimum_speed_);
      one.mode = Mode::Touching;
      one.compressing = true;
    }
  }
  integrator_.set_next_step(kFirstStep * units_.time);
  const bool begun = restart();
  record();
  return begun;
}

/// After every change: friction is decided anew, and the slope.
bool CompliantRun::restart() {
  // Time is counted from here: it keeps its digits however long bodies fly between contacts.
  elapsed_ += integrator_.time();
  friction_.count_from(integrator_.time());
  integrator_.set_time(0.0);
  if (!decide() || !integrator_.restart()) return false;
  integrator_.set_next_step(std::min(integrator_.next_step(), kStepAfterEvent * units_.time));
  note_progress();
  return true;
}

bool CompliantRun::interrupted() {
  return integrator_.steps() + integrator_.rejected() >= law_.max_steps;
}

Status CompliantRun::integrate() {
  int at_once = 0;  // events without time between them
  while (!over()) {
    if (interrupted()) return stopped();
    if (diagnostics_.events >= law_.max_events) {
      diagnostics_.reason = "the limit law.max_events ended the run";
      return Status::NotTerminated;
    }
    if (at_once > kMostEventsAtOnce) {
      diagnostics_.reason = "contacts change without end at one instant";
      return Status::NotTerminated;
    }
    if (wedged()) {
      diagnostics_.reason = contact::kWedged;
      return Status::NotTerminated;
    }
    const double before = integrator_.time();
    if (fly()) {
      integrator_.set_next_step(kFirstStep * units_.time);
      if (!restart()) return stopped();
      record();
      continue;
    }
    const auto step = integrator_.advance(std::numeric_limits<double>::infinity());
    if (step.failed) return stopped();
    refresh();
    note_progress();
    const bool event = step.event >= 0;
    if (recorder_ != nullptr && (event || recorder_->due())) record();
    const bool died =
        !event && friction_.decides() && friction_.died(now_.U.data() + m(), now_.a.data() + m());
    at_once = integrator_.time() > before ? 0 : at_once + 1;
    if (!event && !died) continue;
    if (event) {
      const ContactWatch watch = watched(step.event);
      apply(watch.contact, watch.change);
      if (watch.change == Change::Close) close_touching();
    }
    if (!restart()) return stopped();
  }
  return Status::Ok;
}

/// Apart, or touching without motion and without energy that could be seen.
bool CompliantRun::idle(int i) const {
  if (contact(i).mode == Mode::Apart) return true;
  const double slow = scale_.gap_rate_tol;
  return contact(i).touching() && std::abs(now_.U[i]) <= slow &&
         stored(i, now_.gap[i]) <= 0.5 * scale_.effective_mass[i] * slow * slow;
}

bool CompliantRun::over() const {
  for (int i = 0; i < m(); ++i) {
    if (contact(i).touching() && !idle(i)) return false;
    if (now_.U[i] < -scale_.gap_rate_tol) return false;
  }
  return true;
}

/// At rest, and nothing accelerates though contacts push: friction keeps them compressed against
/// each other.
bool CompliantRun::wedged() const {
  if (!friction_.any_sticks() || time() <= units_.time) return false;
  // What stops does so within the tolerance.
  const double slow = std::max(scale_.gap_rate_tol, law_.tolerance * units_.speed);
  double push = 0.0;
  for (int i = 0; i < m(); ++i) push = std::max(push, now_.F[i] / scale_.effective_mass[i]);
  return friction_.wedges(now_.U, now_.a, slow, push, integrator_.time());
}

/// All contacts apart: on to the next that closes.
bool CompliantRun::fly() {
  double next = std::numeric_limits<double>::infinity();
  int first = -1;
  for (int i = 0; i < m(); ++i) {
    if (!idle(i)) return false;
    const double U = now_.U[i];
    const double gap = std::max(now_.gap[i], 0.0);
    if (U < -scale_.gap_rate_tol && gap / -U < next) {
      next = gap / -U;
      first = i;
    }
  }
  if (first < 0) return false;
  // Contacts that touch without motion that could be seen stay as they are.
  for (int i = 0; i < m(); ++i) {
    if (!contact(i).touching()) integrator_.state()[i] += next * now_.U[i];
  }
  integrator_.state()[first] = 0.0;
  integrator_.set_time(integrator_.time() + next);
  refresh();
  apply(first, Change::Close);
  close_touching();
  return true;
}

void CompliantRun::apply(int i, Change change) {
  CompliantContact& one = contact(i);
  ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
  const bool touched = one.touching();
  const double time = this->time();
  if (change == Change::Close || change == Change::Reload) {
    const bool first = change == Change::Close && summary.impacts == 0;
    log(i, first ? EventKind::Activation : EventKind::Reengagement);
    if (first) summary.first_contact_time = time;
  } else if (change == Change::Reopen || change == Change::Release) {
    if (touched) log(i, EventKind::Opening);
  } else if (change == Change::Turn || change == Change::CompressionEnd) {
    log(i, EventKind::CompressionEnd);
  } else if (change == Change::Recompress) {
    log(i, EventKind::Recompression);
    ++summary.compressions;
  } else if (change == Change::Yield) {
    log(i, EventKind::Yield);
  }
  one.apply(change, now_.gap[i], now_.U[i], minimum_speed_);
  if (change == Change::Close || change == Change::Reopen) integrator_.state()[i] = 0.0;
  if (touched && !one.touching()) {
    summary.opening_time = time;
    summary.duration += time;
  } else if (!touched && one.touching()) {
    ++summary.impacts;
    ++summary.compressions;
    summary.duration -= time;
  }
}

// ---------------------------------------------------------------------- what is kept of the run

void CompliantRun::log(int i, EventKind kind) {
  ++diagnostics_.events;
  if (recorder_ == nullptr) return;
  events_.push_back({.time = time(),
                     .contact = i,
                     .kind = kind,
                     .impulse = integrator_.state()[impulse() + i],
                     .gap_rate = now_.U[i],
                     .stored_energy = stored(i, now_.gap[i]),
                     .force = now_.F[i]});
}

void CompliantRun::note_force(int i, double time, double force) {
  ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
  if (!(force > summary.maximal_force)) return;
  summary.maximal_force = force;
  summary.maximal_force_time = time;
}

void CompliantRun::note_progress() {
  for (int i = 0; i < m(); ++i) {
    ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
    if (summary.impacts == 0 && contact(i).touching() && now_.gap[i] < 0.0) {
      // A contact that was at rest: loaded from the start, by ever so little.
      summary.impacts = 1;
      summary.compressions = 1;
    }
    note_force(i, time(), now_.F[i]);
  }
}

/// Peaks of damped contacts, which lie inside a step, and the instants asked for.
void CompliantRun::passed(double until) {
  const double h = integrator_.step();
  const double start = time();
  find_peaks(until, [&](int i, double theta, double F) { note_force(i, start + theta * h, F); });
  if (recorder_ == nullptr) return;
  double asked = 0.0;
  while (recorder_->next_time(start + h * until, asked)) {
    const double* y = integrator_.inside(std::clamp((asked - start) / h, 0.0, until));
    look(asked, y, stage_);
    recorder_->sample(asked, [&](int i) { return sample(i, y, stage_); });
  }
}

ContactSample CompliantRun::sample(int i, const double* y, const ContactView& view) const {
  const double energy = stored(i, view.gap[i]);
  const contact::FrictionRows& rows = friction_.rows();
  std::array<double, 2> tangential = {};
  for (int d = 0; d < rows.size(i); ++d) {
    tangential[static_cast<std::size_t>(d)] = y[impulse() + m() + rows.row(i) + d];
  }
  return {.impulse = y[impulse() + i],
          .force = view.F[i],
          .indentation = contact(i).touching() ? std::max(-view.gap[i], 0.0) : 0.0,
          .stored_energy = energy,
          .dissipated = y[work() + i] - energy + (friction_.any() ? y[friction_loss() + i] : 0.0),
          .gap_rate = view.U[i],
          .tangential_impulse = tangential};
}

void CompliantRun::record() {
  if (recorder_ == nullptr) return;
  recorder_->sample(time(), [&](int i) { return sample(i, integrator_.state(), now_); });
}

ImpactResult CompliantRun::result(Status status) const {
  const double* y = integrator_.state();
  ImpactResult out;
  out.status = status;
  out.velocity = problem_.velocity + Eigen::Map<const Vector>(y + m(), problem_.velocity.size());
  out.impulse = Eigen::Map<const Vector>(y + impulse(), m());
  out.dissipated = Vector::Zero(m());
  for (int i = 0; i < m(); ++i) {
    out.dissipated[i] = lost(i);
    out.energy.stored += stored(i, now_.gap[i]);
  }
  if (friction_.any()) {
    out.dissipated_by_friction = Eigen::Map<const Vector>(y + friction_loss(), m());
    const contact::FrictionRows& rows = friction_.rows();
    for (int i = 0; i < m(); ++i) {
      const auto d = problem_.contacts[static_cast<std::size_t>(i)].directions;
      Vector& p = out.tangential_impulse.emplace_back(Vector::Zero(d));
      for (int k = 0; k < rows.size(i); ++k) p[k] = y[impulse() + m() + rows.row(i) + k];
    }
  }
  out.diagnostics = diagnostics_;
  out.diagnostics.evaluations = evaluations_;
  out.diagnostics.steps = integrator_.steps();
  out.diagnostics.rejected = integrator_.rejected();
  if (recorder_ != nullptr) out.history = recorder_->history(problem_, events_);
  return out;
}

}  // namespace percute::laws
