// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <cmath>
#include <functional>
#include <vector>

namespace percute::simulation::testing {

/// Keeps all events.
struct EventLog {
  std::vector<Event> events = {};
  Observer observer() {
    return {.event = [this](const Event& event) {
      events.push_back(event);
      return true;
    }};
  }
  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> some;
    for (const Event& event : events) {
      if (event.kind == kind) some.push_back(event);
    }
    return some;
  }
};

inline Moment start_at(const Vector& q, const Vector& v) {
  return {.time = 0.0, .state = {.position = q, .velocity = v}};
}

/// A particle in the plane, under gravity and a force of the test's choice, beside flat walls
/// n · x ≥ 0, n a unit vector; friction along the wall.
struct Particle {
  struct Wall {
    double nx = 0.0;
    double ny = 1.0;
    double friction = 0.0;
    double restitution = 0.0;
  };
  double mass_of_it = 1.0;
  double gravity = 9.81;
  std::vector<Wall> walls = {};
  std::function<Vector(double)> drive = {};  ///< force at a time

  int coordinates() const { return 2; }
  int contacts() const { return static_cast<int>(walls.size()); }
  void mass(const Vector&, Matrix& M) const { M = mass_of_it * Matrix::Identity(2, 2); }
  void force(double t, const Vector&, const Vector&, Vector& f) const {
    f << 0.0, -mass_of_it * gravity;
    if (drive) f += drive(t);
  }
  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) h[i] = wall(i).nx * q[0] + wall(i).ny * q[1];
  }
  void gradient(int i, const Vector&, Vector& w) const { w << wall(i).nx, wall(i).ny; }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int i, const Vector&) const {
    Contact c;
    c.material.restitution = wall(i).restitution;
    c.material.friction = wall(i).friction;
    c.directions = wall(i).friction > 0.0 ? 1 : 0;
    return c;
  }
  void tangents(int i, const Vector&, Eigen::Ref<Matrix> T) const { T << wall(i).ny, -wall(i).nx; }
  double potential_energy(const Vector& q) const { return mass_of_it * gravity * q[1]; }
  const Wall& wall(int i) const { return walls[static_cast<std::size_t>(i)]; }
};

/// A pendulum that may strike a wall below its pivot at x = −`distance`: by its angle, or as a
/// particle whose distance from the pivot is a joint.
struct AnglePendulum {
  double length = 1.0;
  double gravity = 9.81;
  double distance = 0.0;
  double restitution = 1.0;

  int coordinates() const { return 1; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M(0, 0) = length * length; }
  void force(double, const Vector& q, const Vector&, Vector& f) const {
    f[0] = -gravity * length * std::sin(q[0]);
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = length * std::sin(q[0]) + distance; }
  void gradient(int, const Vector& q, Vector& w) const { w[0] = length * std::cos(q[0]); }
  double gap_curvature(int, const Vector& q, const Vector& v) const {
    return -length * std::sin(q[0]) * v[0] * v[0];
  }
  Contact contact(int, const Vector&) const {
    Contact c;
    c.material.restitution = restitution;
    return c;
  }
  double potential_energy(const Vector& q) const {
    return gravity * length * (1.0 - std::cos(q[0]));
  }
};

struct JointedPendulum {
  AnglePendulum like = {};

  int coordinates() const { return 2; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector& f) const { f << 0.0, -like.gravity; }
  void gaps(const Vector& q, Vector& h) const { h[0] = q[0] + like.distance; }
  void gradient(int, const Vector&, Vector& w) const { w << 1.0, 0.0; }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int i, const Vector& q) const { return like.contact(i, q); }
  double potential_energy(const Vector& q) const { return like.gravity * (q[1] + like.length); }
  int joints() const { return 1; }
  void joint(const Vector& q, Vector& g) const {
    g[0] = 0.5 * (q.squaredNorm() - like.length * like.length);
  }
  void joint_gradient(int, const Vector& q, Vector& w) const { w = q; }
  double joint_curvature(int, const Vector&, const Vector& v) const { return v.squaredNorm(); }
};

}  // namespace percute::simulation::testing
