// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/active_factor.hpp"
#include "numerics/lcp_methods.hpp"

namespace percute::numerics::lcp {

/// Search for the set F of positive z_i, A symmetric positive semidefinite: the problem is
/// min ½ zᵀA z + bᵀz over z ≥ 0, and its solution is known once F is.
struct ActiveSearch {
  const Problem& problem;
  ActiveFactor& factor;
  double* z;       ///< present point
  double* w;       ///< A z + b
  double* target;  ///< scratch, by position in F
  int* state;      ///< 1: wanted in F

  /// Block principal pivoting (Kostreva 1978; Júdice & Pires 1994) from the F in `state`: while
  /// some z_i in F or w_i outside is negative, all those change sides. Given up, with false, when
  /// the number of wrong ones no longer falls, as it may where contacts are redundant.
  bool guess(int& iterations) const;

  enum class End { Minimum, Unbounded, Limit };

  /// Primal active set (Lawson & Hanson 1974, ch. 23) from z = 0: take up the index of steepest
  /// descent, go to the minimum over F, stop where a z_i becomes zero and drop it. An index whose
  /// column depends on F has no minimum along its direction u (A u = 0, bᵀu < 0): go until some z_i
  /// becomes zero, which must happen unless there is no solution. The energy falls at each step, so
  /// no F comes back.
  End descend(int limit, int& iterations) const;

 private:
  /// z of F from w_F = 0, refined where rounding is seen; w of all. Returns the
  /// natural-map error.
  double solve() const;
  /// Steepest direction among those not in F, −1 where w ≥ 0 up to rounding.
  int steepest() const;
  /// z_F ← z_F + step (target − z_F) for the largest step ≤ 1 that keeps z ≥ 0; what stopped it
  /// leaves F. True if the whole step was possible.
  bool advance() const;
  /// Goes along u = (−A_FF⁻¹ A_Fi, 1), on which the energy is linear, until some z_j is zero.
  /// False if none ever is.
  bool slide(int i) const;
  void drop(int i) const;
};

}  // namespace percute::numerics::lcp
