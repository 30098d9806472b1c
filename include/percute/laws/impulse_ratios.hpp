// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <functional>
#include <optional>
#include <span>

namespace percute::laws {

/// Impulse correlation ratios: the direction of the impulses is given, p = s a with a ≥ 0
/// (Acary, Brogliato 2003; Ceanga, Hurmuzlu 2001). With b = aᵀU⁻ < 0 and c = aᵀGa, the energy
/// along the ray is T⁻ + b s + ½ c s², and the scale s follows from one of
///
///     ray_energetic   s = −(1 + e) b/c: the contacts give back e² of the work of compression
///     total_energy    s = (−b + √(b² − 2c (1 − KER) T⁻))/c: the kinetic energy after the impact is
///                     KER times that before; depends on the observer
///
/// No energy is created and contacts only push, but contacts may still approach: look at the
/// verdict. Ratios are not constants of the material: they change with velocities and chain.
struct ImpulseRatios {
  enum class Closure { RayEnergetic, TotalEnergy };
  enum class Terminate {
    AllContacts,  ///< the work of all contacts counts
    Primary,      ///< only that of the most approaching one: may create energy; for comparison
  };

  Vector direction = {};  ///< a, one per contact, not all zero; from_next_over_previous() for rows
  Closure closure = Closure::RayEnergetic;
  std::optional<double> restitution = {};  ///< e of ray_energetic; none: that of the contacts
  double energy_ratio = 1.0;               ///< KER of total_energy, in [0, 1]
  Terminate terminate = Terminate::AllContacts;
  /// Incremental law: direction for a given primary contact (the most approaching one), asked
  /// again as long as a contact approaches. Replaces `direction`.
  std::function<Vector(int primary)> ratios = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

void validate(const ImpulseRatios& law);

/// Direction (1, α_1, α_1 α_2, …) of a row of contacts with α_i = p_{i+1}/p_i ≥ 0.
Vector from_next_over_previous(std::span<const double> ratios);
/// The same from the inverse ratios p_i/p_{i+1} > 0; the literature uses both.
Vector from_previous_over_next(std::span<const double> ratios);

}  // namespace percute::laws
