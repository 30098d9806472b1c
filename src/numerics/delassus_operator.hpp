// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <cstddef>
#include <vector>

namespace percute::numerics {

/// A matrix of few contacts, an even number of `lanes`, for products whose loops are unrolled. They
/// take contacts in pairs, which processors can treat as one number. Matrices of chains are kept as
/// three diagonals, too.
class SmallMatrix {
 public:
  using Pair = Eigen::Array<double, 2, 1>;
  static Pair load(const double* v, int i) { return Eigen::Map<const Pair>(v + i); }
  static void store(double* v, int i, const Pair& pair) { Eigen::Map<Pair>(v + i) = pair; }

  /// Zeros, of a chain.
  void clear(int lanes);
  void set(int i, int j, double value);
  double operator()(int i, int j) const { return full_[j * lanes_ + i]; }
  /// Row i of another matrix of this size and kind, times a factor.
  void set_row(int i, const SmallMatrix& other, double factor);

  /// Calls visit(i, Pair) with the components i and i + 1 of b + A x for even i, in this order.
  template <int Lanes, class Visit>
  [[gnu::always_inline]] void visit_product(const double* b, const double* x, Visit&& visit) const {
    if (Lanes > kNarrow && chain_) {
      // Neighbours are taken from the pairs beside: numbers just stored as pairs are slow to read
      // back across the boundaries. Beyond both ends the diagonals hold zeros.
      const double* band = band_.data();
      Pair here = load(x, 0);
      Pair before = between(here, here);
      for (int i = 0; i < Lanes; i += 2) {
        const Pair next = i + 2 < Lanes ? load(x, i + 2) : here;
        const Pair after = between(here, next);
        visit(i, load(b, i) + (load(band, i) * before + load(band, Lanes + i) * here +
                               load(band, 2 * Lanes + i) * after));
        before = after;
        here = next;
      }
    } else {
      using Array = Eigen::Array<double, Lanes, 1>;
      using In = Eigen::Map<const Array>;
      Array sum = In(full_.data()) * x[0];
      for (int j = 1; j < Lanes; ++j) sum += In(full_.data() + j * Lanes) * x[j];
      for (int i = 0; i < Lanes; i += 2) visit(i, load(b, i) + load(sum.data(), i));
    }
  }

 private:
  static constexpr int kNarrow = 4;  ///< up to here the full matrix is as fast as a chain
  /// The last of a and the first of b.
  static Pair between(const Pair& a, const Pair& b) { return {a[1], b[0]}; }

  int lanes_ = 0;
  bool chain_ = true;         ///< three diagonals hold all
  std::vector<double> full_;  ///< lanes × lanes, by columns
  std::vector<double> band_;  ///< lower, main and upper diagonal, lanes each
};

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
  /// The rows and columns `members` (ascending) of another operator; place[j] is where member j
  /// stands among them, −1 for all others.
  void assign(const DelassusOperator& whole, const std::vector<int>& members,
              const std::vector<int>& place);

  int size() const { return static_cast<int>(diagonal_.size()); }
  int lanes() const { return lanes_; }
  double diagonal(int i) const { return diagonal_[i]; }

  /// The matrix of a small problem.
  const SmallMatrix& small() const { return small_; }

  /// out = b + G x for vectors of lanes() entries. Lanes = 0: any size.
  template <int Lanes = 0>
  void apply(const double* b, const double* x, double* out) const {
    if constexpr (Lanes > 0) {
      small_.visit_product<Lanes>(
          b, x, [&](int i, const SmallMatrix::Pair& sum) { SmallMatrix::store(out, i, sum); });
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

  int nonzeros_of_row(int i) const { return start_[i + 1] - start_[i]; }
  /// Calls visit(column, value) for the nonzeros of row i.
  template <class Visit>
  void for_row(int i, Visit&& visit) const {
    for (int k = start_[i]; k < start_[i + 1]; ++k) visit(column_[k], value_[k]);
  }

 private:
  void resize(int m);
  void multiply_small(const SparseMatrix& X);
  void multiply_large(const SparseMatrix& X);
  void apply_bodies(const double* b, const double* x, double* out) const;

  int lanes_ = 0;
  bool in_body_space_ = false;
  std::vector<int> start_;        ///< m + 1
  std::vector<int> column_;       ///< nonzeros of G by rows
  std::vector<double> value_;     ///< nonzeros of G by rows
  std::vector<double> diagonal_;  ///< m
  SmallMatrix small_;
  SparseMatrix X_;                      ///< body space: the factor
  mutable std::vector<double> bodies_;  ///< body space: X x, scratch
};

}  // namespace percute::numerics
