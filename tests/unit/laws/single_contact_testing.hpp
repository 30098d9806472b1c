// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <Eigen/Cholesky>

namespace percute::laws {

/// A contact whose own velocities are the coordinates: M = A⁻¹, so that U = U⁻ + A p.
inline ImpactProblem local(const Matrix& A, const Vector& U, double mu, double e) {
  const Eigen::Index d = A.rows() - 1;
  ImpactProblem problem;
  problem.mass = MassMatrix::dense(A.llt().solve(Matrix::Identity(1 + d, 1 + d)));
  problem.velocity = U;
  problem.gradients = Matrix(Matrix::Identity(1 + d, 1)).sparseView();
  problem.contacts = {Contact{.material = {.restitution = e, .friction = mu}}};
  set_tangents(problem, {Matrix::Identity(1 + d, 1 + d).rightCols(d)});
  return problem;
}

}  // namespace percute::laws
