// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace percute::simulation {

/// Where a system is, how fast, and how its velocity changes.
struct NewmarkState {
  Vector q;
  Vector v;
  Vector a;      ///< F
  Vector force;  ///< of each held contact, N
};

/// Newmark's average acceleration with some contacts held closed: M F = f + W λ with h″ = 0 of the
/// held ones. Keeps its memory; takes none while the number of held contacts is 0 or 1.
class NewmarkStep {
 public:
  explicit NewmarkStep(const systems::AnySystem& system);

  systems::MassSolver& solver() { return *solver_; }
  std::int64_t iterations() const { return iterations_; }

  /// Acceleration and forces of the held contacts at (t, q, v). False: M has no factor there.
  bool accelerate(double t, const std::vector<int>& held, NewmarkState& state);
  /// From `from` at time t to `to`, dt later. False: did not converge.
  bool advance(double t, double dt, const std::vector<int>& held, const NewmarkState& from,
               NewmarkState& to);
  /// Removes what little gap and gap rate the held contacts have.
  void hold(const std::vector<int>& held, NewmarkState& state);
  /// Forces 0 ≤ λ ⟂ h″ ≥ 0 that these closed contacts, all at rest, would give; the acceleration
  /// of `state` must be the free one.
  Vector contact_forces(const std::vector<int>& closed, const NewmarkState& state);
  /// Takes the gap rates of these contacts away: see cut_bounce.hpp.
  void stop(const std::vector<int>& contacts, NewmarkState& state);

 private:
  template <class Solve>
  void prepare(const std::vector<int>& held, const Vector& q, Solve&& solve);
  void solve_small(const Vector& b, Vector& x) const;

  const systems::AnySystem& system_;
  std::unique_ptr<systems::MassSolver> solver_;
  std::int64_t iterations_ = 0;
  Vector f_, r_, column_, gaps_;
  Vector b_, x_;      // one per held contact
  Matrix W_, Y_, A_;  // W, M⁻¹ W or (M + c K)⁻¹ W, Wᵀ Y
};

}  // namespace percute::simulation
