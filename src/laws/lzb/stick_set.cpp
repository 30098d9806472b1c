// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/stick_set.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

/// What is left of the diagonal of a row that depends on others.
constexpr double kDependent = 1e-11;
/// A limit is kept within rounding.
constexpr double kRounding = 1e-12;
/// Accelerations below this part of what drives the contacts are rounding.
constexpr double kStill = 1e-11;
/// Sweeps before another method takes over; where rows depend on each other they creep.
constexpr int kSweeps = 40;
constexpr int kRedundantSweeps = 4;

double length(const double* f, int n) {
  return n == 1 ? std::abs(f[0]) : std::hypot(f[0], f[1]);
}

/// Solves X Xᵀ y = b in place, X lower triangular with rows of length `stride`.
void solve_factored(const double* X, int n, int stride, double* b) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) b[k] -= X[k * stride + j] * b[j];
    b[k] /= X[k * stride + k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= X[j * stride + k] * b[j];
    b[k] /= X[k * stride + k];
  }
}

/// Cholesky factor in place, lower triangle.
void factor_in_place(double* X, int n) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) X[k * n + k] -= X[k * n + j] * X[k * n + j];
    X[k * n + k] = std::sqrt(X[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < k; ++j) X[i * n + k] -= X[i * n + j] * X[k * n + j];
      X[i * n + k] /= X[k * n + k];
    }
  }
}

}  // namespace

void StickSet::assign(const FrictionSetup& setup) {
  setup_ = &setup;
  const auto m = static_cast<std::size_t>(setup.m);
  const auto n = static_cast<std::size_t>(setup.tangential());
  contacts_.reserve(m);
  begin_.reserve(m + 1);
  rows_.reserve(n);
  chosen_.reserve(n);
  L_.reserve(n * n);
  N_.reserve(n * n);
  weighted_.reserve(n * n);
  left_.reserve(n);
  total_.reserve(n);
  for (auto* v : {&shape_, &shared_, &lacking_}) v->reserve(n);
  gather({});
}

void StickSet::gather(const std::vector<int>& contacts) {
  contacts_.assign(contacts.begin(), contacts.end());
  rows_.clear();
  begin_.assign(1, 0);
  for (const int i : contacts_) {
    for (int d = 0; d < setup_->size(i); ++d) rows_.push_back(setup_->row(i) + d);
    begin_.push_back(size());
  }
  for (auto* v : {&shape_, &shared_, &lacking_}) v->resize(rows_.size());
  remembers_ = false;
  factor();
}

/// Pivoted Cholesky factor, the row most independent of those before it first.
void StickSet::factor() {
  const int n = size();
  const auto square = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  chosen_.clear();
  L_.assign(square, 0.0);
  left_.resize(static_cast<std::size_t>(n));
  for (int r = 0; r < n; ++r) left_[r] = at(r, r);
  for (int k = 0; k < n; ++k) {
    int pivot = -1;
    double best = kDependent;
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
  const auto rank = static_cast<int>(chosen_.size());
  total_.resize(static_cast<std::size_t>(rank));
  if (rank == n || rank == 0) return;
  // N = L_B⁻ᵀ Lᵀ
  N_.assign(static_cast<std::size_t>(rank) * static_cast<std::size_t>(n), 0.0);
  weighted_.resize(static_cast<std::size_t>(rank) * static_cast<std::size_t>(rank));
  for (int r = 0; r < n; ++r) {
    for (int k = rank - 1; k >= 0; --k) {
      double sum = L_[r * n + k];
      for (int j = k + 1; j < rank; ++j) sum -= L_[chosen_[j] * n + k] * N_[j * n + r];
      N_[k * n + r] = sum / L_[chosen_[k] * n + k];
    }
  }
}

void StickSet::hold(const double* c, const double* limit, double* f) {
  const int n = size();
  const auto rank = static_cast<int>(chosen_.size());
  // A_BB q = −c_B, by the chosen rows of L.
  for (int k = 0; k < rank; ++k) {
    double sum = -c[chosen_[k]];
    for (int j = 0; j < k; ++j) sum -= L_[chosen_[k] * n + j] * total_[j];
    total_[k] = sum / L_[chosen_[k] * n + k];
  }
  for (int k = rank - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank; ++j) total_[k] -= L_[chosen_[j] * n + k] * total_[j];
    total_[k] /= L_[chosen_[k] * n + k];
  }
  std::fill_n(f, n, 0.0);
  if (rank == 0) return;
  if (rank == n) {
    for (int k = 0; k < n; ++k) f[chosen_[k]] = total_[k];
    return;
  }
  // f = D Nᵀ (N D Nᵀ)⁻¹ q, D the limits: the least Σ |f_i|²/limit_i.
  double largest = 0.0;
  for (std::size_t s = 0; s < contacts_.size(); ++s) largest = std::max(largest, limit[s]);
  std::fill(weighted_.begin(), weighted_.end(), 0.0);
  const auto share = [&](std::size_t s) {
    return largest > 0.0 ? std::max(limit[s] / largest, 1e-9) : 1.0;
  };
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    const double weight = share(s);
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      for (int k = 0; k < rank; ++k) {
        for (int j = 0; j <= k; ++j) {
          weighted_[k * rank + j] += weight * N_[k * n + r] * N_[j * n + r];
        }
      }
    }
  }
  factor_in_place(weighted_.data(), rank);
  solve_factored(weighted_.data(), rank, rank, total_.data());
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    const double weight = share(s);
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      for (int k = 0; k < rank; ++k) f[r] += weight * N_[k * n + r] * total_[k];
    }
  }
}

bool StickSet::within(const double* f, const double* limit) const {
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    if (std::isinf(setup_->mu(contacts_[s]))) continue;
    if (laws::length(f + begin_[s], length(s)) > limit[s] * (1.0 + kRounding)) return false;
  }
  return true;
}

/// Contact by contact exactly, again and again. True once nothing changes any more.
bool StickSet::sweep(const double* c, const double* limit, double* f) const {
  double drive[2] = {0.0, 0.0};   // NOLINT(*-avoid-c-arrays)
  double before[2] = {0.0, 0.0};  // NOLINT(*-avoid-c-arrays)
  double own[4] = {};             // NOLINT(*-avoid-c-arrays)
  const int rounds = redundant() ? kRedundantSweeps : kSweeps;
  for (int round = 0; round < rounds; ++round) {
    double change = 0.0;
    double largest = 0.0;
    for (std::size_t s = 0; s < contacts_.size(); ++s) {
      const int d = length(s);
      for (int k = 0; k < d; ++k) {
        const int r = begin_[s] + k;
        before[k] = f[r];
        drive[k] = c[r];
        for (int q = 0; q < size(); ++q) {
          if (q < begin_[s] || q >= begin_[s + 1]) drive[k] += at(r, q) * f[q];
        }
        for (int l = 0; l < d; ++l) own[k * 2 + l] = at(r, begin_[s] + l);
      }
      const double bound =
          std::isinf(setup_->mu(contacts_[s])) ? setup_->mu(contacts_[s]) : limit[s];
      numerics::minimise_on_disc(own, 2, d, drive, bound, f + begin_[s]);
      for (int k = 0; k < d; ++k) {
        change = std::max(change, std::abs(f[begin_[s] + k] - before[k]));
        largest = std::max(largest, std::abs(f[begin_[s] + k]));
      }
    }
    if (change <= 1e-15 * largest) return true;
  }
  return false;
}

/// Redundant forces that share as they did last time within the limits, but for the least change
/// that holds now. True if that is within the limits again: motion is smooth, so it mostly is.
bool StickSet::share_as_before(const double* c, const double* limit, double* f) {
  if (!remembers_) return false;
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) shared_[r] = shape_[r] * limit[s];
  }
  for (int r = 0; r < size(); ++r) {
    lacking_[r] = c[r];
    for (int q = 0; q < size(); ++q) lacking_[r] += at(r, q) * shared_[q];
  }
  hold(lacking_.data(), limit, f);
  for (int r = 0; r < size(); ++r) f[r] += shared_[r];
  return within(f, limit);
}

void StickSet::remember(const double* limit, const double* f) {
  remembers_ = redundant();
  for (std::size_t s = 0; s < contacts_.size() && remembers_; ++s) {
    remembers_ = limit[s] > 0.0;
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) shape_[r] = f[r] / limit[s];
  }
}

void StickSet::hold_within(const double* c, const double* limit, double* f, double* rate) {
  const int n = size();
  hold(c, limit, f);
  if (!within(f, limit) && !share_as_before(c, limit, f)) {
    if (remembers_) hold(c, limit, f);
    for (std::size_t s = 0; s < contacts_.size(); ++s) {
      const double long_ = laws::length(f + begin_[s], length(s));
      if (std::isinf(setup_->mu(contacts_[s])) || long_ <= limit[s]) continue;
      for (int r = begin_[s]; r < begin_[s + 1]; ++r) f[r] *= limit[s] / long_;
    }
    if (!sweep(c, limit, f)) {
      problem_.A.resize(n, n);
      problem_.c.resize(n);
      problem_.limit.resize(static_cast<Eigen::Index>(contacts_.size()));
      problem_.start = begin_;
      for (int r = 0; r < n; ++r) {
        problem_.c[r] = c[r];
        for (int q = 0; q < n; ++q) problem_.A(r, q) = at(r, q);
      }
      for (std::size_t s = 0; s < contacts_.size(); ++s) {
        const double mu = setup_->mu(contacts_[s]);
        problem_.limit[static_cast<Eigen::Index>(s)] = std::isinf(mu) ? mu : limit[s];
      }
      solver_.solve(problem_, solution_);
      std::copy_n(solution_.f.data(), n, f);
      remember(limit, f);
    }
  }
  for (int r = 0; r < n; ++r) {
    rate[r] = c[r];
    for (int q = 0; q < n; ++q) rate[r] += at(r, q) * f[q];
  }
}

bool StickSet::slides(std::size_t s, const double* c, const double* limit,
                      const double* rate) const {
  if (std::isinf(setup_->mu(contacts_[s]))) return false;
  // What drives the contacts may be rounding alone: friction could move them as much, if it would.
  double scale = 0.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    for (int r = begin_[k]; r < begin_[k + 1]; ++r) {
      scale = std::max({scale, std::abs(c[r]), 1e-3 * at(r, r) * limit[k]});
    }
  }
  return laws::length(rate + begin_[s], length(s)) > kStill * scale;
}

}  // namespace percute::laws
