// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <percute/laws/restitution_matrix.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace percute::laws {

namespace {

void require_square(const Matrix& matrix, const char* option, Eigen::Index size, const char* what) {
  if (matrix.rows() == size && matrix.cols() == size) return;
  const std::string n = std::to_string(size);
  throw InvalidInput(std::string("law.") + option, "is " + std::to_string(matrix.rows()) + " x " +
                                                       std::to_string(matrix.cols()) + "; " + n +
                                                       " " + what + " need " + n + " x " + n);
}

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

/// ζ⁺ = −ℰ ζ⁻ in kinetic quasi-velocities; see RestitutionMatrix. With N = M⁻¹W D^(−½), unit
/// columns in the kinetic metric, C = NᵀMN and T as there, v = N C⁻¹ζ_n + T ζ_t. Impulses follow
/// from
///
///     Δζ_n = C D^½ p_n + NᵀH_t p_t,      Δζ_t = TᵀH_t p_t   (least squares).
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
  const Matrix H = problem.tangents;   // two columns of each contact, zero where it has none
  Vector pt = Vector::Zero(H.cols());  // of zero columns too
  Vector left = change.tail(f);
  if (H.cols() > 0 && f > 0) {
    const Matrix TH = T.transpose() * H;
    pt = numerics::OrthogonalFactor(TH).solve(left);
    left -= TH * pt;
  }
  Vector normal = change.head(m);
  if (H.cols() > 0) normal -= N.transpose() * (H * pt);
  result.impulse = C.ldlt().solve(normal).cwiseQuotient(root);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    result.tangential_impulse.emplace_back(
        pt.segment(d > 0 ? 2 * static_cast<Eigen::Index>(i) : 0, d));
  }
  // Velocities nobody can impart: ζ has the unit √kg m/s.
  const double unit = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
  const double residual = f > 0 && unit > 0.0 ? left.cwiseAbs().maxCoeff() / unit : 0.0;
  notes_of(result).residual = residual;
  result.status = residual <= 1e-10 ? Status::Ok : Status::Infeasible;
  return result;
}

constexpr Eigen::Index kLargest = 12;

/// min uᵀS u over |u| = 1, u ≥ 0. At the minimum u is, on its support, an eigenvector of that block
/// of S with the value as eigenvalue (Kaplan 2000): all supports are tried.
double smallest_on_cone(const Matrix& S) {
  const Eigen::Index m = S.rows();
  double smallest = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < (1U << static_cast<unsigned>(m)); ++set) {
    std::vector<int> support;
    for (int i = 0; i < m; ++i) {
      if ((set >> static_cast<unsigned>(i)) & 1U) support.push_back(i);
    }
    const numerics::SymmetricEigen eigen = numerics::symmetric_eigen(S(support, support));
    for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
      const auto u = eigen.vectors.col(k);
      if (u.minCoeff() >= 0.0 || u.maxCoeff() <= 0.0) {
        smallest = std::min(smallest, eigen.values[k]);
      }
    }
  }
  return smallest;
}

}  // namespace

ImpactResult RestitutionMatrix::operator()(const ImpactProblem& problem) const {
  validate(*this);
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  if (quasi_velocity_matrix.size() > 0) {
    require_square(quasi_velocity_matrix, "quasi_velocity_matrix", problem.velocity.size(),
                   "coordinates");
    return resolve_quasi_velocities(problem, quasi_velocity_matrix);
  }
  require_square(matrix, "matrix", m, "contacts");
  AlgebraicWorkspace workspace;
  return in_stages(problem, options, workspace.memory(), Promise::None,
                   [&](const Stage& stage, Vector& p) {
                     // U⁺ = −R U⁻
                     const Matrix R = matrix(stage.contacts, stage.contacts);
                     Vector approach(stage.size());
                     for (Eigen::Index i = 0; i < stage.size(); ++i)
                       approach[i] = stage.restituted(i);
                     return solve_equations(stage, -stage.U - R * approach, p);
                   });
}

void validate(const RestitutionMatrix& law) {
  require_ranges("law", law);
  const bool both = law.matrix.size() > 0 && law.quasi_velocity_matrix.size() > 0;
  const bool none = law.matrix.size() == 0 && law.quasi_velocity_matrix.size() == 0;
  if (both || none) {
    throw InvalidInput("law.matrix", both ? "matrix and quasi_velocity_matrix exclude each other"
                                          : "is missing; give matrix or quasi_velocity_matrix");
  }
  if (!law.matrix.allFinite()) throw InvalidInput("law.matrix", "must be finite");
  if (!law.quasi_velocity_matrix.allFinite()) {
    throw InvalidInput("law.quasi_velocity_matrix", "must be finite");
  }
}

Admissibility admissible(const Matrix& R, const Matrix& G) {
  const Eigen::Index m = G.rows();
  if (G.cols() != m || m < 1 || m > kLargest) {
    throw InvalidInput("G", "is " + std::to_string(m) + " x " + std::to_string(G.cols()) +
                                "; it must be square with 1 to 12 rows");
  }
  if (R.rows() != m || R.cols() != m) {
    throw InvalidInput("R", "is " + std::to_string(R.rows()) + " x " + std::to_string(R.cols()) +
                                "; G has " + std::to_string(m) + " rows");
  }
  const Eigen::LLT<Matrix> factor(G);
  if (!R.allFinite() || !G.allFinite() || factor.info() != Eigen::Success) {
    throw InvalidInput("G", "must be finite and positive definite, and R finite");
  }
  const Matrix inverse = factor.solve(Matrix::Identity(m, m));
  Matrix S = inverse - R.transpose() * inverse * R;
  S = 0.5 * (S + S.transpose()).eval();

  Admissibility verdict;
  verdict.smallest_entry = R.minCoeff();
  verdict.smallest_impulse = (inverse * (Matrix::Identity(m, m) + R)).minCoeff();
  verdict.smallest_dissipation = smallest_on_cone(S);
  verdict.smallest_eigenvalue = numerics::symmetric_eigenvalues(S)[0];
  // Rounding of the products, relative to G⁻¹.
  const double rounding = 1e-12 * inverse.cwiseAbs().maxCoeff();
  verdict.kinematic = verdict.smallest_entry >= -1e-12;
  verdict.kinetic = verdict.smallest_impulse >= -rounding;
  verdict.energetic = verdict.smallest_dissipation >= -rounding;
  verdict.energetic_for_all = verdict.smallest_eigenvalue >= -rounding;
  return verdict;
}

}  // namespace percute::laws
