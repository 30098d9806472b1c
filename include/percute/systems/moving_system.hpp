// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <concepts>

namespace percute::systems {

/// What a system offers to be moved in time by any method of percute::simulation:
///
///     q' = v,   M(q) v' = f(t, q, v) + W(q) λ,   0 ≤ h(q) ⟂ λ ≥ 0,   W = ∇h.
///
/// Contacts are all its unilateral constraints, closed or not, in an order that never changes.
/// Output arguments come with the right size and with contents of no meaning; everything must be
/// written. A system of one's own needs these nine functions and nothing else.
///
/// Optional, found by name:
// clang-format off
///     std::unique_ptr<MassSolver> solver() const         M⁻¹ faster than by a dense factor
///     void stiffness(const Vector& q, Matrix& K) const   Hessian of the elastic potential: for limits
///                                                        of steps and for implicit methods
///     bool conservative() const                          false where f does work of its own
///     double longest_step(double t) const                s, where f depends on time: adaptive steps
///                                                        from t on are not longer
///     void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const   tangents of contact i, n × d,
///                                                        where contact(i, q).directions = d > 0;
///                                                        takes no memory
///     std::vector<Body> bodies() const                   names of its parts
///     std::vector<std::string> contact_names() const     names of its contacts
///
/// and bilateral constraints g(q) = 0:
///
///     int joints() const
///     void joint(const Vector& q, Vector& g) const
///     void joint_gradient(int k, const Vector& q, Vector& column) const
///     double joint_curvature(int k, const Vector& q, const Vector& v) const
// clang-format on
template <class S>
concept MovingSystem = requires(const S& system, double t, const Vector& q, const Vector& v, int i,
                                Vector& x, Matrix& M) {
  { system.coordinates() } -> std::convertible_to<int>;  // n
  { system.contacts() } -> std::convertible_to<int>;     // m
  system.mass(q, M);                                     // M(q), n × n, symmetric positive definite
  system.force(t, q, v, x);  // f: gravity, springs, drives, Coriolis and centrifugal terms
  system.gaps(q, x);         // h(q), m
  system.gradient(i, q, x);  // ∇h_i(q), n
  // vᵀ ∇²h_i v, so that h_i″ = ∇h_i · v′ + that.
  { system.gap_curvature(i, q, v) } -> std::convertible_to<double>;
  { system.contact(i, q) } -> std::same_as<Contact>;  // material, and directions of sliding
  { system.potential_energy(q) } -> std::convertible_to<double>;  // J
};

}  // namespace percute::systems
