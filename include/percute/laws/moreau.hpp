// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <optional>

namespace percute::laws {

/// Moreau's law (Moreau 1988): one restitution coefficient e for the whole impact,
///
///     v⁺ = −e v⁻ + (1 + e) proj_M[V; v⁻],      V = { w : Wᵀw ≥ 0 },
///     0 ≤ U⁺ + e U⁻ ⟂ p ≥ 0,
///
/// so p = (1 + e) p⁰ with p⁰ the impulses of the plastic impact. Energy changes by
/// −½ (1−e)/(1+e) pᵀGp ≤ 0. Nothing approaches afterwards if nothing separated before. A row of N
/// equal balls struck at speed V ends with v₁ = V (1 − (1+e)(N−1)/N) and all others (1+e) V/N: this
/// law knows no waves.
struct Moreau {
  static constexpr std::string_view kKind = "moreau";

  std::optional<double> restitution = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const;
};

template <Same<Moreau> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"restitution", "the one coefficient e; none: that of the contacts, if all agree",
              Range::fraction()},
        law.restitution);
  fields(law.options, visit);
}
void validate(const Moreau& law);

}  // namespace percute::laws
