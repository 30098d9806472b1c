// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/named_contacts.hpp"
#include "simulation/run_ledger.hpp"
#include "simulation/step_limit.hpp"
#include "simulation/stepping_law.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace percute::simulation {

namespace {

/// Changes of velocity below this, relative to velocities, are none.
constexpr double kConverged = 1e-13;
/// Above it, after all iterations, there is no solution.
constexpr double kHopeless = 1e-7;

/// Part of a step that rounding of many steps may leave over.
constexpr double kSliver = 1e-6;

/// Gaps up to this part of the positions they are made of are closed.
constexpr double kTouching = 1e-12;

class Stepper {
 public:
  Stepper(const MoreauJean& method, const AnySystem& system, const Moment& start, const AnyLaw& law,
          const Observer& observer)
      : method_(method),
        system_(system),
        ledger_(system, method.run, observer, start),
        solver_(system.solver()),
        law_(law, system.contacts(), start.memory),
        time_(start.time),
        q_(start.state.position),
        v_(start.state.velocity),
        h_(Vector::Zero(system.contacts())),
        gaps_(h_),
        before_(h_),
        q_mid_(q_),
        v_mid_(v_),
        f_(Vector::Zero(q_.size())),
        x_(Vector::Zero(q_.size())) {
    if (system.joints() > 0) {
      throw InvalidInput("simulation.method",
                         "moreau_jean moves systems without joints only; "
                         "this one has " +
                             std::to_string(system.joints()));
    }
  }

  Run run();
  RunLedger& ledger() { return ledger_; }

 private:
  bool step(double h);
  bool newton_step(double h, Vector& next);
  double fall(const Vector& next);
  bool touches(int i);
  void watch(double h, const Vector& before, const Vector& free, const Vector& impulse);
  ImpactProblem contact_problem(double h) const;
  Moment moment() const {
    Moment moment;
    moment.time = time_;
    moment.state = {.position = q_, .velocity = v_};
    moment.memory = law_.known();
    return moment;
  }

  const MoreauJean& method_;
  const AnySystem& system_;
  RunLedger ledger_;
  std::unique_ptr<systems::MassSolver> solver_;
  SteppingLaw law_;
  double time_;
  Vector q_;
  Vector v_;
  std::vector<int> closed_;
  Vector q_contact_;  ///< where gaps are judged
  std::string failure_;
  RunStatus status_ = RunStatus::Ok;

  Vector h_;
  Vector gaps_;    ///< at q_
  Vector before_;  ///< at the start of the step
  Vector q_mid_;
  Vector v_mid_;
  Vector f_;
  Vector x_;
};

/// One Newton step on M (v − v_k) − h f = 0, with the derivative of M + θ²h² K alone.
bool Stepper::newton_step(double h, Vector& next) {
  const double theta = method_.theta;
  v_mid_ = (1.0 - theta) * v_ + theta * next;
  q_mid_ = q_ + theta * h * v_mid_;
  if (!solver_->factor(q_mid_)) return false;
  system_.force(time_ + theta * h, q_mid_, v_mid_, f_);
  next -= v_;
  solver_->multiply(next, x_);
  next += v_;
  x_ = h * f_ - x_;
  if (system_.has_stiffness()) {
    if (!solver_->factor_stiffened(q_mid_, theta * theta * h * h)) return false;
    solver_->solve_stiffened(x_);
  } else {
    solver_->solve(x_);
  }
  next += x_;
  return next.allFinite();
}

/// Contacts closed where gaps are judged, with the mass of the last Newton step.
ImpactProblem Stepper::contact_problem(double h) const {
  ImpactProblem problem = systems::impact_problem(system_, q_contact_, v_, closed_);
  const auto n = system_.coordinates();
  Matrix A(n, n);
  system_.mass(q_mid_, A);
  if (system_.has_stiffness()) {
    Matrix K(n, n);
    system_.stiffness(q_mid_, K);
    A += std::pow(method_.theta * h, 2) * K;
  }
  if (A.isDiagonal(0.0)) {
    problem.mass = MassMatrix::diagonal(A.diagonal());
  } else {
    problem.mass = MassMatrix::dense(0.5 * (A + A.transpose()));
  }
  return problem;
}

/// Largest gap rate that forces take away in the step: what rests on a contact may fall onto it for
/// a step or two.
double Stepper::fall(const Vector& next) {
  double most = 0.0;
  for (const int i : closed_) {
    system_.gradient(i, q_contact_, x_);
    most = std::max(most, x_.dot(v_) - x_.dot(next));
  }
  return most;
}

/// A gap that is nothing but what the roundings of thousands of steps have left between bodies that
/// move together.
bool Stepper::touches(int i) {
  if (h_[i] > kTouching * std::max(1.0, q_contact_.cwiseAbs().maxCoeff())) return false;
  system_.gradient(i, q_contact_, x_);
  return h_[i] <= kTouching * x_.cwiseAbs().dot(q_contact_.cwiseAbs());
}

/// How far contacts came in a step that closed them: by impulses, before they got there, or by
/// overlap that no impulse has met yet.
void Stepper::watch(double h, const Vector& before, const Vector& free, const Vector& impulse) {
  gaps_.swap(before_);
  system_.gaps(q_, gaps_);
  ledger_.watch_gaps(gaps_);
  for (int i = 0; i < system_.contacts(); ++i) {
    if (gaps_[i] < 0.0) ledger_.watch_way(i, before_[i], 0.0, before_[i] - gaps_[i]);
  }
  for (Eigen::Index k = 0; k < impulse.size(); ++k) {
    if (!(impulse[k] > 0.0)) continue;
    const int i = closed_[static_cast<std::size_t>(k)];
    system_.gradient(i, q_contact_, x_);
    ledger_.watch_way(i, before_[i], -h * x_.dot(before), -h * x_.dot(free));
  }
}

bool Stepper::step(double h) {
  q_contact_ = q_ + 0.5 * h * v_;
  system_.gaps(q_contact_, h_);
  closed_.clear();
  for (int i = 0; i < system_.contacts(); ++i) {
    if (h_[i] <= 0.0 || touches(i)) closed_.push_back(i);
  }
  Vector next = v_;
  Vector last(v_.size());
  Vector free(v_.size());  // without contacts
  bool acts = false;       // impulses of more than rounding size
  SteppingLaw::Outcome outcome;
  double change = 0.0;
  double pull = 0.0;  // of forces alone: what velocities at rest are small against
  for (int k = 0; k < method_.max_iterations; ++k) {
    ++ledger_.counts().iterations;
    last = next;
    if (!newton_step(h, next)) {
      status_ = RunStatus::Unstable;
      failure_ = "velocities are not finite any more";
      return false;
    }
    if (k == 0) {
      pull = (next - v_).cwiseAbs().maxCoeff();
      ledger_.set_slow_approach(2.0 * fall(next));
    }
    free = next;
    if (!closed_.empty()) {
      outcome = law_(contact_problem(h), closed_, next);
      if (!accepted(outcome.status)) {
        status_ = RunStatus::NotConverged;
        failure_ = unanswered(outcome.status, outcome.reason, closed_, system_);
        return false;
      }
      next = outcome.velocity;
    }
    const double scale = std::max({next.cwiseAbs().maxCoeff(), v_.cwiseAbs().maxCoeff(), pull});
    change = (next - last).cwiseAbs().maxCoeff() / std::max(scale, 1e-300);
    acts = (next - free).cwiseAbs().maxCoeff() > kConverged * scale;
    if (change <= kConverged) break;
  }
  if (change > kHopeless) {
    status_ = RunStatus::NotConverged;
    failure_ = "the equation of a step does not converge; take a shorter step";
    if (!closed_.empty()) {
      failure_ = "the velocities of a step and what the law makes of contacts " +
                 names_of(closed_, system_) +
                 " in it do not converge; take a shorter step or another law";
    }
    return false;
  }
  const Vector before = v_;
  q_ += h * ((1.0 - method_.theta) * v_ + method_.theta * next);
  v_ = next;
  time_ += h;
  ++ledger_.counts().steps;
  acts = acts && outcome.active && !closed_.empty();
  watch(h, before, free, acts ? outcome.impulse : Vector());
  if (!ledger_.step(time_, q_, v_)) return false;
  if (!acts) return true;
  Event event;
  event.time = time_;
  event.kind = EventKind::ActiveStep;
  event.contacts = closed_;
  event.position = q_;
  event.velocity_before = before;
  event.velocity_after = v_;
  event.impulse = outcome.impulse;
  event.dissipated = outcome.lost;
  event.status = outcome.status;
  const bool goes_on = ledger_.event(event);
  if (ledger_.strikes(event)) ledger_.count_impact(event);
  return goes_on;
}

Run Stepper::run() {
  const double h = method_.step;
  ledger_.set_step(h);
  system_.gaps(q_, gaps_);
  ledger_.watch_gaps(gaps_);
  if (!ledger_.step(time_, q_, v_)) return ledger_.finish(moment());
  for (;;) {
    const double left = ledger_.end_time() - time_;
    if (left <= kSliver * h) break;
    if (ledger_.too_many_impacts()) {
      status_ = RunStatus::NotTerminated;
      failure_ = ledger_.limit_reached();
      break;
    }
    // The last step ends where the run does.
    if (!step(left < (1.0 + kSliver) * h ? left : h)) break;
  }
  // Without a failure the run is over, or the observer has had enough.
  if (!failure_.empty()) failure_ += " at t = " + text(time_) + " s";
  return ledger_.finish(moment(), status_, failure_);
}

}  // namespace

void validate(const MoreauJean& method) {
  require_ranges("simulation", method);
  if (method.max_iterations < 1) {
    throw InvalidInput("simulation.max_iterations",
                       std::to_string(method.max_iterations) + " is not 1 or above");
  }
  validate(method.run);
  validate_step(method.step, method.run);
}

Run MoreauJean::operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                           const Observer& observer) const {
  validate(*this);
  Stepper stepper(*this, system, start, law, observer);
  stepper.ledger().warn_at_start(unresolved_vibration(system, start.state.position, step));
  stepper.ledger().warn_at_start(unresolved_forces(system, start.time, step));
  return stepper.run();
}

}  // namespace percute::simulation
