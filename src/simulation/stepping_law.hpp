// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/simulation/memory.hpp>

#include <string>
#include <vector>

namespace percute::simulation {

/// A law of impact at the level of steps: velocities after a step from those before it and those it
/// would lead to without impulses.
class SteppingLaw {
 public:
  /// `known`: of an earlier part of the same run, if there was one.
  SteppingLaw(const AnyLaw& law, int contacts, const MoreauJeanMemory* known);
  /// What was found of each contact so far.
  const MoreauJeanMemory& known() const { return known_; }

  struct Outcome {
    Vector velocity;    ///< v_{k+1}
    Vector impulse;     ///< one per contact
    double lost = 0.0;  ///< −p · (U_k + U_{k+1})/2, tangential impulses included, J
    Status status = Status::Ok;
    std::string reason = {};
    bool active = false;  ///< some impulse is not 0
  };
  /// `problem` has the contacts that are closed, `indices` in the system, and v_k as its velocity.
  Outcome operator()(const ImpactProblem& problem, const std::vector<int>& indices,
                     const Vector& free);

 private:
  double restitution(const ImpactProblem& problem, int i, int index, double speed);

  const AnyLaw& law_;
  MoreauJeanMemory known_ = {};
  double tangential_;  ///< restitution of sliding velocities
};

}  // namespace percute::simulation
