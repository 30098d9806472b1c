// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <cmath>
#include <utility>

namespace percute::simulation::testing {

/// A point that slides and bounces on the floor y ≥ 0; gravity may be tilted: an incline.
struct PointOnFloor {
  double m = 1.0;
  Eigen::Vector2d gravity = {0.0, -9.81};
  Material material = {};

  int coordinates() const { return 2; }
  int contacts() const { return 1; }
  void mass(const Vector& /*q*/, Matrix& M) const { M = m * Matrix::Identity(2, 2); }
  void force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f = m * gravity;
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = q[1]; }
  void gradient(int /*i*/, const Vector& /*q*/, Vector& column) const { column << 0.0, 1.0; }
  double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) const { return 0.0; }
  Contact contact(int /*i*/, const Vector& /*q*/) const {
    return {.material = material, .directions = 1};
  }
  void tangents(int /*i*/, const Vector& /*q*/, Eigen::Ref<Matrix> T) const { T << 1.0, 0.0; }
  double potential_energy(const Vector& q) const { return -m * gravity.dot(q); }
};

/// A uniform rod above the floor y ≥ 0, which both of its ends may touch; θ is its angle to it.
struct Rod {
  double m = 1.0;
  double length = 1.0;
  double gravity = 9.81;
  Material material = {};

  double arm(int i) const { return i == 0 ? -0.5 * length : 0.5 * length; }
  int coordinates() const { return 3; }
  int contacts() const { return 2; }
  void mass(const Vector& /*q*/, Matrix& M) const {
    M.setZero();
    M.diagonal() << m, m, m * length * length / 12.0;
  }
  void force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f << 0.0, -m * gravity, 0.0;
  }
  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < 2; ++i) h[i] = q[1] + arm(i) * std::sin(q[2]);
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    column << 0.0, 1.0, arm(i) * std::cos(q[2]);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return -arm(i) * std::sin(q[2]) * v[2] * v[2];
  }
  Contact contact(int /*i*/, const Vector& /*q*/) const {
    return {.material = material, .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    T << 1.0, 0.0, -arm(i) * std::sin(q[2]);
  }
  double potential_energy(const Vector& q) const { return m * gravity * q[1]; }
};

inline Moment start_at(Vector q, Vector v) {
  Moment moment;
  moment.state = {.position = std::move(q), .velocity = std::move(v)};
  return moment;
}

}  // namespace percute::simulation::testing
