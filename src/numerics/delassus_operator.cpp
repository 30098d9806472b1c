// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/delassus_operator.hpp>

namespace percute::numerics {

void DelassusOperator::assign(const SparseMatrix& G) {
  const auto m = static_cast<std::size_t>(G.rows());
  start_.assign(m + 1, 0);
  column_.clear();
  value_.clear();
  diagonal_.assign(m, 0.0);
  // G is symmetric: its columns are its rows.
  for (int i = 0; i < static_cast<int>(m); ++i) {
    for (SparseMatrix::InnerIterator entry(G, i); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      column_.push_back(static_cast<int>(entry.row()));
      value_.push_back(entry.value());
      if (entry.row() == i) diagonal_[i] = entry.value();
    }
    start_[i + 1] = static_cast<int>(column_.size());
  }
}

}  // namespace percute::numerics
