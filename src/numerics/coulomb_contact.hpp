// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <algorithm>
#include <cmath>

namespace percute::numerics {

struct ContactOutcome {
  bool found = true;                ///< false: no solution (singular blocks only)
  bool multiple_solutions = false;  ///< another one with a larger normal impulse exists
};

/// Coulomb's law with unilateral contact at one contact, exactly. With z = A p + b, normal first,
///
///   0 ≤ z_n ⟂ p_n − floor ≥ 0,   |p_t| ≤ μ p_n,   z_t ≠ 0 ⇒ p_t = −μ p_n z_t/|z_t|.
///
/// For a given p_n = s the tangential impulse is that of a convex problem on the disc |p_t| ≤ μ s,
/// so that z_n = z_n(s) is a continuous function of s alone, and 0 ≤ z_n(s) ⟂ s − floor ≥ 0
/// remains. Its slope at infinity is positive for a positive definite A: there always is a
/// solution, also where A_nn < μ |A_nt| lets an impact jam. Of several solutions the one of least
/// p_n is taken.
///
/// One tangent (planar): z_n(s) is piecewise linear. Two tangents: sliding means z_t = −κ p_t, κ >
/// 0; with y = 1/(1 + κ/a), a = λ_max(A_tt), |p_t| = μ p_n is an equation of degree 4 for y in (0,
/// 1).
///
/// μ = 0 is the frictionless contact. μ = ∞ forbids sliding of a contact that closes; where
/// stopping the sliding alone already separates the bodies, p = (0, −A_tt⁻¹ b_t) is returned.
class CoulombContact {
 public:
  /// block: size × size, symmetric, with leading dimension `stride`; size 1, 2 or 3.
  void assign(const double* block, int stride, int size, double friction, double floor = 0.0);

  /// Where A is singular, of A + δ I, δ = regularisation(); repeating solve() with `shift` from the
  /// last p then converges to a solution of the contact itself.
  ContactOutcome solve(const double* b, double* p) const;

  /// b = z − (A + δ I) p: what is left of z without the contact's own impulse.
  void shift(const double* z, const double* p, double* b) const;

  /// |p − proj(p − ρ ẑ)|/m with ρ = 1/λ_max(A), m = 1/A_nn, ẑ = z + μ |z_t| n (de Saxcé & Feng
  /// 1998), the projection on the cone cut off at the floor: unit of z, zero at a solution and only
  /// there.
  double error(const double* p, const double* z) const;

  int size() const { return size_; }
  double friction() const { return friction_; }
  double floor() const { return floor_; }
  double mass() const { return mass_; }                      ///< m = 1/A_nn; 0 where A_nn = 0
  double step() const { return step_; }                      ///< ρ = 1/λ_max(A)
  double regularisation() const { return regularisation_; }  ///< added to A where it is singular

 private:
  ContactOutcome solve_planar(const double* b, double* p) const;
  ContactOutcome solve_spatial(const double* b, double* p) const;
  ContactOutcome solve_without_sliding(const double* b, double* p) const;
  void impulse_on_disc(const double* w, double radius, double* p) const;

  int size_ = 0;
  double friction_ = 0.0;
  double floor_ = 0.0;
  double mass_ = 0.0;
  double step_ = 0.0;
  double regularisation_ = 0.0;
  bool monotone_ = false;            ///< z_n(s) certainly increases: one solution
  double block_[9] = {};             ///< A + δ I, rows of three
  double normal_ = 0.0;              ///< A_nn + δ
  double tangent_[2] = {0.0, 0.0};   ///< eigenvalues of A_tt, the largest first
  double coupling_[2] = {0.0, 0.0};  ///< A_tn in the eigenbasis
  double basis_[2] = {1.0, 0.0};     ///< first eigenvector of A_tt; the second is (−y, x)
};

/// Euclidean projection of x = (x_n, x_t), `size` entries (1, 2 or 3), normal first, on the
/// friction cone cut off below,
///
///   C = { p : |p_t| ≤ μ p_n, p_n ≥ floor },   μ ∈ [0, ∞], floor ≥ 0.
///
/// With floor = 0 this is Coulomb's cone K. μ = ∞: the half-space p_n ≥ floor. Where the projection
/// on K lies below the floor, the nearest point is on the disc p_n = floor.
inline void project_on_friction_cone(double* x, int size, double friction, double floor = 0.0) {
  const double t1 = size > 1 ? x[1] : 0.0;
  const double t2 = size > 2 ? x[2] : 0.0;
  const double length = std::hypot(t1, t2);
  double normal = x[0];
  double radius = length;
  if (size == 1 || std::isinf(friction)) {
    normal = std::max(normal, floor);
  } else if (length > friction * normal) {
    // Nearest point of the boundary ray through x_t, the apex where x lies in the polar cone.
    normal = std::max((normal + friction * length) / (1.0 + friction * friction), floor);
    radius = std::min(length, friction * normal);
    if (normal <= 0.0) radius = 0.0;
  } else if (normal < floor) {
    normal = floor;  // then |x_t| ≤ μ x_n < μ floor
  }
  x[0] = std::max(normal, 0.0);
  if (radius < length) {
    const double factor = radius / length;
    if (size > 1) x[1] *= factor;
    if (size > 2) x[2] *= factor;
  }
}

}  // namespace percute::numerics
