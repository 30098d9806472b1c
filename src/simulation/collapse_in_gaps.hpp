// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/systems/any_system.hpp>

#include <vector>

namespace percute::simulation {

/// Impacts of single contacts that follow each other until infinitely many are over, or none is
/// left, in the gaps h and gap rates u of a configuration that does not change meanwhile:
///
///     h_i(t) = h_i + u_i t + ½ a_i t²,   u⁺ = u⁻ + G e_c p,   p = κ_c |u_c|,   G = Wᵀ M⁻¹ W,
///
/// where the law says κ_c, the impulse of contact c alone over its speed of approach. Gaps and
/// rates are small numbers with all their digits: positions could not tell the last impacts apart.
class CollapseInGaps {
 public:
  /// Of these contacts of a system at q, numbered in this order from here on; `mass` is that of q.
  CollapseInGaps(const systems::AnySystem& system, systems::MassSolver& mass, const Vector& q,
                 const std::vector<int>& contacts);

  /// From this state on. False if impacts stop, the law has no answer, or they do not shrink.
  bool follow(const AnyLaw& law, Vector gaps, Vector rates, Vector accelerations);
  double time() const { return time_; }                           ///< until all are over, s
  const std::vector<int>& contacts() const { return contacts_; }  ///< that they end with, ascending

 private:
  bool strike(const AnyLaw& law, int contact, Vector& rates);

  std::vector<ImpactProblem> problems_;  // of each contact alone, at rest
  Matrix response_;                      // M⁻¹ W
  Matrix delassus_;                      // G
  Vector impulse_;                       // κ; 0: not asked yet
  double time_ = 0.0;
  std::vector<int> contacts_;
};

}  // namespace percute::simulation
