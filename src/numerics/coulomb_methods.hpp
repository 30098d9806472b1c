// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"
#include "numerics/coulomb_contact.hpp"

#include <vector>

namespace percute::numerics {

/// Throws std::invalid_argument, beginning with `name`, where sizes disagree, a contact does not
/// have 1 to 3 rows, or numbers are not what they may be. A has so many rows and columns; `others`
/// tells whether all else is as it must be. What users give is checked before, and better.
void require_contacts(const char* name, const std::vector<int>& start, Eigen::Index rows,
                      Eigen::Index columns, const Vector& b, const Vector& friction, bool others);

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

  /// Calls visit(j, A_ij) for the nonzero blocks of row i; A_ij by rows.
  template <class Visit>
  void for_row(int i, Visit&& visit) const {
    for (int k = first_[i]; k < first_[i + 1]; ++k) visit(column_[k], value_.data() + offset_[k]);
  }

  /// z_i = b_i + Σ_j A_ij p_j
  void velocity(int i, const double* p, double* z) const;
  /// All of z; returns the scaled error.
  double evaluate(const double* p, double* z) const;
  /// Projects every contact's impulse on its cone.
  void put_in_cones(Vector& p) const;

 private:
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
};

/// Solves J d = −F for Jacobians that may be singular where contacts are redundant: the shortest
/// step for small systems, a slightly regularised one for larger ones.
class NewtonStep {
 public:
  void clear() { entries_.clear(); }
  void add(int row, int column, double value) { entries_.emplace_back(row, column, value); }
  /// False where no finite step exists.
  bool solve(const Vector& F, double regularisation, Vector& step);

 private:
  std::vector<Eigen::Triplet<double>> entries_;
  SparseMatrix J_;
};

/// Nonsmooth Gauss–Seidel (Jean 1999): sweeps of exact one-contact solutions from the given p,
/// until the error is at most `tolerance`. Updates p, z, error, iterations, status,
/// multiple_solutions.
void solve_by_sweeps(const CoulombBlocks& blocks, double tolerance, int max_sweeps,
                     CoulombSolution& solution);

/// Semismooth Newton from the given p on F(p) = p − P(p − ρ z), where P projects the normal part on
/// p_n ≥ floor and the tangential one on the disc of radius μ max(floor, p_n − ρ z_n)
/// (Alart & Curnier 1991). Steps are halved until |F| decreases; where that fails, a few sweeps
/// of Gauss–Seidel move the iterate. Returns the best iterate.
void solve_alart_curnier(const CoulombBlocks& blocks, double tolerance, int max_steps,
                         CoulombSolution& solution);

/// Whether every mode of every contact is linear, and there are not too many combinations: one
/// tangent, or friction that is zero or infinite.
bool enumerable(const CoulombBlocks& blocks);

/// All solutions of such a problem; see enumerate_coulomb.
std::vector<CoulombSolution> enumerate_modes(const CoulombProblem& problem,
                                             const CoulombBlocks& blocks);

}  // namespace percute::numerics
