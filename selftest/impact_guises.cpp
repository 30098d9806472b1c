// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/impact_guises.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::selftest {

namespace {

std::vector<Matrix> tangent_list(const ImpactProblem& problem) {
  std::vector<Matrix> list;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    list.emplace_back(tangents_of(problem, i));
  }
  return list;
}

}  // namespace

ImpactProblem with_contacts_reversed(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  std::reverse(out.contacts.begin(), out.contacts.end());
  const auto m = static_cast<int>(problem.gradients.cols());
  for (int i = 0; i < m; ++i) out.gradients.col(i) = problem.gradients.col(m - 1 - i);
  std::vector<Matrix> tangents = tangent_list(problem);
  std::reverse(tangents.begin(), tangents.end());
  set_tangents(out, tangents);
  return out;
}

void repeat_contact(ImpactProblem& problem, int i) {
  std::vector<Matrix> tangents = tangent_list(problem);
  tangents.push_back(tangents[static_cast<std::size_t>(i)]);
  problem.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
  const Eigen::Index m = problem.gradients.cols();
  const SparseMatrix column = problem.gradients.col(i);
  problem.gradients.conservativeResize(problem.gradients.rows(), m + 1);
  problem.gradients.col(m) = column;
  set_tangents(problem, tangents);
}

ImpactProblem with_a_contact_halved(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  Contact& contact = out.contacts[0];
  contact.material.stiffness *= 0.5;
  contact.stored_energy *= 0.5;
  if (contact.material.tri_stiffness) {
    contact.material.tri_stiffness->plastic_stiffness *= 0.5;
    contact.material.tri_stiffness->unloading_stiffness *= 0.5;
  }
  repeat_contact(out, 0);
  return out;
}

ImpactProblem with_tangents_turned(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  std::vector<Matrix> tangents = tangent_list(problem);
  Eigen::Matrix2d turn;
  turn << std::cos(0.7), -std::sin(0.7), std::sin(0.7), std::cos(0.7);
  for (Matrix& T : tangents) {
    if (T.cols() == 1) T *= -1.0;
    if (T.cols() == 2) T = (T * turn).eval();
  }
  set_tangents(out, tangents);
  return out;
}

ImpactProblem with_friction(const ImpactProblem& problem, double friction) {
  ImpactProblem out = problem;
  for (Contact& contact : out.contacts) {
    if (contact.material.friction > 0.0) contact.material.friction = friction;
  }
  return out;
}

}  // namespace percute::selftest
