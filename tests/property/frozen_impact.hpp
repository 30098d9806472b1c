// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::property {

/// An impact as a system that moves: mass, gradients and tangents stay as they are, gaps are
/// h = Wᵀ q, and no other force acts.
struct FrozenImpact {
  ImpactProblem problem;

  int coordinates() const { return static_cast<int>(problem.velocity.size()); }
  int contacts() const { return static_cast<int>(problem.contacts.size()); }
  void mass(const Vector&, Matrix& M) const {
    for (int i = 0; i < coordinates(); ++i) {
      for (int j = 0; j < coordinates(); ++j) M(i, j) = problem.mass(i, j);
    }
  }
  void force(double, const Vector&, const Vector&, Vector& f) const { f.setZero(); }
  void gaps(const Vector& q, Vector& h) const { h = problem.gradients.transpose() * q; }
  void gradient(int i, const Vector&, Vector& column) const { column = problem.gradients.col(i); }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int i, const Vector&) const {
    return problem.contacts[static_cast<std::size_t>(i)];
  }
  void tangents(int i, const Vector&, Eigen::Ref<Matrix> T) const {
    T = tangents_of(problem, static_cast<std::size_t>(i));
  }
  double potential_energy(const Vector&) const { return 0.0; }

  /// All contacts touch.
  simulation::Moment start() const {
    return {.state = {.position = Vector::Zero(coordinates()), .velocity = problem.velocity}};
  }
};

}  // namespace percute::property
