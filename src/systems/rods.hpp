// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/systems/system.hpp>

#include <vector>

namespace percute::systems {

/// Uniform rods, hinged one to the next and the first to a fixed point, in gravity. Coordinates are
/// their angles θ_j from the downward vertical, counter-clockwise, in fixed axes. With masses m and
/// lengths l,
///
///     M_ij = μ_ij l_i l_j cos(θ_i − θ_j),
///     f_i = −Σ_j μ_ij l_i l_j sin(θ_i − θ_j) θ_j′² − g w_i l_i sin θ_i,
///     w_j = m_j/2 + Σ_{k>j} m_k,   μ_ij = w_max(i,j) for i ≠ j,   μ_ii = m_i/3 + Σ_{k>i} m_k;
///
/// the end of rod k is at Σ_{j≤k} l_j (sin θ_j, −cos θ_j) from the fixed point.
class Rods {
 public:
  Rods(const std::vector<double>& masses, const std::vector<double>& lengths, double gravity);

  int count() const { return static_cast<int>(weights_.size()); }
  double length() const;  ///< of all of them, m

  void mass(const Vector& angles, Matrix& M) const;
  void force(const Vector& angles, const Vector& rates, Vector& f) const;
  double potential_energy(const Vector& angles) const;  ///< 0 where all hang down

  /// The end of rod k, from 0.
  Point end(int k, const Vector& angles) const;
  /// How far it has moved from where it was at the angles `from`; small ways keep their digits.
  Point way(int k, const Vector& from, const Vector& angles) const;
  /// Gradient of n · end, and the second derivative of that along the rates.
  void gradient(int k, const Point& n, const Vector& angles, Eigen::Ref<Vector> out) const;
  Vector gradient(int k, const Point& n, const Vector& angles) const;
  double curvature(int k, const Point& n, const Vector& angles, const Vector& rates) const;
  /// Whether the end can move along the border of an obstacle with the normal n: 1, else 0.
  int directions(int k, const Point& n, const Vector& angles) const;
  /// Gradient along that border, t = (n_y, −n_x).
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a view, written to
  void tangent(int k, const Point& n, const Vector& angles, Eigen::Ref<Vector> out) const {
    gradient(k, Point(n.y(), -n.x()), angles, out);
  }

  /// "rod 1", "rod 2", …
  std::vector<Body> bodies() const;

 private:
  double coupling(int i, int j) const;  // μ_ij l_i l_j

  Vector lengths_;
  Vector weights_;  // w
  Vector own_;      // μ_ii
  double gravity_;
};

}  // namespace percute::systems
