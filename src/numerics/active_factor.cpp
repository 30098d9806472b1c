// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/active_factor.hpp"

#include <algorithm>

namespace percute::numerics {

std::size_t ActiveFactor::numbers(int n) {
  const auto size = static_cast<std::size_t>(n);
  return size * size + size;
}

std::size_t ActiveFactor::indices(int n) {
  return 2 * static_cast<std::size_t>(n);
}

ActiveFactor::ActiveFactor(int n, const double* A, double* numbers, int* indices)
    : n_(n), A_(A), L_(numbers), inverse_(numbers + n * n), list_(indices), first_(indices + n) {}

bool ActiveFactor::append(int i, double dependent) {
  const double* column = A_ + n_ * i;
  double* row = L_ + n_ * count_;
  int first = 0;
  while (first < count_ && column[list_[first]] == 0.0) ++first;
  // row ← D Lᵀ-part: Σ_l L_jl row_l = A_ji
  for (int j = first; j < count_; ++j) {
    const double* other = L_ + n_ * j;
    double sum = column[list_[j]];
    for (int l = std::max(first, first_[j]); l < j; ++l) sum -= other[l] * row[l];
    row[j] = sum;
  }
  double left = column[i];
  for (int j = first; j < count_; ++j) {
    const double entry = row[j] * inverse_[j];
    left -= row[j] * entry;
    row[j] = entry;
  }
  if (!(left > dependent * column[i])) return false;
  delicate_ = delicate_ || left < kDelicate * column[i];
  list_[count_] = i;
  first_[count_] = first;
  inverse_[count_] = 1.0 / left;
  ++count_;
  return true;
}

void ActiveFactor::remove(int i) {
  const int end = count_;
  const auto* place = std::find(list_, list_ + end, i);
  count_ = static_cast<int>(place - list_);
  // Fewer columns before them leave the others more of their diagonal, up to rounding.
  for (int k = count_ + 1; k < end; ++k) append(list_[k], 0.1 * kDependent);
}

void ActiveFactor::solve(double* x) const {
  for (int k = 0; k < count_; ++k) {
    const double* row = L_ + n_ * k;
    double sum = x[k];
    for (int j = first_[k]; j < k; ++j) sum -= row[j] * x[j];
    x[k] = sum;
  }
  for (int k = 0; k < count_; ++k) x[k] *= inverse_[k];
  for (int k = count_ - 1; k > 0; --k) {
    const double* row = L_ + n_ * k;
    for (int j = first_[k]; j < k; ++j) x[j] -= row[j] * x[k];
  }
}

void ActiveFactor::dependence(int i, double* x) const {
  const double* column = A_ + n_ * i;
  for (int k = 0; k < count_; ++k) x[k] = column[list_[k]];
  solve(x);
}

}  // namespace percute::numerics
