// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/impact_problem.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/model/mass_matrix.hpp>

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace percute {

namespace {

Matrix example() {
  Matrix M(3, 3);
  M << 4, 1, 0, 1, 3, -1, 0, -1, 2;
  return M;
}

/// What construction says about a bad matrix; empty if it was accepted.
template <class Make>
std::string complaint(Make&& make) {
  try {
    make();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(MassMatrix, DenseAndSparseAgree) {
  const Matrix M = example();
  const MassMatrix dense = MassMatrix::dense(M);
  const MassMatrix sparse = MassMatrix::sparse(M.sparseView());
  const Vector v = Vector::LinSpaced(3, -1.0, 2.0);
  const SparseMatrix W = Matrix(Matrix::Random(3, 4)).sparseView();
  for (const MassMatrix& mass : {dense, sparse}) {
    EXPECT_EQ(mass.size(), 3);
    EXPECT_TRUE((mass * v).isApprox(M * v, 1e-15));
    EXPECT_TRUE((M * mass.solve(v)).isApprox(v, 1e-14));
    EXPECT_TRUE((M * mass.solve(W)).isApprox(Matrix(W), 1e-14));
    EXPECT_NEAR(mass.kinetic_energy(v), 0.5 * v.dot(M * v), 1e-15);
    EXPECT_TRUE(Matrix(mass.delassus(W)).isApprox(W.transpose() * M.inverse() * W, 1e-14));
    EXPECT_EQ(mass(0, 1), 1.0);
    EXPECT_EQ(mass(0, 2), 0.0);
  }
}

TEST(MassMatrix, IsAssignedFromAnyMatrix) {
  const Matrix M = example();
  ImpactProblem problem;
  problem.mass = M;
  EXPECT_EQ(problem.mass.form(), MassMatrix::Form::Dense);
  EXPECT_EQ(problem.mass(0, 1), M(0, 1));
  problem.mass = 2.0 * Eigen::Matrix2d::Identity();
  EXPECT_EQ(problem.mass(1, 1), 2.0);
  problem.mass = SparseMatrix(M.sparseView());
  EXPECT_EQ(problem.mass.form(), MassMatrix::Form::Sparse);
  EXPECT_THAT(complaint([&] { problem.mass = Vector{{1.0, 2.0}}; }),
              ::testing::HasSubstr("must be square"));
}

TEST(MassMatrix, DiagonalKeepsUncoupledContactsApart) {
  const MassMatrix mass = MassMatrix::diagonal(Vector::Constant(4, 2.0));
  Matrix W = Matrix::Zero(4, 2);
  W.col(0) << -1, 1, 0, 0;
  W.col(1) << 0, 0, -1, 1;
  const SparseMatrix G = mass.delassus(W.sparseView());
  EXPECT_EQ(G.nonZeros(), 2);
  EXPECT_DOUBLE_EQ(G.coeff(0, 0), 1.0);
}

TEST(MassMatrix, DelassusMatrixIsExactlySymmetric) {
  const MassMatrix mass = MassMatrix::dense(example());
  const Matrix G = mass.delassus(Matrix(Matrix::Random(3, 5)).sparseView());
  EXPECT_EQ(G, Matrix(G.transpose()));
}

TEST(MassMatrix, RefusesWhatIsNoMassMatrix) {
  using ::testing::HasSubstr;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint([] { MassMatrix::diagonal(Vector{{1.0, 0.0}}); }),
              HasSubstr("mass.diagonal[1]: 0 is not"));
  EXPECT_THAT(complaint([&] { MassMatrix::diagonal(Vector{{nan}}); }), HasSubstr("nan"));
  EXPECT_THAT(complaint([&] { MassMatrix::diagonal(Vector{{infinity}}); }), HasSubstr("inf"));
  EXPECT_THAT(complaint([] { MassMatrix::dense(Matrix{{1.0, 2.0}, {2.0, 1.0}}); }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(complaint([] { MassMatrix::dense(Matrix{{1.0, 1.0}, {1.0, 1.0}}); }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(complaint([] { MassMatrix::dense(Matrix{{2.0, 1.0}, {0.5, 2.0}}); }),
              HasSubstr("mass.dense[1][0]: 0.5 differs"));
  EXPECT_THAT(complaint([] { MassMatrix::dense(Matrix::Ones(2, 3)); }), HasSubstr("square"));
  EXPECT_THAT(complaint([] { MassMatrix::sparse(Matrix{{1.0, 2.0}, {2.0, 1.0}}.sparseView()); }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(complaint([] { MassMatrix::sparse(Matrix{{1.0, 0.5}, {0.0, 1.0}}.sparseView()); }),
              HasSubstr("symmetric"));
}

TEST(MassMatrix, CopiesAreIndependentValues) {
  MassMatrix a = MassMatrix::dense(example());
  const MassMatrix b = a;
  a = MassMatrix::diagonal(Vector::Ones(2));
  EXPECT_EQ(a.size(), 2);
  EXPECT_EQ(b.size(), 3);
  EXPECT_EQ(b(1, 1), 3.0);
}

}  // namespace percute
