// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace percute::laws {

TEST(SingleContact, PrintedValues) {
  // Ten decimals each, from an independent evaluation.
  EXPECT_NEAR(kelvin_voigt_restitution(0.1), 0.7440793977, 1e-10);
  EXPECT_NEAR(kelvin_voigt_restitution(0.5), 0.2984360592, 1e-10);
  EXPECT_NEAR(kelvin_voigt_restitution(1.0), 0.1353352832, 1e-10);
  EXPECT_NEAR(kelvin_voigt_restitution(1.5), 0.0755883094, 1e-10);
  EXPECT_NEAR(kelvin_voigt_restitution_with_tension(0.1), 0.7292476143, 1e-10);
  EXPECT_NEAR(kelvin_voigt_restitution_with_tension(0.5), 0.1630335348, 1e-10);
  EXPECT_NEAR(hunt_crossley_restitution(0.1), 0.9374755799, 1e-10);
  EXPECT_NEAR(hunt_crossley_restitution(1.0), 0.5936242600, 1e-10);
  EXPECT_NEAR(hunt_crossley_damping(0.2), 4.9191667158, 1e-10);
  EXPECT_NEAR(hunt_crossley_damping(0.5), 1.4327505333, 1e-10);
  EXPECT_NEAR(hunt_crossley_damping(0.9), 0.1664819507, 1e-10);
  EXPECT_NEAR(lankarani_nikravesh_restitution(0.5), 0.7252411140, 1e-10);
  EXPECT_NEAR(lankarani_nikravesh_restitution(0.95), 0.9535060451, 1e-10);
  EXPECT_NEAR(tsuji_restitution_with_tension(0.6), 0.4168333967, 1e-10);
  EXPECT_NEAR(elastoplastic_restitution(2.0), 0.9306258773, 1e-10);
  EXPECT_NEAR(elastoplastic_restitution(1000.0), 0.2107008120, 1e-10);
  EXPECT_NEAR(hertz_duration(1.0, 0.8, 1.0), 2.9432752, 1e-7);  // 5 m/4 K = 1; seven decimals
}

TEST(SingleContact, InversesAreInverse) {
  for (const double e : {0.01, 0.3, 0.7, 0.99, 0.999999, 1.0}) {
    // Root finding to the last digits; near e = 1 the inverse is ill-conditioned in x, not in e.
    EXPECT_NEAR(hunt_crossley_restitution(hunt_crossley_damping(e)), e, 1e-13);
    EXPECT_NEAR(kelvin_voigt_restitution(kelvin_voigt_damping_ratio(e)), e, 1e-13);
    EXPECT_NEAR(tsuji_restitution_with_tension(tsuji_beta(e)), e, 1e-13);
  }
  const double K = hertz_stiffness_from_duration(35e-6, 2e-3, 0.25);
  EXPECT_NEAR(hertz_duration(K, 2e-3, 0.25), 35e-6, 1e-18);
  EXPECT_NEAR(linear_duration(4.0, 1.0), std::numbers::pi / 2.0, 1e-15);
  EXPECT_DOUBLE_EQ(walton_braun_restitution(1.0, 4.0), 0.5);
}

TEST(SingleContact, LimitsAreExact) {
  EXPECT_EQ(hunt_crossley_restitution(0.0), 1.0);
  EXPECT_EQ(hunt_crossley_damping(1.0), 0.0);
  EXPECT_EQ(kelvin_voigt_restitution(0.0), 1.0);
  EXPECT_EQ(kelvin_voigt_restitution_with_tension(1.0), 0.0);
  EXPECT_EQ(elastoplastic_restitution(1.0), 1.0);
  EXPECT_EQ(elastoplastic_restitution(0.0), 1.0);
}

TEST(SingleContact, OutOfRangeIsRefused) {
  EXPECT_THROW(kelvin_voigt_restitution(-0.1), InvalidInput);
  EXPECT_THROW(hunt_crossley_damping(0.0), InvalidInput);
  EXPECT_THROW(hunt_crossley_damping(1.1), InvalidInput);
  EXPECT_THROW(tsuji_restitution_with_tension(2.3), InvalidInput);
  EXPECT_THROW(walton_braun_restitution(2.0, 1.0), InvalidInput);
  EXPECT_THROW(hertz_duration(0.0, 1.0, 1.0), InvalidInput);
}

}  // namespace percute::laws
