// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/runge_kutta_tables.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace percute::numerics {

/// One step of an embedded Runge–Kutta pair for y' = f(x, y), with error estimate and dense output.
///
/// The caller keeps x and h, judges the error, and decides: attempt() tries a step from the current
/// state, accept() makes the trial state the current one. A right-hand side is any callable
/// `bool f(double x, double* y, double* slope)`; it may project y (rewrite components it knows
/// exactly) and returns false where it is not defined, which makes the attempt fail.
/// All memory is taken by resize(); stepping does not allocate. Systems whose size is known when
/// the program is compiled say so, attempt<N>(…), and have their loops unrolled.
///
/// The last components of a system may be `Quadratures`: integrals on which no slope depends. They
/// are needed at the ends of a step only, so the stages do not compute them; they have no part in
/// N, and in stages they hold finite numbers without a meaning.
template <class Pair, int Quadratures = 0>
class RungeKutta {
 public:
  static constexpr int kOrder = Pair::kOrder;
  static constexpr int kDynamic = 0;  ///< size known at run time only
  /// Number of coefficients of the dense output after the constant one.
  static constexpr int kDense = 3 + static_cast<int>(Pair::kD.size());
  static constexpr int kAllStages = Pair::kStages + 1 + Pair::kDenseStages;

  /// n components, the quadratures among them.
  void resize(int n) {
    n_ = n;
    const auto size = static_cast<std::size_t>(n);
    for (auto* v : {&y_, &trial_, &stage_, &error_}) v->assign(size + 1, 0.0);
    slopes_.assign(size * (kAllStages + 1) + 1, 0.0);
  }

  int size() const { return n_; }
  double* state() { return y_.data(); }
  const double* state() const { return y_.data(); }
  double* trial() { return trial_.data(); }
  const double* trial() const { return trial_.data(); }
  double* slope() { return slopes_.data(); }  ///< f at the current state
  const double* slope() const { return slopes_.data(); }
  double* trial_slope() { return k<>(Pair::kStages); }  ///< f at the trial state
  const double* trial_slope() const { return k<>(Pair::kStages); }

  /// Evaluates the slope at the current state; needed at the start and after every discontinuity.
  template <class Rhs>
  bool start(Rhs&& f, double x) {
    return f(x, y_.data(), k<>(0));
  }

  /// Tries a step of length h (of either sign) from the current state, whose slope must be known.
  template <int N = kDynamic, class Rhs>
  bool attempt(Rhs&& f, double x, double h) {
    return run_stages<N>(f, x, h, std::make_integer_sequence<int, Pair::kStages - 1>{}) &&
           (combine<N, Pair::kStages>(h, trial_.data()),
            add_quadratures<N>(h, std::make_integer_sequence<int, Pair::kStages>{}),
            f(x + h, trial_.data(), k<N>(Pair::kStages)));
  }

  /// Error of the last attempt in the caller's norm: `norm(const double* error)` returns the size
  /// of a vector of local errors relative to the tolerance. Two estimates are blended as in DOP853.
  template <int N = kDynamic, class Norm>
  double error(double h, Norm&& norm) {
    const double first = std::abs(h) * estimate<N, 0>(norm);
    const double second = std::abs(h) * estimate<N, 1>(norm);
    if (!(first > 1e-150)) return first;  // 0, NaN, or its square would be 0
    return first * first / std::sqrt(first * first + 0.01 * second * second);
  }

  void accept() {
    y_.swap(trial_);
    std::copy_n(k<>(Pair::kStages), n_, k<>(0));
  }

  /// Factor by which a step of this error (relative to the tolerance) could have been longer; a few
  /// digits of it are enough.
  static double growth(double error) {
    static_assert(kOrder == 8);
    return 1.0F / std::sqrt(std::sqrt(std::sqrt(static_cast<float>(error))));
  }

  /// Prepares dense(): extra evaluations where the pair needs them. Keeps trial and slopes, from
  /// which the dense output is made when asked for: it is valid until either changes.
  template <int N = kDynamic, class Rhs>
  bool prepare_dense(Rhs&& f, double x, double h) {
    dense_step_ = h;
    return run_dense_stages<N>(f, x, h, std::make_integer_sequence<int, Pair::kDenseStages>{});
  }

  using DenseCoefficients = std::array<double, kDense>;

  /// Dense output of a step of length h that another method has made, which has set trial() and
  /// trial_slope(): it takes on the slopes given (n numbers each) at the points θ inside the step,
  /// as many as it has coefficients beyond those of a cubic.
  static constexpr int kInner = static_cast<int>(Pair::kD.size());
  void fit_dense(double h, const std::array<double, kInner>& theta,
                 const std::array<const double*, kInner>& inner) {
    static_assert(kInner == Pair::kDenseStages + 1);
    dense_step_ = h;
    // Stages take the part of coefficients: the last of the pair and those of its dense output.
    std::array<int, kInner> free;
    for (int q = 0; q < kInner; ++q) free[q] = q == 0 ? Pair::kStages - 1 : Pair::kStages + q;
    for (int s = 1; s < Pair::kStages; ++s) std::fill_n(k<>(s), n_, 0.0);
    Eigen::Matrix<double, kInner, kInner> in_slope;
    Eigen::Matrix<double, kInner, 3> of_ends;
    for (int p = 0; p < kInner; ++p) {
      DenseCoefficients w;
      DenseCoefficients dw;
      dense_weights(theta[p], w, dw);
      const auto shares = all_shares(dw, std::make_integer_sequence<int, kAllStages>{});
      for (int q = 0; q < kInner; ++q) in_slope(p, q) = shares[free[q]];
      of_ends.row(p) << (dw[0] - dw[1] + 2.0 * dw[2]) / h, shares[0], shares[Pair::kStages];
    }
    const Eigen::PartialPivLU<Eigen::Matrix<double, kInner, kInner>> solver(in_slope);
    for (int i = 0; i < n_; ++i) {
      Eigen::Matrix<double, kInner, 1> rest =
          -of_ends * Eigen::Vector3d(trial_[i] - y_[i], k<>(0)[i], k<>(Pair::kStages)[i]);
      for (int p = 0; p < kInner; ++p) rest[p] += inner[p][i];
      const Eigen::Matrix<double, kInner, 1> slopes = solver.solve(rest);
      for (int q = 0; q < kInner; ++q) k<>(free[q])[i] = slopes[q];
    }
  }

  /// Coefficients of component i for evaluate(); linear in the state, so combinations of components
  /// have the same combination of coefficients.
  DenseCoefficients dense_coefficients(int i) const {
    const double h = dense_step_;
    const double dy = trial_[i] - y_[i];
    const double k0 = k<>(0)[i];
    const double k1 = k<>(Pair::kStages)[i];
    DenseCoefficients c{dy, h * k0 - dy, 2.0 * dy - h * (k1 + k0)};
    std::array<double, kAllStages> slope;
    for (int s = 0; s < kAllStages; ++s) slope[s] = k<>(s)[i];
    dense_rows(h, slope, c, std::make_integer_sequence<int, static_cast<int>(Pair::kD.size())>{},
               std::make_integer_sequence<int, static_cast<int>(Pair::kD[0].size())>{});
    return c;
  }

  /// Evaluates the dense output inside the step, leaving the trial state alone. Its slope is left
  /// to the caller.
  template <int N = kDynamic>
  void interpolate(double theta) {
    DenseCoefficients w;
    DenseCoefficients dw;
    dense_weights(theta, w, dw);
    add_up<N>(w, dw, std::make_integer_sequence<int, kAllStages>{});
  }
  double* inside() { return stage_.data(); }  ///< y(θ) of interpolate()
  double* inside_slope() { return k<>(kAllStages); }
  /// Makes that state, with its slope, the trial state: the step is to end there.
  void end_inside() {
    trial_.swap(stage_);
    std::copy_n(inside_slope(), n_, trial_slope());
  }

  /// By how much the slope of the dense output misses the right-hand side there, times the step, in
  /// the norm of error(): a measure of the error of interpolate().
  template <int N = kDynamic, class Norm>
  double defect(Norm&& norm) {
    const double* slope = k<N>(kAllStages);
    for (std::ptrdiff_t i = 0; i < stride<N>() - Quadratures; ++i) error_[i] -= slope[i];
    return std::abs(dense_step_) * norm(error_.data());
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

  /// The same with its derivative by θ.
  static double evaluate(const double* c, double theta, double& slope) {
    double sum = 0.0;
    slope = 0.0;
    for (int d = kDense - 1; d >= 0; --d) {
      const double factor = d % 2 == 0 ? theta : 1.0 - theta;
      sum += c[d];
      slope = slope * factor + (d % 2 == 0 ? sum : -sum);
      sum *= factor;
    }
    return sum;
  }

  double dense(int i, double theta) const {
    return y_[i] + evaluate(dense_coefficients(i).data(), theta);
  }

 private:
  /// Slopes of stage s.
  template <int N = kDynamic>
  double* k(int s) {
    return slopes_.data() + s * stride<N>();
  }
  template <int N = kDynamic>
  const double* k(int s) const {
    return slopes_.data() + s * stride<N>();
  }
  template <int N>
  std::ptrdiff_t stride() const {  ///< components, the quadratures among them
    return N > 0 ? N + Quadratures : n_;
  }

  template <int S>
  struct Stage {
    static constexpr auto kWeights = Pair::kA[S];
  };
  template <int E>
  struct Estimate {
    static constexpr auto kWeights = Pair::kE[E];
  };
  /// Two numbers at once, or one. Compilers do not always inline expressions of Eigen in functions
  /// as long as these.
  using Two = double __attribute__((vector_size(16)));
  template <class Some>
  [[gnu::always_inline]] static Some load(const double* v) {
    Some some;
    std::memcpy(&some, v, sizeof some);
    return some;
  }
  template <class Some>
  [[gnu::always_inline]] static void store(double* v, Some some) {
    std::memcpy(v, &some, sizeof some);
  }
  /// Σ_j w_j k_j over the nonzero weights before `End`, of as many components from i on as `Some`
  /// has.
  template <int N, class Some, class Row, int End, int... J>
  [[gnu::always_inline]] Some weighted(std::ptrdiff_t i, std::integer_sequence<int, J...>) const {
    constexpr int kFirst = next_weight<Row>(0);
    Some sum = Row::kWeights[kFirst] * load<Some>(k<N>(kFirst) + i);
    ((J > kFirst && J < End && Row::kWeights[J] != 0.0
          ? void(sum += Row::kWeights[J] * load<Some>(k<N>(J) + i))
          : void()),
     ...);
    return sum;
  }
  /// Does it for all components, two at a time.
  template <int N, class Part>
  [[gnu::always_inline]] void for_parts(Part&& part) const {
    const std::ptrdiff_t n = N > 0 ? N : n_ - Quadratures;
    std::ptrdiff_t i = 0;
    for (; i + 1 < n; i += 2) part(Two(), i);
    if (i < n) part(double(), i);
  }
  template <class Row>
  static constexpr int next_weight(int j) {
    const int end = static_cast<int>(Row::kWeights.size());
    while (j < end && Row::kWeights[j] == 0.0) ++j;
    return j;
  }
  template <class Row>
  static constexpr int last_weight() {
    int j = static_cast<int>(Row::kWeights.size()) - 1;
    while (Row::kWeights[j] == 0.0) --j;
    return j;
  }

  /// out = y + h Σ_j a_sj k_j. The newest slope comes last, so that the processor can add up all
  /// else while that one is still being computed.
  template <int N, int S>
  [[gnu::always_inline]] void combine(double h, double* out) const {
    using Row = Stage<S>;
    constexpr int kNewest = last_weight<Row>();
    for_parts<N>([&](const auto& some, std::ptrdiff_t i) __attribute__((always_inline)) {
      using Some = std::remove_cvref_t<decltype(some)>;
      Some sum = load<Some>(y_.data() + i);
      if constexpr (next_weight<Row>(0) != kNewest) {
        sum += h * weighted<N, Some, Row, kNewest>(i, std::make_integer_sequence<int, S>{});
      }
      store<Some>(out + i, sum + (h * Row::kWeights[kNewest]) * load<Some>(k<N>(kNewest) + i));
    });
  }

  /// The quadratures at the end of the step.
  template <int N, int... S>
  void add_quadratures(double h, std::integer_sequence<int, S...>) {
    if constexpr (Quadratures > 0) {
      using Array = Eigen::Array<double, Quadratures, 1>;
      const std::ptrdiff_t first = stride<N>() - Quadratures;
      const auto of = [&](const double* v) { return Eigen::Map<const Array>(v + first); };
      constexpr auto kWeights = Pair::kA[Pair::kStages];
      Array sum = Array::Zero();
      ((kWeights[S] != 0.0 ? void(sum += kWeights[S] * of(k<N>(S))) : void()), ...);
      Eigen::Map<Array>(trial_.data() + first) = of(y_.data()) + h * sum;
    }
  }

  template <int N, class Rhs, int... S>
  bool run_stages(Rhs& f, double x, double h, std::integer_sequence<int, S...>) {
    return (stage<N, S + 1>(f, x, h) && ...);
  }
  template <int N, class Rhs, int... S>
  bool run_dense_stages(Rhs& f, double x, double h, std::integer_sequence<int, S...>) {
    return (stage<N, Pair::kStages + 1 + S>(f, x, h) && ...);
  }
  template <int N, int S, class Rhs>
  [[gnu::always_inline]] bool stage(Rhs& f, double x, double h) {
    combine<N, S>(h, stage_.data());
    return f(x + Pair::kC[S] * h, stage_.data(), k<N>(S));
  }
  template <int D, int... S>
  static double dense_sum(const std::array<double, kAllStages>& slope,
                          std::integer_sequence<int, S...>) {
    double sum = 0.0;
    ((Pair::kD[D][S] != 0.0 ? void(sum += Pair::kD[D][S] * slope[S]) : void()), ...);
    return sum;
  }
  template <int... D, class Stages>
  static void dense_rows(double h, const std::array<double, kAllStages>& slope,
                         DenseCoefficients& c, std::integer_sequence<int, D...>, Stages stages) {
    ((c[3 + D] = h * dense_sum<D>(slope, stages)), ...);
  }

  /// y + Σ_d w_d c_d as the stage and Σ_d dw_d c_d / h as the error, for the coefficients c of the
  /// dense output.
  template <int N, int... S>
  void add_up(const DenseCoefficients& w, const DenseCoefficients& dw,
              std::integer_sequence<int, S...>) {
    const double h = dense_step_;
    const double end = w[0] - w[1] + 2.0 * w[2];
    const double end_slope = (dw[0] - dw[1] + 2.0 * dw[2]) / h;
    // Shares of the slopes in both sums, twice for two components at a time; resize() has left room
    // after an odd number of them.
    const std::array<Two, kAllStages> in_value{(Two() + h * share<S>(w))...};
    const std::array<Two, kAllStages> in_slope{(Two() + share<S>(dw))...};
    for (int i = 0; i < stride<N>(); i += 2) {
      const auto two = [i](const double* v) { return load<Two>(v + i); };
      const Two jump = two(trial_.data()) - two(y_.data());
      Two value = two(y_.data()) + end * jump;
      Two slope = end_slope * jump;
      const auto add = [&](int s) {
        const Two k_s = two(k<N>(s));
        value += in_value[s] * k_s;
        slope += in_slope[s] * k_s;
      };
      ((dense_uses(S) ? add(S) : void()), ...);
      store<Two>(stage_.data() + i, value);
      store<Two>(error_.data() + i, slope);
    }
  }
  /// Weights of the coefficients in evaluate(), and their derivatives.
  static void dense_weights(double theta, DenseCoefficients& w, DenseCoefficients& dw) {
    double product = 1.0;
    double derivative = 0.0;
    for (int d = 0; d < kDense; ++d) {
      const double factor = d % 2 == 0 ? theta : 1.0 - theta;
      derivative = derivative * factor + product * (d % 2 == 0 ? 1.0 : -1.0);
      product *= factor;
      w[d] = product;
      dw[d] = derivative;
    }
  }
  template <int... S>
  static std::array<double, kAllStages> all_shares(const DenseCoefficients& w,
                                                   std::integer_sequence<int, S...>) {
    return {share<S>(w)...};
  }
  /// Share of stage S in the sum of the coefficients with weights w.
  template <int S>
  static double share(const DenseCoefficients& w) {
    double sum = 0.0;
    sum += S == 0 ? w[1] - w[2] : S == Pair::kStages ? -w[2] : 0.0;
    if constexpr (dense_uses(S)) {
      for (std::size_t d = 0; d < Pair::kD.size(); ++d) sum += w[3 + d] * Pair::kD[d][S];
    }
    return sum;
  }
  /// Does the dense output depend on stage s?
  static constexpr bool dense_uses(int s) {
    bool uses = s == 0 || s == Pair::kStages;
    for (const auto& row : Pair::kD) uses = uses || row[s] != 0.0;
    return uses;
  }

  template <int N, int Which, class Norm>
  double estimate(Norm& norm) {
    using Row = Estimate<Which>;
    constexpr int kEnd = static_cast<int>(Row::kWeights.size());
    for_parts<N>([&](const auto& some, std::ptrdiff_t i) __attribute__((always_inline)) {
      using Some = std::remove_cvref_t<decltype(some)>;
      store<Some>(error_.data() + i,
                  weighted<N, Some, Row, kEnd>(i, std::make_integer_sequence<int, kEnd>{}));
    });
    return norm(error_.data());
  }

  int n_ = 0;
  // All have room for one number more.
  std::vector<double> y_;       ///< n, current state
  std::vector<double> trial_;   ///< n, state at the end of the attempt
  std::vector<double> stage_;   ///< n, state of the stage being evaluated
  std::vector<double> error_;   ///< n, local error / h
  std::vector<double> slopes_;  ///< n per stage, and one for interpolate()
  double dense_step_ = 0.0;     ///< h of the step with dense output
};

}  // namespace percute::numerics
