// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace percute::laws {

namespace {

using Force = Compliant::Force;
using Tension = Compliant::Tension;

ImpactProblem row(const std::vector<double>& masses, const std::vector<double>& velocities,
                  const std::vector<double>& stiffness, double exponent) {
  std::vector<Material> materials;
  for (const double k : stiffness) {
    materials.push_back({.stiffness = k, .exponent = exponent});
  }
  const systems::BallChain chain{
      .balls = static_cast<int>(masses.size()), .masses = masses, .materials = materials};
  return chain.impact(chain.at_contact(
      Vector::Map(velocities.data(), static_cast<Eigen::Index>(velocities.size()))));
}

/// A body of mass 1 that hits a wall.
ImpactProblem single(const Material& material, double speed) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(1));
  problem.velocity = Vector::Constant(1, -speed);
  problem.gradients = Matrix::Ones(1, 1).sparseView();
  problem.contacts = {Contact{.material = material}};
  return problem;
}

double restitution(const Compliant& law, const Material& material, double speed = 1.0) {
  const ImpactResult result = resolve(single(material, speed), law);
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_NEAR(result.energy.balance_error, 0.0, 1e-9);  // promised
  return result.velocity[0] / speed;
}

/// Three equal balls, k1 = 1, k2 = kappa, v = (1, 0, v3), elastic (Acary, Brogliato 2003).
struct ThreeBalls {
  double exponent, kappa, v3;
  double p1, p2;
  double digits;  ///< half a unit of the last digit given
};

class RegularisedThreeBalls : public testing::TestWithParam<ThreeBalls> {};

}  // namespace

TEST_P(RegularisedThreeBalls, ImpulsesAreThoseOfAnIndependentIntegration) {
  const ThreeBalls& c = GetParam();
  const ImpactProblem problem = row({1, 1, 1}, {1, 0, c.v3}, {1, c.kappa}, c.exponent);
  const ImpactResult result =
      resolve(problem, Compliant{.force = Force::Power, .tolerance = 1e-11});
  EXPECT_EQ(result.status, Status::Ok);
  // The tolerance of the law, and that of the printed value.
  EXPECT_NEAR(result.impulse[0], c.p1, c.digits + 1e-10);
  EXPECT_NEAR(result.impulse[1], c.p2, c.digits + 1e-10);
  EXPECT_NEAR(result.energy.after, result.energy.before, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(
    Compliant, RegularisedThreeBalls,
    testing::Values(ThreeBalls{1.5, 1, 0, 1.07095235365, 0.99454931458, 5e-12},
                    ThreeBalls{1.5, 0.1, 0, 1.00618396404, 0.99996151914, 5e-12},
                    ThreeBalls{1.5, 100, 0, 1.33317362215, 0.67922374317, 5e-12},
                    ThreeBalls{1.5, 1, 0.3, 1.00163768458, 0.69929193094, 5e-12},
                    ThreeBalls{1.5, 100, 0.3, 1.10164067344, 0.62146811575, 5e-12},
                    ThreeBalls{1.5, 0.1, -1, 1.92277657393, 2.06252266957, 5e-12},
                    ThreeBalls{1.5, 2.24, -1, 2.14239549942, 1.71679786023, 5e-12},
                    ThreeBalls{1, 1, 0, 1.13026169506, 0.98003212563, 5e-12},
                    ThreeBalls{1, 100, 0, 1.33331773390, 0.67060845594, 5e-12},
                    ThreeBalls{1, 2.24133791, 0, 1.26358681, 0.88888889, 5e-9},
                    ThreeBalls{1, 0.1, 0.3, 1.00058239339, 0.69974962041, 5e-12},
                    ThreeBalls{1, 2.24, 0.3, 1.01496949273, 0.69304661166, 5e-12},
                    ThreeBalls{1, 0.1, -1, 1.94506455953, 2.04711015416, 5e-12},
                    ThreeBalls{1, 2.24, -1, 2.15383707856, 1.61558373169, 5e-12},
                    ThreeBalls{1, 100, -1, 2.00630135806, 1.99357721030, 5e-12},
                    ThreeBalls{1, 1, -1, 2, 2, 0}, ThreeBalls{1.5, 1, -1, 2, 2, 0}));

TEST(Compliant, EventsAreLocated) {
  // exponent 1, κ = 100, v3 = −1: contact 2 opens, closes and opens again.
  const ImpactResult result =
      resolve(row({1, 1, 1}, {1, 0, -1}, {1, 100}, 1.0),
              Compliant{.force = Force::Linear, .tolerance = 1e-11}, Recording{});
  std::vector<double> closings;
  std::vector<double> openings;
  for (const ImpactEvent& event : result.history.events) {
    if (event.kind == EventKind::Opening) openings.push_back(event.time);
    if (event.kind == EventKind::Reengagement) closings.push_back(event.time);
  }
  ASSERT_EQ(openings.size(), 3U);
  ASSERT_EQ(closings.size(), 1U);
  // Eight printed decimals.
  EXPECT_NEAR(openings[0], 0.22354598, 5e-9);
  EXPECT_NEAR(closings[0], 2.13504847, 5e-9);
  EXPECT_NEAR(openings[1], 2.30888889, 5e-9);
  EXPECT_NEAR(openings[2], 2.35812513, 5e-9);
}

TEST(Compliant, HertzChainOfTwentyOneBalls) {
  std::vector<double> v(21, 0.0);
  v[0] = 1.0;
  const ImpactResult result =
      resolve(row(std::vector<double>(21, 1.0), v, std::vector<double>(20, 1.0), 1.5),
              Compliant{.tolerance = 1e-11});
  // Ten printed decimals of the velocities, nine of the ratios.
  EXPECT_NEAR(result.velocity[0], -0.0710850171, 1e-10);
  EXPECT_NEAR(result.velocity[20], 0.9856791805, 1e-10);
  EXPECT_NEAR(result.impulse[0] / result.impulse[1], 0.972512328, 1e-9);
  EXPECT_NEAR(result.impulse[17] / result.impulse[18], 1.003535247, 1e-9);
  EXPECT_NEAR(result.impulse[18] / result.impulse[19], 1.150757357, 1e-9);
}

TEST(Compliant, ElasticPowerLawsAreLzbWithTrackedGaps) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random() >> 11U) * 0x1p-53;
  };
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 2 + static_cast<int>(random() % 5);
    std::vector<double> masses;
    std::vector<double> velocities;
    std::vector<double> stiffness;
    for (int i = 0; i < n; ++i) {
      masses.push_back(std::exp(uniform(-1, 1)));
      velocities.push_back(uniform(-1, 1) - 0.5 * i);
      if (i > 0) stiffness.push_back(std::exp(uniform(-2, 2)));
    }
    const double exponent = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 1.5 : 2.0;
    const ImpactProblem problem = row(masses, velocities, stiffness, exponent);
    const ImpactResult a = resolve(problem, Compliant{.force = Force::Power, .tolerance = 1e-11});
    const ImpactResult b =
        resolve(problem, Lzb{.reengagement = Lzb::Reengagement::TrackedGap, .tolerance = 1e-11});
    EXPECT_EQ(a.status, b.status);
    // Both are right to 100 tolerances of the velocity scale, here about 3 m/s.
    EXPECT_LE((a.velocity - b.velocity).cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

TEST(Compliant, DampedContactsRestituteAsTheClosedForms) {
  const double tol = 1e-11;
  for (const double zeta : {0.1, 0.5, 1.0, 1.5}) {
    Material material{.stiffness = 2.0};
    material.damping = 2.0 * zeta * std::sqrt(2.0);
    EXPECT_NEAR(restitution({.force = Force::KelvinVoigt, .tolerance = tol}, material),
                kelvin_voigt_restitution(zeta), 1e-9);
    if (zeta >= 1.0) continue;
    EXPECT_NEAR(
        restitution({.force = Force::KelvinVoigt, .tension = Tension::Allow, .tolerance = tol},
                    material),
        kelvin_voigt_restitution_with_tension(zeta), 1e-9);
  }
  for (const double x : {0.1, 0.5625, 1.0, 4.0}) {
    Material material{.stiffness = 3.0, .exponent = 1.8};
    material.damping = x / 0.7;
    EXPECT_NEAR(restitution({.force = Force::HuntCrossley, .tolerance = tol}, material, 0.7),
                hunt_crossley_restitution(x), 1e-9);
  }
  for (const double e : {0.2, 0.5, 0.9, 1.0}) {
    const Material material{.restitution = e, .stiffness = 5.0};
    EXPECT_NEAR(restitution({.force = Force::ExactRestitution, .tolerance = tol}, material, 3.0), e,
                1e-9);
    EXPECT_NEAR(restitution({.force = Force::LankaraniNikravesh, .tolerance = tol}, material, 3.0),
                lankarani_nikravesh_restitution(e), 1e-9);
  }
}

TEST(Compliant, TheLargestForceOfADampedContactIsLocated) {
  // Kelvin–Voigt with m = k = 1: F = kδ + cδ̇ is largest at
  // tan(wt) = w(1 − 4ζ²)/(ζ(3 − 4ζ²)), w² = 1 − ζ², and at once for ζ ≥ ½.
  for (const double tolerance : {1e-6, 1e-9}) {
    for (const double zeta : {0.05, 0.2, 0.4, 0.8}) {
      Material material{.stiffness = 1.0};
      material.damping = 2.0 * zeta;
      const ImpactResult result = resolve(
          single(material, 1.0), Compliant{.force = Force::KelvinVoigt, .tolerance = tolerance});
      const double w = std::sqrt(1.0 - zeta * zeta);
      const double t =
          zeta < 0.5
              ? std::atan2(w * (1.0 - 4.0 * zeta * zeta), zeta * (3.0 - 4.0 * zeta * zeta)) / w
              : 0.0;
      const double F = std::exp(-zeta * t) * ((1.0 - 2.0 * zeta * zeta) / w * std::sin(w * t) +
                                              2.0 * zeta * std::cos(w * t));
      // The force follows the state, which is good to the tolerance; its instant is where it is
      // flat, and differences there are a square root worse.
      const ContactSummary& summary = result.diagnostics.contacts.front();
      EXPECT_NEAR(summary.maximal_force, F, tolerance) << zeta;
      EXPECT_NEAR(summary.maximal_force_time, t, std::sqrt(tolerance)) << zeta;
    }
  }
}

TEST(Compliant, DampedContactsWithoutClosedFormMatchIndependentNumbers) {
  const double tol = 1e-11;
  const auto both = [&](Force force, double damping, double clamped, double allowed) {
    Material material{};
    material.damping = damping;
    // Ten printed decimals.
    EXPECT_NEAR(restitution({.force = force, .tolerance = tol}, material), clamped, 2e-10);
    EXPECT_NEAR(
        restitution({.force = force, .tension = Tension::Allow, .tolerance = tol}, material),
        allowed, 2e-10);
  };
  both(Force::KuwabaraKono, 0.01, 0.9885474396, 0.9885448187);
  both(Force::KuwabaraKono, 0.1, 0.8928588755, 0.8921475873);
  both(Force::Tsuji, 0.1, 0.8722914667, 0.8688046288);
  both(Force::Tsuji, 0.6, 0.4849389458, 0.4168333967);
}

TEST(Compliant, HystereticContactsRestituteAsTheirAreas) {
  const double tol = 1e-11;
  Material material{.restitution = 0.6, .exponent = 1.7};
  EXPECT_NEAR(restitution({.force = Force::BiStiffness, .tolerance = tol}, material), 0.6, 1e-9);
  material.unloading_stiffness = 4.0;
  EXPECT_NEAR(restitution({.force = Force::WaltonBraun, .tolerance = tol}, material), 0.5, 1e-9);

  // Tri-stiffness: e² = F_m²/(2 k3 W), W = k1 δ_y²/2 + F_y x + k2 x²/2 = ½.
  material.tri_stiffness =
      TriStiffness{.yield_indentation = 0.3, .plastic_stiffness = 0.5, .unloading_stiffness = 2.0};
  const double x = (-0.3 + std::sqrt(0.09 + 0.455)) / 0.5;
  EXPECT_NEAR(restitution({.force = Force::TriStiffness, .tolerance = tol}, material),
              std::sqrt(std::pow(0.3 + 0.5 * x, 2) / 2.0), 1e-9);
  // Below yield nothing is lost.
  EXPECT_NEAR(restitution({.force = Force::TriStiffness, .tolerance = tol}, material, 0.29), 1.0,
              1e-9);

  Material spheres{};
  spheres.effective_modulus = 1.0;
  spheres.effective_radius = 1.0;
  spheres.yield_pressure = 0.01;
  using std::numbers::pi;
  const double yield_speed =
      std::pow(pi / 2.0, 2) * std::sqrt(8.0 * pi / 15.0) * std::pow(0.01, 2.5);
  for (const double ratio : {0.5, 2.0, 5.0, 100.0}) {
    EXPECT_NEAR(restitution({.force = Force::Elastoplastic, .tolerance = tol}, spheres,
                            ratio * yield_speed),
                elastoplastic_restitution(ratio), 1e-9);
  }
}

TEST(Compliant, RecompressionRetracesTheUnloadingCurve) {
  // The middle ball is struck again by a slower one behind while contact 2 unloads: with equal
  // force laws the hysteretic chain must lose more than the elastic one and never gain.
  ImpactProblem problem = row({1, 1, 1, 1}, {1, 1, 0, -1}, {1, 8, 1}, 1.5);
  for (Contact& contact : problem.contacts) contact.material.restitution = 0.7;
  const ImpactResult result =
      resolve(problem, Compliant{.force = Force::BiStiffness, .tolerance = 1e-10});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_TRUE(result.consistency.all());
  EXPECT_LT(result.energy.after, result.energy.before);
  EXPECT_GE(result.dissipated.minCoeff(), -1e-9);
  EXPECT_NEAR(result.energy.balance_error, 0.0, 1e-9);  // promised
}

TEST(Compliant, NoApproachNoImpact) {
  const ImpactResult result = resolve(row({1, 1}, {0, 1}, {1}, 1.5), Compliant{});
  EXPECT_EQ(result.status, Status::NoImpact);
  EXPECT_EQ(result.velocity[0], 0.0);
  EXPECT_EQ(result.impulse[0], 0.0);
}

TEST(Compliant, AContactThatOnlyRestsDoesNotKeepTheImpactGoing) {
  // Two bodies on a floor, one falling, one at rest; nothing couples them.
  ImpactProblem problem = single({}, 1.0);
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.velocity = Eigen::Vector2d(-1.0, 0.0);
  problem.gradients = Matrix(Matrix::Identity(2, 2)).sparseView();
  problem.contacts.resize(2);
  for (const Force force : {Force::Hertz, Force::Linear}) {
    const ImpactResult result = resolve(problem, Compliant{.force = force});
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_NEAR(result.velocity[0], 1.0, 1e-7);  // 100 tolerances
    EXPECT_EQ(result.velocity[1], 0.0);
    EXPECT_LT(result.diagnostics.steps, 200);
  }
}

TEST(Compliant, TellsThatAForceDoesNotUseRestitution) {
  const ImpactProblem problem = single({.restitution = 0.5}, 1.0);
  EXPECT_TRUE(resolve(problem, Compliant{}).consistency.restitution_ignored);
  EXPECT_FALSE(
      resolve(problem, Compliant{.force = Force::BiStiffness}).consistency.restitution_ignored);
}

TEST(Compliant, TellsThatFrictionHasNothingToActAlong) {
  const ImpactResult result = resolve(single({.friction = 0.3}, 1.0), Compliant{});
  EXPECT_TRUE(result.consistency.friction_ignored);
  EXPECT_NEAR(result.velocity[0], 1.0, 1e-9);
}

TEST(Compliant, LimitsAreReported) {
  const ImpactResult result = resolve(row({1, 1}, {1, 0}, {1}, 1.5), Compliant{.max_steps = 5});
  EXPECT_EQ(result.status, Status::NotTerminated);
}

TEST(Compliant, BadInputNamesTheKey) {
  const auto message = [](const Compliant& law, const Material& material) {
    try {
      resolve(single(material, 1.0), law);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("accepted");
  };
  Material bad{};
  bad.damping = -1.0;
  EXPECT_EQ(message({.force = Force::KelvinVoigt}, bad), "contacts[0].damping");
  EXPECT_EQ(message({.force = Force::WaltonBraun}, {}), "contacts[0].unloading_stiffness");
  EXPECT_EQ(message({.force = Force::TriStiffness}, {}), "contacts[0].tri_stiffness");
  EXPECT_EQ(message({.force = Force::Elastoplastic}, {}), "contacts[0].effective_modulus");
  EXPECT_EQ(message({.force = Force::ExactRestitution}, {.restitution = 0.0}),
            "contacts[0].restitution");
  EXPECT_EQ(message({.tolerance = 1e-14}, {}), "law.tolerance");
  EXPECT_EQ(message({.minimum_speed = 0.0}, {}), "law.minimum_speed");
}

}  // namespace percute::laws
