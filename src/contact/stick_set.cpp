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

void StickSet::gather(const std::vector<int>& contacts, const Mobility& A) {
  contacts_.assign(contacts.begin(), contacts.end());
  rows_.clear();
  begin_.assign(1, 0);
  for (const int i : contacts_) {
    for (int d = 0; d < all_->size(i); ++d) rows_.push_back(all_->row(i) + d);
    begin_.push_back(size());
  }
  factor_rows(A);
}

/// Pivoted Cholesky factor, the row most independent of those before it first.
void StickSet::factor_rows(const Mobility& A) {
  const int n = size();
  const auto at = [&](int r, int s) { return A(rows_[r], rows_[s]); };
  chosen_.clear();
  L_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  left_.resize(static_cast<std::size_t>(n));
  for (int r = 0; r < n; ++r) left_[r] = at(r, r);
  for (int k = 0; k < n; ++k) {
    int pivot = -1;
    double best = kStill;
    for (int r = 0; r < n; ++r) {
      const double part = at(r, r) > 0.0 ? left_[r] / at(r, r) : 0.0;
      if (part > best && std::find(chosen_.begin(), chosen_.end(), r) == chosen_.end()) {
        best = part;
        pivot = r;
      }
    }
    if (pivot < 0) break;
    chosen_.push_back(pivot);
    const double root = std::sqrt(left_[pivot]);
    for (int r = 0; r < n; ++r) {
      double sum = at(r, pivot);
      for (int j = 0; j < k; ++j) sum -= L_[r * n + j] * L_[pivot * n + j];
      L_[r * n + k] = r == pivot ? root : sum / root;
      left_[r] -= L_[r * n + k] * L_[r * n + k];
    }
    // Rows chosen before have nothing left, but rounding.
    for (int j = 0; j < k; ++j) L_[chosen_[j] * n + k] = 0.0;
  }
  const int rank = StickSet::rank();
  total_.resize(static_cast<std::size_t>(rank));
  if (rank == n) return;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < rank; ++k) L_[r * rank + k] = L_[r * n + k];
  }
  combine();
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
