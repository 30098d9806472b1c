// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb_decision.hpp"

#include "contact/friction_tolerances.hpp"
#include "numerics/triangular_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::contact {

namespace {

constexpr int kMost = 100;  ///< steps of Newton's method, halvings of one
constexpr double kRounding = std::numeric_limits<double>::epsilon();

}  // namespace

void CoulombDecision::resize(const CoulombProblem& p) {
  const auto rank = static_cast<std::size_t>(p.rank);
  const auto rows = static_cast<std::size_t>(p.start->back());
  for (auto* v : {&x_, &dx_, &next_, &slope_}) v->assign(rank, 0.0);
  H_.resize(rank * rank);
  for (auto* v : {&u_, &f_, &d_, &w_}) v->assign(rows, 0.0);
  n_.assign(p.start->size() - 1, 1.0);
  r_.resize(p.start->size() - 1);
}

bool CoulombDecision::solve(CoulombProblem problem) {
  resize(problem);
  for (std::size_t i = 0; i < r_.size(); ++i) {
    r_[i] = std::isinf(problem.limit[i]) ? 0.0 : problem.limit[i];
  }
  if (std::any_of(problem.limit, problem.limit + r_.size(), [](double r) { return std::isinf(r); }))
    hold_infinite(problem);
  if (problem.rank == 1 && problem.start->back() == static_cast<int>(r_.size())) {
    solve_on_line(problem);
    return true;
  }
  return descend(problem);
}

/// Planar contacts that move in one way: x is a number, and the slope of the minimum,
///
///     x + Σ r_i |L_i| sign(x − x_i),   x_i = −b_i/L_i,
///
/// rises with x. It vanishes where some contacts stop, or between such places.
void CoulombDecision::solve_on_line(const CoulombProblem& p) {
  const auto rows = static_cast<int>(r_.size());
  const auto stop = [&](int i) { return -p.b[i] / p.L[i]; };
  const auto pull = [&](int i) { return r_[i] * std::abs(p.L[i]); };
  const auto together = [&](int i, int j) {
    const double apart = std::abs(stop(i) - stop(j));
    return apart * std::max(std::abs(p.L[i]), std::abs(p.L[j])) <= kSmoothest * p.scale;
  };
  double lower = -std::numeric_limits<double>::infinity();
  int stopped = -1;
  for (int i = 0; i < rows && stopped < 0; ++i) {
    if (p.L[i] == 0.0) continue;
    double slope = stop(i);
    double range = 0.0;
    for (int j = 0; j < rows; ++j) {
      if (p.L[j] == 0.0) continue;
      if (together(i, j)) {
        range += pull(j);
      } else {
        slope += std::copysign(pull(j), stop(i) - stop(j));
      }
    }
    if (std::abs(slope) <= range) stopped = i;
    if (slope < -range) lower = std::max(lower, stop(i));
  }
  // Forces of what slides, and what they leave for those that stop.
  double x = stopped < 0 ? 0.0 : stop(stopped);
  double left = x;
  double range = 0.0;
  for (int i = 0; i < rows; ++i) {
    if (p.L[i] == 0.0) continue;
    if (stopped >= 0 && together(stopped, i)) {
      range += pull(i);
      continue;
    }
    const bool beyond = stopped < 0 ? stop(i) <= lower : stop(i) < x;
    f_[i] = std::copysign(r_[i], beyond ? -p.L[i] : p.L[i]);
    left -= p.L[i] * f_[i];
  }
  if (stopped < 0) x = -left;
  for (int i = 0; i < rows; ++i) {
    const bool held = stopped >= 0 && p.L[i] != 0.0 && together(stopped, i);
    u_[i] = held ? 0.0 : p.b[i] + p.L[i] * x;
    if (p.L[i] == 0.0) f_[i] = p.b[i] == 0.0 ? 0.0 : -std::copysign(r_[i], p.b[i]);
    if (held) f_[i] = range > 0.0 ? std::copysign(r_[i], p.L[i]) * left / range : 0.0;
  }
}

/// Contacts that never slide: x = x₀ + z with L_i x₀ = −b_i for them and z orthogonal to their rows
/// of L, so that the same problem is left for the others in z.
void CoulombDecision::hold_infinite(CoulombProblem& p) {
  const int rank = p.rank;
  const int rows = p.start->back();
  Eigen::Map<const RowMatrix> L(p.L, rows, rank);
  Vector x = Vector::Zero(rank);
  Matrix Q(rank, rank);  // orthonormal, spans the rows of L of these contacts
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    if (!std::isinf(p.limit[i])) continue;
    for (int k = (*p.start)[i]; k < (*p.start)[i + 1] && count < rank; ++k) {
      Vector own = L.row(k);
      for (int pass = 0; pass < 2; ++pass) {
        own -= Q.leftCols(count) * (Q.leftCols(count).transpose() * own);
      }
      if (!(own.squaredNorm() > kStill * L.row(k).squaredNorm())) continue;
      Q.col(count) = own.normalized();
      x -= Q.col(count) * ((p.b[k] + L.row(k).dot(x)) / L.row(k).dot(Q.col(count)));
      ++count;
    }
  }
  b_ = Eigen::Map<const Vector>(p.b, rows) + L * x;
  L_ = L - (L * Q.leftCols(count)) * Q.leftCols(count).transpose();
  for (std::size_t i = 0; i < r_.size(); ++i) {
    if (!std::isinf(p.limit[i])) continue;
    const int first = (*p.start)[i];
    b_.segment(first, (*p.start)[i + 1] - first).setZero();
    L_.middleRows(first, (*p.start)[i + 1] - first).setZero();
  }
  p.L = L_.data();
  p.b = b_.data();
}

bool CoulombDecision::descend(const CoulombProblem& p) {
  std::fill(x_.begin(), x_.end(), 0.0);
  std::fill(next_.begin(), next_.end(), 0.0);
  std::fill(w_.begin(), w_.end(), 0.0);
  evaluate(p, p.scale);
  if (std::all_of(r_.begin(), r_.end(), [](double r) { return r == 0.0; })) return true;
  bool solved = true;
  for (double epsilon = p.scale; solved && epsilon > 0.5 * kSmoothest * p.scale; epsilon *= 0.1) {
    solved = newton(p, epsilon);
  }
  // u/√(|u|² + ε²) has lost its digits where u is rounding: w has not.
  for (std::size_t i = 0; i < r_.size(); ++i) {
    for (int k = (*p.start)[i]; k < (*p.start)[i + 1]; ++k) f_[k] = -r_[i] * w_[k];
  }
  return solved;
}

/// Velocities, forces and the gradient x − Lᵀ f at next_.
void CoulombDecision::evaluate(const CoulombProblem& p, double epsilon) {
  const int rank = p.rank;
  for (int j = 0; j < rank; ++j) slope_[j] = next_[j];
  for (std::size_t i = 0; i < r_.size(); ++i) {
    double square = epsilon * epsilon;
    for (int k = (*p.start)[i]; k < (*p.start)[i + 1]; ++k) {
      const double* row = p.L + static_cast<std::ptrdiff_t>(k) * rank;
      double sum = p.b[k];
      for (int j = 0; j < rank; ++j) sum += row[j] * next_[j];
      u_[k] = sum;
      square += sum * sum;
    }
    n_[i] = std::sqrt(square);
    for (int k = (*p.start)[i]; k < (*p.start)[i + 1]; ++k) {
      d_[k] = u_[k] / n_[i];
      f_[k] = -r_[i] * d_[k];
      const double* row = p.L + static_cast<std::ptrdiff_t>(k) * rank;
      for (int j = 0; j < rank; ++j) slope_[j] -= row[j] * f_[k];
    }
  }
}

/// I + Lᵀ D L,  D_i = r_i/n_i (1 − ½ (w dᵀ + d wᵀ)).
void CoulombDecision::assemble(const CoulombProblem& p) {
  const int rank = p.rank;
  std::fill(H_.begin(), H_.end(), 0.0);
  for (int j = 0; j < rank; ++j) H_[j * rank + j] = 1.0;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const double stiff = r_[i] / n_[i];
    if (stiff == 0.0) continue;
    const int first = (*p.start)[i];
    const int last = (*p.start)[i + 1];
    for (int k = first; k < last; ++k) {
      for (int l = first; l < last; ++l) {
        const double D = stiff * ((k == l ? 1.0 : 0.0) - 0.5 * (w_[k] * d_[l] + d_[k] * w_[l]));
        const double* a = p.L + static_cast<std::ptrdiff_t>(k) * rank;
        const double* b = p.L + static_cast<std::ptrdiff_t>(l) * rank;
        for (int q = 0; q < rank; ++q) {
          for (int j = 0; j <= q; ++j) H_[q * rank + j] += D * a[q] * b[j];
        }
      }
    }
  }
}

/// How far to go along dx: by slopes, for values lose their digits to fast contacts. Leaves the
/// place in next_ and the part of the step taken in dx_.
void CoulombDecision::search(const CoulombProblem& p, double epsilon) {
  const int rank = p.rank;
  double before = 0.0;
  for (int j = 0; j < rank; ++j) before += slope_[j] * dx_[j];
  double part = 1.0;
  for (int half = 0; half < kMost; ++half) {
    for (int j = 0; j < rank; ++j) next_[j] = x_[j] + dx_[j];
    evaluate(p, epsilon);
    double slope = 0.0;
    for (int j = 0; j < rank; ++j) slope += slope_[j] * dx_[j];
    if (slope <= kFlatter * part * std::abs(before)) return;
    part *= 0.5;
    for (int j = 0; j < rank; ++j) dx_[j] *= 0.5;
  }
}

bool CoulombDecision::newton(const CoulombProblem& p, double epsilon) {
  const int rank = p.rank;
  for (int step = 0; step < kMost; ++step) {
    for (int j = 0; j < rank; ++j) next_[j] = x_[j];
    evaluate(p, epsilon);
    assemble(p);
    numerics::factor_in_place(H_.data(), rank, 1.0);
    for (int j = 0; j < rank; ++j) dx_[j] = -slope_[j];
    numerics::solve_factored(H_.data(), rank, dx_.data());
    d0_ = d_;
    n0_ = n_;
    search(p, epsilon);
    const double moved = update_dual(p);
    double change = 0.0;
    double size = 0.0;
    for (int j = 0; j < rank; ++j) {
      x_[j] = next_[j];
      change += dx_[j] * dx_[j];
      size += x_[j] * x_[j];
    }
    if (!std::isfinite(change)) return false;
    if (moved <= kEnough * epsilon || change <= kRounding * kRounding * size) return true;
  }
  return false;
}

/// w as Newton's step of the dual equation says, for the part of the step taken, kept within the
/// unit ball. Returns the largest change of a velocity.
double CoulombDecision::update_dual(const CoulombProblem& p) {
  double moved = 0.0;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    double du[2] = {0.0, 0.0};  // NOLINT(*-avoid-c-arrays)
    const int first = (*p.start)[i];
    const int last = (*p.start)[i + 1];
    double along = 0.0;
    double square = 0.0;
    for (int k = first; k < last; ++k) {
      const double* row = p.L + static_cast<std::ptrdiff_t>(k) * p.rank;
      for (int j = 0; j < p.rank; ++j) du[k - first] += row[j] * dx_[j];
      along += d0_[k] * du[k - first];
      moved = std::max(moved, std::abs(du[k - first]));
    }
    for (int k = first; k < last; ++k) {
      w_[k] = d0_[k] + (du[k - first] - w_[k] * along) / n0_[i];
      square += w_[k] * w_[k];
    }
    if (square <= 1.0) continue;
    for (int k = first; k < last; ++k) w_[k] /= std::sqrt(square);
  }
  return moved;
}

}  // namespace percute::contact
