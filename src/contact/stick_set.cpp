// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/stick_set.hpp"

#include "contact/friction_tolerances.hpp"
#include "numerics/triangular_factors.hpp"

#include <algorithm>
#include <cmath>

namespace percute::contact {

void StickSet::assign(const FrictionRows& rows) {
  all_ = &rows;
  const auto m = rows.friction.size();
  const auto n = static_cast<std::size_t>(rows.tangential());
  contacts_.reserve(m);
  begin_.reserve(m + 1);
  factor_.reserve(n);
  followers_.reserve(n);
  N_.reserve(n * n);
  weighted_.reserve(n * n);
  total_.reserve(n);
  contacts_.clear();
  begin_.assign(1, 0);
  factor_.clear();
}

void StickSet::list(const std::vector<int>& contacts) {
  contacts_.assign(contacts.begin(), contacts.end());
  factor_.clear();
  begin_.assign(1, 0);
  for (const int i : contacts_) {
    // What friction could change of a dependent row must be more than a decision tells from rest.
    const double least = std::isinf(all_->mu(i)) ? kStill : kGrip * kSlip;
    for (int d = 0; d < all_->size(i); ++d) factor_.add(all_->row(i) + d, least);
    begin_.push_back(size());
  }
}

void StickSet::gather(const std::vector<int>& contacts, const Mobility& A) {
  list(contacts);
  A_ = A;
  factor_.choose(A);
  combine();
}

void StickSet::move_to(const Mobility& A) {
  A_ = A;
  factor_.factor(A);
  combine();
}

void StickSet::resume(const std::vector<int>& contacts, const std::vector<int>& places,
                      const Mobility& A) {
  list(contacts);
  A_ = A;
  factor_.factor(A, places);
  combine();
}

/// N = L_B⁻ᵀ Lᵀ
void StickSet::combine() {
  const int n = size();
  const int rank = StickSet::rank();
  const double* L = factor_.L();
  total_.resize(static_cast<std::size_t>(rank));
  followers_.clear();
  if (rank == n) return;
  for (int r = 0; r < n; ++r) {
    if (follows(r)) followers_.push_back(row(r));
  }
  N_.assign(static_cast<std::size_t>(rank) * static_cast<std::size_t>(n), 0.0);
  weighted_.resize(static_cast<std::size_t>(rank) * static_cast<std::size_t>(rank));
  for (int r = 0; r < n; ++r) {
    for (int k = rank - 1; k >= 0; --k) {
      double sum = L[r * rank + k];
      for (int j = k + 1; j < rank; ++j) sum -= L[factor_.chosen(j) * rank + k] * N_[j * n + r];
      N_[k * n + r] = sum / L[factor_.chosen(k) * rank + k];
    }
  }
}

void StickSet::hold(const double* c, const double* limit, double* f) {
  const int rank = StickSet::rank();
  const double* L = factor_.L();
  // A_BB q = −c_B, by the chosen rows of L.
  for (int k = 0; k < rank; ++k) {
    double sum = -c[factor_.chosen(k)];
    for (int j = 0; j < k; ++j) sum -= L[factor_.chosen(k) * rank + j] * total_[j];
    total_[k] = sum / L[factor_.chosen(k) * rank + k];
  }
  for (int k = rank - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank; ++j) total_[k] -= L[factor_.chosen(j) * rank + k] * total_[j];
    total_[k] /= L[factor_.chosen(k) * rank + k];
  }
  std::fill_n(f, size(), 0.0);
  if (!redundant()) {
    for (int k = 0; k < rank; ++k) f[factor_.chosen(k)] = total_[k];
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

// ------------------------------------------------------------------------------- within the limits

/// c + A f of row r, and the size of what that is a sum of.
double StickSet::driven(int r, const double* c, const double* f, double& size) const {
  double sum = c[r];
  size = std::abs(c[r]);
  for (int q = 0; q < StickSet::size(); ++q) {
    const double part = A_(row(r), row(q)) * f[q];
    sum += part;
    size += std::abs(part);
  }
  return sum;
}

/// Adds to forces f what they lack to hold the set against c, in proportion to the limits.
bool StickSet::complete(const double* c, const double* limit, double* f) {
  left_.resize(static_cast<std::size_t>(size()));
  more_.resize(left_.size());
  double size = 0.0;
  for (int r = 0; r < StickSet::size(); ++r) left_[r] = driven(r, c, f, size);
  hold(left_.data(), limit, more_.data());
  for (int r = 0; r < StickSet::size(); ++r) f[r] += more_[r];
  return within(f, limit, kSlip);
}

bool StickSet::dependents_follow(const double* c, const double* limit, const double* f) {
  if (!redundant()) return true;
  double scale = 0.0;
  left_.resize(static_cast<std::size_t>(size()));
  for (int r = 0; r < size(); ++r) {
    double size = 0.0;
    left_[r] = driven(r, c, f, size);
    scale = std::max(scale, size);
  }
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    if (std::isinf(limit[s])) continue;
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      const double own = kSlip * A_(row(r), row(r)) * limit[s];
      if (follows(r) && std::abs(left_[r]) > own + kStill * scale) return false;
    }
  }
  return true;
}

bool StickSet::balances(const double* c, const double* f) const {
  double size = 0.0;
  for (int r = 0; r < StickSet::size(); ++r) {
    const double left = driven(r, c, f, size);
    if (std::abs(left) > kForceless * size) return false;
  }
  return true;
}

bool StickSet::shares() const {
  return redundant() || weakest() < std::sqrt(kStill);
}

bool StickSet::hold_within(const double* c, const double* limit, CoulombDecision& decision,
                           std::vector<double>* shape, double* f) {
  hold(c, limit, f);
  if (within(f, limit, kSlip)) return true;
  if (!shares()) return false;
  const std::size_t count = contacts_.size();
  const bool known = shape != nullptr && shape->size() == static_cast<std::size_t>(size());
  for (std::size_t s = 0; s < count && known; ++s) {
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) f[r] = (*shape)[r] * limit[s];
  }
  if (known && complete(c, limit, f)) return true;
  double scale = 0.0;
  for (int r = 0; r < size(); ++r) scale = std::max(scale, std::abs(c[r]));
  decision.solve(
      {.rank = rank(), .L = factor(), .start = &begin_, .b = c, .limit = limit, .scale = scale});
  // What the smoothing has left is made up for. Next to its limit that makes a contact creep:
  // forces that hold it prove that it does not.
  bool held = true;
  bool limited = true;  // all of them, and by more than nothing
  for (std::size_t s = 0; s < count; ++s) {
    limited = limited && limit[s] > 0.0 && std::isfinite(limit[s]);
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) {
      const double own = std::isfinite(limit[s]) ? A_(row(r), row(r)) * limit[s] : 0.0;
      held = held && std::abs(decision.velocity()[r]) <= kSlip * std::max(own, scale);
    }
  }
  std::copy_n(decision.force(), size(), f);
  if (!complete(c, limit, f) && !held) return false;
  if (shape == nullptr || !limited) return true;
  shape->resize(static_cast<std::size_t>(size()));
  for (std::size_t s = 0; s < count; ++s) {
    for (int r = begin_[s]; r < begin_[s + 1]; ++r) (*shape)[r] = f[r] / limit[s];
  }
  return true;
}

}  // namespace percute::contact
