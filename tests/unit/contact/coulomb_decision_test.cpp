// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb_decision.hpp"

#include "contact/stick_set.hpp"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace percute::contact {

namespace {

/// A = HᵀH of bodies of mass 1.
Mobility mobility(const Matrix& A, const Matrix& H) {
  return {.first = A.data(),
          .stride = A.outerStride(),
          .rows = H.data(),
          .answers = H.data(),
          .coordinates = static_cast<int>(H.rows())};
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Contacts of one and two rows with A = HᵀH; rank below the size makes them redundant.
struct Random {
  FrictionRows rows;
  Matrix H;
  Matrix A;
  Vector b;
  Vector limit;
  StickSet set;

  /// `line`: planar contacts that move in one way.
  Random(std::mt19937& random, int contacts, bool redundant, bool line) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<int> all;
    for (int i = 0; i < contacts; ++i) {
      rows.start.push_back(rows.start.back() + 1 + (line ? 0 : static_cast<int>(random() % 2)));
      rows.friction.push_back(1.0);
      rows.spatial = rows.spatial || rows.size(i) == 2;
      all.push_back(i);
    }
    const int n = rows.tangential();
    const int rank = line ? 1 : redundant ? std::max(1, n - 2) : n + 2;
    H = Matrix::NullaryExpr(rank, n, [&] { return normal(random); });
    A = H.transpose() * H;
    // What drives contacts comes through the same directions: b is in the range of A.
    b = H.transpose() * Vector::NullaryExpr(rank, [&] { return normal(random); });
    limit = Vector::NullaryExpr(contacts, [&] {
      const double x = uniform(random);
      return x < 0.1 ? 0.0 : x > 0.9 ? kInfinite : x;
    });
    set.assign(rows);
    set.gather(all, mobility(A, H));
  }

  double scale() const { return b.cwiseAbs().maxCoeff(); }
};

}  // namespace

TEST(CoulombDecision, VelocitiesObeyCoulomb) {
  // u = b + A f with f_i = −r_i u_i/|u_i| wherever u_i ≠ 0: the conditions of the convex problem,
  // redundant contacts and infinite limits included.
  std::mt19937 random(5);
  CoulombDecision decision;
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    Random p(random, 1 + k % 5, k % 2 == 1, k % 10 >= 7);
    const double scale = p.scale();
    ASSERT_TRUE(decision.solve({.rank = p.set.rank(),
                                .L = p.set.factor(),
                                .start = &p.set.begin(),
                                .b = p.b.data(),
                                .limit = p.limit.data(),
                                .scale = scale}));
    const Eigen::Map<const Vector> u(decision.velocity(), p.b.size());
    Vector f = Vector::Zero(p.b.size());
    std::vector<int> held;
    for (int i = 0; i < static_cast<int>(p.limit.size()); ++i) {
      const int first = p.rows.row(i);
      const int n = p.rows.size(i);
      const double speed = u.segment(first, n).norm();
      EXPECT_LE(Eigen::Map<const Vector>(decision.force() + first, n).norm(),
                std::isinf(p.limit[i]) ? 0.0 : p.limit[i] * (1 + 1e-12));
      // Smoothing leaves 1e-13 of the scale times the condition of the random matrix.
      if (speed > 1e-9 * scale) {
        EXPECT_FALSE(std::isinf(p.limit[i]));
        f.segment(first, n) = -p.limit[i] / speed * u.segment(first, n);
      } else {
        for (int row = first; row < first + n; ++row) held.push_back(row);
      }
    }
    // With the forces that hold the others, velocities are those of the decision.
    if (held.empty()) continue;
    const Matrix A = p.A(held, held);
    const Vector drive = (p.b + p.A * f)(held);
    const Vector holds = A.completeOrthogonalDecomposition().solve(-drive);
    f(held) = holds;
    EXPECT_LT((p.b + p.A * f - u).norm(), 1e-7 * scale);
  }
}

TEST(CoulombDecision, DoesNotDependOnTheOrderOfContacts) {
  std::mt19937 random(6);
  CoulombDecision decision;
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    Random p(random, 4, true, k % 3 == 0);
    const auto solve = [&](StickSet& set, const Vector& b, const Vector& limit) {
      EXPECT_TRUE(decision.solve({.rank = set.rank(),
                                  .L = set.factor(),
                                  .start = &set.begin(),
                                  .b = b.data(),
                                  .limit = limit.data(),
                                  .scale = p.scale()}));
      return Vector(Eigen::Map<const Vector>(decision.velocity(), b.size()));
    };
    const Vector u = solve(p.set, p.b, p.limit);
    StickSet reversed;
    reversed.assign(p.rows);
    reversed.gather({3, 2, 1, 0}, mobility(p.A, p.H));
    Vector b(p.b.size());
    for (int r = 0; r < reversed.size(); ++r) b[r] = p.b[reversed.row(r)];
    const Vector v = solve(reversed, b, p.limit.reverse());
    for (int r = 0; r < reversed.size(); ++r) {
      EXPECT_NEAR(v[r], u[reversed.row(r)], 1e-9 * p.scale());
    }
  }
}

TEST(StickSet, HoldsInProportionToTheLimits) {
  // Both corners of a block share one sliding velocity.
  FrictionRows rows;
  rows.start = {0, 1, 2};
  rows.friction = {1.0, 1.0};
  const Matrix H = Matrix::Constant(1, 2, 2.0);
  const Matrix A = H.transpose() * H;
  StickSet set;
  set.assign(rows);
  set.gather({0, 1}, mobility(A, H));
  EXPECT_TRUE(set.redundant());
  EXPECT_EQ(set.rank(), 1);
  const Vector c = Vector::Constant(2, 8.0);
  const Vector limit = Eigen::Vector2d(3.0, 1.0);
  Vector f(2);
  set.hold(c.data(), limit.data(), f.data());
  EXPECT_NEAR(f[0], -1.5, 1e-12);
  EXPECT_NEAR(f[1], -0.5, 1e-12);
  EXPECT_TRUE(set.within(f.data(), limit.data(), 0.0));
}

}  // namespace percute::contact
