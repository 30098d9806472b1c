// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/elastic_material.hpp>
#include <percute/model/invalid_input.hpp>

#include <array>
#include <numbers>

namespace percute {

namespace {

constexpr std::string_view kHandbook = "typical handbook value";

constexpr ElasticMaterial kUnit{.youngs_modulus = 1.5 * std::numbers::sqrt2,
                                .poisson_ratio = 0.0,
                                .density = 0.75 * std::numbers::inv_pi};

constexpr NamedElasticMaterial named(std::string_view name, double youngs_modulus,
                                     double poisson_ratio, double density,
                                     std::string_view source) {
  return {.name = name,
          .material = {.youngs_modulus = youngs_modulus,
                       .poisson_ratio = poisson_ratio,
                       .density = density},
          .source = source};
}

constexpr std::array<NamedElasticMaterial, 14> kMaterials{{
    named("steel", 207e9, 0.30, 7850.0, kHandbook),
    named("stainless_steel", 193e9, 0.30, 8000.0, "typical handbook value of AISI 304 and 316"),
    // 2.05 g in a ball of diameter 8 mm.
    named("bead_steel", 216e9, 0.276, 7647.0,
          "beads of Liu, Zhao, Brogliato 2008, section 9; density from their mass"),
    named("brass", 105e9, 0.34, 8500.0, kHandbook),
    named("bronze", 110e9, 0.34, 8800.0, kHandbook),
    named("aluminium", 70e9, 0.33, 2700.0, kHandbook),
    named("glass", 70e9, 0.22, 2500.0, "typical handbook value of soda-lime glass"),
    named("ptfe", 1.46e9, 0.46, 2178.0,
          "Daraio, Nesterenko, Herbold, Jin 2005, Phys. Rev. E 72, 016603"),
    named("nylon", 2.8e9, 0.40, 1140.0, kHandbook),
    named("acrylic", 3.0e9, 0.35, 1190.0, kHandbook),
    named("pvc", 3.0e9, 0.38, 1400.0, "typical handbook value of rigid PVC"),
    named("rubber", 30e6, 0.49, 1250.0, "order of magnitude of a hard neoprene rubber"),
    named("beech", 12e9, 0.35, 700.0, "typical handbook value along the grain, taken as isotropic"),
    {.name = "unit", .material = kUnit, .source = "by definition"},
}};

}  // namespace

void validate(const ElasticMaterial& material) {
  const double poisson = material.poisson_ratio;
  require(material.youngs_modulus > 0.0, "youngs_modulus", material.youngs_modulus, "a number > 0");
  require(poisson > -1.0 && poisson <= 0.5, "poisson_ratio", poisson, "above -1 and at most 0.5");
}

std::span<const NamedElasticMaterial> elastic_materials() {
  return kMaterials;
}

ElasticMaterial elastic_material(std::string_view name) {
  std::string names;
  for (const NamedElasticMaterial& entry : kMaterials) {
    if (entry.name == name) return entry.material;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InvalidInput("elastic_material",
                     "there is none called '" + std::string(name) + "'; available: " + names);
}

ElasticMaterial unit_material() {
  return kUnit;
}

}  // namespace percute
