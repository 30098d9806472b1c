// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

/// Minimal energy under one scalar condition of restitution (after Rakshit, Chatterjee 2015):
///
///     min ½ pᵀA p + pᵀU⁻   over   p_n ≥ 0,  U_n⁺ ≥ 0,  |p_t,i| ≤ μ_i p_n,i,
///                                 Σ m_i^γ (U_n,i⁺ + e_i U_n,i⁻) ≥ 0,    m_i = 1/G_ii.
///
/// Convex, with friction too; unique velocities. Never creates energy if 0 ≤ e_i ≤ 1 and nothing
/// separates before; e = 1 need not conserve it.
struct ScalarRestitution {
  static constexpr std::string_view kKind = "scalar_restitution";
  static constexpr bool uses_friction() { return true; }

  double gamma = 1.0;
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<ScalarRestitution> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"gamma", "exponent γ of the effective mass as a weight", Range::not_negative()},
        law.gamma);
  fields(law.options, visit);
}

}  // namespace percute::laws
