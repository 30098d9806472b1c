// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/dense_lu.hpp"
#include "numerics/lcp_methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Semismooth Newton methods (De Luca, Facchinei & Kanzow 2000). In the units a_i = z_i / (m_i s),
// f_i = w_i / s, the problem is Φ(a) = 0 with Φ_i = φ(a_i, f_i),
//
//   minimum            φ = min(a, f),
//   Fischer–Burmeister φ = √(a² + f²) − a − f.
//
// An element of the generalised Jacobian is J = diag(p) + diag(q) ∂f/∂a, (p, q) in ∂φ. Steps of
// both are cut until ½|Φ_FB|², which is differentiable, falls enough; where the step for the
// minimum does not make it fall, that of Fischer–Burmeister is taken, and failing that the
// gradient.
//
// Redundant contacts make J singular. Then f is replaced by f + ε (a − c): proximal points
// (Rockafellar 1976), in the metric of diag A, whose centre c moves to each solution found. For
// monotone problems these converge, the faster the smaller ε.

namespace percute::numerics::lcp {

namespace {

constexpr double kProximal = 1e-5;
constexpr int kCentres = 40;
constexpr double kDescent = 1e-4;  ///< part of the predicted decrease asked for

double fischer_burmeister(double a, double f) {
  const double r = std::hypot(a, f);
  return a + f > 0.0 ? -2.0 * a * f / (r + a + f) : r - a - f;  // no cancellation
}

struct Iteration {
  const Problem& problem;
  double epsilon;
  double* a;         ///< unknowns
  double* f;         ///< f(a)
  double* centre;    ///< c
  double* step;      ///< direction
  double* trial;     ///< point tried
  double* f_trial;   ///< f there
  double* gradient;  ///< of ½|Φ_FB|²
  double* jacobian;  ///< m × m
  int* exchange;     ///< m

  void residual(const double* at, double* out) const {
    const int m = problem.size;
    for (int i = 0; i < m; ++i) {
      out[i] = problem.b[i] / problem.scale + epsilon * (at[i] - centre[i]);
    }
    for (int j = 0; j < m; ++j) {
      const double x = at[j] * problem.mass[j];
      for (int i = 0; i < m; ++i) out[i] += problem.column(i, j) * x;
    }
  }

  double merit(const double* at, const double* value) const {
    double sum = 0.0;
    for (int i = 0; i < problem.size; ++i) {
      const double phi = fischer_burmeister(at[i], value[i]);
      sum += 0.5 * phi * phi;
    }
    return sum;
  }

  double error() const {
    double worst = 0.0;
    for (int i = 0; i < problem.size; ++i) {
      worst = std::max(worst, std::abs(std::min(a[i], f[i])));
    }
    return worst;
  }

  /// J and −Φ; for Fischer–Burmeister also the gradient JᵀΦ.
  void linearise(NewtonMap map) const {
    const int m = problem.size;
    std::fill(gradient, gradient + m, 0.0);
    for (int i = 0; i < m; ++i) {
      double p = a[i] <= f[i] ? 1.0 : 0.0;
      double q = 1.0 - p;
      double phi = std::min(a[i], f[i]);
      if (map == NewtonMap::FischerBurmeister) {
        const double r = std::hypot(a[i], f[i]);
        p = (r > 0.0 ? a[i] / r : 0.5 * std::numbers::sqrt2) - 1.0;
        q = (r > 0.0 ? f[i] / r : 0.5 * std::numbers::sqrt2) - 1.0;
        phi = fischer_burmeister(a[i], f[i]);
      }
      for (int j = 0; j < m; ++j) {
        jacobian[i + m * j] = q * problem.column(i, j) * problem.mass[j];
      }
      jacobian[i + m * i] += p + q * epsilon;
      step[i] = -phi;
      for (int j = 0; j < m; ++j) gradient[j] += jacobian[i + m * j] * phi;
    }
  }

  bool newton_step(NewtonMap map) const {
    linearise(map);
    if (!lu_factor(jacobian, problem.size, exchange, 1e-14)) return false;
    lu_solve(jacobian, problem.size, exchange, step);
    return true;
  }

  /// Halves the step until the merit falls by `rate` of itself times the step.
  bool search(double slope, int halvings) const {
    const double start = merit(a, f);
    double t = 1.0;
    for (int k = 0; k <= halvings; ++k, t *= 0.5) {
      for (int i = 0; i < problem.size; ++i) trial[i] = a[i] + t * step[i];
      residual(trial, f_trial);
      if (merit(trial, f_trial) <= start - kDescent * t * slope) {
        std::copy(trial, trial + problem.size, a);
        std::copy(f_trial, f_trial + problem.size, f);
        return true;
      }
    }
    return false;
  }

  /// One step; false where nothing helps any more.
  bool advance(NewtonMap map) const {
    const double predicted = 2.0 * merit(a, f);
    if (map == NewtonMap::Min && newton_step(map) && search(predicted, 4)) return true;
    if (newton_step(NewtonMap::FischerBurmeister) && search(predicted, 12)) return true;
    if (epsilon == 0.0) return false;
    double square = 0.0;
    for (int i = 0; i < problem.size; ++i) {
      step[i] = -gradient[i];
      square += gradient[i] * gradient[i];
    }
    return search(square, 40);
  }
};

}  // namespace

Need newton_need(int size) {
  const auto m = static_cast<std::size_t>(size);
  const Need support = support_need(size);
  return {.numbers = 8 * m + m * m + support.numbers, .indices = m + support.indices};
}

Outcome newton(const Problem& problem, NewtonMap map, double* numbers, int* indices, double* z) {
  const int m = problem.size;
  double* const a = numbers;
  Iteration iteration{.problem = problem,
                      .epsilon = 0.0,
                      .a = a,
                      .f = a + m,
                      .centre = a + 2 * m,
                      .step = a + 3 * m,
                      .trial = a + 4 * m,
                      .f_trial = a + 5 * m,
                      .gradient = a + 6 * m,
                      .jacobian = a + 8 * m,
                      .exchange = indices};
  double* best = a + 7 * m;
  for (int i = 0; i < m; ++i) a[i] = std::max(0.0, z[i]) / (problem.mass[i] * problem.scale);

  Outcome outcome;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](const double* offered) {
    for (int i = 0; i < m; ++i) best[i] = std::max(0.0, offered[i]);
    const double error = evaluate(problem, best, iteration.trial);
    if (!(error < least)) return;
    least = error;
    std::copy(best, best + m, z);
  };
  const int limit = problem.max_iterations > 0 ? problem.max_iterations : 500;
  for (int centres = 0; centres < kCentres && outcome.iterations < limit; ++centres) {
    std::copy(a, a + m, iteration.centre);
    iteration.residual(a, iteration.f);
    while (iteration.error() > 0.1 * problem.tolerance && outcome.iterations < limit) {
      ++outcome.iterations;
      if (!iteration.advance(map)) break;
    }
    for (int i = 0; i < m; ++i) iteration.trial[i] = a[i] * problem.mass[i] * problem.scale;
    std::copy(iteration.trial, iteration.trial + m, iteration.step);
    offer(iteration.step);
    if (least <= problem.tolerance) return outcome;
    iteration.epsilon = kProximal;
  }
  return outcome;
}

}  // namespace percute::numerics::lcp
