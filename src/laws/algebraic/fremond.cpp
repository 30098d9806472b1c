// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "model/text.hpp"

#include <percute/laws/fremond.hpp>

#include <Eigen/Cholesky>

#include <cmath>
#include <string>

namespace percute::laws {

namespace {

std::string sizes(const Matrix& A) {
  return std::to_string(A.rows()) + " x " + std::to_string(A.cols());
}

/// K⁻¹ of the contacts of a stage; infinite κ gives 0.
Matrix inverse_kappa(const Matrix& kappa, const Stage& stage) {
  const Eigen::Index k = stage.size();
  if (kappa.size() == 1) return Matrix(Vector::Constant(k, 1.0 / kappa(0, 0)).asDiagonal());
  if (kappa.cols() == 1) {
    const Vector diagonal = kappa.col(0)(stage.contacts);
    return Matrix(diagonal.cwiseInverse().asDiagonal());
  }
  const Matrix K = kappa(stage.contacts, stage.contacts);
  return K.llt().solve(Matrix::Identity(k, k));
}

void require_size(const FremondQuadratic& law, Eigen::Index m) {
  const Matrix& kappa = law.kappa;
  if (kappa.size() == 1 || (kappa.rows() == m && (kappa.cols() == 1 || kappa.cols() == m))) return;
  throw InvalidInput("law.kappa", "is " + sizes(kappa) + "; " + std::to_string(m) +
                                      " contacts need one number, " + std::to_string(m) +
                                      " numbers or a matrix with " + std::to_string(m) +
                                      " rows and columns");
}

}  // namespace

ImpactResult FremondQuadratic::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_size(*this, static_cast<Eigen::Index>(problem.contacts.size()));
  AlgebraicWorkspace workspace;
  return in_stages(problem, options, workspace.memory(), Promise::Separation,
                   [&](const Stage& stage, Vector& p) {
                     const Eigen::Index k = stage.size();
                     Matrix A(2 * k, 2 * k);
                     A << 0.5 * stage.G, 0.5 * stage.G, 0.5 * stage.G, 0.5 * stage.G;
                     A.topLeftCorner(k, k) += inverse_kappa(kappa, stage);
                     Vector b(2 * k);
                     b << stage.U, 0.5 * stage.U;
                     numerics::LcpSolution solution;
                     const Status status = solve_lcp(stage, A, b, solution);
                     p = solution.z.head(k) + solution.z.tail(k);
                     select_impulses(stage, p);
                     return status;
                   });
}

void validate(const FremondQuadratic& law) {
  require_ranges("law", law);
  const Matrix& kappa = law.kappa;
  if (kappa.size() == 0) {
    throw InvalidInput("law.kappa",
                       "is missing; it must be a number, one number per contact, or a matrix");
  }
  if (kappa.cols() == 1) {
    for (Eigen::Index i = 0; i < kappa.rows(); ++i) {
      require_option(kappa(i, 0) > 0.0, "kappa", kappa(i, 0), "> 0");
    }
    return;
  }
  const bool square = kappa.rows() == kappa.cols() && kappa.allFinite();
  const double largest = kappa.cwiseAbs().maxCoeff();
  if (!square || (kappa - kappa.transpose()).cwiseAbs().maxCoeff() > 1e-12 * largest ||
      kappa.llt().info() != Eigen::Success) {
    throw InvalidInput("law.kappa",
                       "a matrix must be finite, symmetric and positive definite; got " +
                           sizes(kappa) + (square ? " which is not" : ""));
  }
}

double fremond_kappa(double restitution, double delassus) {
  require_option(restitution >= 0.0 && restitution <= 1.0, "restitution", restitution, "in [0, 1]");
  return 2.0 * (1.0 + restitution) / (delassus * (1.0 - restitution));
}

ImpactResult FremondCone::operator()(const ImpactProblem& problem) const {
  validate(*this);
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  if (patterns.rows() != m) {
    throw InvalidInput("law.patterns", "has " + std::to_string(patterns.rows()) + " rows; " +
                                           std::to_string(m) + " contacts need as many");
  }
  const double e = common_restitution(problem, restitution);
  AlgebraicWorkspace workspace;
  return in_stages(problem, options, workspace.memory(), Promise::None,
                   [&](const Stage& stage, Vector& p) {
                     // Patterns that touch only contacts left out of this stage do nothing in it.
                     const Matrix rows = patterns(stage.contacts, Eigen::all);
                     std::vector<int> used;
                     for (Eigen::Index j = 0; j < rows.cols(); ++j) {
                       if (rows.col(j).maxCoeff() > 0.0) used.push_back(static_cast<int>(j));
                     }
                     if (used.empty()) return Status::RayNotCompressive;
                     const Matrix B = rows(Eigen::all, used);
                     Vector b = stage.U;
                     for (Eigen::Index i = 0; i < b.size(); ++i) b[i] += e * stage.restituted(i);
                     numerics::LcpSolution solution;
                     const Status status =
                         solve_lcp(stage, B.transpose() * stage.G * B, B.transpose() * b, solution);
                     p = B * solution.z;
                     return status;
                   });
}

void validate(const FremondCone& law) {
  require_ranges("law", law);
  if (law.patterns.size() == 0) {
    throw InvalidInput("law.patterns",
                       "is missing; it must be a matrix with one row per contact, one column per "
                       "impulse pattern");
  }
  for (Eigen::Index j = 0; j < law.patterns.cols(); ++j) {
    for (Eigen::Index i = 0; i < law.patterns.rows(); ++i) {
      const double entry = law.patterns(i, j);
      require_option(std::isfinite(entry) && entry >= 0.0, "patterns", entry,
                     "a finite number >= 0");
    }
    if (law.patterns.col(j).maxCoeff() == 0.0) {
      throw InvalidInput("law.patterns", "column " + std::to_string(j) + " is zero");
    }
  }
}

}  // namespace percute::laws
