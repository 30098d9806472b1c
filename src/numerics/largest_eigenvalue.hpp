// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <vector>

namespace percute::numerics {

/// Largest eigenvalue of K x = λ M x, K symmetric, M symmetric positive definite, by Lanczos' form
/// of the power iteration: every iterate counts, so a handful of them does where powers alone take
/// hundreds. Needs products only: multiply_K(x, y) and multiply_M(x, y) write y, solve_M(x)
/// overwrites x. Converges from below; stops when the value is steady to 1e-13 of itself, or after
/// `iterations`.
template <class MultiplyK, class MultiplyM, class SolveM>
double largest_eigenvalue(Eigen::Index n, MultiplyK&& multiply_K, MultiplyM&& multiply_M,
                          SolveM&& solve_M, int iterations = 400) {
  if (n == 0) return 0.0;
  // A start with a part in every direction, always the same one.
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(1.0 + 1.7 * static_cast<double>(i * i + i));
  Vector before = Vector::Zero(n);
  Vector y(n);
  Vector z(n);
  multiply_M(x, y);
  x /= std::sqrt(x.dot(y));

  std::vector<double> diagonal;
  std::vector<double> beside;
  double beta = 0.0;
  double value = 0.0;
  for (int k = 0; k < iterations; ++k) {
    multiply_K(x, z);
    diagonal.push_back(x.dot(z));
    solve_M(z);
    z -= diagonal.back() * x + beta * before;
    multiply_M(z, y);
    beta = std::sqrt(std::max(0.0, z.dot(y)));

    const bool exhausted = !(beta > 1e-14 * std::abs(diagonal.front())) || k + 1 == iterations;
    if (exhausted || k % 8 == 7) {
      const Eigen::Map<const Vector> d(diagonal.data(), k + 1);
      const Eigen::Map<const Vector> e(beside.data(), k);
      Eigen::SelfAdjointEigenSolver<Matrix> tridiagonal;
      tridiagonal.computeFromTridiagonal(Vector(d), Vector(e), Eigen::EigenvaluesOnly);
      const double next = tridiagonal.eigenvalues()[k];
      if (exhausted || std::abs(next - value) <= 1e-13 * std::abs(next)) return next;
      value = next;
    }
    beside.push_back(beta);
    before = x;
    x = z / beta;
  }
  return value;
}

}  // namespace percute::numerics
