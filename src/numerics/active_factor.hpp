// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstddef>

namespace percute::numerics {

/// A_FF = L D Lᵀ for a growing and shrinking list F of indices of a symmetric positive semidefinite
/// matrix A (n × n, by columns), row by row: a new index adds a row, a dropped one has the rows
/// after it computed anew. Each row of L starts at its first nonzero, so that chains of contacts,
/// whose A has three diagonals, cost as many operations as contacts. Memory is the caller's.
class ActiveFactor {
 public:
  static std::size_t numbers(int n);
  static std::size_t indices(int n);

  ActiveFactor(int n, const double* A, double* numbers, int* indices);

  int count() const { return count_; }
  int index(int k) const { return list_[k]; }
  const int* list() const { return list_; }
  /// Some index left little of its diagonal since the last clear(): solutions need refinement.
  bool delicate() const { return delicate_; }
  void clear() {
    count_ = 0;
    delicate_ = false;
  }

  /// Takes index i up. False, with F as before, where column i depends on those of F: what remains
  /// of its diagonal is at most kDependent of it.
  bool append(int i) { return append(i, kDependent); }
  void remove(int i);

  /// x ← A_FF⁻¹ x, by position in F.
  void solve(double* x) const;
  /// x = A_FF⁻¹ A_Fi.
  void dependence(int i, double* x) const;

 private:
  static constexpr double kDependent = 1e-12;
  static constexpr double kDelicate = 1e-4;
  bool append(int i, double dependent);

  int n_;
  const double* A_;
  double* L_;        ///< n × n by rows
  double* inverse_;  ///< 1 / D
  int* list_;        ///< F
  int* first_;       ///< of row k of L: position of the first nonzero
  int count_ = 0;
  bool delicate_ = false;
};

}  // namespace percute::numerics
