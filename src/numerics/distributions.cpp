// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/distributions.hpp"

#include "numerics/bracketed_root.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace percute::numerics {

namespace {

constexpr int kTerms = 10'000;

/// b₀ + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method; `term(k)` is {a_k, b_k}.
template <class Term>
double continued_fraction(double b0, const Term& term) {
  const auto away_from_zero = [](double x) { return std::abs(x) < 1e-300 ? 1e-300 : x; };
  double c = away_from_zero(b0);
  double d = 0.0;
  double fraction = c;
  for (int k = 1; k < kTerms; ++k) {
    const auto [a, b] = term(k);
    d = 1.0 / away_from_zero(b + a * d);
    c = away_from_zero(b + a / c);
    fraction *= c * d;
    if (std::abs(c * d - 1.0) < 1e-15) break;
  }
  return fraction;
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
  return front / continued_fraction(1.0, [&](int k) {
           const int m = k / 2;
           const double factor = k % 2 == 0 ? m * (b - m) : -(a + m) * (a + b + m);
           return std::pair(factor * x / ((a + k - 1.0) * (a + k)), 1.0);
         });
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
  return front / continued_fraction(half + 1.0 - a, [&](int k) {
           return std::pair(-k * (k - a), half + 1.0 - a + 2.0 * k);
         });
}

double f_tail(double x, double above, double below) {
  require_freedom(above);
  require_freedom(below);
  if (!(x > 0.0)) return 1.0;
  return incomplete_beta(0.5 * below, 0.5 * above, below / (below + above * x));
}

}  // namespace percute::numerics
