// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <optional>

namespace percute::laws {

// Frémond's laws: impulses derive from a convex pseudo-potential of the mean gap rate
// w = (U⁺ + U⁻)/2, p ∈ −∂Γ(w), which makes T⁺ − T⁻ = pᵀw ≤ 0 by design (Frémond 1995).

/// Quadratic pseudo-potential with unilateral reaction: p = d + r,
///
///     Γ(w) = ½ Σ κ_i min(w_i, 0)² + indicator of U⁺ ≥ 0,
///
///     0 ≤ K⁻¹d + U⁻ + ½G(d + r) ⟂ d ≥ 0,      0 ≤ ½U⁻ + ½G(d + r) ⟂ r ≥ 0,   K = diag(κ_i).
///
/// One contact: e = (G κ − 2)/(G κ + 2), or 0 where that is negative. K may be a full symmetric
/// positive definite matrix: contacts then feel each other at a distance.
struct FremondQuadratic {
  static constexpr std::string_view kKind = "fremond_quadratic";

  Matrix kappa = {};  ///< 1 × 1 for all contacts, m × 1 for each, or m × m
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<FremondQuadratic> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"kappa", "κ: one for all contacts, one for each, or a matrix; infinite: elastic",
              Range::positive().or_infinite(), "kg"}
            .needed()
            .in_any_form(),
        law.kappa);
  fields(law.options, visit);
}
void validate(const FremondQuadratic& law);

/// κ of a single contact with G = `delassus` that restitutes e in [0, 1]: 2(1+e)/(G(1−e)).
double fremond_kappa(double restitution, double delassus);

/// Cone law: impulses are combinations p = B z, z ≥ 0, of given patterns, the columns of B ≥ 0,
///
///     0 ≤ Bᵀ(U⁺ + e U⁻) ⟂ z ≥ 0.
///
/// B = I is Moreau's law; one column is an impulse of given direction. No energy is created and
/// contacts only push, but contacts may still approach: look at the verdict.
struct FremondCone {
  static constexpr std::string_view kKind = "fremond_cone";

  Matrix patterns = {};
  std::optional<double> restitution = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<FremondCone> Law>
void fields(Law& law, auto&& visit) {
  visit(
      Field{"patterns", "B, m × r: one impulse pattern per column", Range::not_negative()}.needed(),
      law.patterns);
  visit(Field{"restitution", "e; none: that of the contacts, if all agree", Range::fraction()},
        law.restitution);
  fields(law.options, visit);
}
void validate(const FremondCone& law);

}  // namespace percute::laws
