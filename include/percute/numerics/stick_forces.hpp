// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// Friction of contacts that do not slide at the moment: how much of what drives them, c, can it
/// hold?
///
///     f = argmin ½ fᵀ A f + fᵀ c,   |f_i| ≤ limit_i,
///
/// blocks i of one or two rows. The acceleration r = A f + c is unique. r_i = 0: the contact
/// sticks; otherwise f_i lies on the boundary and the contact starts to slide along r_i, which is
/// along −f_i.
struct StickProblem {
  Matrix A = {};  ///< symmetric positive semidefinite, both triangles
  Vector c = {};
  std::vector<int> start = {};  ///< rows of block i: start[i] … start[i+1]
  Vector limit = {};            ///< ≥ 0; infinity: never slides
};

struct StickForces {
  Vector f = {};
  Vector rate = {};               ///< A f + c
  std::vector<bool> slides = {};  ///< per block
  int iterations = 0;
  double error = 0.0;  ///< of the conditions of optimality, over the largest |c|
  bool solved = false;
};

/// Solves one after the other, keeping its memory. Where several f give the same accelerations and
/// none is at its limit, they are shared out in proportion to the limits. Otherwise contact by
/// contact exactly (Gauss–Seidel), finished by Newton's method on the contacts at their limits; and
/// where that does not settle it, or rows depend on each other, by an interior-point method.
class StickSolver {
 public:
  void solve(const StickProblem& problem, StickForces& out);

 private:
  bool hold_all(const StickProblem& problem, StickForces& out);
  void sweep(const StickProblem& problem, Vector& f) const;
  bool polish(const StickProblem& problem, Vector& f);
  void go_inside(const StickProblem& problem, Vector& f);
  double judge(const StickProblem& problem, StickForces& out) const;

  Vector weight_;
  Vector step_;
  Matrix hessian_;
  Vector gradient_;
  Vector trial_;
  bool redundant_ = false;  ///< rows of the last problem depend on each other
};

/// The point of the disc |f| ≤ limit that minimises ½ fᵀ B f + fᵀ d; B is size × size, size 1 or 2,
/// with leading dimension `stride`.
void minimise_on_disc(const double* B, std::ptrdiff_t stride, int size, const double* d,
                      double limit, double* f);

}  // namespace percute::numerics
