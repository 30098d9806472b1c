// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/lcp.hpp"
#include "simulation/fixed_steps.hpp"
#include "simulation/moment_checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percute::simulation {

namespace {

constexpr int kFixedPointIterations = 100;  // of the fixed-point iteration of one step
/// Of the largest coordinate, or of how far one moves in the step: it has converged.
constexpr double kSmallestCorrection = 5e-16;
constexpr double kBlownUp = 1e3;  // energy gained over the kinetic energy of the start
constexpr double kUlp = std::numeric_limits<double>::epsilon();

/// w^{k+1} = w_free + M⁻¹ H p with 0 ≤ p ⟂ (1 + e) h/Δt + Hᵀ (w^{k+1} − e w^k) ≥ 0: the
/// complementarity of z, times (1 + e)/Δt.
class PositionProjection {
 public:
  PositionProjection(const AnySystem& system, const Vector& q)
      : system_(system),
        column_(q.size()),
        e_(system.contacts()),
        b_(e_.size()),
        p_(e_.size()),
        H_(q.size(), e_.size()),
        Y_(q.size(), e_.size()),
        A_(e_.size(), e_.size()) {
    for (int i = 0; i < e_.size(); ++i) e_[i] = system.contact(i, q).material.restitution;
  }

  /// A step begins, at another place.
  void begin() { prepared_ = false; }
  /// From w_free in `free`. False where there is no solution.
  bool project(systems::MassSolver& mass, const Vector& q, const Vector& w, const Vector& gaps,
               double step, Vector& free) {
    active_ = false;
    for (int i = 0; i < e_.size(); ++i) {
      const double e = e_[i];
      system_.gradient(i, q, column_);
      b_[i] = (1.0 + e) * gaps[i] / step + column_.dot(free) - e * column_.dot(w);
      if (b_[i] < 0.0) active_ = true;
    }
    if (!active_) return true;
    if (!prepared_) {
      for (int i = 0; i < e_.size(); ++i) {
        system_.gradient(i, q, column_);
        H_.col(i) = column_;
      }
      solve_columns(H_, [&mass](Vector& x) { mass.solve(x); }, column_, Y_);
      A_.noalias() = H_.transpose() * Y_;
      prepared_ = true;
    }
    if (e_.size() == 1) {
      p_[0] = -b_[0] / A_(0, 0);
    } else {
      lcp_.solve(A_, b_, {}, solution_);
      if (!solution_.solved()) return false;
      p_ = solution_.z;
    }
    free.noalias() += Y_ * p_;
    return true;
  }

  /// Some contact may give an impulse.
  bool active() const { return active_; }
  /// Whether the impulse of contact i changes its gap rate by more than rounding of positions and
  /// velocities does: bodies that move along with each other touch and do not strike.
  bool gives_impulse(int i, const Vector& q, const Vector& w, const Vector& next,
                     double step) const {
    const auto size = H_.col(i).cwiseAbs();
    const double rounding =
        8.0 * kUlp *
        (size.dot(q.cwiseAbs()) / step + size.dot(w.cwiseAbs()) + size.dot(next.cwiseAbs()));
    return p_[i] * A_(i, i) > (1.0 + e_[i]) * rounding;
  }
  const Vector& impulses() const { return p_; }
  double rate(int i, const Vector& w) const { return H_.col(i).dot(w); }
  /// What all impulses change of it.
  double change(int i) const { return A_.row(i).dot(p_); }

 private:
  const AnySystem& system_;
  bool active_ = false;
  bool prepared_ = false;  // H, Y and A are those of the step
  Vector column_;
  Vector e_, b_, p_;
  Matrix H_, Y_, A_;  // H, M⁻¹ H, Hᵀ M⁻¹ H
  numerics::LcpSolver lcp_;
  numerics::LcpSolution solution_;
};

/// One run. The state is (q^k, w^k) with w^k = (q^k − q^{k−1})/Δt: the differences of positions
/// themselves would lose digits.
class PaoliSchatzmanRun final : public FixedStepRun {
 public:
  PaoliSchatzmanRun(const PaoliSchatzman& method, const AnySystem& system, const Moment& start,
                    const Observer& observer)
      : FixedStepRun(system, method.run, method.step, observer, start),
        h_(method.step),
        solver_(system.solver()),
        q_(start.state.position),
        w_(start.state.velocity),
        next_(q_.size()),
        F_(q_.size()),
        mean_(q_.size()),
        free_(q_.size()),
        projection_(system, q_) {}

 private:
  void begin(const Moment& start) override {
    if (const auto* memory = remembered<PaoliSchatzmanMemory>(start)) {
      memory_ = *memory;
      return;
    }
    // Where the paper counts energy from.
    const Vector q1 = q_ + h_ * w_;
    ledger_.counts().energy.expected =
        solver_->kinetic_energy(q1, w_) + system_.potential_energy(q1);
    arrive();
  }

  void step(double /*left*/) override {
    if (!solve()) {
      fail(RunStatus::NotConverged,
           "the velocities of a step could not be found, take a shorter one,");
      return;
    }
    tell_impulses();
    w_.swap(next_);
    arrive();
    if (!std::isfinite(w_.sum())) fail(RunStatus::NotConverged, "the motion is not finite");
  }

  /// One step on, with w.
  void arrive() {
    memory_.previous_position = q_;
    q_ += h_ * w_;
    time_ += h_;
    ++ledger_.counts().steps;
    follow_gaps(q_);
    ledger_.step(time_, q_, w_);
  }

  Moment moment() override {
    return {.time = time_, .state = {.position = q_, .velocity = w_}, .memory = memory_};
  }

  /// Finds w^{k+1} by fixed-point iteration: M is that of q^k, so only velocities in f change.
  bool solve() {
    if (!solver_->factor(q_)) return false;
    projection_.begin();
    next_ = w_;
    const double moved = std::max(q_.lpNorm<Eigen::Infinity>(), h_ * w_.lpNorm<Eigen::Infinity>());
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < kFixedPointIterations; ++pass) {
      ++ledger_.counts().iterations;
      mean_ = 0.5 * (w_ + next_);
      system_.force(time_, q_, mean_, F_);
      solver_->solve(F_);
      free_ = w_ + h_ * F_;
      if (!projection_.project(*solver_, q_, w_, gaps_, h_, free_)) return false;
      const double correction = h_ * (free_ - next_).lpNorm<Eigen::Infinity>();
      next_.swap(free_);
      const double enough =
          kSmallestCorrection * std::max(moved, h_ * next_.lpNorm<Eigen::Infinity>());
      if (correction <= enough) return true;
      // Rounding of large velocities: nothing more to gain.
      if (correction < 100.0 * enough && correction > 0.5 * before) return true;
      if (!std::isfinite(correction)) return false;
      before = correction;
    }
    return false;
  }

  /// Consecutive active steps of one contact are one impact of it, whatever others do meanwhile.
  void tell_impulses() {
    const Vector& p = projection_.impulses();
    const std::vector<int> before = std::exchange(memory_.active, {});
    bool begins = false;
    double dissipated = 0.0;
    for (int i = 0; i < p.size(); ++i) {
      if (!projection_.active() || !projection_.gives_impulse(i, q_, w_, next_, h_)) continue;
      memory_.active.push_back(i);
      const double rate = projection_.rate(i, w_);
      const bool was_active = std::find(before.begin(), before.end(), i) != before.end();
      if (!was_active && rate < -ledger_.micro_bounce_velocity()) begins = true;
      // Work of the impulse at the mean velocity: what forces do in the step is not lost.
      const double after = projection_.rate(i, next_);
      dissipated -= 0.5 * p[i] * (rate + after);
      note_way(i, gaps_[i], -h_ * rate, -h_ * (after - projection_.change(i)));
    }
    if (memory_.active.empty()) return;
    Event event = event_without_jump(EventKind::ActiveStep, time_, q_, w_, memory_.active);
    event.velocity_after = next_;
    event.impulse = p(memory_.active);
    event.dissipated = dissipated;
    ledger_.event(event);
    if (begins) ledger_.count_impact(event);
  }

  double h_;  // Δt
  std::unique_ptr<systems::MassSolver> solver_;
  Vector q_;
  Vector w_;
  Vector next_;  // w^{k+1}
  Vector F_, mean_, free_;
  PositionProjection projection_;
  PaoliSchatzmanMemory memory_;  // with the contacts that gave impulses in the step before
};

}  // namespace

void validate(const PaoliSchatzman& method) {
  validate_fixed_steps(method);
}

Run PaoliSchatzman::operator()(const systems::AnySystem& system, const Moment& start,
                               const AnyLaw& /*law*/, const Observer& observer) const {
  validate(*this);
  refuse_joints(system, "paoli_schatzman knows no joints: choose event_driven_adaptive");
  PaoliSchatzmanRun run_now(*this, system, start, observer);
  const Vector& q = start.state.position;
  RunLedger& ledger = run_now.ledger();
  const std::optional<double> frequency = highest_frequency(system, q);
  bool unstable = false;
  if (!frequency) {
    ledger.warn_at_start(
        "the stiffness of the system is not known: nothing says whether the step is stable");
  } else if (*frequency > 0.0) {
    const double limit = 2.0 / *frequency;
    unstable = step >= limit;
    const std::string numbers =
        text(step) + " s is not below the limit of stability, 2/ω = " + text(limit) + " s";
    if (unstable && !allow_unstable_step) {
      throw InvalidInput("simulation.step",
                         numbers + "; allow_unstable_step = true runs it all the same");
    }
    if (unstable) {
      ledger.warn_at_start("simulation.step: " + numbers);
    } else if (step > 0.5 * limit) {
      ledger.warn_at_start("simulation.step: " + text(step) +
                           " s is above half the limit of stability, " + text(limit) + " s");
    }
  }
  for (int i = 0; i < system.contacts(); ++i) {
    const double restitution = system.contact(i, q).material.restitution;
    if (restitution >= 0.0 && restitution <= 1.0) continue;
    throw InvalidInput("contacts[" + std::to_string(i) + "].restitution",
                       text(restitution) + " is not in [0, 1]");
  }
  ledger.warn_at_start(unresolved_forces(system, start.time, step));
  if (has_friction(system, q)) ledger.warn("paoli_schatzman leaves friction out");
  Run result = run_now.run(start, 0.5);
  if (unstable && result.status != RunStatus::Interrupted) {
    const double kinetic = system.solver()->kinetic_energy(q, start.state.velocity);
    const double gained = result.energy.final - result.energy.expected;
    if (result.status == RunStatus::NotConverged || !(gained < kBlownUp * kinetic)) {
      result.status = RunStatus::Unstable;
      result.reason = "the motion blew up: the step is beyond the limit of stability";
    }
  }
  return result;
}

}  // namespace percute::simulation
