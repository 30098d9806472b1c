// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace percute {

/// What a body is made of, isotropic and linear. How two such bodies touch is a Material:
/// Hertz's theory makes the stiffness of a contact from this (systems/hertz.hpp); restitution is no
/// property of one body and has to be given.
struct ElasticMaterial {
  double youngs_modulus = 0.0;  ///< E > 0, Pa; infinite: rigid
  double poisson_ratio = 0.0;   ///< ν, above −1 and up to 1/2
  double density = 0.0;         ///< ρ > 0, kg/m³; only where masses follow from it, else 0
};

/// Throws InvalidInput, naming the field, unless E and ν are possible.
void validate(const ElasticMaterial& material);

struct NamedElasticMaterial {
  std::string_view name;  ///< "stainless_steel"
  ElasticMaterial material;
  std::string_view source;  ///< where the numbers are from
};

/// Materials with a name. Moduli of one kind of material differ by some per cent between alloys, of
/// plastics by a factor of two and of rubbers and woods by more: give numbers where they matter.
/// "unit" is for studies without dimensions, see unit_material().
std::span<const NamedElasticMaterial> elastic_materials();

/// The one with this name; throws InvalidInput with all names if there is none.
ElasticMaterial elastic_material(std::string_view name);

/// E = 3/√2, ν = 0, ρ = 3/(4π): balls of radius R have mass R³, two of them touch with stiffness
/// √(2 R₁ R₂/(R₁ + R₂)), and one touches a wall of the same with √(2 R). So balls of radius 1 have
/// mass 1 and stiffness 1.
ElasticMaterial unit_material();

}  // namespace percute
