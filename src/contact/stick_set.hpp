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
  // The rows t and what they do, M⁻¹ t: A = tᵀ M⁻¹ t. Rows that differ by a tilt φ are told apart
  // by them; A, in which φ² is what they differ by, has lost it below 1e-8.
  const double* rows = nullptr;
  const double* answers = nullptr;
  int coordinates = 0;  ///< from one row to the next

  double operator()(int r, int s) const { return first[r * stride + s]; }
};

/// Contacts that are held together: A = L Lᵀ of their rows, and forces f that keep all of them from
/// sliding, A f = −c, where c is what drives them.
///
/// Their rows may be redundant (both corners of a block share one sliding velocity). Velocities do
/// not depend on how such contacts share the force, but the limits do: it is shared in proportion
/// to them. Which rows are independent is decided once, when they are gathered: where bodies move
/// forces are smooth as long as nothing is decided anew.
class StickSet {
 public:
  void assign(const FrictionRows& rows);
  /// Takes over who is held and factors the matrix of their rows.
  void gather(const std::vector<int>& contacts, const Mobility& A);
  /// The same contacts and the same independent rows with the matrix of another place.
  void move_to(const Mobility& A);
  /// Goes on with these independent rows: per row of all contacts its place among them, or −1.
  void resume(const std::vector<int>& contacts, const std::vector<int>& places, const Mobility& A);

  bool empty() const { return contacts_.empty(); }
  const std::vector<int>& contacts() const { return contacts_; }
  int size() const { return static_cast<int>(rows_.size()); }
  int rank() const { return static_cast<int>(chosen_.size()); }
  int row(int r) const { return rows_[static_cast<std::size_t>(r)]; }  ///< tangential row
  const std::vector<int>& begin() const { return begin_; }             ///< rows of contacts()[s]
  bool redundant() const { return rank() < size(); }
  /// Whether row r follows the independent ones.
  bool follows(int r) const { return place_[static_cast<std::size_t>(r)] < 0; }
  /// Tangential rows that follow. Held exactly only where they depend exactly on the others.
  const std::vector<int>& followers() const { return followers_; }
  int place(int r) const { return place_[static_cast<std::size_t>(r)]; }
  /// Smallest part of its mobility that an independent row has for itself.
  double weakest() const { return weakest_; }
  /// How far row r is from following the independent ones, over what makes it one of them.
  double own(int r) const { return own_[static_cast<std::size_t>(r)]; }
  const double* factor() const { return L_.data(); }  ///< L, size × rank, by rows

  /// Equality alone, whatever the limits. c, f: one number per row of the set; limit: per contact
  /// of the set, only their ratios matter.
  void hold(const double* c, const double* limit, double* f);
  /// Whether |f_i| ≤ (1 + slack) limit_i for all.
  bool within(const double* f, const double* limit, double slack) const;

 private:
  void list(const std::vector<int>& contacts);
  void factor_rows(const Mobility& A, bool choose);
  int pivot(const Mobility& A) const;
  void eliminate(const Mobility& A, int k);
  void combine();
  void share(const double* limit, double* f);

  const FrictionRows* all_ = nullptr;
  std::vector<int> contacts_;
  std::vector<int> rows_;
  std::vector<int> begin_ = {0};
  std::vector<int> chosen_;       ///< independent rows, in the order of the factor
  std::vector<int> place_;        ///< of each row in chosen_, or −1
  std::vector<int> followers_;    ///< rows without a place there
  std::vector<double> L_;         ///< size × rank; its chosen rows are lower triangular
  std::vector<double> N_;         ///< rank × size: all rows as combinations of the chosen ones
  std::vector<double> left_;      ///< of the diagonal, while factoring
  std::vector<double> own_;       ///< rows
  std::vector<double> least_;     ///< rows: part of the mobility by which one is independent
  double weakest_ = 1.0;          ///< of the independent rows
  std::vector<double> rest_;      ///< what is left of the rows while factoring, where A has them
  std::vector<double> answers_;   ///< of what is left
  std::vector<double> weighted_;  ///< rank × rank
  std::vector<double> total_;     ///< rank
};

}  // namespace percute::contact
