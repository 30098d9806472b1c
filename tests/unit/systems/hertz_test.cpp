// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/sphere_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace percute::systems {
namespace {

using testing::field_refused;
using testing::message_of;

constexpr double kPlane = std::numeric_limits<double>::infinity();
constexpr ElasticMaterial kBead{.youngs_modulus = 21.6e10, .poisson_ratio = 0.276};

TEST(Hertz, SteelBeadsOfTheColumn) {
  // Liu, Zhao, Brogliato 2008, eqs (114)–(116), diameter 8 mm. They print 6.9716e9, which is 1e-4
  // off, and 9.858e9. The values here have twelve digits.
  const double beads = hertz_stiffness(kBead, 0.004, kBead, 0.004);
  const double wall = hertz_stiffness(kBead, 0.004, kBead, kPlane);
  EXPECT_NEAR(beads / 6.97089031590e9, 1.0, 1e-11);
  EXPECT_NEAR(wall / 9.85832762657e9, 1.0, 1e-11);
  EXPECT_DOUBLE_EQ(wall / beads, std::sqrt(2.0));
}

TEST(Hertz, ContactsAreSymmetric) {
  const ElasticMaterial ptfe = elastic_material("ptfe");
  EXPECT_DOUBLE_EQ(hertz_stiffness(kBead, 0.004, ptfe, 0.01),
                   hertz_stiffness(ptfe, 0.01, kBead, 0.004));
  // The softer of two gives nearly all: E* is below (1 − ν²)⁻¹ E of PTFE, and close to it.
  const double alone = ptfe.youngs_modulus / (1.0 - 0.46 * 0.46);
  EXPECT_LT(effective_modulus(kBead, ptfe), alone);
  EXPECT_GT(effective_modulus(kBead, ptfe), 0.99 * alone);
}

TEST(Hertz, ARigidWallLeavesTheBall) {
  const ElasticMaterial rigid{.youngs_modulus = std::numeric_limits<double>::infinity()};
  EXPECT_DOUBLE_EQ(effective_modulus(kBead, rigid), 21.6e10 / (1.0 - 0.276 * 0.276));
  EXPECT_DOUBLE_EQ(effective_radius(0.004, kPlane), 0.004);
  EXPECT_DOUBLE_EQ(effective_radius(3.0, 6.0), 2.0);
}

TEST(Hertz, UnitBallsHaveUnitStiffness) {
  const ElasticMaterial unit = unit_material();
  EXPECT_DOUBLE_EQ(hertz_stiffness(unit, 1.0, unit, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(hertz_stiffness(unit, 1.0, unit, kPlane), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(hertz_stiffness(unit, 2.0, unit, 0.5), std::sqrt(2.0 * 2.0 * 0.5 / 2.5));
}

TEST(Hertz, RefusesWhatIsOutOfRange) {
  EXPECT_EQ(field_refused([] { effective_radius(0.0, 1.0); }), "radius");
  EXPECT_EQ(field_refused([] { effective_radius(1.0, -1.0); }), "radius");
  EXPECT_EQ(field_refused([] { effective_modulus(kBead, {}); }), "youngs_modulus");
  const ElasticMaterial rigid{.youngs_modulus = std::numeric_limits<double>::infinity()};
  EXPECT_EQ(field_refused([&] { effective_modulus(rigid, rigid); }), "youngs_modulus");
  EXPECT_EQ(
      message_of([] { validate(ElasticMaterial{.youngs_modulus = 1.0, .poisson_ratio = 0.6}); }),
      "poisson_ratio: 0.6 is not above -1 and at most 0.5");
}

TEST(ElasticMaterials, AreAllPossibleAndSaySo) {
  std::set<std::string_view> names;
  for (const NamedElasticMaterial& entry : elastic_materials()) {
    EXPECT_NO_THROW(validate(entry.material)) << entry.name;
    EXPECT_GT(entry.material.density, 0.0) << entry.name;
    EXPECT_FALSE(entry.source.empty()) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(elastic_material(entry.name).youngs_modulus, entry.material.youngs_modulus);
    if (entry.name == "unit") continue;
    // Solids: sound in a thin bar, √(E/ρ), from rubber to the stiffest metals.
    const double sound = std::sqrt(entry.material.youngs_modulus / entry.material.density);
    EXPECT_GT(sound, 100.0) << entry.name;
    EXPECT_LT(sound, 6000.0) << entry.name;
  }
  const std::string message = message_of([] { (void)elastic_material("stel"); });
  EXPECT_NE(message.find("'stel'; available: steel, stainless_steel"), std::string::npos)
      << message;
}

TEST(ElasticMaterials, TheBeadsOfTheColumnHaveTheirMass) {
  // 2.05 g in a ball of diameter 8 mm; the density is given to four digits.
  const double volume = 4.0 / 3.0 * 3.14159265358979 * 0.004 * 0.004 * 0.004;
  EXPECT_NEAR(elastic_material("bead_steel").density * volume, 2.05e-3, 2e-7);
}

}  // namespace
}  // namespace percute::systems
