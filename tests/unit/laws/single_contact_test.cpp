// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/lzb.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

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
}

TEST(SingleContact, InversesAreInverse) {
  for (const double e : {0.01, 0.3, 0.7, 0.99, 0.999999, 1.0}) {
    // Root finding to the last digits; near e = 1 the inverse is ill-conditioned in x, not in e.
    EXPECT_NEAR(hunt_crossley_restitution(hunt_crossley_damping(e)), e, 1e-13);
    EXPECT_NEAR(kelvin_voigt_restitution(kelvin_voigt_damping_ratio(e)), e, 1e-13);
    EXPECT_NEAR(tsuji_restitution_with_tension(tsuji_beta(e)), e, 1e-13);
  }
  EXPECT_NEAR(linear_duration(4.0, 1.0), std::numbers::pi / 2.0, 1e-15);
  EXPECT_DOUBLE_EQ(walton_braun_restitution(1.0, 4.0), 0.5);
}

TEST(SingleContact, StiffnessFromTimes) {
  // Special cases: π of the linear spring, 2.9432752 of Hertz.
  EXPECT_NEAR(power_law_duration(4.0, 1.0, 1.0, 3.0), linear_duration(4.0, 1.0), 1e-15);
  EXPECT_NEAR(power_law_duration(1.0, 1.5, 0.8, 1.0), 2.9432752, 1e-7);  // 5 m/4 K = 1; as printed
  for (const double n : {1.0, 1.5, 2.0, 3.3}) {
    // Roundings, multiplied by n + 1.
    const double peak = power_law_time_to_peak(7e5, n, 0.02, 1.3);
    EXPECT_NEAR(stiffness_from_time_to_peak(peak, n, 0.02, 1.3) / 7e5, 1.0, 1e-13);
    const double whole = power_law_duration(7e5, n, 0.02, 1.3, 0.6);
    EXPECT_NEAR(stiffness_from_contact_duration(whole, n, 0.02, 1.3, 0.6) / 7e5, 1.0, 1e-13);
    // One time taken for the other: a factor 2^(n+1) where the contact is elastic.
    EXPECT_NEAR(
        stiffness_from_time_to_peak(2.0 * peak, n, 0.02, 1.3) * std::pow(2.0, n + 1.0) / 7e5, 1.0,
        1e-13);
  }
  // Beads of 2.05 g dropped from 2.9 mm on sheets of steel, PVC, beech and rubber: times to the
  // peak and stiffnesses of Liu, Zhao, Brogliato 2008, section 9. Printed to two or three digits,
  // with the constant rounded to 2.94: 1 %.
  const double speed = std::sqrt(2.0 * 9.81 * 2.9e-3);
  const std::vector<std::pair<double, double>> sheets{
      {17e-6, 1.15e10}, {67.5e-6, 3.67e8}, {127.5e-6, 7.5e7}, {221e-6, 1.89e7}};
  for (const auto& [peak, printed] : sheets) {
    EXPECT_NEAR(stiffness_from_time_to_peak(peak, 1.5, 2.05e-3, speed), printed, 0.01 * printed);
  }
}

/// The closed forms against the integrated contact.
TEST(SingleContact, TimesOfTheIntegratedContact) {
  for (const double n : {1.0, 1.5, 2.2}) {
    ImpactProblem problem;
    problem.mass = MassMatrix::diagonal(Vector::Constant(1, 0.3));
    problem.gradients = Matrix::Ones(1, 1).sparseView();
    problem.velocity = Vector::Constant(1, -2.0);
    problem.contacts = {{.material = {.restitution = 0.6, .stiffness = 5e4, .exponent = n}}};
    const ImpactResult result = resolve(problem, Lzb{.tolerance = 1e-11});
    const ContactSummary& contact = result.diagnostics.contacts.front();
    // Located events: a hundred tolerances of the duration.
    const double peak = power_law_time_to_peak(5e4, n, 0.3, 2.0);
    EXPECT_NEAR(contact.maximal_force_time, peak, 1e-9 * peak);
    EXPECT_NEAR(contact.duration, power_law_duration(5e4, n, 0.3, 2.0, 0.6), 1e-9 * peak);
  }
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
  EXPECT_THROW(power_law_duration(0.0, 1.5, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(stiffness_from_time_to_peak(0.0, 1.5, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(stiffness_from_contact_duration(1.0, 0.5, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(stiffness_from_contact_duration(1.0, 1.5, 1.0, 1.0, 1.5), InvalidInput);
}

}  // namespace percute::laws
