// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/chain_waves.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <string>

namespace percute::analysis {
namespace {

/// Contacts given as columns of gradients.
ImpactProblem problem_of(const Matrix& gradients, const Vector& velocity) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(gradients.rows()));
  problem.gradients = gradients.sparseView();
  problem.velocity = velocity;
  problem.contacts.resize(static_cast<std::size_t>(gradients.cols()));
  return problem;
}

Matrix columns(int rows, std::initializer_list<std::initializer_list<double>> list) {
  Matrix W(rows, static_cast<Eigen::Index>(list.size()));
  Eigen::Index j = 0;
  for (const auto& column : list) {
    Eigen::Index i = 0;
    for (const double value : column) W(i++, j) = value;
    ++j;
  }
  return W;
}

std::string refusal(const ImpactProblem& problem, const std::vector<Body>& bodies = {}) {
  try {
    chain_of(problem, bodies);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Chain, IsFoundInAnyOrder) {
  // Ball 2 is first, then 0, then 1, then a wall; contacts are listed backwards.
  const Matrix W = columns(3, {{0, -1, 0}, {-1, 1, 0}, {1, 0, -1}});
  Vector v(3);
  v << 0.0, 0.0, 1.0;
  const Chain chain = chain_of(problem_of(W, v));
  EXPECT_EQ(chain.balls, (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(chain.contacts, (std::vector<int>{2, 1, 0}));
  EXPECT_FALSE(chain.wall_first);
  EXPECT_TRUE(chain.wall_last);
  EXPECT_EQ(chain.of_balls(v)[0], 1.0);
  EXPECT_EQ(chain.ball_before(2), 2);
}

TEST(Chain, MayBeOneBallBetweenWalls) {
  const Chain chain = chain_of(problem_of(columns(1, {{1}, {-1}}), Vector::Zero(1)));
  EXPECT_TRUE(chain.wall_first && chain.wall_last);
  EXPECT_EQ(chain.ball_before(0), -1);
}

TEST(Chain, RefusesWhatIsNone) {
  const Vector v = Vector::Zero(3);
  const auto expect = [&](const Matrix& W, const std::string& part) {
    const std::string message = refusal(problem_of(W, v));
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("a chain has bodies of one coordinate"), std::string::npos) << message;
  };
  expect(columns(3, {{-1, 1, 0}, {-1, 0, 1}}), "contacts[1].gradient: meets coordinate 0");
  expect(columns(3, {{-1, 1, 0}}), "no contact joins the row that begins at coordinate 0");
  expect(columns(3, {{-1, 1, 0}, {0, -1, 1}, {1, 0, -1}}), "no row with two ends");
  expect(columns(3, {{-2, 1, 0}, {0, -1, 1}}), "contacts[0].gradient: is not the distance");
  expect(columns(3, {{1, 1, 0}, {0, -1, 1}}), "contacts[0].gradient: is not the distance");
  expect(columns(3, {{-1, 1, 1}, {0, -1, 1}}), "contacts[0].gradient: is not the distance");
  expect(Matrix(3, 0), "nothing touches");

  ImpactProblem coupled = problem_of(columns(2, {{-1, 1}}), Vector::Zero(2));
  Matrix M = Matrix::Identity(2, 2);
  M(0, 1) = M(1, 0) = 0.1;
  coupled.mass = MassMatrix::dense(M);
  EXPECT_NE(refusal(coupled).find("mass: couples coordinate 0"), std::string::npos);

  const std::vector<Body> disc{{.name = "disc", .coordinates = {0, 1}}};
  const std::string message = refusal(problem_of(columns(2, {{-1, 1}}), Vector::Zero(2)), disc);
  EXPECT_NE(message.find("bodies: 'disc' has 2 coordinates"), std::string::npos) << message;
}

// Exactly one wall that every ball approaches.
TEST(Rebound, NeedsAFallingColumn) {
  systems::BallChain chain{.balls = 2};
  const laws::Lzb few{.max_events = 1000};  // between two walls they would bounce for ever
  const auto rebounds = [&](systems::BallChain::Wall wall, double v1, double v2) {
    chain.wall = wall;
    Vector v(2);
    v << v1, v2;
    const ImpactProblem problem = chain.impact(chain.at_contact(v));
    return rebound_of(problem, chain_of(problem), resolve(problem, few)).has_value();
  };
  using Wall = systems::BallChain::Wall;
  EXPECT_TRUE(rebounds(Wall::Right, 1.0, 1.0));
  EXPECT_TRUE(rebounds(Wall::Left, -1.0, -2.0));
  EXPECT_FALSE(rebounds(Wall::Right, 1.0, 0.0)) << "one ball is at rest";
  EXPECT_FALSE(rebounds(Wall::Both, 1.0, 1.0));
  EXPECT_FALSE(rebounds(Wall::None, 1.0, 0.5));
}

// Three equal balls: p1/p2, shares of the energy, and Newton's cradle for what moves forward.
TEST(Outcome, CountsWhatMovesForward) {
  const systems::BallChain chain{.balls = 3};
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const ImpactResult result = resolve(problem, laws::Lzb{.tolerance = 1e-10});
  const ChainOutcome outcome = outcome_of(problem, chain_of(problem), result);
  EXPECT_EQ(outcome.forward_balls, 2);
  ASSERT_EQ(outcome.impulse_ratios.size(), 1);
  EXPECT_NEAR(outcome.impulse_ratios[0], 1.07682177, 1e-8);
  const double back = result.velocity[0] * result.velocity[0];
  EXPECT_NEAR(outcome.forward_energy, *outcome.energy_ratio - back, 1e-12);
  EXPECT_NEAR(outcome.last_ball_energy, result.velocity[2] * result.velocity[2], 1e-12);
  EXPECT_NEAR(*outcome.dispersion, 1.3911516, 1e-7);
}

}  // namespace
}  // namespace percute::analysis
