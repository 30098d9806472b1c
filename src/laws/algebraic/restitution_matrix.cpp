// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/quasi_velocities.hpp"
#include "laws/algebraic/stages.hpp"

#include <percute/laws/restitution_matrix.hpp>
#include <percute/model/invalid_input.hpp>

#include <string>

namespace percute::laws {

namespace {

void require_square(const Matrix& matrix, const char* option, Eigen::Index size, const char* what) {
  if (matrix.rows() == size && matrix.cols() == size) return;
  const std::string n = std::to_string(size);
  throw InvalidInput(std::string("law.") + option, "is " + std::to_string(matrix.rows()) + " x " +
                                                       std::to_string(matrix.cols()) + "; " + n +
                                                       " " + what + " need " + n + " x " + n);
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

}  // namespace percute::laws
