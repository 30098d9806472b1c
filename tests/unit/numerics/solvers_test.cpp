// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/bracketed_root.hpp>
#include <percute/numerics/delassus_operator.hpp>
#include <percute/numerics/projected_gauss_seidel.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace percute::numerics {

namespace {

SparseMatrix sparse(const Matrix& dense) {
  return dense.sparseView();
}

/// Delassus matrix of three equal unit balls in a row.
Matrix three_balls() {
  Matrix G(2, 2);
  G << 2, -1, -1, 2;
  return G;
}

}  // namespace

TEST(BracketedRoot, FindsSimpleAndFlatRoots) {
  EXPECT_NEAR(bracketed_root([](double x) { return std::cos(x); }, 0.0, 3.0, 1e-15), std::acos(0.0),
              1e-14);
  // Triple root: regula falsi alone would crawl.
  const auto cubic = [](double x) { return (x - 0.3) * (x - 0.3) * (x - 0.3); };
  EXPECT_NEAR(bracketed_root(cubic, 0.0, 1.0, 1e-12), 0.3, 1e-5);
}

TEST(BracketedRoot, ReturnsAnEndThatIsARoot) {
  EXPECT_EQ(bracketed_root([](double x) { return x; }, 0.0, 1.0, 1e-15), 0.0);
  EXPECT_EQ(bracketed_root([](double x) { return x - 1.0; }, 0.0, 1.0, 1e-15), 1.0);
}

TEST(DelassusOperator, MultipliesLikeTheMatrix) {
  Matrix G(3, 3);
  G << 2, -1, 0, -1, 3, 0.5, 0, 0.5, 1;
  DelassusOperator op;
  op.assign(sparse(G));
  const Vector x = Vector::LinSpaced(3, 1.0, 2.0);
  const Vector b = Vector::Constant(3, 10.0);
  Vector y(3);
  op.apply(x.data(), y.data());
  EXPECT_EQ(y, Vector(G * x));
  op.apply(b.data(), x.data(), y.data());
  EXPECT_TRUE(y.isApprox(b + G * x, 1e-15));
  EXPECT_EQ(op.diagonal(1), 3.0);
  EXPECT_EQ(op.row(2, x.data()), (G * x)[2]);
}

TEST(ProjectedGaussSeidel, PlasticImpactOfThreeBalls) {
  DelassusOperator G;
  G.assign(sparse(three_balls()));
  const std::vector<double> U{-1.0, 0.0};
  std::vector<double> p(2, 0.0);
  const auto report = solve_lcp_gauss_seidel(G, U.data(), p.data(), 1e-14, 1000);
  EXPECT_TRUE(report.converged);
  // All balls end at 1/3: p = (2/3, 1/3).
  EXPECT_NEAR(p[0], 2.0 / 3.0, 1e-13);
  EXPECT_NEAR(p[1], 1.0 / 3.0, 1e-13);
}

TEST(ProjectedGaussSeidel, RedundantContactsAndSeparatingOnes) {
  Matrix G(3, 3);
  G << 1, 1, 0, 1, 1, 0, 0, 0, 1;  // contacts 0 and 1 are the same
  DelassusOperator op;
  op.assign(sparse(G));
  const std::vector<double> U{-1.0, -1.0, 0.5};
  std::vector<double> p(3, 0.0);
  EXPECT_TRUE(solve_lcp_gauss_seidel(op, U.data(), p.data(), 1e-14, 100).converged);
  EXPECT_NEAR(p[0] + p[1], 1.0, 1e-13);
  EXPECT_EQ(p[2], 0.0);
}

TEST(ProjectedGaussSeidel, SaysWhenItsSweepsWereTooFew) {
  DelassusOperator G;
  G.assign(sparse(three_balls()));
  const std::vector<double> U{-1.0, 0.0};
  std::vector<double> p(2, 0.0);
  const auto report = solve_lcp_gauss_seidel(G, U.data(), p.data(), 1e-14, 2);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.sweeps, 2);
  EXPECT_GT(report.residual, 1e-3);
}

}  // namespace percute::numerics
