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
  static constexpr std::string_view kKind = "icr";
  enum class Closure { RayEnergetic, TotalEnergy };
  enum class Terminate {
    AllContacts,  ///< the work of all contacts counts
    Primary,      ///< only that of the most approaching one: may create energy; for comparison
  };

  Vector direction = {};  ///< from_next_over_previous() for rows
  Closure closure = Closure::RayEnergetic;
  std::optional<double> restitution = {};
  double energy_ratio = 1.0;
  Terminate terminate = Terminate::AllContacts;
  /// Incremental law: direction for a given primary contact (the most approaching one), asked
  /// again as long as a contact approaches. Replaces `direction`.
  std::function<Vector(int primary)> ratios = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

constexpr Names<ImpulseRatios::Closure, 2> names(ImpulseRatios::Closure) {
  return {{{"ray_energetic", ImpulseRatios::Closure::RayEnergetic},
           {"total_energy", ImpulseRatios::Closure::TotalEnergy}}};
}
constexpr Names<ImpulseRatios::Terminate, 2> names(ImpulseRatios::Terminate) {
  return {{{"all_contacts", ImpulseRatios::Terminate::AllContacts},
           {"primary", ImpulseRatios::Terminate::Primary}}};
}
template <Same<ImpulseRatios> Law>
void fields(Law& law, auto&& visit) {
  const auto total = [&law] { return law.closure == ImpulseRatios::Closure::TotalEnergy; };
  OtherForm ratios;
  visit(Field{"direction", "a in p = s a, one per contact, not all zero", Range::not_negative()},
        law.direction);
  visit(Field{"p_next_over_p_prev", "the same as p_(i+1)/p_i along a row", Range::not_negative()},
        ratios);
  visit(Field{"p_prev_over_p_next", "the same as p_i/p_(i+1) along a row", Range::positive()},
        ratios);
  visit(Field{"closure", "what fixes the scale s"}, law.closure);
  visit(Field{"restitution", "e; none: that of the contacts, if all agree", Range::fraction()}.used(
            !total(), "closure 'ray_energetic'"),
        law.restitution);
  visit(Field{"energy_ratio", "kinetic energy after over that before, per stage", Range::fraction()}
            .needed(total())
            .used(total(), "closure 'total_energy'"),
        law.energy_ratio);
  visit(Field{"terminate", "whose work counts; 'primary' may create energy"}, law.terminate);
  fields(law.options, visit);
}
void validate(const ImpulseRatios& law);

/// Direction (1, α_1, α_1 α_2, …) of a row of contacts with α_i = p_{i+1}/p_i ≥ 0.
Vector from_next_over_previous(std::span<const double> ratios);
/// The same from the inverse ratios p_i/p_{i+1} > 0; the literature uses both.
Vector from_previous_over_next(std::span<const double> ratios);

}  // namespace percute::laws
