// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/bracketed_root.hpp"
#include "numerics/delassus_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace percute::numerics {

namespace {

SparseMatrix sparse(const Matrix& dense) {
  return dense.sparseView();
}

/// b + G x by the operator for problems of up to kLargestSmall contacts, with padding.
template <int Lanes>
Vector product(const DelassusOperator& op, const Vector& b, const Vector& x) {
  Vector padded = Vector::Zero(Lanes);
  padded.head(x.size()) = x;
  Vector start = Vector::Zero(Lanes);
  start.head(b.size()) = b;
  Vector out(Lanes);
  op.apply<Lanes>(start.data(), padded.data(), out.data());
  EXPECT_TRUE(out.tail(Lanes - x.size()).isZero(0.0));
  return out.head(x.size());
}

/// Contacts between bodies i and j of a random list, as columns of a matrix of `bodies` rows.
SparseMatrix random_contacts(int bodies, int contacts, unsigned seed) {
  Matrix W = Matrix::Zero(bodies, contacts);
  for (int k = 0; k < contacts; ++k) {
    seed = seed * 1664525u + 1013904223u;
    const int i = static_cast<int>((seed >> 8) % static_cast<unsigned>(bodies));
    W(i, k) = -1.0;
    W((i + 1 + k % (bodies - 1)) % bodies, k) = 1.0 + 0.01 * k;
  }
  return W.sparseView();
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
  Matrix X(3, 3);  // every contact touches every other
  X << 2, -1, 0.25, -1, 3, 0.5, 0.125, 0.5, 1;
  const Matrix G = X.transpose() * X;
  DelassusOperator op;
  op.assign(sparse(X));
  const Vector x = Vector::LinSpaced(3, 1.0, 2.0);
  const Vector b = Vector::Constant(3, 10.0);
  ASSERT_EQ(op.lanes(), 4);
  EXPECT_TRUE(product<4>(op, b, x).isApprox(b + G * x, 1e-15));
  EXPECT_EQ(op.diagonal(1), G(1, 1));
  EXPECT_NEAR(op.row(2, x.data()), (G * x)[2], 1e-14);
}

TEST(DelassusOperator, ChainsNeedThreeDiagonals) {
  Matrix W = Matrix::Zero(11, 10);
  for (int i = 0; i < 10; ++i) {
    W(i, i) = -1.0 - i;
    W(i + 1, i) = 0.5;
  }
  DelassusOperator op;
  op.assign(sparse(W));
  const Vector x = Vector::LinSpaced(10, -1.0, 2.0);
  const Vector b = Vector::LinSpaced(10, 3.0, 4.0);
  ASSERT_EQ(op.lanes(), 10);
  EXPECT_TRUE(product<10>(op, b, x).isApprox(b + W.transpose() * (W * x), 1e-14));
}

TEST(SmallMatrix, TakesScaledRowsOfChainsAndOthers) {
  for (const bool chain : {true, false}) {
    Matrix A = Matrix::Zero(6, 6);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        if (!chain || std::abs(i - j) <= 1) A(i, j) = 1.0 + i - 0.25 * j;
      }
    }
    SmallMatrix whole;
    SmallMatrix scaled;
    whole.clear(6);
    scaled.clear(6);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) whole.set(i, j, A(i, j));
    }
    for (int i = 0; i < 6; ++i) scaled.set_row(i, whole, 0.5 * i);
    const Vector x = Vector::LinSpaced(6, -1.0, 2.0);
    const Vector b = Vector::LinSpaced(6, 3.0, 4.0);
    Vector out(6);
    scaled.visit_product<6>(b.data(), x.data(), [&](int i, const SmallMatrix::Pair& sum) {
      SmallMatrix::store(out.data(), i, sum);
    });
    const Vector expected = b + Vector::LinSpaced(6, 0.0, 2.5).cwiseProduct(A * x);
    EXPECT_TRUE(out.isApprox(expected, 1e-14)) << (chain ? "chain" : "full");
  }
}

TEST(DelassusOperator, LargeOnesAgreeInContactAndBodySpace) {
  // Many bodies: few contacts share one, contact space. Few bodies: body space.
  for (const int bodies : {60, 6}) {
    const SparseMatrix W = random_contacts(bodies, 40, 7);
    DelassusOperator op;
    op.assign(W);
    const Vector x = Vector::LinSpaced(40, -1.0, 2.0);
    const Vector b = Vector::LinSpaced(40, 3.0, 4.0);
    Vector out(40);
    op.apply(b.data(), x.data(), out.data());
    const Vector expected = b + W.transpose() * (W * x);
    EXPECT_TRUE(out.isApprox(expected, 1e-14)) << bodies << " bodies";
    for (int i = 0; i < 40; ++i) EXPECT_NEAR(b[i] + op.row(i, x.data()), expected[i], 1e-12);
  }
}

}  // namespace percute::numerics
