// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/complementarity.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace percute::simulation::fixed_step {

/// q″ = −ω² (q − rest), q ≥ 0, unit mass.
struct Oscillator {
  double omega = 3.0;
  double rest = 0.0;
  double restitution = 1.0;

  int coordinates() const { return 1; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M(0, 0) = 1.0; }
  void force(double, const Vector& q, const Vector&, Vector& f) const {
    f[0] = -omega * omega * (q[0] - rest);
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = q[0]; }
  void gradient(int, const Vector&, Vector& column) const { column[0] = 1.0; }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int, const Vector&) const { return {.material = {.restitution = restitution}}; }
  double potential_energy(const Vector& q) const {
    return 0.5 * omega * omega * (q[0] - rest) * (q[0] - rest);
  }
  void stiffness(const Vector&, Matrix& K) const { K(0, 0) = omega * omega; }

  /// Where it is at time t, in closed form from arc to arc; it must not come to rest.
  State exact(State state, double t) const {
    while (true) {
      // q = rest + amplitude cos(ωs + phase)
      const double x = state.position[0] - rest;
      const double y = state.velocity[0] / omega;
      const double amplitude = std::hypot(x, y);
      const double phase = std::atan2(-y, x);
      double hit = t;
      if (amplitude > std::abs(rest)) {
        double turn = std::acos(-rest / amplitude) - phase;
        while (turn <= 1e-9) turn += 2.0 * std::numbers::pi;
        hit = turn / omega;
      }
      const double s = std::min(hit, t);
      state.position[0] = rest + amplitude * std::cos(omega * s + phase);
      state.velocity[0] = -amplitude * omega * std::sin(omega * s + phase);
      if (hit >= t) return state;
      t -= s;
      state.position[0] = 0.0;
      state.velocity[0] *= -restitution;
    }
  }
};

/// A ball over a floor that is lifted more and more: q″ = −g + push t, mass 2.
struct PushedBall {
  double gravity = 10.0;
  double push = 0.0;  ///< m/s³
  double restitution = 0.5;

  int coordinates() const { return 1; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M(0, 0) = 2.0; }
  void force(double t, const Vector&, const Vector&, Vector& f) const {
    f[0] = 2.0 * (push * t - gravity);
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = q[0]; }
  void gradient(int, const Vector&, Vector& column) const { column[0] = 1.0; }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int, const Vector&) const { return {.material = {.restitution = restitution}}; }
  double potential_energy(const Vector& q) const { return 2.0 * gravity * q[0]; }
  void stiffness(const Vector&, Matrix& K) const { K(0, 0) = 0.0; }
};

/// A particle in the unit disc, h = 1 − |q|².
struct Disc {
  double restitution = 0.0;

  int coordinates() const { return 2; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M = Matrix::Identity(2, 2); }
  void force(double, const Vector&, const Vector&, Vector& f) const { f.setZero(); }
  void gaps(const Vector& q, Vector& h) const { h[0] = 1.0 - q.squaredNorm(); }
  void gradient(int, const Vector& q, Vector& column) const { column = -2.0 * q; }
  double gap_curvature(int, const Vector&, const Vector& v) const { return -2.0 * v.squaredNorm(); }
  Contact contact(int, const Vector&) const { return {.material = {.restitution = restitution}}; }
  double potential_energy(const Vector&) const { return 0.0; }
};

/// Two particles on a line between walls at 0 and 1: three contacts.
struct Box {
  double mass_1 = 1.0;
  double mass_2 = 1.0;

  int coordinates() const { return 2; }
  int contacts() const { return 3; }
  void mass(const Vector&, Matrix& M) const {
    M.setZero();
    M(0, 0) = mass_1;
    M(1, 1) = mass_2;
  }
  void force(double, const Vector&, const Vector&, Vector& f) const { f.setZero(); }
  void gaps(const Vector& q, Vector& h) const {
    h[0] = q[0];
    h[1] = q[1] - q[0];
    h[2] = 1.0 - q[1];
  }
  void gradient(int i, const Vector&, Vector& column) const {
    column.setZero();
    if (i < 2) column[i] = 1.0;
    if (i > 0) column[i - 1] = -1.0;
  }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int, const Vector&) const { return {}; }
  double potential_energy(const Vector&) const { return 0.0; }
  void stiffness(const Vector&, Matrix& K) const { K.setZero(2, 2); }
};

/// Two balls of unit mass over a floor that do not touch each other.
struct TwoBalls {
  double gravity = 0.0;
  std::array<double, 2> restitution = {1.0, 1.0};
  Material floor = {};  ///< for the rest

  int coordinates() const { return 2; }
  int contacts() const { return 2; }
  void mass(const Vector&, Matrix& M) const { M = Matrix::Identity(2, 2); }
  void force(double, const Vector&, const Vector&, Vector& f) const { f.setConstant(-gravity); }
  void gaps(const Vector& q, Vector& h) const { h = q; }
  void gradient(int i, const Vector&, Vector& column) const { column = Vector::Unit(2, i); }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int i, const Vector&) const {
    Material material = floor;
    material.restitution = restitution[static_cast<std::size_t>(i)];
    return {.material = material};
  }
  double potential_energy(const Vector& q) const { return gravity * q.sum(); }
  void stiffness(const Vector&, Matrix& K) const { K.setZero(2, 2); }
};

inline Moment at(std::vector<double> q, std::vector<double> v) {
  const auto n = static_cast<Eigen::Index>(q.size());
  return {.state = {.position = Eigen::Map<Vector>(q.data(), n),
                    .velocity = Eigen::Map<Vector>(v.data(), n)}};
}

}  // namespace percute::simulation::fixed_step
