// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <string>

namespace percute::systems::testing {

/// Field named by the InvalidInput that `action` throws; "nothing thrown" if it does not.
template <class Action>
std::string field_refused(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "nothing thrown";
}

/// Message of the InvalidInput that `action` throws.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// All directions of a problem: the gradients, then the tangents of contact 1, 2, …
inline Matrix directions(const ImpactProblem& problem) {
  Matrix H = Matrix(problem.gradients);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Matrix T = tangents_of(problem, i);
    if (T.size() == 0) continue;
    const Eigen::Index columns = H.cols();
    H.conservativeResize(Eigen::NoChange, columns + T.cols());
    H.rightCols(T.cols()) = T;
  }
  return H;
}

/// Delassus matrix Hᵀ M⁻¹ H of all of them.
inline Matrix delassus(const ImpactProblem& problem) {
  const Matrix H = directions(problem);
  return H.transpose() * problem.mass.solve(H);
}

/// Cosine of the kinetic angle of the first two contacts: −G_12/√(G_11 G_22).
inline double kinetic_cosine(const ImpactProblem& problem) {
  const Matrix G = delassus(problem);
  return -G(0, 1) / std::sqrt(G(0, 0) * G(1, 1));
}

/// ∇h by central differences, for gaps h(q) whose third derivatives are of the order of one.
template <class Gap>
Vector difference_gradient(const Vector& q, Gap gap) {
  constexpr double step = 1e-5;  // errors 1e-10 of the formula, 1e-11 of rounding
  Vector gradient(q.size());
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    Vector plus = q;
    Vector minus = q;
    plus[k] += step;
    minus[k] -= step;
    gradient[k] = (gap(plus) - gap(minus)) / (2.0 * step);
  }
  return gradient;
}

}  // namespace percute::systems::testing
