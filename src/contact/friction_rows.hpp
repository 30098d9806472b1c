// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <cstddef>
#include <vector>

namespace percute::contact {

/// Rows of sliding velocities: contact i has the rows row(i) … row(i) + size(i), none without
/// friction, one in the plane, two in space.
struct FrictionRows {
  /// Those of contacts with μ > 0 and tangents.
  void assign(const std::vector<Contact>& contacts);

  std::vector<int> start = {0};  ///< m + 1
  std::vector<double> friction;  ///< m, μ; 0 where no row is
  bool spatial = false;          ///< some contact slides in a plane
  bool infinite = false;         ///< μ of some contact

  int tangential() const { return start.back(); }
  int row(int i) const { return start[static_cast<std::size_t>(i)]; }
  int size(int i) const { return start[static_cast<std::size_t>(i) + 1] - row(i); }
  bool acts(int i) const { return size(i) > 0; }
  double mu(int i) const { return friction[static_cast<std::size_t>(i)]; }
};

inline FrictionRows friction_rows(const std::vector<Contact>& contacts) {
  FrictionRows rows;
  rows.assign(contacts);
  return rows;
}

/// Gradients of all contacts, then the tangents with a row: the directions H of all impulses,
/// M (v − v⁻) = H (P, P_t).
SparseMatrix all_directions(const ImpactProblem& problem, const FrictionRows& rows);

/// The tangential Delassus matrix A, symmetric, of all rows of a FrictionRows.
struct Mobility {
  const double* first = nullptr;
  std::ptrdiff_t stride = 0;  ///< from one row to the next
  // The rows t and what they do, M⁻¹ t: A = tᵀ M⁻¹ t. Rows that differ by a tilt φ are told apart
  // by them; A, in which φ² is what they differ by, has lost it below 1e-8.
  const double* rows = nullptr;
  const double* answers = nullptr;
  int coordinates = 0;  ///< from one row to the next

  double operator()(int r, int s) const { return first[r * stride + s]; }
};

/// A = L Lᵀ of some rows of a Mobility, the row most independent of those before it first. Rows
/// that depend on others have no place among them, and follow.
class RowFactor {
 public:
  void reserve(std::size_t n);
  void clear();
  /// One more row; it is independent if more than `least` of its mobility is left by the others.
  void add(int row, double least);
  /// Chooses the independent rows, and factors.
  void choose(const Mobility& A);
  /// With the rows chosen before, and the matrix of another place.
  void factor(const Mobility& A);
  /// The same with these rows chosen: per row of the mobility its place, or −1.
  void factor(const Mobility& A, const std::vector<int>& places);

  int size() const { return static_cast<int>(rows_.size()); }
  int rank() const { return static_cast<int>(chosen_.size()); }
  int row(int r) const { return rows_[static_cast<std::size_t>(r)]; }  ///< of the mobility
  int chosen(int k) const { return chosen_[static_cast<std::size_t>(k)]; }
  /// Of row r among the independent ones, or −1.
  int place(int r) const { return place_[static_cast<std::size_t>(r)]; }
  /// Smallest part of its mobility that an independent row has for itself.
  double weakest() const { return weakest_; }
  /// How far row r is from following the independent ones, over what makes it one of them.
  double own(int r) const { return own_[static_cast<std::size_t>(r)]; }
  /// size × rank, by rows; the chosen ones are lower triangular.
  // NOLINTNEXTLINE(readability-identifier-naming): as in the equations
  const double* L() const { return L_.data(); }

 private:
  void run(const Mobility& A, bool choose);
  int pivot(const Mobility& A) const;
  void eliminate(const Mobility& A, int k);

  std::vector<int> rows_;
  std::vector<double> least_;
  std::vector<int> chosen_;  ///< independent rows, in the order of the factor
  std::vector<int> place_;
  std::vector<double> own_;
  double weakest_ = 1.0;
  std::vector<double> L_;
  std::vector<double> left_;     ///< of the diagonal, while factoring
  std::vector<double> rest_;     ///< of the rows
  std::vector<double> answers_;  ///< of what is left
};

}  // namespace percute::contact
