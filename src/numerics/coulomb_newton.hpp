// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb_blocks.hpp"

#include <vector>

namespace percute::numerics {

/// Solves J d = −F for Jacobians that may be singular where contacts are redundant: the shortest
/// step for small systems, a slightly regularised one for larger ones.
class NewtonStep {
 public:
  void resize(int rows);
  void set_zero();
  void add(int row, int column, double value) {
    if (dense_) {
      J_(row, column) += value;
    } else {
      entries_.emplace_back(row, column, value);
    }
  }
  /// False where no finite step exists.
  bool solve(const Vector& F, double regularisation, Vector& step);

 private:
  int rows_ = 0;
  bool dense_ = true;
  Matrix J_;
  std::vector<Eigen::Triplet<double>> entries_;
  SparseMatrix sparse_;
};

/// What Newton's method keeps between problems.
struct NewtonMemory {
  NewtonStep jacobian;
  Vector F;
  Vector step;
  Vector trial_p;
  Vector trial_z;
  Vector trial_F;
  CoulombSolution best;
};

/// Semismooth Newton from the given p on F(p) = p − P(p − ρ z), where P projects the normal part on
/// p_n ≥ floor and the tangential one on the disc of radius μ max(floor, p_n − ρ z_n)
/// (Alart & Curnier 1991). Steps are halved until |F| decreases; where that fails, a few sweeps
/// of Gauss–Seidel move the iterate. Returns the best iterate.
void solve_alart_curnier(const CoulombBlocks& blocks, double tolerance, int max_steps,
                         NewtonMemory& memory, CoulombSolution& solution);

/// Newton from the given p on x + y − (x∘x + y∘y + 2τ²e)^{1/2}, x = (μ p_n, p_t), y = ρ (ẑ_n, μ
/// z_t), ∘ the Jordan product of the second-order cone, smoothed by τ → 0 (Fukushima, Luo & Tseng
/// 2002). No floors, no μ = ∞: those are left to solve_alart_curnier.
void solve_fischer_burmeister(const CoulombBlocks& blocks, double tolerance, int max_steps,
                              NewtonMemory& memory, CoulombSolution& solution);

}  // namespace percute::numerics
