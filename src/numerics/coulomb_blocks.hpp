// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"
#include "numerics/coulomb_contact.hpp"

#include <vector>

namespace percute::numerics {

/// A Coulomb problem laid out for sweeps: the nonzero blocks of A by rows of contacts, each
/// contiguous, next to what the contacts are made of.
class CoulombBlocks {
 public:
  /// Throws std::invalid_argument for data that is no problem.
  void assign(const CoulombProblem& problem, double scale);

  int contacts() const { return static_cast<int>(contact_.size()); }
  int rows() const { return start_.back(); }
  int start(int i) const { return start_[i]; }
  int size(int i) const { return start_[i + 1] - start_[i]; }
  const CoulombContact& contact(int i) const { return contact_[i]; }
  double scale() const { return scale_; }
  bool planar() const { return planar_; }
  bool has_floor() const { return has_floor_; }
  bool has_infinite_friction() const { return has_infinite_friction_; }

  /// Calls visit(j, A_ij) for the nonzero blocks of row i; A_ij by rows.
  template <class Visit>
  void for_row(int i, Visit&& visit) const {
    for (int k = first_[i]; k < first_[i + 1]; ++k) visit(column_[k], value_.data() + offset_[k]);
  }

  /// z_i = b_i + Σ_j A_ij p_j
  void velocity(int i, const double* p, double* z) const;
  /// All of z; returns the scaled error.
  double evaluate(const double* p, double* z) const;

 private:
  void check(const CoulombProblem& problem) const;

  std::vector<int> start_ = {0};
  std::vector<CoulombContact> contact_;
  std::vector<int> first_;     ///< contacts + 1: blocks of each row
  std::vector<int> column_;    ///< contact of each block
  std::vector<int> offset_;    ///< of each block in value_
  std::vector<double> value_;  ///< blocks by rows
  std::vector<int> place_;     ///< scratch of assign: block of a column
  std::vector<int> owner_;     ///< contact of each row
  Vector b_;
  double scale_ = 1.0;
  bool planar_ = true;
  bool has_floor_ = false;
  bool has_infinite_friction_ = false;
};

/// Nonsmooth Gauss–Seidel (Jean 1999): sweeps of exact one-contact solutions from the given p,
/// until the error is at most `tolerance`. Updates p, z, error, iterations, status,
/// multiple_solutions.
void solve_by_sweeps(const CoulombBlocks& blocks, double tolerance, int max_sweeps,
                     CoulombSolution& solution);

/// Whether every mode of every contact is linear, and there are not too many combinations: one
/// tangent, or friction that is zero or infinite.
bool enumerable(const CoulombBlocks& blocks);

/// All solutions of such a problem; see enumerate_coulomb.
std::vector<CoulombSolution> enumerate_modes(const CoulombProblem& problem,
                                             const CoulombBlocks& blocks);

}  // namespace percute::numerics
