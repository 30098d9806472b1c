// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

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

}  // namespace percute::systems
