// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/stages.hpp"

#include <deque>

namespace percute::laws {

/// A multiple impact made of collisions one after the other: keeps impulses, gap rates, energy and
/// the record, and tells when a sequence will not end by itself.
///
///   * stalled: over 100 rounds of 4 m collisions each, the largest approach shrank by less than
///     1e-6 per round, or there were max_collisions;
///   * cycle: gap rates come back to one of the last 64 states, to 1e-12.
class CollisionSequence {
 public:
  CollisionSequence(const ImpactProblem& problem, long max_collisions);

  const Vector& gap_rates() const { return U_; }
  const Matrix& delassus() const { return memory_.space.G; }
  double tolerance() const { return memory_.space.scale.gap_rate_tol; }

  /// False when there was nothing to do, or the sequence stalls or cycles.
  bool goes_on() const { return going_; }
  /// Adds an impulse at contact i.
  void collide(int i, double impulse);
  /// One choice of the law is over: time to look for stalls and cycles.
  void end_of_round();
  /// The law found nothing it may do, although contacts approach.
  void give_up(Status status);

  /// The outcome. What is left of the approach is taken out by one plastic step if `finish`.
  ImpactResult result(bool finish);

 private:
  const ImpactProblem& problem_;
  long max_collisions_;
  AlgebraicWorkspace workspace_;
  AlgebraicWorkspace::Memory& memory_;
  ImpactResult result_;
  Vector p_;
  Vector U_;
  double energy_ = 0.0;         ///< kinetic, now
  double energy_before_ = 0.0;  ///< kinetic, at the start
  bool going_ = false;
  bool stalled_ = false;
  std::deque<Vector> past_;  ///< gap rates of the last rounds
  long round_start_ = 0;     ///< collisions at the start of the present sweep
  double approach_ = 0.0;    ///< largest at the start of the present sweep
  int slow_sweeps_ = 0;
};

}  // namespace percute::laws
