// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/lcp.hpp"
#include "simulation/recalled.hpp"
#include "simulation/run_ledger.hpp"
#include "simulation/step_limit.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr int kFixedPointIterations = 100;  // of the fixed-point iteration of one step
/// Of the largest coordinate, or of how far one moves in the step: it has converged.
constexpr double kSmallestCorrection = 5e-16;
constexpr double kBlownUp = 1e3;  // energy gained over the kinetic energy of the start
constexpr double kUlp = std::numeric_limits<double>::epsilon();

/// One run. The state is (q^k, w^k) with w^k = (q^k − q^{k−1})/Δt: the differences of positions
/// themselves would lose digits.
class Stepping {
 public:
  Stepping(const PaoliSchatzman& method, const AnySystem& system, const Moment& start,
           const Observer& observer)
      : method_(method),
        system_(system),
        solver_(system.solver()),
        ledger_(system, method_.run, observer, start),
        time_(start.time),
        q_(start.state.position),
        w_(start.state.velocity),
        m_(system.contacts()),
        active_before_(static_cast<std::size_t>(m_), 0) {
    const auto n = system.coordinates();
    next_.resize(n);
    F_.resize(n);
    mean_.resize(n);
    free_.resize(n);
    column_.resize(n);
    gaps_.resize(m_);
    before_.resize(m_);
    b_.resize(m_);
    p_.resize(m_);
    H_.resize(n, m_);
    Y_.resize(n, m_);
    A_.resize(m_, m_);
    e_.resize(m_);
    for (int i = 0; i < m_; ++i) e_[i] = system.contact(i, q_).material.restitution;
  }

  RunLedger& ledger() { return ledger_; }

  Run go(const Moment& start) {
    const double step = method_.step;
    RunStatus status = RunStatus::Ok;
    std::string reason;
    bool goes_on = true;
    ledger_.set_step(step);
    system_.gaps(q_, gaps_);
    ledger_.watch_gaps(gaps_);
    if (start.previous_position.size() == 0) {
      previous_ = q_;
      q_ += step * w_;
      time_ += step;
      // Where the paper counts energy from.
      auto& energy = ledger_.counts().energy;
      energy.expected = solver_->kinetic_energy(q_, w_) + system_.potential_energy(q_);
      ++ledger_.counts().steps;
      measure();
      goes_on = ledger_.step(time_, q_, w_);
    } else {
      previous_ = start.previous_position;
      recall(start.memory);
    }
    while (goes_on && ledger_.end_time() - time_ > 0.5 * step) {
      if (ledger_.too_many_impacts()) {
        status = RunStatus::NotTerminated;
        reason = ledger_.limit_reached() + " at t = " + text(time_) + " s";
        break;
      }
      if (!advance()) {
        status = RunStatus::NotConverged;
        reason = "the velocities of a step could not be found, take a shorter one, at t = " +
                 text(time_) + " s";
        break;
      }
      goes_on = tell_impulses();
      previous_ = q_;
      q_ += step * next_;
      w_.swap(next_);
      time_ += step;
      ++ledger_.counts().steps;
      measure();
      goes_on = ledger_.step(time_, q_, w_) && goes_on;
      if (!std::isfinite(w_.sum())) {
        status = RunStatus::NotConverged;
        reason = "the motion is not finite at t = " + text(time_) + " s";
        break;
      }
    }
    return ledger_.finish({.time = time_,
                           .state = {.position = q_, .velocity = w_},
                           .previous_position = previous_,
                           .memory = {active_before_.begin(), active_before_.end()}},
                          status, std::move(reason));
  }

 private:
  /// Gaps after a step; overlap that no impulse has met is a way, too.
  void measure() {
    gaps_.swap(before_);
    system_.gaps(q_, gaps_);
    ledger_.watch_gaps(gaps_);
    for (int i = 0; i < m_; ++i) {
      if (gaps_[i] < 0.0) ledger_.watch_way(i, before_[i], 0.0, before_[i] - gaps_[i]);
    }
  }

  /// Finds w^{k+1} by fixed-point iteration: M is that of q^k, so only velocities in f change.
  bool advance() {
    const double step = method_.step;
    if (!solver_->factor(q_)) return false;
    prepared_ = false;
    next_ = w_;
    const double moved =
        std::max(q_.lpNorm<Eigen::Infinity>(), step * w_.lpNorm<Eigen::Infinity>());
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < kFixedPointIterations; ++pass) {
      ++ledger_.counts().iterations;
      mean_ = 0.5 * (w_ + next_);
      system_.force(time_, q_, mean_, F_);
      solver_->solve(F_);
      free_ = w_ + step * F_;
      if (!project()) return false;
      const double correction = step * (free_ - next_).lpNorm<Eigen::Infinity>();
      next_.swap(free_);
      const double enough =
          kSmallestCorrection * std::max(moved, step * next_.lpNorm<Eigen::Infinity>());
      if (correction <= enough) return true;
      // Rounding of large velocities: nothing more to gain.
      if (correction < 100.0 * enough && correction > 0.5 * before) return true;
      if (!std::isfinite(correction)) return false;
      before = correction;
    }
    return false;
  }

  /// free_ := free_ + M⁻¹ H p with 0 ≤ p ⟂ (1 + e) h/Δt + Hᵀ (w^{k+1} − e w^k) ≥ 0: the
  /// complementarity of z, times (1 + e)/Δt.
  bool project() {
    active_ = false;
    for (int i = 0; i < m_; ++i) {
      const double e = e_[i];
      system_.gradient(i, q_, column_);
      b_[i] = (1.0 + e) * gaps_[i] / method_.step + column_.dot(free_) - e * column_.dot(w_);
      if (b_[i] < 0.0) active_ = true;
    }
    if (!active_) return true;
    if (!prepared_) prepare();
    if (m_ == 1) {
      p_[0] = -b_[0] / A_(0, 0);
    } else {
      lcp_.solve(A_, b_, {}, solution_);
      if (!solution_.solved()) return false;
      p_ = solution_.z;
    }
    free_.noalias() += Y_ * p_;
    return true;
  }

  void prepare() {
    for (int i = 0; i < m_; ++i) {
      system_.gradient(i, q_, column_);
      H_.col(i) = column_;
      solver_->solve(column_);
      Y_.col(i) = column_;
    }
    A_.noalias() = H_.transpose() * Y_;
    prepared_ = true;
  }

  /// Whether the impulse of contact i changes its gap rate by more than rounding of positions and
  /// velocities does: bodies that move along with each other touch and do not strike.
  bool gives_impulse(int i) const {
    const auto size = H_.col(i).cwiseAbs();
    const double rounding = 8.0 * kUlp *
                            (size.dot(q_.cwiseAbs()) / method_.step + size.dot(w_.cwiseAbs()) +
                             size.dot(next_.cwiseAbs()));
    return p_[i] * A_(i, i) > (1.0 + e_[i]) * rounding;
  }

  /// Consecutive active steps of one contact are one impact of it, whatever others do meanwhile.
  bool tell_impulses() {
    std::vector<int> contacts;
    bool begins = false;
    double dissipated = 0.0;
    for (int i = 0; i < m_; ++i) {
      char& was_active = active_before_[static_cast<std::size_t>(i)];
      if (!active_ || !gives_impulse(i)) {
        was_active = 0;
        continue;
      }
      contacts.push_back(i);
      const double rate = H_.col(i).dot(w_);
      if (was_active == 0 && rate < -ledger_.micro_bounce_velocity()) begins = true;
      was_active = 1;
      // Work of the impulse at the mean velocity: what forces do in the step is not lost.
      const double after = H_.col(i).dot(next_);
      dissipated -= 0.5 * p_[i] * (rate + after);
      const double free = after - A_.row(i).dot(p_);
      ledger_.watch_way(i, gaps_[i], -method_.step * rate, -method_.step * free);
    }
    if (contacts.empty()) return true;
    const Event event{.time = time_,
                      .kind = EventKind::ActiveStep,
                      .contacts = contacts,
                      .position = q_,
                      .velocity_before = w_,
                      .velocity_after = next_,
                      .impulse = p_(contacts),
                      .dissipated = dissipated};
    const bool goes_on = ledger_.event(event);
    if (begins) ledger_.count_impact(event);
    return goes_on;
  }

  void recall(const std::vector<double>& memory) {
    if (memory.empty()) return;
    const Recalled recalled(memory);
    recalled.require_size(active_before_.size(), "one per contact");
    for (std::size_t i = 0; i < memory.size(); ++i) active_before_[i] = recalled.flag(i) ? 1 : 0;
  }

  const PaoliSchatzman& method_;
  const AnySystem& system_;
  std::unique_ptr<systems::MassSolver> solver_;
  RunLedger ledger_;
  double time_;
  Vector q_;
  Vector w_;
  Vector previous_;
  Vector next_;  // w^{k+1}
  int m_;

  std::vector<char> active_before_;  // by contact: it gave an impulse in the step before
  bool active_ = false;              // some contact may give one in this step
  bool prepared_ = false;
  Vector F_, mean_, free_, column_;
  Vector e_, gaps_, before_, b_, p_;  // gaps at q_, and a step before
  Matrix H_, Y_, A_;                  // H, M⁻¹ H, Hᵀ M⁻¹ H
  numerics::LcpSolver lcp_;
  numerics::LcpSolution solution_;
};

}  // namespace

void validate(const PaoliSchatzman& method) {
  require_ranges("simulation", method);
  validate(method.run);
  validate_step(method.step, method.run);
}

Run PaoliSchatzman::operator()(const systems::AnySystem& system, const Moment& start,
                               const AnyLaw& /*law*/, const Observer& observer) const {
  validate(*this);
  if (system.joints() > 0) {
    throw InvalidInput("simulation.method",
                       "paoli_schatzman knows no joints: choose event_driven_adaptive");
  }
  const auto frequency = start.state.position.size() == system.coordinates()
                             ? highest_frequency(system, start.state.position)
                             : std::nullopt;
  std::string warning;
  bool unstable = false;
  if (!frequency) {
    warning = "the stiffness of the system is not known: nothing says whether the step is stable";
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
      warning = "simulation.step: " + numbers;
    } else if (step > 0.5 * limit) {
      warning = "simulation.step: " + text(step) + " s is above half the limit of stability, " +
                text(limit) + " s";
    }
  }
  bool friction = false;
  for (int i = 0; i < system.contacts(); ++i) {
    const Material material = system.contact(i, start.state.position).material;
    friction = friction || material.friction > 0.0;
    if (!(material.restitution >= 0.0 && material.restitution <= 1.0)) {
      throw InvalidInput("contacts[" + std::to_string(i) + "].restitution",
                         text(material.restitution) + " is not in [0, 1]");
    }
  }

  Stepping stepping(*this, system, start, observer);
  stepping.ledger().warn_at_start(std::move(warning));
  stepping.ledger().warn_at_start(unresolved_forces(system, start.time, step));
  if (friction) stepping.ledger().warn("paoli_schatzman leaves friction out");
  Run result = stepping.go(start);
  if (unstable && result.status != RunStatus::Interrupted) {
    const auto solver = system.solver();
    const double kinetic = solver->kinetic_energy(start.state.position, start.state.velocity);
    const double gained = result.energy.final - result.energy.expected;
    if (result.status == RunStatus::NotConverged || !(gained < kBlownUp * kinetic)) {
      result.status = RunStatus::Unstable;
      result.reason = "the motion blew up: the step is beyond the limit of stability";
    }
  }
  return result;
}

}  // namespace percute::simulation
