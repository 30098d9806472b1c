// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/triangular_factors.hpp"
#include "selftest/solvers/lcp_methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Semismooth Newton methods (De Luca, Facchinei & Kanzow 2000). With z_i = r_i u a_i and
// w_i = u f_i / r_i, in which r_i A_ij r_j has a unit diagonal and u is the largest r_i |b_i|, the
// problem is Φ(a) = 0 with Φ_i = φ(a_i, f_i),
//
//   minimum            φ = min(a, f),
//   Fischer–Burmeister φ = √(a² + f²) − a − f.
//
// An element of the generalised Jacobian is J = diag(p) + diag(q) ∂f/∂a, (p, q) in ∂φ. Steps of
// both are cut until ½|Φ_FB|², which is differentiable, falls enough; where the step for the
// minimum does not make it fall, that of Fischer–Burmeister is taken, and failing that the
// gradient. Where a method has come to nothing it starts again with the function of the other.
//
// Redundant contacts make J singular. Then f is replaced by f + ε (a − c): proximal points
// (Rockafellar 1976), whose centre c moves to each solution found while ε falls. For monotone
// problems these converge, the faster the smaller ε. At the end the support found is solved for
// itself, which removes what the last step left.

namespace percute::selftest {

namespace {

constexpr double kFirstProximal = 1e-4;
constexpr double kLastProximal = 1e-10;
constexpr int kCentres = 30;
constexpr double kDescent = 1e-4;  ///< part of the predicted decrease asked for

double fischer_burmeister(double a, double f) {
  const double r = std::hypot(a, f);
  return a + f > 0.0 ? -2.0 * a * f / (r + a + f) : r - a - f;  // no cancellation
}

struct Iteration {
  Iteration(const Problem& stated, Memory& memory)
      : problem(stated), exchange(memory.indices(stated.size)) {
    for (double** vector : {&root, &a, &f, &centre, &step, &trial, &f_trial, &gradient}) {
      *vector = memory.numbers(problem.size);
    }
    jacobian = memory.numbers(problem.size * problem.size);
    unit = unit_diagonal(problem, root);
  }

  const Problem& problem;
  double unit = 1.0;           ///< u
  double epsilon = 0.0;        ///< ε
  double* root = nullptr;      ///< r
  double* a = nullptr;         ///< unknowns
  double* f = nullptr;         ///< f(a)
  double* centre = nullptr;    ///< c
  double* step = nullptr;      ///< direction
  double* trial = nullptr;     ///< point tried
  double* f_trial = nullptr;   ///< f there
  double* gradient = nullptr;  ///< of ½|Φ_FB|²
  double* jacobian = nullptr;  ///< m × m
  int* exchange;               ///< m

  void residual(const double* at, double* out) const {
    const int m = problem.size;
    for (int i = 0; i < m; ++i) {
      out[i] = root[i] * problem.b[i] / unit + epsilon * (at[i] - centre[i]);
    }
    for (int j = 0; j < m; ++j) {
      const double x = at[j] * root[j];
      for (int i = 0; i < m; ++i) out[i] += root[i] * problem.column(i, j) * x;
    }
  }

  double merit(const double* at, const double* value) const {
    double sum = 0.0;
    for (int i = 0; i < problem.size; ++i) sum += std::pow(fischer_burmeister(at[i], value[i]), 2);
    return 0.5 * sum;
  }

  /// Natural-map error of the problem with ε.
  double error() const {
    double worst = 0.0;
    for (int i = 0; i < problem.size; ++i) {
      const double force = a[i] * root[i] / problem.mass[i];
      worst = std::max(worst, std::abs(std::min(force, f[i] / root[i])));
    }
    return worst * unit / problem.scale;
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
        jacobian[i + m * j] = q * root[i] * problem.column(i, j) * root[j];
      }
      jacobian[i + m * i] += p + q * epsilon;
      step[i] = -phi;
      for (int j = 0; j < m; ++j) gradient[j] += jacobian[i + m * j] * phi;
    }
  }

  bool newton_step(NewtonMap map) const {
    linearise(map);
    if (!numerics::lu_factor(jacobian, problem.size, exchange, 1e-14)) return false;
    numerics::lu_solve(jacobian, problem.size, exchange, step);
    return true;
  }

  /// Halves the step until the merit falls by a part of what `slope` predicts.
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
    const Eigen::Map<const Vector> slope(gradient, problem.size);
    Eigen::Map<Vector>(step, problem.size) = -slope;
    return search(slope.squaredNorm(), 40);
  }
};

}  // namespace

Outcome solve_by_newton(const Problem& problem, NewtonMap map, Memory& memory, double* z) {
  const int m = problem.size;
  Iteration iteration(problem, memory);
  SupportEquations equations(problem, memory);
  double* const a = iteration.a;
  double* candidate = memory.numbers(m);
  int* support = memory.indices(m);
  for (int i = 0; i < m; ++i) a[i] = std::max(0.0, z[i]) / (iteration.root[i] * iteration.unit);

  Outcome outcome;
  Best best{.problem = problem, .z = z, .w = iteration.trial};
  const int limit = problem.max_iterations > 0 ? problem.max_iterations : 1000;
  int half = problem.max_iterations > 0 ? limit : limit / 2;  // iterations of the first function
  double next = kFirstProximal;
  for (int centres = 0; centres < 2 * kCentres && outcome.iterations < limit; ++centres) {
    if (centres == kCentres || outcome.iterations >= half) {
      // Once more, from the start.
      map = map == NewtonMap::Min ? NewtonMap::FischerBurmeister : NewtonMap::Min;
      std::fill(a, a + m, 0.0);
      iteration.epsilon = 0.0;
      next = kFirstProximal;
      half = limit;
      centres = std::max(centres, kCentres);
    }
    std::copy(a, a + m, iteration.centre);
    iteration.residual(a, iteration.f);
    bool moving = true;
    while (moving && iteration.error() > 0.1 * problem.tolerance && outcome.iterations < half) {
      ++outcome.iterations;
      moving = iteration.advance(map);
    }
    int count = 0;
    for (int i = 0; i < m; ++i) {
      candidate[i] = a[i] * iteration.root[i] * iteration.unit;
      if (a[i] > iteration.f[i]) support[count++] = i;
    }
    best.offer(candidate);
    if (equations.solve(support, count, candidate)) best.offer(candidate);
    if (best.error <= problem.tolerance) break;
    iteration.epsilon = next;
    next = moving ? std::max(0.1 * next, kLastProximal) : std::min(10.0 * next, kFirstProximal);
  }
  return outcome;
}

}  // namespace percute::selftest
