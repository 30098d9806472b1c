// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impulse_ratios.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

namespace percute::analysis {

/// Impulse correlation ratios of one outcome (Acary, Brogliato 2003; Ceanga, Hurmuzlu 2001): the
/// direction a of its impulses p = s a, and how far along that ray the impact went,
///
///     e = −s c/b − 1,    b = aᵀU⁻,    c = aᵀGa,        KER = T(v⁺)/T(v⁻).
///
/// The numbers are what the outcome says, also where no law could give it (e > 1: energy was
/// created; e < 0: the impact ended before the end of compression along the ray).
///
/// They describe this impact and no other: ratios change with velocities, masses and the length of
/// a chain. Of elastic contacts with one exponent they depend on ratios of stiffnesses and on the
/// direction of v⁻, not on stiffness or speed; with damping on speed as well.
struct IcrIdentification {
  Vector impulse = {};             ///< p ≥ 0, N s
  Vector direction = {};           ///< a = p/max p: works for any contacts, in rows or not
  Vector next_over_previous = {};  ///< p_{i+1}/p_i of a row of contacts; NaN where p_i = 0
  Vector previous_over_next = {};  ///< p_i/p_{i+1}, the other convention; NaN where p_{i+1} = 0
  double restitution = 0.0;        ///< e along the ray; NaN where b ≥ 0: nothing was compressed
  double energy_ratio = 0.0;       ///< KER; NaN where nothing moved before
  /// From velocities: share of the jump |Δv − M⁻¹Wp|/|Δv| (kinetic norm) that no pushing contact
  /// explains: errors of measurement, or friction.
  double unexplained = 0.0;
  /// Redundant contacts: other impulses give the same velocities. From velocities the smallest were
  /// taken; from a result, its own.
  bool non_unique = false;

  /// The law that reproduces the outcome, by either closure; contacts that separate before the
  /// impact take part, as they did. Throws InvalidInput where none can: e or KER outside [0, 1] by
  /// more than `tolerance` (within it, they are set to the bound), or nothing compressed.
  laws::ImpulseRatios law(
      laws::ImpulseRatios::Closure closure = laws::ImpulseRatios::Closure::RayEnergetic,
      double tolerance = 1e-6) const;
};

/// From what a law did, e.g. a compliant one. Throws InvalidInput where impulses are all zero,
/// negative, or tangential: ratios of normal impulses are not the whole story then.
IcrIdentification identify_icr(const ImpactProblem& problem, const ImpactResult& result);

/// From given normal impulses.
IcrIdentification identify_icr_from_impulses(const ImpactProblem& problem, const Vector& impulse);

/// From velocities measured after the impact: impulses that explain the jump best in the kinetic
/// norm, argmin { |v⁺ − v⁻ − M⁻¹Wp| : p ≥ 0 }.
IcrIdentification identify_icr_from_velocities(const ImpactProblem& problem,
                                               const Vector& velocity_after);

}  // namespace percute::analysis
