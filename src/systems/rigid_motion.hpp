// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <Eigen/Geometry>

namespace percute::systems {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// a × b in the plane.
inline double cross(const Point& a, const Point& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// What the velocity of a point along d is made of: d · (v + ω × s) = (d, s × d) · (v, ω), with s
/// the place of the point from the centre of mass.
inline Eigen::Vector3d velocity_row(const Point& s, const Point& d) {
  return {d.x(), d.y(), cross(s, d)};
}
inline Vector6 velocity_row(const Eigen::Vector3d& s, const Eigen::Vector3d& d) {
  Vector6 row;
  row << d, s.cross(d);
  return row;
}

/// Two directions of the plane that has the unit normal n, (t₁, t₂, n) right-handed: t₁ is the
/// projection of the axis that n is least along, of several the first. For n = z they are x, y.
inline Eigen::Matrix<double, 3, 2> tangents_of(const Eigen::Vector3d& n) {
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const Eigen::Vector3d e = Eigen::Vector3d::Unit(axis);
  const Eigen::Vector3d first = (e - n.dot(e) * n).normalized();
  Eigen::Matrix<double, 3, 2> tangents;
  tangents << first, n.cross(first);
  return tangents;
}

}  // namespace percute::systems
