// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/elastic_material.hpp>
#include <percute/systems/ball_chain.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace percute::systems {

/// Mass of a solid ball, kg: m = (4/3) π ρ R³ (density ρ in kg/m³, radius R in m).
double sphere_mass(double density, double radius);

/// Stiffness of an inflated ball that is pressed flat against a rigid plane, N/m: the pressure p
/// (Pa) acts on a disc of area 2 π R δ, so λ = K δ with K = 2 π p R and exponent 1 (Liu, Zhao,
/// Brogliato 2008, eqs (107)–(110)).
double inflated_stiffness(double pressure, double radius);

/// Two springs one behind the other: 1/K = 1/K₁ + 1/K₂. Two inflated balls pressed together share
/// one force, so their stiffnesses combine like this (ibid., eqs (111)–(113)).
double stiffness_in_series(double first, double second);

// Stiffness of a Hertz contact, λ = K δ^(3/2), from what the bodies are made of (Liu, Zhao,
// Brogliato 2008, section 9, eqs (114)–(116)); from a measured time: laws/single_contact.hpp.
// Arguments out of range throw InvalidInput.

/// 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa.
double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second);

/// 1/R* = 1/R₁ + 1/R₂, m; an infinite radius is a plane.
double effective_radius(double first, double second);

/// K = (4/3) E* √R*, N/m^(3/2), of two balls, or of a ball and a plane (infinite radius).
double hertz_stiffness(const ElasticMaterial& first, double first_radius,
                       const ElasticMaterial& second, double second_radius);

// Radii of the balls of a chain, m, from the first ball to the last. Arguments out of range throw
// InvalidInput with the name of the argument.

/// counts[0] balls of radius values[0], then counts[1] of values[1], …
std::vector<double> stepped_radii(const std::vector<int>& counts,
                                  const std::vector<double>& values);

/// Each ball smaller than the one before by the same part: R_i = first (1 − taper)^(i−1). A
/// negative taper makes them grow.
std::vector<double> tapered_radii(int balls, double first, double taper);

/// A small ball between any two neighbours: large[0], small, large[1], small, …, 2n − 1 balls.
std::vector<double> decorated_radii(const std::vector<double>& large, double small);

/// Two sizes in turn: first, second, first, …
std::vector<double> dimer_radii(int balls, double first, double second);

/// Independent and uniform between two radii. The same seed gives the same radii, to the last bit,
/// everywhere.
std::vector<double> disordered_radii(int balls, double smallest, double largest,
                                     std::uint64_t seed);

/// Equal balls but for one, the ball number `place` (from 1, as the names of balls count).
std::vector<double> big_ball_radii(int balls, double radius, double big, int place);

/// From the last ball to the first: a tapered chain that is struck at its thin end.
std::vector<double> reversed_radii(std::vector<double> radii);

/// Solid balls on a line, by their radii and what they are made of: how a BallChain gets its
/// masses, m = (4/3) π ρ R³, and the Hertz stiffness of its contacts, with walls as planes
/// (hertz.hpp). Radii of stepped, tapered and other chains are in radii.hpp.
///
///     const BallChain chain = SphereChain{.radii = tapered_radii(20, 0.01, 0.05),
///                                         .made_of = {elastic_material("steel")}}.chain();
struct SphereChain {
  std::vector<double> radii;             ///< m, one per ball
  std::vector<ElasticMaterial> made_of;  ///< one of all balls, or one per ball
  BallChain::Wall wall = BallChain::Wall::None;
  std::optional<ElasticMaterial> wall_made_of = {};  ///< empty: as the ball that touches it
  std::vector<double> masses = {};                   ///< kg, one per ball; empty: by density
  std::vector<double> restitution = {1.0};           ///< one of all contacts, or one per contact

  /// The chain with these masses and contacts; throws InvalidInput, naming the field, if there is
  /// none.
  BallChain chain() const;
};

}  // namespace percute::systems
