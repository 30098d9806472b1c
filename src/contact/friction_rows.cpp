// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/friction_rows.hpp"

#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace percute::contact {

void FrictionRows::assign(const std::vector<Contact>& contacts) {
  start.assign(1, 0);
  friction.clear();
  spatial = infinite = false;
  for (const Contact& contact : contacts) {
    const bool acts = friction_acts(contact);
    friction.push_back(acts ? contact.material.friction : 0.0);
    start.push_back(start.back() + (acts ? contact.directions : 0));
    spatial = spatial || (acts && contact.directions == 2);
    infinite = infinite || std::isinf(friction.back());
  }
}

SparseMatrix all_directions(const ImpactProblem& problem, const FrictionRows& rows) {
  const auto m = static_cast<int>(problem.contacts.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < m; ++i) {
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), i, entry.value());
    }
    for (int d = 0; d < rows.size(i); ++d) {
      for (SparseMatrix::InnerIterator entry(problem.tangents, 2 * i + d); entry; ++entry) {
        entries.emplace_back(static_cast<int>(entry.row()), m + rows.row(i) + d, entry.value());
      }
    }
  }
  SparseMatrix H(problem.velocity.size(), m + rows.tangential());
  H.setFromTriplets(entries.begin(), entries.end());
  return H;
}

// --------------------------------------- independent rows

void RowFactor::reserve(std::size_t n) {
  rows_.reserve(n);
  least_.reserve(n);
  chosen_.reserve(n);
  place_.reserve(n);
  own_.reserve(n);
  L_.reserve(n * n);
  left_.reserve(n);
}

void RowFactor::clear() {
  rows_.clear();
  least_.clear();
  chosen_.clear();
}

void RowFactor::add(int row, double least) {
  rows_.push_back(row);
  least_.push_back(least);
}

void RowFactor::choose(const Mobility& A) {
  run(A, true);
}

void RowFactor::factor(const Mobility& A) {
  run(A, false);
}

void RowFactor::factor(const Mobility& A, const std::vector<int>& places) {
  chosen_.clear();
  for (int k = 0; k < size(); ++k) {
    for (int r = 0; r < size(); ++r) {
      if (places[static_cast<std::size_t>(row(r))] == k) chosen_.push_back(r);
    }
  }
  run(A, false);
}

/// Cholesky factor, of rows chosen before or, pivoted, the row most independent of those before it
/// first.
void RowFactor::run(const Mobility& A, bool choose) {
  const int n = size();
  const auto count = static_cast<std::size_t>(n);
  if (choose) chosen_.clear();
  place_.assign(count, -1);
  own_.assign(count, 0.0);
  weakest_ = 1.0;
  left_.resize(count);
  L_.assign(count * count, 0.0);
  const auto size_of_row = static_cast<std::size_t>(A.coordinates);
  rest_.resize(count * size_of_row);
  answers_.resize(rest_.size());
  for (int r = 0; r < n; ++r) {
    left_[r] = A(rows_[r], rows_[r]);
    std::copy_n(A.rows + rows_[r] * A.coordinates, size_of_row, &rest_[r * size_of_row]);
    std::copy_n(A.answers + rows_[r] * A.coordinates, size_of_row, &answers_[r * size_of_row]);
  }
  for (int k = 0; k < n; ++k) {
    if (choose) {
      const int next = pivot(A);
      if (next < 0) break;
      chosen_.push_back(next);
    }
    if (k == rank()) break;
    place_[chosen_[k]] = k;
    const double all = A(rows_[chosen_[k]], rows_[chosen_[k]]);
    if (all > 0.0) weakest_ = std::min(weakest_, left_[chosen_[k]] / all);
    eliminate(A, k);
  }
  if (rank() == n) return;
  for (int r = 0; r < n; ++r) {
    const double all = A(rows_[r], rows_[r]);
    if (place_[r] < 0 && all > 0.0) own_[r] = left_[r] / (least_[r] * all);
    for (int k = 0; k < rank(); ++k) L_[r * rank() + k] = L_[r * n + k];
  }
}

int RowFactor::pivot(const Mobility& A) const {
  int found = -1;
  double best = 0.0;
  for (int r = 0; r < size(); ++r) {
    const double all = A(rows_[r], rows_[r]);
    const double part = all > 0.0 ? left_[r] / all : 0.0;
    if (part <= std::max(best, least_[r]) || place_[r] >= 0) continue;
    best = part;
    found = r;
  }
  return found;
}

/// Column k of the factor, and what is left of the rows.
void RowFactor::eliminate(const Mobility& A, int k) {
  const int n = size();
  const int pivot = chosen_[k];
  const double smallest = kSmoothest * kSmoothest * A(rows_[pivot], rows_[pivot]);
  const double root = std::sqrt(std::max(left_[pivot], smallest));
  const int q = A.coordinates;
  for (int r = 0; r < n; ++r) {
    if (r == pivot || (place_[r] >= 0 && place_[r] < k)) continue;
    double sum = 0.0;
    for (int j = 0; j < q; ++j) sum += rest_[r * q + j] * answers_[pivot * q + j];
    L_[r * n + k] = sum / root;
    const double part = sum / (root * root);
    left_[r] = 0.0;
    for (int j = 0; j < q; ++j) {
      rest_[r * q + j] -= part * rest_[pivot * q + j];
      answers_[r * q + j] -= part * answers_[pivot * q + j];
      left_[r] += rest_[r * q + j] * answers_[r * q + j];
    }
  }
  L_[pivot * n + k] = root;
}

}  // namespace percute::contact
