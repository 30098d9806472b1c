// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/impact_guises.hpp"

#include <algorithm>
#include <cmath>

namespace percute::selftest {

ImpactProblem with_contacts_reversed(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  std::reverse(out.contacts.begin(), out.contacts.end());
  const auto m = static_cast<int>(problem.gradients.cols());
  for (int i = 0; i < m; ++i) out.gradients.col(i) = problem.gradients.col(m - 1 - i);
  return out;
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
  const Contact half = contact;
  out.contacts.push_back(half);
  const Eigen::Index m = problem.gradients.cols();
  out.gradients.conservativeResize(problem.gradients.rows(), m + 1);
  out.gradients.col(m) = problem.gradients.col(0);
  return out;
}

ImpactProblem with_tangents_turned(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  for (Contact& contact : out.contacts) {
    if (contact.tangents.cols() == 1) contact.tangents *= -1.0;
    if (contact.tangents.cols() != 2) continue;
    Eigen::Matrix2d turn;
    turn << std::cos(0.7), -std::sin(0.7), std::sin(0.7), std::cos(0.7);
    contact.tangents = (contact.tangents * turn).eval();
  }
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
