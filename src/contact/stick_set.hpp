// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/friction_rows.hpp"

#include <vector>

namespace percute::contact {

/// The tangential Delassus matrix A, symmetric, of all rows of a FrictionRows.
struct Mobility {
  const double* first = nullptr;
  std::ptrdiff_t stride = 0;  ///< from one row to the next

  double operator()(int r, int s) const { return first[r * stride + s]; }
};

/// Contacts that are held together: A = L Lᵀ of their rows, and forces f that keep all of them from
/// sliding, A f = −c, where c is what drives them.
///
/// Their rows may be redundant (both corners of a block share one sliding velocity). Velocities do
/// not depend on how such contacts share the force, but the limits do: it is shared in proportion
/// to them.
class StickSet {
 public:
  void assign(const FrictionRows& rows);
  /// Takes over who is held and factors the matrix of their rows.
  void gather(const std::vector<int>& contacts, const Mobility& A);

  bool empty() const { return contacts_.empty(); }
  const std::vector<int>& contacts() const { return contacts_; }
  int size() const { return static_cast<int>(rows_.size()); }
  int rank() const { return static_cast<int>(chosen_.size()); }
  int row(int r) const { return rows_[static_cast<std::size_t>(r)]; }  ///< tangential row
  const std::vector<int>& begin() const { return begin_; }             ///< rows of contacts()[s]
  bool redundant() const { return rank() < size(); }
  const double* factor() const { return L_.data(); }  ///< L, size × rank, by rows

  /// Equality alone, whatever the limits. c, f: one number per row of the set; limit: per contact
  /// of the set, only their ratios matter.
  void hold(const double* c, const double* limit, double* f);
  /// Whether |f_i| ≤ (1 + slack) limit_i for all.
  bool within(const double* f, const double* limit, double slack) const;

 private:
  void factor_rows(const Mobility& A);
  void combine();
  void share(const double* limit, double* f);

  const FrictionRows* all_ = nullptr;
  std::vector<int> contacts_;
  std::vector<int> rows_;
  std::vector<int> begin_ = {0};
  std::vector<int> chosen_;       ///< independent rows, in the order of the factor
  std::vector<double> L_;         ///< size × rank; its chosen rows are lower triangular
  std::vector<double> N_;         ///< rank × size: all rows as combinations of the chosen ones
  std::vector<double> left_;      ///< of the diagonal, while factoring
  std::vector<double> weighted_;  ///< rank × rank
  std::vector<double> total_;     ///< rank
};

}  // namespace percute::contact
