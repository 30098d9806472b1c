// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/collision_sequence.hpp"

#include <algorithm>

namespace percute::laws {

namespace {

constexpr std::size_t kRemembered = 64;    ///< states in which a cycle is recognised
constexpr double kSameState = 1e-12;       ///< relative
constexpr double kSlowContraction = 1e-6;  ///< of the largest approach in one sweep
constexpr int kSlowSweeps = 100;
constexpr double kRounding = 1e-13;  ///< of the velocity scale: no approach at all

}  // namespace

CollisionSequence::CollisionSequence(const ImpactProblem& problem, long max_collisions)
    : problem_(problem),
      max_collisions_(max_collisions),
      memory_(workspace_.memory()),
      result_(start_result(problem)) {
  memory_.space.assign(problem);
  note_common(problem, memory_.space, result_);
  p_ = Vector::Zero(memory_.space.U.size());
  U_ = memory_.space.U;
  energy_ = energy_before_ = problem.mass.kinetic_energy(problem.velocity);
  going_ = memory_.space.approaching(U_);
  if (going_) {
    result_.status = Status::Ok;
    notes_of(result_).stages = 1;
    approach_ = -U_.minCoeff();
    past_.push_back(U_);
  }
}

void CollisionSequence::collide(int i, double impulse) {
  const Matrix& G = memory_.space.G;
  energy_ += impulse * (U_[i] + 0.5 * G(i, i) * impulse);
  p_[i] += impulse;
  U_.noalias() += G.col(i) * impulse;
  const double ratio = energy_before_ > 0.0 ? energy_ / energy_before_ : 0.0;
  notes_of(result_).sequence.push_back({.contact = i, .impulse = impulse, .energy_ratio = ratio});
}

void CollisionSequence::end_of_round() {
  const auto collisions = static_cast<long>(notes_of(result_).sequence.size());
  // The sum of impulses forgets less than the sum of increments of U.
  if (collisions % 64 == 0) {
    U_ = memory_.space.U;
    U_.noalias() += memory_.space.G * p_;
  }
  if (!memory_.space.approaching(U_)) return;
  const double scale = U_.cwiseAbs().maxCoeff();
  const bool seen = std::any_of(past_.begin(), past_.end(), [&](const Vector& state) {
    return (state - U_).cwiseAbs().maxCoeff() <= kSameState * scale;
  });
  if (seen) {
    result_.status = Status::Cycle;
    going_ = false;
    return;
  }
  past_.push_back(U_);
  if (past_.size() > kRemembered) past_.pop_front();

  if (collisions - round_start_ >= 4 * U_.size()) {
    const double now = -U_.minCoeff();
    slow_sweeps_ = now > (1.0 - kSlowContraction) * approach_ ? slow_sweeps_ + 1 : 0;
    approach_ = now;
    round_start_ = collisions;
  }
  if (collisions >= max_collisions_ || slow_sweeps_ >= kSlowSweeps) {
    stalled_ = true;
    going_ = false;
  }
}

void CollisionSequence::give_up(Status status) {
  result_.status = status;
  going_ = false;
}

ImpactResult CollisionSequence::result(bool finish) {
  const double approach = U_.size() > 0 ? -U_.minCoeff() : 0.0;
  const bool tail =
      result_.status == Status::Ok && approach > kRounding * memory_.space.scale.velocity;
  if (tail && finish) {
    // One plastic step, 0 ≤ U + G p ⟂ p ≥ 0, on what is left.
    numerics::LcpSolution& rest = memory_.solution;
    memory_.lcp.solve(memory_.space.G, U_, {.scale = memory_.space.scale.velocity}, rest);
    p_ += rest.z;
    result_.diagnostics.residual_velocity = approach;
    result_.status =
        rest.status == numerics::LcpStatus::Solved ? Status::Zeno : Status::NotTerminated;
  } else if (stalled_) {
    result_.diagnostics.residual_velocity = approach;
    result_.status = Status::NotTerminated;
  }
  set_impulses(problem_, p_, result_);
  return std::move(result_);
}

}  // namespace percute::laws
