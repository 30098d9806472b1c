// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"

#include <gtest/gtest.h>

namespace percute::laws {

namespace {

ContactLaw power_law(double K, double eta) {
  return {Contact{.material = {.stiffness = K, .exponent = eta}}, Lzb{}};
}

ContactLaw tri_law() {
  Material material{.stiffness = 2.0};
  material.tri_stiffness =
      TriStiffness{.yield_indentation = 0.5, .plastic_stiffness = 1.0, .unloading_stiffness = 3.0};
  return {Contact{.material = material}, Lzb{.contact_model = ContactModel::TriStiffness}};
}

}  // namespace

TEST(ContactLaw, EnergyIsTheIntegralOfTheForce) {
  for (const double eta : {1.0, 1.3, 1.5, 2.0, 3.7}) {
    const ContactLaw law = power_law(2.5, eta);
    EXPECT_NEAR(law.force(0.8, false), 2.5 * std::pow(0.8, eta), 1e-15);
    const double h = 1e-5;
    // Central difference: error h² E'''/6 ~ 1e-10.
    EXPECT_NEAR((law.energy(0.8 + h) - law.energy(0.8 - h)) / (2 * h), law.force(0.8, false), 1e-8);
    EXPECT_NEAR((law.force(0.8 + h, false) - law.force(0.8 - h, false)) / (2 * h),
                law.slope(0.8, false), 1e-8);
    EXPECT_NEAR(law.indentation(law.energy(0.8)), 0.8, 1e-15);
  }
}

TEST(ContactLaw, NoForceAndNoEnergyBeyondOpening) {
  EXPECT_EQ(power_law(1.0, 1.5).force(-0.1, false), 0.0);
  EXPECT_EQ(power_law(1.0, 1.3).force(-0.1, false), 0.0);
  for (const double eta : {1.0, 1.5, 2.0, 2.2}) {
    EXPECT_EQ(power_law(1.0, eta).energy(-0.1), 0.0);
    EXPECT_EQ(power_law(1.0, eta).indentation(0.0), 0.0);
  }
}

TEST(ContactLaw, OnlyFractionalExponentsAreSingular) {
  EXPECT_FALSE(power_law(1.0, 1.0).singular());
  EXPECT_TRUE(power_law(1.0, 1.5).singular());
  EXPECT_FALSE(power_law(1.0, 2.0).singular());
  EXPECT_TRUE(power_law(1.0, 2.5).singular());
  EXPECT_FALSE(tri_law().singular());
}

TEST(ContactLaw, TriStiffnessIsContinuousAtYield) {
  const ContactLaw law = tri_law();
  EXPECT_DOUBLE_EQ(law.force(0.5, false), 1.0);
  EXPECT_DOUBLE_EQ(law.force(0.5, true), 1.0);
  EXPECT_DOUBLE_EQ(law.force(1.5, true), 2.0);
  EXPECT_DOUBLE_EQ(law.energy(1.5), 0.25 + 1.0 + 0.5);
  for (const double xi : {0.2, 0.5, 0.7, 4.0}) {
    EXPECT_NEAR(law.indentation(law.energy(xi)), xi, 1e-14);
  }
}

}  // namespace percute::laws
