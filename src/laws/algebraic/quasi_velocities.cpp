// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/quasi_velocities.hpp"

#include "laws/algebraic/stages.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace percute::laws {

namespace {

/// M-orthonormal basis of the velocities that no contact feels: coordinate velocities, made
/// orthogonal to the columns of N and to each other in the kinetic metric, twice for accuracy.
Matrix free_motions(const ImpactProblem& problem, const Matrix& N, const Matrix& C) {
  const Eigen::Index n = problem.velocity.size();
  const Eigen::Index wanted = n - N.cols();
  const auto C_factor = C.ldlt();
  Matrix T(n, wanted);
  Eigen::Index found = 0;
  // Coordinate velocities nearest to free ones first would depend on rounding; their order does
  // not.
  for (Eigen::Index k = 0; k < n && found < wanted; ++k) {
    Vector t = Vector::Unit(n, k);
    const double start = problem.mass.kinetic_energy(t);
    for (int pass = 0; pass < 2; ++pass) {
      t -= N * C_factor.solve(N.transpose() * (problem.mass * t));
      for (Eigen::Index j = 0; j < found; ++j) {
        t -= T.col(j) * T.col(j).dot(problem.mass * t);
      }
    }
    const double energy = problem.mass.kinetic_energy(t);
    if (energy <= 1e-12 * start) continue;  // nothing of it is free
    T.col(found++) = t / std::sqrt(2.0 * energy);
  }
  return T.leftCols(found);
}

/// All tangents side by side, and where each contact's begin.
Matrix all_tangents(const ImpactProblem& problem) {
  Eigen::Index columns = 0;
  for (const Contact& contact : problem.contacts) columns += contact.directions;
  Matrix H(problem.velocity.size(), columns);
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    if (d > 0) H.middleCols(at, d) = tangents_of(problem, i);
    at += d;
  }
  return H;
}

}  // namespace

ImpactResult resolve_quasi_velocities(const ImpactProblem& problem, const Matrix& E) {
  NormalSpace space;
  space.assign(problem);
  ImpactResult result = start_result(problem);
  note_common(problem, space, result);
  if (!space.approaching(space.U)) return result;
  if (result.non_unique_impulse) {
    result.status = Status::Singular;
    return result;
  }
  notes_of(result).stages = 1;
  const Eigen::Index m = space.U.size();
  const Vector root = space.G.diagonal().cwiseSqrt();
  const Matrix N = problem.mass.solve(problem.gradients) * root.cwiseInverse().asDiagonal();
  const Matrix C = root.cwiseInverse().asDiagonal() * space.G * root.cwiseInverse().asDiagonal();
  const Matrix T = free_motions(problem, N, C);
  const Eigen::Index f = T.cols();

  Vector before(m + f);
  before << space.U.cwiseQuotient(root), T.transpose() * (problem.mass * problem.velocity);
  const Vector after = -E * before;
  const Vector change = after - before;
  result.velocity = N * C.ldlt().solve(Vector(after.head(m))) + T * after.tail(f);

  // Impulses: tangential ones from the free motions, then normal ones.
  const Matrix H = all_tangents(problem);
  Vector pt = Vector::Zero(H.cols());
  Vector left = change.tail(f);
  if (H.cols() > 0 && f > 0) {
    const Matrix TH = T.transpose() * H;
    pt = numerics::OrthogonalFactor(TH).solve(left);
    left -= TH * pt;
  }
  const Vector normal = change.head(m) - N.transpose() * (H * pt);
  result.impulse = C.ldlt().solve(normal).cwiseQuotient(root);
  Eigen::Index at = 0;
  for (const Contact& contact : problem.contacts) {
    result.tangential_impulse.emplace_back(pt.segment(at, contact.directions));
    at += contact.directions;
  }
  // Velocities nobody can impart: ζ has the unit √kg m/s.
  const double unit = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
  const double residual = f > 0 && unit > 0.0 ? left.cwiseAbs().maxCoeff() / unit : 0.0;
  notes_of(result).residual = residual;
  result.status = residual <= 1e-10 ? Status::Ok : Status::Infeasible;
  return result;
}

}  // namespace percute::laws
