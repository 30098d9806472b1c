// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/lzb.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace percute {
namespace {

// At law tolerance 1e-10 velocities of order one are good to 1e-8 (100 tolerance vs).
constexpr laws::Lzb kLaw{.tolerance = 1e-10};
constexpr double kAccuracy = 1e-8;

// Bernoulli's problem: ball 2 moves along x at unit speed and strikes balls 1 and 3, whose centres
// lie at angles ±alpha from it. Coordinates (x1, y1, x2, y2, x3, y3), unit masses.
ImpactProblem bernoulli(double alpha, const Material& material) {
  const double c = std::cos(alpha);
  const double s = std::sin(alpha);
  Matrix W = Matrix::Zero(6, 2);
  W.col(0) << c, s, -c, -s, 0.0, 0.0;
  W.col(1) << 0.0, 0.0, -c, s, c, -s;
  Vector v = Vector::Zero(6);
  v[2] = 1.0;
  return {.mass = MassMatrix::diagonal(Vector::Ones(6)),
          .gradients = W.sparseView(),
          .velocity = v,
          .contacts = {{.material = material}, {.material = material}}};
}

TEST(ClosedForm, ElasticBernoulliForAnyAngleAndExponent) {
  for (const double exponent : {1.0, 1.5, 2.5}) {
    for (const double alpha : {0.05, 0.3, std::numbers::pi / 6, 0.8, 1.2, 1.5}) {
      SCOPED_TRACE(::testing::Message() << "alpha " << alpha << ", exponent " << exponent);
      const ImpactResult result = resolve(bernoulli(alpha, {.exponent = exponent}), kLaw);
      const double t = std::tan(alpha);
      const double x = 2.0 / (3.0 + t * t);
      const Vector expected{{x, t * x, 1.0 - 2.0 * x, 0.0, x, -t * x}};
      EXPECT_LE((result.velocity - expected).cwiseAbs().maxCoeff(), kAccuracy);
      EXPECT_NEAR(result.velocity[3], 0.0, 1e-12) << "mirror symmetry";
    }
  }
}

TEST(ClosedForm, PlasticBernoulliLosesWhatTheConstraintTakes) {
  for (const double alpha : {0.05, 0.3, std::numbers::pi / 6, 0.8, 1.2}) {
    const ImpactResult result = resolve(bernoulli(alpha, {.restitution = 0.0}), kLaw);
    const double c = std::cos(alpha);
    EXPECT_NEAR(result.energy.after, 1.0 / (2.0 * (1.0 + 2.0 * c * c)), kAccuracy) << alpha;
    EXPECT_LE(result.gap_rate.cwiseAbs().maxCoeff(), kAccuracy) << alpha;
  }
}

TEST(ClosedForm, StiffnessRatioLimitsOfThreeBalls) {
  // K2/K1 → ∞ makes balls 2 and 3 one body; K2/K1 → 0 makes two separate collisions. The limits are
  // approached at the rate of the ratio.
  constexpr double kRatio = 1e4;
  const auto outcome = [](double ratio) {
    const systems::BallChain chain{
        .balls = 3, .materials = {{.exponent = 1.0}, {.stiffness = ratio, .exponent = 1.0}}};
    return resolve(chain.impact(chain.at_contact(1.0)), kLaw).velocity;
  };
  const Vector one_body{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}};
  const Vector separate{{0.0, 0.0, 1.0}};
  EXPECT_LE((outcome(kRatio) - one_body).cwiseAbs().maxCoeff(), 1.0 / kRatio);
  EXPECT_LE((outcome(1.0 / kRatio) - separate).cwiseAbs().maxCoeff(), 1.0 / kRatio);
}

TEST(ClosedForm, OneContactReturnsItsRestitution) {
  for (const ContactModel model : {ContactModel::BiStiffness, ContactModel::MonoStiffness}) {
    for (const double e : {0.0, 0.1, 0.5, 0.93, 1.0}) {
      const systems::BallChain chain{
          .balls = 2,
          .material = {.restitution = e, .stiffness = 3e7, .exponent = 1.5, .contact_model = model},
          .masses = {0.3, 2.0}};
      const ImpactResult result = resolve(chain.impact(chain.at_contact(4.0)), kLaw);
      EXPECT_NEAR(result.gap_rate[0], 4.0 * e, 4.0 * kAccuracy) << "e = " << e;
    }
  }
}

TEST(ClosedForm, PrecompressionIsReleased) {
  // Two unit masses at rest, 0.5 J stored, e = 0.8: T⁺ = e² E0, so each leaves at e √(E0).
  const double speed = 0.8 * std::sqrt(0.5);
  for (const ContactModel model : {ContactModel::BiStiffness, ContactModel::MonoStiffness}) {
    const systems::BallChain chain{.balls = 2,
                                   .material = {.restitution = 0.8, .contact_model = model}};
    ImpactProblem problem = chain.impact(chain.at_contact(0.0));
    problem.contacts[0].stored_energy = 0.5;
    const ImpactResult result = resolve(problem, kLaw);
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_NEAR(result.velocity[0], -speed, kAccuracy);
    EXPECT_NEAR(result.velocity[1], speed, kAccuracy);
    EXPECT_NEAR(result.energy.dissipated, 0.5 * (1.0 - 0.64), kAccuracy);
  }
}

// Tri-stiffness: values of an independent computation, given to eight decimals.
struct TriCase {
  const char* name;
  std::vector<double> masses;
  double first_slope;
  TriStiffness slopes;
  laws::Lzb::Reload reload;
  Vector expected;
  std::vector<int> compressions;
};

class TriStiffnessChain : public ::testing::TestWithParam<TriCase> {};

TEST_P(TriStiffnessChain, EndsAsComputedIndependently) {
  const TriCase& given = GetParam();
  const systems::BallChain chain{.balls = static_cast<int>(given.masses.size()),
                                 .material = {.stiffness = given.first_slope,
                                              .contact_model = ContactModel::TriStiffness,
                                              .tri_stiffness = given.slopes},
                                 .masses = given.masses};
  laws::Lzb law = kLaw;
  law.reload = given.reload;
  const ImpactResult result = resolve(chain.impact(chain.at_contact(1.0)), law);
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_LE((result.velocity - given.expected).cwiseAbs().maxCoeff(), 1e-7)
      << result.velocity.transpose();
  ASSERT_EQ(result.diagnostics.contacts.size(), given.compressions.size());
  for (std::size_t i = 0; i < given.compressions.size(); ++i) {
    EXPECT_EQ(result.diagnostics.contacts[i].compressions, given.compressions[i]) << i;
  }
}

constexpr TriStiffness kSoft{
    .yield_indentation = 0.02, .plastic_stiffness = 0.5, .unloading_stiffness = 2.0};
constexpr TriStiffness kHard{
    .yield_indentation = 0.1, .plastic_stiffness = 0.8, .unloading_stiffness = 1.5};

INSTANTIATE_TEST_SUITE_P(
    Lzb, TriStiffnessChain,
    ::testing::Values(TriCase{"light_balls_loading_law",
                              {1.0, 0.25, 0.25, 0.25},
                              1.0,
                              kSoft,
                              laws::Lzb::Reload::LoadingLaw,
                              Vector{{0.49210893, 0.51297993, 0.61223551, 0.90634883}},
                              {2, 2, 1}},
                      TriCase{"light_balls_retrace",
                              {1.0, 0.25, 0.25, 0.25},
                              1.0,
                              kSoft,
                              laws::Lzb::Reload::Retrace,
                              Vector{{0.47248081, 0.48262113, 0.71547981, 0.91197582}},
                              {2, 2, 1}},
                      TriCase{"heavy_striker_loading_law",
                              {4.0, 1.0, 1.0, 1.0},
                              1.0,
                              kHard,
                              laws::Lzb::Reload::LoadingLaw,
                              Vector{{0.37043544, 0.60466223, 0.63650724, 1.27708876}},
                              {2, 1, 1}},
                      TriCase{"heavy_striker_retrace",
                              {4.0, 1.0, 1.0, 1.0},
                              1.0,
                              kHard,
                              laws::Lzb::Reload::Retrace,
                              Vector{{0.36842055, 0.60501552, 0.64403058, 1.27727170}},
                              {2, 1, 1}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(TriStiffness, OneContactReturnsTheRestitutionOfItsSlopes) {
  // Energy stored up to yield and beyond, given back along the unloading slope: e² = 0.3125.
  const systems::BallChain chain{.balls = 1,
                                 .material = {.stiffness = 1.0,
                                              .contact_model = ContactModel::TriStiffness,
                                              .tri_stiffness = TriStiffness{0.5, 0.5, 2.0}},
                                 .wall = systems::BallChain::Wall::Right};
  const ImpactResult result = resolve(chain.impact(chain.at_contact(1.0)), kLaw);
  EXPECT_NEAR(-result.velocity[0], std::sqrt(0.3125), 1e-8);
}

}  // namespace
}  // namespace percute
