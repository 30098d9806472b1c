// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <cstddef>
#include <vector>

namespace percute::numerics {

/// Products with a Delassus matrix G = XᵀX, X = L⁻¹W for M = L Lᵀ, in the form that costs least:
///
///   * small problems: the full matrix, or its three diagonals where contacts form a chain;
///   * contact space: the nonzeros of G (most contacts do not share a body);
///   * body space: X first, then Xᵀ, where bodies have so many contacts that G is the fuller one.
///
/// Small problems are padded with zeros to `lanes()` contacts, a number known at compile time, so
/// that products with apply<Lanes>() are unrolled. Products do not allocate.
class DelassusOperator {
 public:
  static constexpr int kLargestSmall = 16;
  /// Contacts after padding: the next even number.
  static int lanes_for(int contacts);

  void assign(const SparseMatrix& X);

  int size() const { return static_cast<int>(diagonal_.size()); }
  int lanes() const { return lanes_; }
  double diagonal(int i) const { return diagonal_[i]; }

  /// out = b + G x for vectors of lanes() entries. Lanes = 0: any size. The entries before and
  /// after x are read (and multiplied by zero), so they must exist and be finite.
  template <int Lanes = 0>
  void apply(const double* b, const double* x, double* out) const {
    if constexpr (Lanes > 0) {
      using Array = Eigen::Array<double, Lanes, 1>;
      using In = Eigen::Map<const Array>;
      Eigen::Map<Array> result(out);
      if (Lanes > 4 && chain_) {
        const double* band = band_.data();
        result = In(b) + (In(band) * In(x - 1) + In(band + Lanes) * In(x) +
                          In(band + 2 * Lanes) * In(x + 1));
      } else {
        Array sum = In(full_.data()) * x[0];
        for (int j = 1; j < Lanes; ++j) sum += In(full_.data() + j * Lanes) * x[j];
        result = In(b) + sum;
      }
    } else if (in_body_space_) {
      apply_bodies(b, x, out);
    } else {
      for (int i = 0; i < size(); ++i) out[i] = b[i] + row(i, x);
    }
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
  void multiply_small(const SparseMatrix& X);
  void multiply_large(const SparseMatrix& X);
  void apply_bodies(const double* b, const double* x, double* out) const;

  int lanes_ = 0;
  bool chain_ = false;  ///< three diagonals hold all
  bool in_body_space_ = false;
  std::vector<int> start_;        ///< m + 1
  std::vector<int> column_;       ///< nonzeros of G by rows
  std::vector<double> value_;     ///< nonzeros of G by rows
  std::vector<double> diagonal_;  ///< m
  std::vector<double> full_;      ///< small: lanes × lanes, by columns
  std::vector<double> band_;      ///< small chains: lower, main and upper diagonal, lanes each
  SparseMatrix X_;                ///< body space: the factor
  mutable std::vector<double> bodies_;  ///< body space: X x, scratch
};

}  // namespace percute::numerics
