// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// Products with a symmetric Delassus matrix G, stored by rows without their zeros (most contacts
/// do not share a body). Products do not allocate.
class DelassusOperator {
 public:
  void assign(const SparseMatrix& G);

  int size() const { return static_cast<int>(diagonal_.size()); }
  double diagonal(int i) const { return diagonal_[i]; }

  /// out = G x
  void apply(const double* x, double* out) const {
    const int m = size();
    for (int i = 0; i < m; ++i) out[i] = row(i, x);
  }

  /// out = b + G x
  void apply(const double* b, const double* x, double* out) const {
    const int m = size();
    for (int i = 0; i < m; ++i) out[i] = b[i] + row(i, x);
  }

  /// (G x)_i
  double row(int i, const double* x) const {
    double sum = 0.0;
    for (int k = start_[i]; k < start_[i + 1]; ++k) sum += value_[k] * x[column_[k]];
    return sum;
  }

  /// Calls visit(column, value) for the nonzeros of row i.
  template <class Visit>
  void for_row(int i, Visit&& visit) const {
    for (int k = start_[i]; k < start_[i + 1]; ++k) visit(column_[k], value_[k]);
  }

 private:
  std::vector<int> start_;        ///< m + 1
  std::vector<int> column_;       ///< nonzeros
  std::vector<double> value_;     ///< nonzeros
  std::vector<double> diagonal_;  ///< m
};

}  // namespace percute::numerics
