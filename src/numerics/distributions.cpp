// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/distributions.hpp"

#include "numerics/bracketed_root.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace percute::numerics {

namespace {

constexpr int kTerms = 10'000;

/// Keeps a continued fraction away from a division by zero (Lentz's method).
double away_from_zero(double x) {
  constexpr double kTiny = 1e-300;
  return std::abs(x) < kTiny ? kTiny : x;
}

/// Regularised incomplete beta function I_x(a, b) by its continued fraction, which converges fast
/// for x < (a + 1)/(a + b + 2); elsewhere I_x(a, b) = 1 − I_{1−x}(b, a).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, 1.0 - x);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m < kTerms; ++m) {
    double change = 1.0;
    for (const double term : {m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
                              -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))}) {
      d = 1.0 / away_from_zero(1.0 + term * d);
      c = away_from_zero(1.0 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1.0) < 1e-15) break;
  }
  return front * fraction;
}

/// P(T > t) of Student's t for t ≥ 0.
double student_t_tail(double t, double freedom) {
  return 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

/// The t ≥ 0 that is exceeded with probability `tail` < ½ by a distribution given by its tail.
template <class Tail>
double upper_quantile(const Tail& tail_of, double tail) {
  double high = 1.0;
  while (tail_of(high) > tail && high < 1e300) high *= 2.0;
  // In logarithms the tail is smooth down to its far end.
  const double wanted = std::log(tail);
  return bracketed_root([&](double t) { return std::log(tail_of(t)) - wanted; },
                        high == 1.0 ? 0.0 : 0.5 * high, high, 1e-15 * high);
}

void require_probability(double probability) {
  if (!(probability > 0.0 && probability < 1.0)) {
    throw std::invalid_argument("a probability must be in (0, 1)");
  }
}

void require_freedom(double freedom) {
  if (!(freedom > 0.0)) throw std::invalid_argument("degrees of freedom must be > 0");
}

/// The quantile by symmetry, from that of the upper half.
template <class Tail>
double symmetric_quantile(const Tail& tail_of, double probability) {
  if (probability == 0.5) return 0.0;
  return probability > 0.5 ? upper_quantile(tail_of, 1.0 - probability)
                           : -upper_quantile(tail_of, probability);
}

}  // namespace

double normal_quantile(double probability) {
  require_probability(probability);
  return symmetric_quantile([](double t) { return 0.5 * std::erfc(t / std::numbers::sqrt2); },
                            probability);
}

double student_t_quantile(double probability, double freedom) {
  require_probability(probability);
  require_freedom(freedom);
  return symmetric_quantile([freedom](double t) { return student_t_tail(t, freedom); },
                            probability);
}

double chi_squared_tail(double x, double freedom) {
  require_freedom(freedom);
  if (!(x > 0.0)) return 1.0;
  // Q(a, x): its power series for small x, else its continued fraction.
  const double a = 0.5 * freedom;
  const double half = 0.5 * x;
  const double front = std::exp(a * std::log(half) - half - std::lgamma(a));
  if (half < a + 1.0) {
    double term = 1.0 / a;
    double sum = term;
    for (int k = 1; k < kTerms && term > 1e-17 * sum; ++k) {
      term *= half / (a + k);
      sum += term;
    }
    return 1.0 - front * sum;
  }
  double b = half + 1.0 - a;
  double c = 1e300;
  double d = 1.0 / away_from_zero(b);
  double fraction = d;
  for (int k = 1; k < kTerms; ++k) {
    const double term = -k * (k - a);
    b += 2.0;
    d = 1.0 / away_from_zero(term * d + b);
    c = away_from_zero(b + term / c);
    const double change = c * d;
    fraction *= change;
    if (std::abs(change - 1.0) < 1e-15) break;
  }
  return front * fraction;
}

double f_tail(double x, double above, double below) {
  require_freedom(above);
  require_freedom(below);
  if (!(x > 0.0)) return 1.0;
  return incomplete_beta(0.5 * below, 0.5 * above, below / (below + above * x));
}

}  // namespace percute::numerics
