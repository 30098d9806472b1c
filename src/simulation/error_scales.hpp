// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/motion_state.hpp"

#include <percute/simulation/event_driven.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percute::simulation {

/// What errors of steps are measured by, unless options say it. Velocities: V_i with ½ M_ii V_i²
/// the largest kinetic energy of a coordinate met so far, that at the end of the step, or what
/// forces do in it. Positions: the largest distance covered so far, or V_i h.
class ErrorScales {
 public:
  ErrorScales(const EventDriven& method, const systems::AnySystem& system, const Vector& q)
      : method_(method),
        system_(system),
        origin_(q),
        reach_(Vector::Zero(q.size())),
        M_(q.size(), q.size()),
        mass_(q.size()),
        unit_(2 * q.size()) {}
  /// As a run before had found them.
  void resume(double energy, Vector origin, Vector reach) {
    energy_ = energy;
    origin_ = std::move(origin);
    reach_ = std::move(reach);
  }

  /// Largest energies and distances met, after a step or an impact.
  void update(const MotionState& state) {
    reach_ = reach_.cwiseMax((state.q - origin_).cwiseAbs());
    if (given()) return;
    system_.mass(state.q, M_);
    mass_ = M_.diagonal();
    energy_ = std::max(energy_, 0.5 * (mass_.array() * state.v.array().square()).maxCoeff());
  }
  /// Of what would move without contacts.
  void set_acceleration(const double* acceleration) {
    if (given()) return;
    const Eigen::Map<const Vector> a(acceleration, mass_.size());
    forced_ = 0.5 * (mass_.array() * a.array().square()).maxCoeff();
  }
  /// For a step of length h from q to `end`.
  void measure(const Vector& q, const double* end, double h) {
    const Eigen::Index n = q.size();
    const bool given_q = method_.position_scale.size() > 0;
    const bool given_v = method_.velocity_scale.size() > 0;
    if (given_q) unit_.head(n) = method_.position_scale;
    if (given_v) unit_.tail(n) = method_.velocity_scale;
    if (given_q && given_v) return;
    const Eigen::Map<const Vector> v(end + n, n);
    const double energy =
        std::max({energy_, 0.5 * (mass_.array() * v.array().square()).maxCoeff(), forced_ * h * h});
    for (Eigen::Index i = 0; i < n; ++i) {
      const double V = std::sqrt(2.0 * energy / mass_[i]);
      if (!given_v) unit_[n + i] = std::max(V, 1e-150);
      if (!given_q) {
        const double scale = given_v ? method_.velocity_scale[i] : V;
        unit_[i] = std::max({reach_[i], std::abs(end[i] - q[i]), scale * h, 1e-150});
      }
    }
  }
  /// Of an error of that step, over the tolerance.
  double norm(const double* error) const {
    const Eigen::Map<const Vector> e(error, unit_.size());
    if (!e.allFinite()) return std::numeric_limits<double>::infinity();
    return (e.array() / unit_.array()).abs().maxCoeff() / method_.tolerance;
  }

  double energy() const { return energy_; }
  const Vector& origin() const { return origin_; }
  const Vector& reach() const { return reach_; }

 private:
  bool given() const {
    return method_.position_scale.size() > 0 && method_.velocity_scale.size() > 0;
  }

  const EventDriven& method_;
  const systems::AnySystem& system_;
  double energy_ = 0.0;  // largest kinetic energy of a coordinate by itself
  double forced_ = 0.0;  // that which forces would give to one in a second, from rest
  Vector origin_;        // where the run began
  Vector reach_;         // largest distance from there, by coordinate
  Matrix M_;
  Vector mass_;  // diagonal of M at the start of the step
  Vector unit_;  // of each number of the state, in the present attempt
};

}  // namespace percute::simulation
