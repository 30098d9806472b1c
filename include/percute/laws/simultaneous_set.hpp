// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

/// Propagation of simultaneous collisions (after Han, Gilmore 1993). While contacts approach, let S
/// be their set; take the first of S and its subsets R, largest first, for which
///
///     G_RR Δp_R = −(I + E_R) U_R,    Δp_R ≥ 0,
///
/// and no contact of S outside R is driven closer. Neither an acceptable set nor an end is
/// guaranteed: status Infeasible, Cycle, Zeno or NotTerminated. At most 16 contacts may approach at
/// once, for there are 2^|S| subsets; beyond that InvalidInput is thrown.
struct SimultaneousSet {
  static constexpr std::string_view kKind = "simultaneous_set";

  long max_collisions = 100'000;
  AlgebraicOptions options = {};  ///< no effect: only contacts that approach collide

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<SimultaneousSet> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"max_collisions", "limit; then not_terminated", Range::count()}, law.max_collisions);
  fields(law.options, visit);
}
void validate(const SimultaneousSet& law);

}  // namespace percute::laws
