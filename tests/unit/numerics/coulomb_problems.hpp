// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <random>
#include <vector>

namespace percute::numerics {

/// z = HᵀM⁻¹H p + HᵀM⁻¹… of contacts with `tangents` tangential directions each; the columns of H
/// are the directions, normal first, contact by contact; b = (I + E) Hᵀv with e on normal rows.
inline CoulombProblem impact(const Matrix& M, const Matrix& H, const Vector& v, int tangents,
                             double friction, double restitution) {
  CoulombProblem problem;
  const int m = static_cast<int>(H.cols()) / (1 + tangents);
  const Matrix A = H.transpose() * M.llt().solve(H);
  problem.A = A.sparseView();
  problem.b = H.transpose() * v;
  for (int i = 0; i < m; ++i) {
    problem.start.push_back(i * (1 + tangents));
    problem.b[i * (1 + tangents)] *= 1.0 + restitution;
  }
  problem.start.push_back(m * (1 + tangents));
  problem.friction = Vector::Constant(m, friction);
  return problem;
}

/// Velocity after the impact.
inline Vector velocity_after(const Matrix& M, const Matrix& H, const Vector& v, const Vector& p) {
  return v + M.llt().solve(H * p);
}

/// A block of unit mass on its two lower corners: q = (x, y, angle), left corner first, columns
/// n1, t1, n2, t2.
struct Block {
  double width = 1.0;
  double height = 2.0;
  Matrix M() const {
    const double inertia = (width * width + height * height) / 12.0;
    return Vector{{1.0, 1.0, inertia}}.asDiagonal();
  }
  Matrix H() const {
    Matrix H(3, 4);
    H << 0, 1, 0, 1,  //
        1, 0, 1, 0,   //
        -width / 2, height / 2, width / 2, height / 2;
    return H;
  }
  /// Rotating about the left corner, about to hit with the right one.
  Vector v() const { return Vector{{height / 2, -width / 2, -1.0}}; }
};

/// m contacts on a system of `freedoms` degrees of freedom with random directions, redundant where
/// freedoms < rows; b = Hᵀ v, approaching at most contacts.
inline CoulombProblem random_problem(int m, int tangents, int freedoms, double friction,
                                     std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix H(freedoms, m * (1 + tangents));
  for (int i = 0; i < H.size(); ++i) H.data()[i] = normal(random);
  Vector v(freedoms);
  for (double& x : v) x = normal(random);
  return impact(Matrix::Identity(freedoms, freedoms), H, v, tangents, friction, 0.0);
}

}  // namespace percute::numerics
