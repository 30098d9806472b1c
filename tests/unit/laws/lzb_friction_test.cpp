// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "single_contact_testing.hpp"

#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace percute::laws {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Keeps nothing but makes the law integrate in time, where a single contact has a closed form.
const Recording kIntegrated{.every = 0};

/// Block of width b and height h that rotates about its left corner; the right one hits the floor.
ImpactProblem block(double b, double h, double mu, double e) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal((Vector(3) << 1.0, 1.0, (b * b + h * h) / 12.0).finished());
  Matrix W(3, 2);
  W << 0.0, 0.0, 1.0, 1.0, -0.5 * b, 0.5 * b;
  problem.gradients = W.sparseView();
  problem.velocity = (Vector(3) << 0.5 * h, -0.5 * b, -1.0).finished();
  const Matrix t = (Matrix(3, 1) << 1.0, 0.0, 0.5 * h).finished();
  problem.contacts.assign(2, {.material = {.restitution = e, .friction = mu}});
  set_tangents(problem, {t, t});
  return problem;
}

void expect_near(const Vector& found, std::initializer_list<double> wanted, double tolerance) {
  ASSERT_EQ(found.size(), static_cast<Eigen::Index>(wanted.size()));
  Eigen::Index k = 0;
  for (const double value : wanted) EXPECT_NEAR(found[k++], value, tolerance);
}

std::string names(const ImpactHistory& history) {
  std::string text;
  for (const ImpactEvent& event : history.events) {
    text += (text.empty() ? "" : ", ") + std::to_string(event.contact) + " " + name(event.kind);
  }
  return text;
}

Matrix random_delassus(std::mt19937& random, int d) {
  std::normal_distribution<double> normal;
  Matrix X(1 + d, 3 + d);
  for (Eigen::Index k = 0; k < X.size(); ++k) X.data()[k] = normal(random);
  return X * X.transpose() / (1.0 + d);
}

}  // namespace

// Published rounded to 8 digits; the digits beyond follow from one corner that slides all the time.
TEST(LzbFriction, SlenderBlockSlides) {
  const ImpactResult result = resolve(block(1.0, 2.0, 0.3, 1.0), Lzb{});
  ASSERT_EQ(result.status, Status::Ok);
  expect_near(result.velocity, {0.51612903226, 1.11290322581, -0.22580645161}, 1e-8);
  expect_near(result.impulse, {0.0, 1.61290322581}, 1e-8);
  EXPECT_EQ(result.impulse[0], 0.0) << "the left corner only opens";
  EXPECT_NEAR(result.tangential_impulse[1][0], -0.48387096774, 1e-8);
  EXPECT_LT(std::abs(result.energy.balance_error), 1e-9);
}

TEST(LzbFriction, FlatBlockStartsToSlideAndReverses) {
  const ImpactResult result = resolve(block(2.0, 1.0, 0.3, 0.8), Lzb{}, Recording{});
  ASSERT_EQ(result.status, Status::Ok);
  expect_near(result.velocity, {-0.00547822, 0.80702537, -0.07695412}, 1e-7);
  expect_near(result.impulse, {0.58484191, 1.22218347}, 1e-7);
  EXPECT_NEAR(result.tangential_impulse[0][0] + result.tangential_impulse[1][0], -0.50547822, 1e-7);
  EXPECT_EQ(names(result.history),
            "1 activation, 0 activation, 1 compression_end, 1 opening, 0 compression_end, "
            "0 sliding, 0 opening");
  EXPECT_NEAR(result.history.events[5].time, 2.12186, 1e-5) << "slip reverses";
  EXPECT_NEAR(result.diagnostics.duration, 2.51762, 1e-5);
}

/// Both corners of a block share one sliding velocity: with much friction both stick, and share the
/// force in proportion to what they may take.
TEST(LzbFriction, RedundantCornersStickTogether) {
  const ImpactResult result = resolve(block(2.0, 1.0, 2.0, 0.5), Lzb{});
  ASSERT_EQ(result.status, Status::Ok);
  EXPECT_NEAR(result.tangential_velocity[0][0], 0.0, 1e-14);
  for (std::size_t i = 0; i < 2; ++i) {
    const double p = result.impulse[static_cast<Eigen::Index>(i)];
    EXPECT_GT(p, 0.1);
    EXPECT_LT(std::abs(result.tangential_impulse[i][0]), 2.0 * p);
  }
  // Never sliding, friction loses nothing.
  EXPECT_LT(result.dissipated_by_friction.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LzbFriction, DoublePendulumTip) {
  struct Row {
    double mu, e, p_n, p_t, ratio;
  };
  // Kane's pendulum, energetic restitution.
  const Row rows[] = {{0.2, 0.5, 0.1554659582, 0.0220923361, 0.6227426386},
                      {0.2, 1.0, 0.2203414177, 0.0091172442, 0.8127242719},
                      {0.5, 0.0, 0.0758111547, 0.0379055773, 0.5136034825},
                      {0.5, 0.5, 0.1183996885, 0.0382564819, 0.5531879852},
                      {0.5, 1.0, 0.1909842367, 0.0019642077, 0.6907862943}};
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  Matrix M(2, 2);
  M << 4.0 / 3.0, 0.5 * std::cos(10 * kDegree), 0.5 * std::cos(10 * kDegree), 1.0 / 3.0;
  for (const Row& row : rows) {
    ImpactProblem problem;
    problem.mass = MassMatrix::dense(M);
    problem.velocity = (Vector(2) << -0.1, -0.2).finished();
    problem.gradients =
        Matrix((Matrix(2, 1) << std::sin(20 * kDegree), std::sin(30 * kDegree)).finished())
            .sparseView();
    const Matrix t = (Matrix(2, 1) << std::cos(20 * kDegree), std::cos(30 * kDegree)).finished();
    problem.contacts = {{.material = {.restitution = row.e, .friction = row.mu}}};
    set_tangents(problem, {t});
    for (const ImpactResult& result :
         {resolve(problem, Lzb{}), resolve(problem, Lzb{}, kIntegrated)}) {
      // Printed to 10 digits; the integration is asked for 1e-9.
      EXPECT_NEAR(result.impulse[0], row.p_n, 1e-8);
      EXPECT_NEAR(result.tangential_impulse[0][0], row.p_t, 1e-8);
      EXPECT_NEAR(result.energy.after / result.energy.before, row.ratio, 1e-8);
    }
  }
}

TEST(LzbFriction, OneContactInSpaceAndJam) {
  struct Case {
    Matrix A;
    Vector U;
    double mu, e;
    std::initializer_list<double> after;
  };
  Matrix A(3, 3);
  A << 1, .3, -.2, .3, 2, .4, -.2, .4, 1.5;
  Matrix jam(2, 2);
  jam << 1, 1.5, 1.5, 3;
  const auto vector = [](std::initializer_list<double> values) {
    Vector v(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), v.begin());
    return v;
  };
  const Case cases[] = {
      {A, vector({-1, 1, 0.5}), 0.1, 0.7, {0.6972491687, 1.1702040914, 0.0254840003}},  // slips
      {A, vector({-1, 0.1, 0.2}), 0.5, 0.7, {0.6883969266, 0.0, 0.0}},                  // sticks
      {A, vector({-1, 0, 0}), 0.1, 0.7, {0.7, 0.2989243039, -0.2413728548}},            // onset
      {jam, vector({-1, 0.5}), 1.0, 0.5, {0.6208193511, 0.0}}};
  for (const Case& c : cases) {
    const ImpactProblem problem = local(c.A, c.U, c.mu, c.e);
    expect_near(resolve(problem, Lzb{}).velocity, c.after, 1e-9);
    expect_near(resolve(problem, Lzb{}, kIntegrated).velocity, c.after, 1e-8);
  }
}

/// The general integration against the closed form, which knows nothing of time or stiffness.
TEST(LzbFriction, IntegrationAgreesWithClosedForm) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  for (int k = 0; k < 600; ++k) {
    const int d = 1 + k % 2;
    const Matrix A = random_delassus(random, d);
    Vector U(1 + d);
    for (double& u : U) u = normal(random);
    U[0] = -std::abs(U[0]) - 0.05;
    if (uniform(random) < 0.2) U.tail(d).setZero();
    const double mu =
        uniform(random) < 0.1 ? kInfinite : std::pow(10.0, 2.0 * uniform(random) - 1.5);
    const double draw = uniform(random);
    ImpactProblem problem = local(A, U, mu, draw < 0.1 ? 0.0 : draw > 0.9 ? 1.0 : draw);
    problem.contacts[0].material.exponent =
        uniform(random) < 0.5 ? 1.5 : 1.0 + 2.0 * uniform(random);
    problem.contacts[0].material.stiffness = std::pow(10.0, 4.0 * uniform(random));
    const ImpactResult found = resolve(problem, Lzb{}, kIntegrated);
    const ImpactResult wanted = resolve(problem, DarbouxKellerSingle{});
    ASSERT_EQ(found.status, wanted.status) << k;
    const double vs = U.cwiseAbs().maxCoeff();
    // Ten times the tolerance, as the law promises of its velocities.
    EXPECT_LT((found.velocity - wanted.velocity).cwiseAbs().maxCoeff(), 1e-8 * vs) << k;
  }
}

TEST(LzbFriction, WithoutFrictionNothingChanges) {
  // Two balls and a wall; tangents that carry no friction, and sliding slower than the approach, so
  // that all scales are the same.
  ImpactProblem plain;
  plain.mass = MassMatrix::diagonal((Vector(4) << 1.0, 2.0, 1.0, 1.0).finished());
  Matrix W(4, 2);
  W << -1, 0, 1, -1, 0, 0, 0, 0;
  plain.gradients = W.sparseView();
  plain.velocity = (Vector(4) << 1.0, 0.2, 0.3, -0.4).finished();
  plain.contacts.assign(2, {.material = {.restitution = 0.7, .stiffness = 3.0}});
  ImpactProblem smooth = plain;
  Matrix t = Matrix::Zero(4, 1);
  t(2, 0) = 1.0;
  set_tangents(smooth, {t, t});
  const ImpactResult without = resolve(plain, Lzb{});
  EXPECT_EQ(resolve(smooth, Lzb{}).velocity, without.velocity) << "μ = 0: the same bits";
  EXPECT_EQ(resolve(smooth, Lzb{}).diagnostics.evaluations, without.diagnostics.evaluations);

  ImpactProblem rough = block(2.0, 1.0, 1e-6, 0.8);
  const Vector limit = resolve(block(2.0, 1.0, 0.0, 0.8), Lzb{}).velocity;
  // Impulses are below 3, masses about 1.
  EXPECT_LT((resolve(rough, Lzb{}).velocity - limit).cwiseAbs().maxCoeff(), 1e-5);
  // One corner with friction, one without.
  rough.contacts[0].material.friction = 0.0;
  rough.contacts[1].material.friction = 0.3;
  const ImpactResult mixed = resolve(rough, Lzb{});
  ASSERT_EQ(mixed.status, Status::Ok);
  EXPECT_EQ(mixed.tangential_impulse[0][0], 0.0);
  EXPECT_LT(mixed.tangential_impulse[1][0], -0.1);
}

TEST(LzbFriction, InfiniteFrictionHoldsWhileThereIsPressure) {
  ImpactProblem problem = block(2.0, 1.0, kInfinite, 0.5);
  const ImpactResult result = resolve(problem, Lzb{});
  ASSERT_EQ(result.status, Status::Ok);
  EXPECT_NEAR(result.tangential_velocity[0][0], 0.0, 1e-12);
  // Much friction is the same as infinite friction here: sliding is at rest from the start.
  const ImpactResult much = resolve(block(2.0, 1.0, 10.0, 0.5), Lzb{});
  EXPECT_LT((result.velocity - much.velocity).cwiseAbs().maxCoeff(), 1e-8);

  // Stopping the slide lifts the contact off: no pressure is left that could have stopped it.
  Matrix A(2, 2);
  A << 1.0, -0.9, -0.9, 1.0;
  const ImpactProblem lifted = local(A, (Vector(2) << -0.1, 1.0).finished(), kInfinite, 0.5);
  for (const ImpactResult& none : {resolve(lifted, Lzb{}), resolve(lifted, Lzb{}, kIntegrated)}) {
    EXPECT_EQ(none.status, Status::NoSlipSolution);
    EXPECT_EQ(none.velocity, lifted.velocity);
    EXPECT_NE(none.diagnostics.reason.find("contacts[0]"), std::string::npos);
  }
}

// A particle runs under an overhanging wall as it lands. Once infinite friction has stopped it, it
// moves away from the wall, which was touched for that instant only.
TEST(LzbFriction, StoppingMayPartContactsThatWereJustTouched) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  Matrix W(2, 2);
  W << 0.0, -0.8, 1.0, -0.6;
  problem.gradients = W.sparseView();
  problem.velocity = (Vector(2) << 1.0, -1.0).finished();
  problem.contacts = {{.material = {.restitution = 0.0, .friction = kInfinite}},
                      {.material = {.restitution = 1e-3}}};
  set_tangents(problem, {(Matrix(2, 1) << 1.0, 0.0).finished(), Matrix()});
  // Expanding, it would be a million times as fast as compressing.
  const ImpactResult result = resolve(problem, Lzb{});
  ASSERT_EQ(result.status, Status::Ok);
  EXPECT_EQ(result.impulse[1], 0.0);
  // The landing is plastic; ten times the tolerance, as the law promises of its velocities.
  EXPECT_LT(result.velocity.cwiseAbs().maxCoeff(), 1e-8);
}

TEST(LzbFriction, LedgerHoldsAtEveryInstant) {
  for (const ContactModel model : {ContactModel::BiStiffness, ContactModel::MonoStiffness}) {
    ImpactProblem problem = block(2.0, 1.0, 0.3, 0.8);
    problem.contacts[0].stored_energy = 0.02;
    const ImpactResult result =
        resolve(problem, Lzb{.contact_model = model}, Recording{.times = {0.1, 0.7, 1.9}});
    ASSERT_EQ(result.status, Status::Ok);
    const ImpactHistory& h = result.history;
    const double all = result.energy.before + 0.02;
    ASSERT_EQ(h.tangential_impulse.rows(), 2);
    for (Eigen::Index k = 0; k < h.time.size(); ++k) {
      EXPECT_NEAR(h.kinetic_energy[k] + h.stored_energy.col(k).sum() + h.dissipated.col(k).sum(),
                  all, 1e-9);
      for (Eigen::Index i = 0; i < 2; ++i) {
        EXPECT_LE(std::abs(h.tangential_impulse(i, k)), 0.3 * h.impulse(i, k) + 1e-12);
      }
    }
    // v = v⁻ + M⁻¹ (W p + T p_t) at the last sample too.
    EXPECT_LT((h.velocity.col(h.time.size() - 1) - result.velocity).norm(), 1e-12);
    EXPECT_NEAR(result.dissipated.sum(), result.energy.dissipated, 1e-15);
    EXPECT_GT(result.dissipated_by_friction.sum(), 0.0);
  }
}

/// A disk pressed into a wedge that narrows by less than friction holds: it comes to rest with
/// both contacts still compressed, and stays there.
TEST(LzbFriction, WedgedBodyIsReported) {
  constexpr double kHalf = 0.2;  // half the angle of the wedge, radians; tan = 0.2 < μ
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal((Vector(3) << 1.0, 1.0, 0.5).finished());
  Matrix W(3, 2);
  W << std::cos(kHalf), -std::cos(kHalf), std::sin(kHalf), std::sin(kHalf), 0.0, 0.0;
  problem.gradients = W.sparseView();
  problem.velocity = (Vector(3) << 0.0, -1.0, 0.0).finished();
  Matrix left(3, 1);
  left << -std::sin(kHalf), std::cos(kHalf), 1.0;
  Matrix right(3, 1);
  right << std::sin(kHalf), std::cos(kHalf), -1.0;
  const Material material{.restitution = 0.5, .friction = 1.0};
  problem.contacts.assign(2, {.material = material});
  set_tangents(problem, {left, right});
  const ImpactResult result = resolve(problem, Lzb{});
  EXPECT_EQ(result.status, Status::NotTerminated);
  EXPECT_NE(result.diagnostics.reason.find("wedged"), std::string::npos)
      << result.diagnostics.reason;
  EXPECT_GT(result.energy.stored, 0.0);
  EXPECT_LT(result.velocity.norm(), 1e-9);
  EXPECT_LT(std::abs(result.energy.balance_error), 1e-9);
}

TEST(LzbFriction, RefusesWhatItCannotDo) {
  const Lzb euler{.integrator = Lzb::Integrator::EulerImpulse};
  try {
    (void)resolve(block(1.0, 2.0, 0.3, 1.0), euler);
    FAIL() << "euler_impulse knows no friction";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "contacts[0].friction");
    EXPECT_NE(std::string(error.what()).find("0.3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("adaptive"), std::string::npos);
  }
  const ImpactResult cut = resolve(block(2.0, 1.0, 0.3, 0.8), Lzb{.max_events = 3});
  EXPECT_EQ(cut.status, Status::NotTerminated);
  EXPECT_LT(std::abs(cut.energy.balance_error), 1e-9) << "the state reached";
  ImpactProblem no_tangents = block(2.0, 1.0, 0.3, 0.8);
  set_tangents(no_tangents, std::vector<Matrix>(no_tangents.contacts.size()));
  EXPECT_TRUE(resolve(no_tangents, Lzb{}).consistency.friction_ignored);
}

}  // namespace percute::laws
