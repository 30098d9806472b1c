// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/stick_set.hpp"

#include "contact/friction_tolerances.hpp"
#include "numerics/small_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace percute::contact {

void StickSet::assign(const FrictionRows& rows) {
  all_ = &rows;
  const auto m = rows.friction.size();
  const auto n = static_cast<std::size_t>(rows.tangential());
  contacts_.reserve(m);
  begin_.reserve(m + 1);
  rows_.reserve(n);
  chosen_.reserve(n);
  place_.reserve(n);
  followers_.reserve(n);
  own_.reserve(n);
  least_.reserve(n);
  L_.reserve(n * n);
  N_.reserve(n * n);
  weighted_.reserve(n * n);
  left_.reserve(n);
  total_.reserve(n);
  contacts_.clear();
  rows_.clear();
  begin_.assign(1, 0);
  chosen_.clear();
}

void StickSet::list(const std::vector<int>& contacts) {
  contacts_.assign(contacts.begin(), contacts.end());
  rows_.clear();
  least_.clear();
  begin_.assign(1, 0);
  for (const int i : contacts_) {
    // What friction could change of a dependent row must be more than a decision tells from rest.
    const double least = std::isinf(all_->mu(i)) ? kStill : kGrip * kSlip;
    for (int d = 0; d < all_->size(i); ++d) {
      rows_.push_back(all_->row(i) + d);
      least_.push_back(least);
    }
    begin_.push_back(size());
  }
}

void StickSet::gather(const std::vector<int>& contacts, const Mobility& A) {
  list(contacts);
  factor_rows(A, true);
}

void StickSet::move_to(const Mobility& A) {
  factor_rows(A, false);
}

void StickSet::resume(const std::vector<int>& contacts, const std::vector<int>& places,
                      const Mobility& A) {
  list(contacts);
  chosen_.clear();
  for (int k = 0; k < size(); ++k) {
    for (int r = 0; r < size(); ++r) {
      if (places[static_cast<std::size_t>(row(r))] == k) chosen_.push_back(r);
    }
  }
  factor_rows(A, false);
}

/// Cholesky factor, of rows chosen before or, pivoted, the row most independent of those before it
/// first.
void StickSet::factor_rows(const Mobility& A, bool choose) {
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
  const int rank = StickSet::rank();
  total_.resize(static_cast<std::size_t>(rank));
  followers_.clear();
  if (rank == n) return;
  for (int r = 0; r < n; ++r) {
    const double all = A(rows_[r], rows_[r]);
    if (place_[r] < 0) followers_.push_back(rows_[r]);
    if (place_[r] < 0 && all > 0.0) own_[r] = left_[r] / (least_[r] * all);
    for (int k = 0; k < rank; ++k) L_[r * rank + k] = L_[r * n + k];
  }
  combine();
}

int StickSet::pivot(const Mobility& A) const {
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
void StickSet::eliminate(const Mobility& A, int k) {
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

/// N = L_B⁻ᵀ Lᵀ
void StickSet::combine() {
  const int n = size();
  const int rank = StickSet::rank();
  N_.assign(static_cast<std::size_t>(rank) * static_cast<std::size_t>(n), 0.0);
  weighted_.resize(static_cast<std::size_t>(rank) * static_cast<std::size_t>(rank));
  for (int r = 0; r < n; ++r) {
    for (int k = rank - 1; k >= 0; --k) {
      double sum = L_[r * rank + k];
      for (int j = k + 1; j < rank; ++j) sum -= L_[chosen_[j] * rank + k] * N_[j * n + r];
      N_[k * n + r] = sum / L_[chosen_[k] * rank + k];
    }
  }
}

void StickSet::hold(const double* c, const double* limit, double* f) {
  const int rank = StickSet::rank();
  // A_BB q = −c_B, by the chosen rows of L.
  for (int k = 0; k < rank; ++k) {
    double sum = -c[chosen_[k]];
    for (int j = 0; j < k; ++j) sum -= L_[chosen_[k] * rank + j] * total_[j];
    total_[k] = sum / L_[chosen_[k] * rank + k];
  }
  for (int k = rank - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank; ++j) total_[k] -= L_[chosen_[j] * rank + k] * total_[j];
    total_[k] /= L_[chosen_[k] * rank + k];
  }
  std::fill_n(f, size(), 0.0);
  if (!redundant()) {
    for (int k = 0; k < rank; ++k) f[chosen_[k]] = total_[k];
  } else if (rank > 0) {
    share(limit, f);
  }
}

/// f = D Nᵀ (N D Nᵀ)⁻¹ q, D the limits: the least Σ |f_i|²/limit_i.
void StickSet::share(const double* limit, double* f) {
  const int n = size();
  const int rank = StickSet::rank();
  double largest = 0.0;
  bool unlimited = false;
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    unlimited = unlimited || std::isinf(limit[s]);
    if (std::isfinite(limit[s])) largest = std::max(largest, limit[s]);
  }
  // Infinite limits take what there is, and leave to others far less than these could hold.
  for (int k = 0; k < rank && unlimited; ++k) largest = std::max(largest, std::abs(total_[k]));
  const auto weight = [&](std::size_t s) {
    if (!std::isfinite(limit[s])) return 1.0 / kLeastShare;
    if (!(largest > 0.0)) return 1.0;
    return std::max(limit[s] / largest, kLeastShare);
  };
  std::fill(weighted_.begin(), weighted_.end(), 0.0);
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      for (int k = 0; k < rank; ++k) {
        for (int j = 0; j <= k; ++j) {
          weighted_[k * rank + j] += weight(s) * N_[k * n + r] * N_[j * n + r];
        }
      }
    }
  }
  numerics::factor_in_place(weighted_.data(), rank);
  numerics::solve_factored(weighted_.data(), rank, total_.data());
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      for (int k = 0; k < rank; ++k) f[r] += weight(s) * N_[k * n + r] * total_[k];
    }
  }
}

bool StickSet::within(const double* f, const double* limit, double slack) const {
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    double square = 0.0;
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) square += f[r] * f[r];
    if (std::isfinite(limit[s]) && std::sqrt(square) > limit[s] * (1.0 + slack)) return false;
  }
  return true;
}

}  // namespace percute::contact
