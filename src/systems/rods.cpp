// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/rods.hpp"

#include <algorithm>
#include <cmath>

namespace percute::systems {

namespace {

/// Where a rod points, its angle counted from the downward vertical.
Point along_rod(double angle) {
  return {std::sin(angle), -std::cos(angle)};
}

/// Its derivative by the angle.
Point sideways(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Rods::Rods(const std::vector<double>& masses, const std::vector<double>& lengths, double gravity)
    : lengths_(Eigen::Map<const Vector>(lengths.data(), static_cast<Eigen::Index>(lengths.size()))),
      weights_(lengths_.size()),
      own_(lengths_.size()),
      gravity_(gravity) {
  double below = 0.0;
  for (int j = count() - 1; j >= 0; --j) {
    const double m = masses[static_cast<std::size_t>(j)];
    weights_[j] = 0.5 * m + below;
    own_[j] = m / 3.0 + below;
    below += m;
  }
}

double Rods::length() const {
  return lengths_.sum();
}

double Rods::coupling(int i, int j) const {
  return (i == j ? own_[i] : weights_[std::max(i, j)]) * lengths_[i] * lengths_[j];
}

void Rods::mass(const Vector& angles, Matrix& M) const {
  for (int i = 0; i < count(); ++i) {
    M(i, i) = coupling(i, i);
    for (int j = 0; j < i; ++j) {
      M(i, j) = coupling(i, j) * std::cos(angles[i] - angles[j]);
      M(j, i) = M(i, j);
    }
  }
}

void Rods::force(const Vector& angles, const Vector& rates, Vector& f) const {
  for (int i = 0; i < count(); ++i) {
    f[i] = -gravity_ * weights_[i] * lengths_[i] * std::sin(angles[i]);
    for (int j = 0; j < count(); ++j) {
      f[i] -= coupling(i, j) * std::sin(angles[i] - angles[j]) * rates[j] * rates[j];
    }
  }
}

double Rods::potential_energy(const Vector& angles) const {
  double sum = 0.0;
  for (int i = 0; i < count(); ++i) {
    const double half = std::sin(0.5 * angles[i]);  // 1 − cos θ = 2 sin²(θ/2)
    sum += 2.0 * gravity_ * weights_[i] * lengths_[i] * half * half;
  }
  return sum;
}

Point Rods::end(int k, const Vector& angles) const {
  Point at = Point::Zero();
  for (int j = 0; j <= k; ++j) at += lengths_[j] * along_rod(angles[j]);
  return at;
}

Point Rods::way(int k, const Vector& from, const Vector& angles) const {
  Point way = Point::Zero();
  for (int j = 0; j <= k; ++j) {
    const double chord = 2.0 * lengths_[j] * std::sin(0.5 * (angles[j] - from[j]));
    way += chord * sideways(0.5 * (angles[j] + from[j]));
  }
  return way;
}

Vector Rods::gradient(int k, const Point& n, const Vector& angles) const {
  Vector column(count());
  gradient(k, n, angles, column);
  return column;
}

void Rods::gradient(int k, const Point& n, const Vector& angles, Eigen::Ref<Vector> out) const {
  out.setZero();
  for (int j = 0; j <= k; ++j) out[j] = lengths_[j] * n.dot(sideways(angles[j]));
}

double Rods::curvature(int k, const Point& n, const Vector& angles, const Vector& rates) const {
  double sum = 0.0;
  for (int j = 0; j <= k; ++j) {
    sum -= lengths_[j] * n.dot(along_rod(angles[j])) * rates[j] * rates[j];
  }
  return sum;
}

int Rods::directions(int k, const Point& n, const Vector& angles) const {
  // Below this part of the length a gradient is zero but for rounding of the angles.
  constexpr double kNoGradient = 1e-12;
  return gradient(k, Point(n.y(), -n.x()), angles).norm() <= kNoGradient * length() ? 0 : 1;
}

std::vector<Body> Rods::bodies() const {
  std::vector<Body> bodies(static_cast<std::size_t>(count()));
  for (int i = 0; i < count(); ++i) {
    Body& body = bodies[static_cast<std::size_t>(i)];
    body.name = "rod " + std::to_string(i + 1);
    body.coordinates = {i};
    body.axes = {"angle"};
    body.units = {"rad/s"};
  }
  return bodies;
}

}  // namespace percute::systems
