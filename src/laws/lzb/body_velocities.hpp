// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <vector>

namespace percute::laws {

/// Gap rates by way of the velocities of the bodies,
///
///     dΔv/dτ = M⁻¹ W λ,   U = U⁻ + Wᵀ Δv.
///
/// It is the same as U = U⁻ + G P, except for rounding: a light body squeezed between heavy ones
/// receives two impulses, both as large as their momentum, that cancel but for a trace, and so do
/// the entries of G in which the heavy masses are a trace. U⁻ + G P has lost its digits there; the
/// velocities never had them to lose.
class BodyVelocities {
 public:
  void clear() { used_ = false; }
  void assign(const ImpactProblem& problem);

  bool used() const { return used_; }
  /// Numbers to integrate, padded to an even one; none unless used.
  int size() const { return used_ ? padded_ : 0; }
  int coordinates() const { return static_cast<int>(W_.rows()); }

  /// M⁻¹ W λ, and 0 for the padding.
  void accelerations(const double* forces, double* out) const;
  /// (Wᵀ Δv)_i
  double gap_rate(int i, const double* dv) const {
    double sum = 0.0;
    for_column(i, [&](int k, double W_ki) { sum += W_ki * dv[k]; });
    return sum;
  }
  /// out = b + Wᵀ Δv
  void gap_rates(const double* b, const double* dv, double* out) const {
    for (int i = 0; i < W_.cols(); ++i) out[i] = b[i] + gap_rate(i, dv);
  }
  /// Calls visit(coordinate, value) for the entries of the gradient of gap i.
  template <class Visit>
  void for_column(int i, Visit&& visit) const {
    for (SparseMatrix::InnerIterator entry(W_, i); entry; ++entry) {
      visit(static_cast<int>(entry.row()), entry.value());
    }
  }

 private:
  bool used_ = false;
  int padded_ = 0;
  SparseMatrix W_;       ///< gap gradients
  SparseMatrix motion_;  ///< M⁻¹ W
};

}  // namespace percute::laws
