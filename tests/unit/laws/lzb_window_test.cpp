// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictionless_run.hpp"

#include <percute/percute.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

// Impacts with many contacts: only those are integrated that carry a wave, and approach slower than
// what the tolerance resolves starts nothing.

namespace percute::laws {

namespace {

using systems::BallChain;

struct Solved {
  Status status = Status::Ok;
  Vector impulse = {};
  long evaluations = 0;
};

/// The integration alone, with so many neighbours followed beside the live contacts.
Solved integrate(const ImpactProblem& problem, const Lzb& law, int margin) {
  ImpactSetup setup;
  setup.assign(problem, law);
  ContactPhases phases;
  FrictionlessRun integrator;
  integrator.window().margin = margin;
  Solved solved;
  solved.status = integrator.run(setup, law, phases, nullptr);
  solved.impulse = Eigen::Map<const Vector>(integrator.impulse(), setup.m);
  solved.evaluations = integrator.counts().evaluations;
  return solved;
}

constexpr int kEverything = 1 << 20;

/// Velocities of an elastic Hertz chain, K = m = 1, struck by its first ball at unit speed:
/// x'' = F_left − F_right with F = max(overlap, 0)^(3/2), classical Runge–Kutta steps, graded
/// towards the singular start. Nothing in common with the law but the physics. Balls that have not
/// moved yet are left out, and those behind that press by less than 1e-10.
Vector plain_chain(int balls, double time, double largest_step) {
  const auto n = static_cast<std::size_t>(balls);
  std::vector<double> x(n, 0.0);  // displacements
  std::vector<double> v(n, 0.0);
  v[0] = 1.0;
  std::size_t moving = 2;
  std::size_t first = 0;
  struct Slope {
    std::vector<double> x, v;
  };
  std::vector<Slope> k(4, Slope{x, x});
  std::vector<double> xs = x;
  std::vector<double> vs = v;
  const auto slope = [&](Slope& out) {
    double left = 0.0;
    for (std::size_t i = first; i < moving; ++i) {
      const double overlap = i + 1 < moving ? xs[i] - xs[i + 1] : 0.0;
      const double right = overlap > 0.0 ? overlap * std::sqrt(overlap) : 0.0;
      out.x[i] = vs[i];
      out.v[i] = left - right;
      left = right;
    }
  };
  double h = 0.0;
  for (double t = 0.0; t < time; t += h) {
    h = std::min(largest_step, 1e-5 + 0.02 * t);
    // A ball ahead takes part once the one behind has moved at all.
    while (moving < n && x[moving - 1] > 1e-14) ++moving;
    while (first + 30 < moving && x[first] - x[first + 1] < 1e-7) ++first;
    for (int s = 0; s < 4; ++s) {
      const double share = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
      for (std::size_t i = first; i < moving; ++i) {
        xs[i] = x[i] + (s == 0 ? 0.0 : share * k[s - 1].x[i]);
        vs[i] = v[i] + (s == 0 ? 0.0 : share * k[s - 1].v[i]);
      }
      slope(k[static_cast<std::size_t>(s)]);
    }
    for (std::size_t i = first; i < moving; ++i) {
      x[i] += h / 6.0 * (k[0].x[i] + 2.0 * k[1].x[i] + 2.0 * k[2].x[i] + k[3].x[i]);
      v[i] += h / 6.0 * (k[0].v[i] + 2.0 * k[1].v[i] + 2.0 * k[2].v[i] + k[3].v[i]);
    }
  }
  return Eigen::Map<const Vector>(v.data(), balls);
}

ImpactProblem uniform(int balls, double restitution = 1.0) {
  const BallChain chain{.balls = balls, .material = {.restitution = restitution}};
  return chain.impact(chain.at_contact(1.0));
}

/// A chain with everything drawn at random: radii, walls, restitution, and a few moving balls.
ImpactProblem random_chain(unsigned seed) {
  std::mt19937 draw(seed);
  const auto unit = [&] { return std::uniform_real_distribution<double>(0.0, 1.0)(draw); };
  BallChain chain{.balls = 18 + static_cast<int>(draw() % 18)};
  // Not between two walls: elastic balls would never come to an end there.
  chain.wall = static_cast<BallChain::Wall>(draw() % 3);
  const double e = seed % 3 == 0 ? 0.97 : 1.0;
  for (int i = 0; i < chain.balls; ++i) {
    const double r = 0.8 + 0.4 * unit();
    chain.radii.push_back(0.01 * r);
    chain.masses.push_back(r * r * r);
  }
  for (int j = 0; j < chain.contacts(); ++j) {
    chain.materials.push_back({.restitution = e, .stiffness = 0.5 + unit()});
  }
  Vector v = Vector::Zero(chain.balls);
  switch (seed % 4) {
    case 0:  // both ends
      v[0] = 1.0;
      v[chain.balls - 1] = -0.7;
      break;
    case 1:  // from the middle, apart
      v[chain.balls / 2] = 1.0;
      break;
    case 2:  // several strikers: a train of waves
      v.head(4) << 1.0, 0.9, 0.8, 0.7;
      break;
    default:  // three waves that meet
      v[0] = 1.0;
      v[chain.balls / 3] = 0.5;
      v[chain.balls - 1] = -1.0;
  }
  return chain.impact(chain.at_contact(v));
}

/// A triangular packing with `rows` rows on a line, struck at its top.
ImpactProblem packing(int rows) {
  ImpactProblem problem;
  std::vector<Eigen::Triplet<double>> entries;
  const auto index = [](int row, int k) { return row * (row + 1) / 2 + k; };
  const int balls = index(rows, 0);
  const double s = 0.5 * std::sqrt(3.0);
  const auto touch = [&](int a, int b, double x, double y) {
    const int j = static_cast<int>(problem.contacts.size());
    entries.emplace_back(2 * a, j, -x);
    entries.emplace_back(2 * a + 1, j, -y);
    entries.emplace_back(2 * b, j, x);
    entries.emplace_back(2 * b + 1, j, y);
    problem.contacts.push_back({.material = {.stiffness = 1.0 + 0.1 * (j % 7)}});
  };
  for (int row = 0; row + 1 < rows; ++row) {
    for (int k = 0; k <= row; ++k) {
      touch(index(row, k), index(row + 1, k), -0.5, -s);
      touch(index(row, k), index(row + 1, k + 1), 0.5, -s);
    }
  }
  problem.mass = MassMatrix::diagonal(Vector::Ones(2 * balls));
  problem.velocity = Vector::Zero(2 * balls);
  problem.velocity[1] = -1.0;
  problem.gradients.resize(2 * balls, static_cast<Eigen::Index>(problem.contacts.size()));
  problem.gradients.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

double distance(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

TEST(LzbWindow, ThousandBallsAgreeWithAPlainIntegration) {
  const ImpactResult result = resolve(uniform(1000), Lzb{.tolerance = 1e-8});
  ASSERT_EQ(result.status, Status::Ok);
  // The wave has left the chain at t = 1190. Steps of 0.01 are good to 2e-8 by their fourth order:
  // steps of 0.05 are wrong by 1.4e-5.
  const Vector plain = plain_chain(1000, 1250.0, 0.01);
  EXPECT_LT(distance(result.velocity, plain), 1e-7);
  EXPECT_NEAR(result.velocity[999], 0.985678857, 1e-7);
  EXPECT_NEAR(result.velocity[0], -0.071085017, 1e-8);
  // Nothing approaches more than any other result may.
  EXPECT_TRUE(result.consistency.kinematic);
  EXPECT_TRUE(result.consistency.energetic);
}

// Converged values of an order-8 integration of all contacts, at two tolerances; the law runs at
// 1e-10.

TEST(LzbWindow, HundredBalls) {
  const ImpactResult result = resolve(uniform(100), Lzb{.tolerance = 1e-10});
  ASSERT_EQ(result.status, Status::Ok);
  Vector first(10);
  first << -0.071085017, -0.030273789, -0.015833397, -0.008885695, -0.005126583, -0.002985978,
      -0.001740568, -0.001011142, -0.000584334, -0.000335768;
  Vector last(5);
  last << 3e-09, 1.3239e-05, 0.004012526, 0.148600463, 0.985678857;
  EXPECT_LT(distance(result.velocity.head(10), first), 1e-8);
  EXPECT_LT(distance(result.velocity.tail(5), last), 1e-8);
}

TEST(LzbWindow, HeavyStrikerMakesATrainOfWaves) {
  const auto last = [](double mass) -> Vector {
    BallChain chain{.balls = 200};
    chain.masses.assign(200, 1.0);
    chain.masses[0] = mass;
    const ImpactResult result =
        resolve(chain.impact(chain.at_contact(1.0)), Lzb{.tolerance = 1e-10});
    EXPECT_EQ(result.status, Status::Ok);
    return result.velocity.tail(12);
  };
  Vector two(12);
  two << 0.00183632, 0.00211273, 0.00442623, 0.0050053, 0.00512863, 0.01059594, 0.01407242,
      0.04028202, 0.05725227, 0.20694284, 0.26875358, 1.37100273;
  Vector eight(12);
  eight << 0.11477476, 0.13652171, 0.15927035, 0.21811449, 0.22196244, 0.31125201, 0.38509598,
      0.44008209, 0.62751715, 0.90747233, 1.34281383, 2.08425487;
  // Slow balls far behind the first wave are sensitive at 1e-6.
  EXPECT_LT(distance(last(2.0), two), 1e-6);
  EXPECT_LT(distance(last(8.0), eight), 1e-6);
}

TEST(LzbWindow, DimersOfSpheres) {
  // Spheres of radii 1, r, 1, …: m = R³, K = √(2 R_i R_j/(R_i + R_j)).
  const auto ends = [](double r) -> Vector {
    BallChain chain{.balls = 41};
    for (int i = 0; i < 41; ++i) chain.masses.push_back(i % 2 == 0 ? 1.0 : r * r * r);
    chain.material.stiffness = std::sqrt(2.0 * r / (1.0 + r));
    const ImpactResult result =
        resolve(chain.impact(chain.at_contact(1.0)), Lzb{.tolerance = 1e-10});
    EXPECT_EQ(result.status, Status::Ok);
    Vector out(6);
    out << result.velocity.head(3), result.velocity.tail(3);
    return out;
  };
  Vector half(6);
  half << -0.171771849, -0.033696473, -0.025259003, 0.107886493, 0.522991669, 0.954354595;
  Vector fifth(6);
  fifth << -0.075437731, -0.060608634, -0.028635083, 0.145351304, 0.56403723, 0.984578859;
  EXPECT_LT(distance(ends(0.5), half), 1e-7);
  EXPECT_LT(distance(ends(0.2), fifth), 1e-7);
}

TEST(LzbWindow, WorkPerBallDoesNotGrowWithTheChain) {
  const auto evaluations = [](int balls) {
    return resolve(uniform(balls), Lzb{.tolerance = 1e-7}).diagnostics.evaluations;
  };
  // One evaluation costs as much in both chains, the size of the window.
  EXPECT_LT(static_cast<double>(evaluations(2000)), 2.2 * static_cast<double>(evaluations(1000)));
}

TEST(LzbWindow, LooseTolerancesTerminateToo) {
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13}) {
    const ImpactResult result = resolve(uniform(300), Lzb{.tolerance = tolerance});
    EXPECT_EQ(result.status, Status::Ok) << tolerance;
    EXPECT_TRUE(result.consistency.kinematic) << tolerance;
    // A few thousandths of the tolerance are lost per ball, in 300 of them less than 10 tolerances;
    // rounding adds 1e-12.
    EXPECT_NEAR(result.velocity[299], 0.985678857088, 10.0 * tolerance + 1e-11) << tolerance;
  }
}

TEST(LzbWindow, AgreesWithFollowingAllContactsOnRandomChains) {
  const Lzb law{.tolerance = 1e-10};
  for (unsigned seed = 0; seed < 16; ++seed) {
    const ImpactProblem problem = random_chain(seed);
    const Solved window = integrate(problem, law, 2);
    const Solved all = integrate(problem, law, kEverything);
    ASSERT_EQ(window.status, all.status) << seed;
    EXPECT_EQ(all.status, Status::Ok) << seed;
    // Two runs of the same tolerance, 100 of which the law promises for velocities; impulses add
    // velocities up along the chain.
    EXPECT_LT(distance(window.impulse, all.impulse), 1e-7) << seed;
  }
}

TEST(LzbWindow, AgreesWithFollowingAllContactsInAPacking) {
  const ImpactProblem problem = packing(9);
  const Lzb law{.tolerance = 1e-9};
  const Solved window = integrate(problem, law, 2);
  const Solved all = integrate(problem, law, kEverything);
  ASSERT_EQ(window.status, Status::Ok);
  ASSERT_EQ(all.status, Status::Ok);
  EXPECT_LT(distance(window.impulse, all.impulse), 1e-6);
}

TEST(LzbWindow, CollapseOfAColumnIsZenoAtEveryTolerance) {
  const BallChain column{
      .balls = 20, .material = {.restitution = 0.7}, .wall = BallChain::Wall::Right};
  const ImpactProblem problem = column.impact(column.at_contact(1.0, 20));
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const ImpactResult result = resolve(problem, Lzb{.tolerance = tolerance});
    EXPECT_EQ(result.status, Status::Zeno) << tolerance;
    ASSERT_TRUE(result.diagnostics.residual_velocity);
    EXPECT_LE(*result.diagnostics.residual_velocity, std::max(1e-8, 10.0 * tolerance));
    // The beads stay on the wall.
    EXPECT_LT(result.velocity.cwiseAbs().maxCoeff(), 10.0 * tolerance);
    EXPECT_TRUE(result.consistency.kinematic) << tolerance;
  }
}

TEST(LzbWindow, HistoryHoldsAllContacts) {
  const Recording recording{.every = 1};
  const ImpactResult result = resolve(uniform(60), Lzb{}, recording);
  ASSERT_EQ(result.status, Status::Ok);
  const ImpactHistory& history = result.history;
  const auto last = history.impulse.cols() - 1;
  EXPECT_LT(distance(history.impulse.col(last), result.impulse), 1e-15);
  // Impulses only grow, also of contacts that have left the window.
  for (Eigen::Index k = 1; k <= last; ++k) {
    EXPECT_GE((history.impulse.col(k) - history.impulse.col(k - 1)).minCoeff(), -1e-14);
  }
  // Each contact is struck once, and named by its number in the whole chain.
  std::vector<int> openings(59, 0);
  for (const ImpactEvent& event : history.events) {
    if (event.kind == EventKind::Opening) ++openings.at(static_cast<std::size_t>(event.contact));
  }
  for (const int count : openings) EXPECT_GE(count, 1);
}

TEST(LzbWindow, ReusedWorkspaceChangesNothing) {
  LzbWorkspace workspace;
  const Lzb law{.tolerance = 1e-7};
  const Vector first = law(uniform(50), workspace).velocity;
  (void)law(uniform(5, 0.5), workspace);
  (void)law(packing(6), workspace);
  EXPECT_EQ(law(uniform(50), workspace).velocity, first);
}

TEST(LzbWindow, NothingButSlowApproach) {
  const BallChain chain{.balls = 20};
  Vector v = Vector::Zero(20);
  v[0] = 5e-10;
  v[19] = 1.0;
  const ImpactResult result = resolve(chain.impact(chain.at_contact(v)), Lzb{.tolerance = 1e-9});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_EQ(result.diagnostics.events, 0);
  // The plastic step lets all balls but the last share the momentum.
  EXPECT_TRUE(result.consistency.kinematic);
  EXPECT_EQ(result.velocity[19], 1.0);
  EXPECT_NEAR(result.velocity.head(19).sum(), 5e-10, 1e-20);
}

TEST(SlowApproach, IsRemovedByAPlasticStep) {
  const ImpactProblem problem = uniform(40);
  ImpactSetup setup;
  setup.assign(problem, Lzb{.tolerance = 1e-6});
  // Balls 10, 11 and 12 run into each other slowly; all other contacts separate.
  std::vector<double> U(39, 1e-3);
  U[10] = -2e-7;
  U[11] = -1e-7;
  Vector p;
  Vector lost = Vector::Zero(39);
  EXPECT_TRUE(plastic_step(setup, U, p, lost));
  // Three equal balls end with the same velocity: 2 p_1 − p_2 = 2e-7, 2 p_2 − p_1 = 1e-7.
  EXPECT_NEAR(p[10], 5e-7 / 3.0, 1e-10);
  EXPECT_NEAR(p[11], 4e-7 / 3.0, 1e-10);
  EXPECT_NEAR(U[10] + setup.G.row(10, p.data()), 0.0, setup.gap_rate_tol);
  EXPECT_NEAR(U[11] + setup.G.row(11, p.data()), 0.0, setup.gap_rate_tol);
  EXPECT_EQ(p[20], 0.0);
  // T lost = ½ Σ p (−U⁻)
  EXPECT_NEAR(lost.sum(), 0.5 * (p[10] * 2e-7 + p[11] * 1e-7), 1e-18);
}

TEST(SlowApproach, FewContactsEndExactly) {
  ImpactSetup setup;
  setup.assign(uniform(4), Lzb{});
  // Contacts 1 and 2 approach, and drive contact 3 together: four equal balls, the first at 1, the
  // second at 0.7, end with the same velocity, v = 1.7/4.
  std::vector<double> U(4, 0.0);
  U[0] = -0.3;
  U[1] = -0.7;
  Vector p;
  Vector lost = Vector::Zero(3);
  EXPECT_TRUE(plastic_step(setup, U, p, lost));
  EXPECT_NEAR(p[0], 1.0 - 0.425, 1e-14);
  EXPECT_NEAR(p[1], 1.7 - 0.85, 1e-14);
  EXPECT_NEAR(p[2], 0.425, 1e-14);
  EXPECT_NEAR(lost.sum(), 0.5 * (1.0 + 0.49 - 4.0 * 0.425 * 0.425), 1e-14);
}

}  // namespace percute::laws
