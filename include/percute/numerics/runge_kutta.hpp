// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/runge_kutta_tables.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace percute::numerics {

/// One step of an embedded Runge–Kutta pair for y' = f(x, y), with error estimate and dense output.
///
/// The caller keeps x and h, judges the error, and decides: attempt() tries a step from the current
/// state, accept() makes the trial state the current one. A right-hand side is any callable
/// `bool f(double x, double* y, double* slope)`; it may project y (rewrite components it knows
/// exactly) and returns false where it is not defined, which makes the attempt fail.
/// All memory is taken by resize(); stepping does not allocate.
template <class Pair>
class RungeKutta {
 public:
  static constexpr int kOrder = Pair::kOrder;
  /// Number of coefficients of the dense output after the constant one.
  static constexpr int kDense = 3 + static_cast<int>(Pair::kD.size());

  void resize(int n) {
    n_ = n;
    const auto size = static_cast<std::size_t>(n);
    for (auto* v : {&y_, &trial_, &stage_, &error_}) v->assign(size, 0.0);
    slopes_.assign(size * (Pair::kStages + 1 + Pair::kDenseStages), 0.0);
    dense_.assign(size * kDense, 0.0);
  }

  int size() const { return n_; }
  double* state() { return y_.data(); }
  const double* state() const { return y_.data(); }
  double* trial() { return trial_.data(); }
  const double* trial() const { return trial_.data(); }
  double* slope() { return slopes_.data(); }  ///< f at the current state
  const double* slope() const { return slopes_.data(); }
  double* trial_slope() { return k(Pair::kStages); }  ///< f at the trial state
  const double* trial_slope() const { return k(Pair::kStages); }

  /// Evaluates the slope at the current state; needed at the start and after every discontinuity.
  template <class Rhs>
  bool start(Rhs&& f, double x) {
    return f(x, y_.data(), k(0));
  }

  /// Tries a step of length h (of either sign) from the current state, whose slope must be known.
  template <class Rhs>
  bool attempt(Rhs&& f, double x, double h) {
    return run_stages(f, x, h, std::make_integer_sequence<int, Pair::kStages - 1>{}) &&
           (combine<Pair::kStages>(h, trial_.data()), f(x + h, trial_.data(), k(Pair::kStages)));
  }

  /// Error of the last attempt in the caller's norm: `norm(const double* error)` returns the size
  /// of a vector of local errors relative to the tolerance. Two estimates are blended as in DOP853.
  template <class Norm>
  double error(double h, Norm&& norm) {
    const double first = std::abs(h) * estimate(0, norm);
    if constexpr (Pair::kE.size() == 1) {
      return first;
    } else {
      const double second = std::abs(h) * estimate(1, norm);
      if (!(first > 0.0)) return first;  // 0 or NaN
      return first * first / std::sqrt(first * first + 0.01 * second * second);
    }
  }

  void accept() {
    y_.swap(trial_);
    std::copy_n(k(Pair::kStages), n_, k(0));
  }

  /// Prepares dense(): extra evaluations where the pair needs them. Keeps trial and slopes.
  template <class Rhs>
  bool prepare_dense(Rhs&& f, double x, double h) {
    if constexpr (Pair::kDenseStages > 0) {
      if (!run_dense_stages(f, x, h, std::make_integer_sequence<int, Pair::kDenseStages>{})) {
        return false;
      }
    }
    const double* k0 = k(0);
    const double* k1 = k(Pair::kStages);
    for (int i = 0; i < n_; ++i) {
      const double dy = trial_[i] - y_[i];
      double* c = &dense_[static_cast<std::size_t>(i) * kDense];
      c[0] = dy;
      c[1] = h * k0[i] - dy;
      c[2] = 2.0 * dy - h * (k1[i] + k0[i]);
      for (std::size_t d = 0; d < Pair::kD.size(); ++d) {
        double sum = 0.0;
        for (std::size_t s = 0; s < Pair::kD[d].size(); ++s) {
          sum += Pair::kD[d][s] * k(static_cast<int>(s))[i];
        }
        c[3 + d] = h * sum;
      }
    }
    return true;
  }

  /// Coefficients of component i for evaluate(); linear in the state, so combinations of components
  /// have the same combination of coefficients.
  const double* dense_coefficients(int i) const {
    return &dense_[static_cast<std::size_t>(i) * kDense];
  }

  /// y(θ) − y(0) on the last attempt, θ in [0, 1]; nested form of Hairer, Nørsett and Wanner II.6:
  /// θ (c0 + (1−θ)(c1 + θ (c2 + (1−θ)(c3 + …)))).
  static double evaluate(const double* c, double theta) {
    double sum = 0.0;
    for (int d = kDense - 1; d >= 0; --d) {
      sum = (c[d] + sum) * ((d % 2 == 0) ? theta : 1.0 - theta);
    }
    return sum;
  }

  double dense(int i, double theta) const { return y_[i] + evaluate(dense_coefficients(i), theta); }

 private:
  double* k(int s) { return &slopes_[static_cast<std::size_t>(s) * static_cast<std::size_t>(n_)]; }
  const double* k(int s) const {
    return &slopes_[static_cast<std::size_t>(s) * static_cast<std::size_t>(n_)];
  }

  /// out = y + h Σ_j a_sj k_j, with the coefficients known at compile time and zeros left out.
  template <int S>
  void combine(double h, double* out) const {
    combine_row<S>(h, out, std::make_integer_sequence<int, S>{});
  }
  template <int S, int... J>
  void combine_row(double h, double* out, std::integer_sequence<int, J...>) const {
    const std::array<const double*, sizeof...(J)> slope{k(J)...};
    for (int i = 0; i < n_; ++i) {
      double sum = 0.0;
      ((Pair::kA[S][J] != 0.0 ? void(sum += Pair::kA[S][J] * slope[J][i]) : void()), ...);
      out[i] = y_[i] + h * sum;
    }
  }

  template <class Rhs, int... S>
  bool run_stages(Rhs& f, double x, double h, std::integer_sequence<int, S...>) {
    return (stage<S + 1>(f, x, h) && ...);
  }
  template <class Rhs, int... S>
  bool run_dense_stages(Rhs& f, double x, double h, std::integer_sequence<int, S...>) {
    return (stage<Pair::kStages + 1 + S>(f, x, h) && ...);
  }
  template <int S, class Rhs>
  bool stage(Rhs& f, double x, double h) {
    combine<S>(h, stage_.data());
    return f(x + Pair::kC[S] * h, stage_.data(), k(S));
  }

  template <class Norm>
  double estimate(std::size_t which, Norm& norm) {
    const auto& weight = Pair::kE[which];
    for (int i = 0; i < n_; ++i) {
      double sum = 0.0;
      for (std::size_t s = 0; s < weight.size(); ++s) {
        if (weight[s] != 0.0) sum += weight[s] * k(static_cast<int>(s))[i];
      }
      error_[i] = sum;
    }
    return norm(error_.data());
  }

  int n_ = 0;
  std::vector<double> y_;       ///< n, current state
  std::vector<double> trial_;   ///< n, state at the end of the attempt
  std::vector<double> stage_;   ///< n, state of the stage being evaluated
  std::vector<double> error_;   ///< n, local error / h
  std::vector<double> slopes_;  ///< n per stage
  std::vector<double> dense_;   ///< kDense per component
};

}  // namespace percute::numerics
