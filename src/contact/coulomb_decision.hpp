// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::contact {

/// What a decision is about.
struct CoulombProblem {
  int rank = 0;
  const double* L = nullptr;           ///< rows × rank, by rows
  const std::vector<int>* start = {};  ///< rows of block i: start[i] … start[i+1]
  const double* b = nullptr;           ///< rows
  const double* limit = nullptr;       ///< blocks
  double scale = 1.0;                  ///< of velocities
};

/// Coulomb's law of all contacts at once, where normal forces are known. With the tangential
/// Delassus matrix A = L Lᵀ, velocities b that the rows would have without friction, and limits
/// r_i = μ_i λ_i ≥ 0 (infinite: never slides),
///
///     minimise ½ fᵀ A f + fᵀ b,   |f_i| ≤ r_i,
///
/// solved for the velocities afterwards, u = b + A f, in the form
///
///     minimise ½ |x|² + Σ r_i |b_i + L_i x|,    x = Lᵀ f,   f_i = −r_i u_i/|u_i| where u_i ≠ 0,
///
/// which is strictly convex whatever the rank of A: redundant contacts are nothing special. |u| is
/// smoothed as √(|u|² + ε²) with ε falling to 1e-13 of the scale, and each of these problems solved
/// by the primal–dual Newton method of Chan, Golub and Mulet (SIAM J. Sci. Comput. 20, 1999), in
/// which w = −f/r, |w| ≤ 1, is an unknown of its own; its matrix I + Lᵀ D L is never singular.
/// Velocities are unique, and so is who slides; forces up to the kernel of A.
class CoulombDecision {
 public:
  /// False if Newton's method has not converged: the best velocities known.
  bool solve(CoulombProblem problem);
  const double* velocity() const { return u_.data(); }  ///< u, rows
  /// f, rows; 0 where the limit is infinite.
  const double* force() const { return f_.data(); }

 private:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void resize(const CoulombProblem& problem);
  void hold_infinite(CoulombProblem& problem);
  void solve_on_line(const CoulombProblem& problem);
  bool descend(const CoulombProblem& problem);
  bool newton(const CoulombProblem& problem, double epsilon);
  void evaluate(const CoulombProblem& problem, double epsilon);
  void assemble(const CoulombProblem& problem);
  void search(const CoulombProblem& problem, double epsilon);
  double update_dual(const CoulombProblem& problem);

  std::vector<double> r_;      ///< limits, 0 instead of infinite ones
  std::vector<double> x_;      ///< rank
  std::vector<double> dx_;     ///< rank
  std::vector<double> next_;   ///< rank
  std::vector<double> slope_;  ///< rank: gradient
  std::vector<double> H_;      ///< rank × rank
  std::vector<double> u_;      ///< rows
  std::vector<double> f_;      ///< rows
  std::vector<double> d_;      ///< rows: u/n
  std::vector<double> w_;      ///< rows
  std::vector<double> n_;      ///< blocks: √(|u|² + ε²)
  std::vector<double> d0_;     ///< d where Newton's step began
  std::vector<double> n0_;     ///< n there
  RowMatrix L_;                ///< where contacts never slide: of the problem that is left
  Vector b_;
};

}  // namespace percute::contact
