// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

/// Elastic impact of equal balls in a row: velocities after the impact are those before, sorted
/// along the row. It is the outcome of every sequence of elastic binary collisions, whatever their
/// order. Other systems (unequal masses, walls, e < 1, balls with several coordinates): status
/// NotApplicable, with the reason in the diagnostics.
struct CradleSort {
  static constexpr std::string_view kKind = "cradle_sort";

  AlgebraicOptions options = {};  ///< no effect

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<CradleSort> Law>
void fields(Law& law, auto&& visit) {
  fields(law.options, visit);
}

}  // namespace percute::laws
