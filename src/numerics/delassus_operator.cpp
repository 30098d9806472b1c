// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/delassus_operator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace percute::numerics {

namespace {

/// x·y of two sparse columns.
double dot(const SparseMatrix& X, int i, int j) {
  SparseMatrix::InnerIterator a(X, i);
  SparseMatrix::InnerIterator b(X, j);
  double sum = 0.0;
  while (a && b) {
    if (a.row() == b.row()) sum += a.value() * b.value();
    const bool advance_a = a.row() <= b.row();
    const bool advance_b = b.row() <= a.row();
    if (advance_a) ++a;
    if (advance_b) ++b;
  }
  return sum;
}

}  // namespace

void SmallMatrix::clear(int lanes) {
  lanes_ = lanes;
  chain_ = true;
  const auto size = static_cast<std::size_t>(lanes);
  full_.assign(size * size, 0.0);
  band_.assign(3 * size, 0.0);
}

void SmallMatrix::set(int i, int j, double value) {
  full_[j * lanes_ + i] = value;
  if (std::abs(i - j) <= 1) {
    band_[(1 + j - i) * lanes_ + i] = value;
  } else {
    chain_ = chain_ && value == 0.0;
  }
}

void SmallMatrix::set_row(int i, const SmallMatrix& other, double factor) {
  chain_ = other.chain_;
  if (lanes_ > kNarrow && chain_) {
    for (int d = 0; d < 3; ++d) band_[d * lanes_ + i] = factor * other.band_[d * lanes_ + i];
  } else {
    for (int j = 0; j < lanes_; ++j) full_[j * lanes_ + i] = factor * other.full_[j * lanes_ + i];
  }
}

int DelassusOperator::lanes_for(int contacts) {
  return std::max(2, (contacts + 1) / 2 * 2);
}

void DelassusOperator::resize(int m) {
  lanes_ = lanes_for(m);
  start_.assign(static_cast<std::size_t>(m) + 1, 0);
  diagonal_.assign(static_cast<std::size_t>(m), 0.0);
  column_.clear();
  value_.clear();
  in_body_space_ = false;
}

void DelassusOperator::assign(const DelassusOperator& whole, const std::vector<int>& members,
                              const std::vector<int>& place) {
  resize(static_cast<int>(members.size()));
  const bool small = size() <= kLargestSmall;
  if (small) small_.clear(lanes_);
  for (int i = 0; i < size(); ++i) {
    whole.for_row(members[i], [&](int j, double G_ij) {
      if (place[j] < 0) return;
      column_.push_back(place[j]);
      value_.push_back(G_ij);
      if (small) small_.set(i, place[j], G_ij);
    });
    diagonal_[i] = whole.diagonal(members[i]);
    start_[i + 1] = static_cast<int>(column_.size());
  }
}

void DelassusOperator::assign(const SparseMatrix& X) {
  resize(static_cast<int>(X.cols()));
  if (size() <= kLargestSmall) {
    multiply_small(X);
  } else {
    multiply_large(X);
  }
}

void DelassusOperator::multiply_small(const SparseMatrix& X) {
  const int m = size();
  small_.clear(lanes_);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double G_ij = dot(X, i, j);
      if (G_ij == 0.0) continue;
      small_.set(i, j, G_ij);
      small_.set(j, i, G_ij);
    }
  }
  for (int i = 0; i < m; ++i) {
    diagonal_[i] = small_(i, i);
    for (int j = 0; j < m; ++j) {
      const double G_ij = small_(i, j);
      if (G_ij == 0.0) continue;
      column_.push_back(j);
      value_.push_back(G_ij);
    }
    start_[i + 1] = static_cast<int>(column_.size());
  }
}

void DelassusOperator::multiply_large(const SparseMatrix& X) {
  const int m = size();
  const SparseMatrix product = SparseMatrix(X.transpose()) * X;
  // XᵀX may differ from its transpose in the last bit.
  const SparseMatrix G = 0.5 * (product + SparseMatrix(product.transpose()));
  for (int i = 0; i < m; ++i) {
    for (SparseMatrix::InnerIterator entry(G, i); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      column_.push_back(static_cast<int>(entry.row()));
      value_.push_back(entry.value());
      if (entry.row() == i) diagonal_[i] = entry.value();
    }
    start_[i + 1] = static_cast<int>(column_.size());
  }
  in_body_space_ = 2 * X.nonZeros() < static_cast<Eigen::Index>(column_.size());
  if (in_body_space_) {
    X_ = X;
    X_.makeCompressed();
    bodies_.assign(static_cast<std::size_t>(X.rows()), 0.0);
  }
}

void DelassusOperator::apply_bodies(const double* b, const double* x, double* out) const {
  const int* start = X_.outerIndexPtr();
  const int* row = X_.innerIndexPtr();
  const double* value = X_.valuePtr();
  std::fill(bodies_.begin(), bodies_.end(), 0.0);
  for (int i = 0; i < size(); ++i) {
    for (int k = start[i]; k < start[i + 1]; ++k) bodies_[row[k]] += value[k] * x[i];
  }
  for (int i = 0; i < size(); ++i) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * bodies_[row[k]];
    out[i] = b[i] + sum;
  }
}

}  // namespace percute::numerics
