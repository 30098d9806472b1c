// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/orthogonal_factor.hpp>
#include <percute/numerics/stick_forces.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::numerics {

namespace {

constexpr double kAccuracy = 1e-13;  ///< of what drives the contacts
constexpr int kMostRounds = 400;
constexpr int kSweeps = 5;
constexpr int kNewtonSteps = 20;

struct Block {
  int row = 0;
  int size = 0;
};

Block block_of(const StickProblem& problem, std::size_t i) {
  return {.row = problem.start[i], .size = problem.start[i + 1] - problem.start[i]};
}

std::size_t count_of(const StickProblem& problem) {
  return static_cast<std::size_t>(problem.limit.size());
}

bool at_limit(double length, double limit) {
  return std::isfinite(limit) && length >= limit * (1.0 - 1e-12);
}

}  // namespace

void minimise_on_disc(const double* B, std::ptrdiff_t stride, int size, const double* d,
                      double limit, double* f) {
  if (size == 1) {
    const double free = B[0] > 0.0 ? -d[0] / B[0] : 0.0;
    f[0] = std::clamp(free, -limit, limit);
    return;
  }
  if (limit == 0.0) {
    f[0] = f[1] = 0.0;
    return;
  }
  // Axes of B, the stiffer first; along one without mobility nothing drives the contact either.
  const double mean = 0.5 * (B[0] + B[stride + 1]);
  const double half = 0.5 * (B[0] - B[stride + 1]);
  const double radius = std::hypot(half, B[stride]);
  const double angle = radius > 0.0 ? 0.5 * std::atan2(B[stride], half) : 0.0;
  const double x = std::cos(angle);
  const double y = std::sin(angle);
  const double large = mean + radius;
  const bool flat = mean - radius <= 1e-13 * large;
  const double small = flat ? 0.0 : mean - radius;
  const double d1 = x * d[0] + y * d[1];
  const double d2 = flat ? 0.0 : x * d[1] - y * d[0];
  // (B + κ) f = −d with the least κ ≥ 0 that keeps |f| ≤ limit. 1/|f| is almost linear in κ, so
  // that Newton's method on it needs a few steps, all from the left.
  double f1 = 0.0;
  double f2 = 0.0;
  double length = 0.0;
  double kappa = 0.0;
  constexpr int kMostSteps = 50;
  for (int step = 0; step < kMostSteps; ++step) {
    f1 = d1 == 0.0 ? 0.0 : -d1 / (large + kappa);
    f2 = d2 == 0.0 ? 0.0 : -d2 / (small + kappa);
    const double square = f1 * f1 + f2 * f2;
    length = std::sqrt(square);
    if (length <= limit) break;
    // −½ d|f|²/dκ
    const double decay = (f1 == 0.0 ? 0.0 : f1 * f1 / (large + kappa)) +
                         (f2 == 0.0 ? 0.0 : f2 * f2 / (small + kappa));
    const double change = (length / limit - 1.0) * square / decay;
    if (!(change > 1e-16 * kappa)) break;
    kappa += change;
  }
  if (kappa > 0.0 && length > 0.0) {
    f1 *= limit / length;
    f2 *= limit / length;
  }
  f[0] = x * f1 - y * f2;
  f[1] = y * f1 + x * f2;
}

/// Forces without limits, f = D A D-weighted least norm; kept if they are within the limits.
bool StickSolver::hold_all(const StickProblem& problem, StickForces& out) {
  double largest = 0.0;
  for (const double limit : problem.limit) {
    if (std::isfinite(limit)) largest = std::max(largest, limit);
  }
  weight_.resize(problem.c.size());
  for (std::size_t i = 0; i < count_of(problem); ++i) {
    const Block block = block_of(problem, i);
    const double limit = problem.limit[static_cast<Eigen::Index>(i)];
    // Infinite limits take what they can.
    const double share = std::isfinite(limit) ? limit : 1e3 * (largest > 0.0 ? largest : 1.0);
    weight_.segment(block.row, block.size).setConstant(std::sqrt(share));
  }
  const Matrix weighted = problem.A * weight_.asDiagonal();
  const OrthogonalFactor factor(weighted, 1e-12);
  out.f = weight_.cwiseProduct(factor.solve(-problem.c));
  for (std::size_t i = 0; i < count_of(problem); ++i) {
    const Block block = block_of(problem, i);
    if (out.f.segment(block.row, block.size).norm() > problem.limit[static_cast<Eigen::Index>(i)]) {
      return false;
    }
  }
  out.iterations = 1;
  return judge(problem, out) <= kAccuracy;
}

void StickSolver::sweep(const StickProblem& problem, Vector& f) const {
  double d[2] = {0.0, 0.0};  // NOLINT(*-avoid-c-arrays)
  const Eigen::Index stride = problem.A.outerStride();
  for (std::size_t i = 0; i < count_of(problem); ++i) {
    const Block block = block_of(problem, i);
    for (int k = 0; k < block.size; ++k) {
      const int row = block.row + k;
      double sum = problem.c[row] + problem.A.row(row).dot(f);
      for (int l = 0; l < block.size; ++l) sum -= problem.A(row, block.row + l) * f[block.row + l];
      d[k] = sum;
    }
    minimise_on_disc(&problem.A(block.row, block.row), stride, block.size, d,
                     problem.limit[static_cast<Eigen::Index>(i)], &f[block.row]);
  }
}

/// Newton's method with the contacts at their limits moving on their circles. The directions of
/// all unknowns are columns: both components of a contact that is free, the tangent of one on its
/// circle.
bool StickSolver::polish(const StickProblem& problem, Vector& f) {
  const Eigen::Index n = f.size();
  trial_ = f;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Vector rate = problem.A * trial_ + problem.c;
    Matrix basis = Matrix::Zero(n, n);
    Vector curvature = Vector::Zero(n);
    Eigen::Index columns = 0;
    for (std::size_t i = 0; i < count_of(problem); ++i) {
      const Block block = block_of(problem, i);
      const double limit = problem.limit[static_cast<Eigen::Index>(i)];
      const double length = trial_.segment(block.row, block.size).norm();
      if (!at_limit(length, limit)) {
        for (int k = 0; k < block.size; ++k) basis(block.row + k, columns++) = 1.0;
      } else if (block.size == 2 && length > 0.0) {
        const Eigen::Vector2d u = trial_.segment<2>(block.row) / length;
        basis(block.row, columns) = -u.y();
        basis(block.row + 1, columns) = u.x();
        curvature[columns++] = std::max(-u.dot(rate.segment<2>(block.row)) / length, 0.0);
      }
    }
    if (columns == 0) break;
    const Matrix Q = basis.leftCols(columns);
    hessian_ = Q.transpose() * problem.A * Q;
    hessian_.diagonal() += curvature.head(columns);
    gradient_ = Q.transpose() * rate;
    const OrthogonalFactor factor(hessian_, 1e-12);
    step_ = Q * factor.solve(gradient_);
    trial_ -= step_;
    for (std::size_t i = 0; i < count_of(problem); ++i) {
      const Block block = block_of(problem, i);
      const double limit = problem.limit[static_cast<Eigen::Index>(i)];
      const double length = trial_.segment(block.row, block.size).norm();
      const bool was = at_limit((trial_ + step_).segment(block.row, block.size).norm(), limit);
      if (length > limit || (was && length > 0.0)) {
        trial_.segment(block.row, block.size) *= limit / length;
      }
    }
    if (step_.norm() <= 1e-15 * trial_.norm()) break;
  }
  if (!trial_.allFinite()) return false;
  f = trial_;
  return true;
}

/// Fills in rates and who slides; returns the error of the conditions of optimality.
double StickSolver::judge(const StickProblem& problem, StickForces& out) const {
  out.rate = problem.A * out.f + problem.c;
  out.slides.assign(count_of(problem), false);
  const double scale = problem.c.cwiseAbs().maxCoeff();
  const double noise = 1e-11 * scale;
  double worst = 0.0;
  for (std::size_t i = 0; i < count_of(problem); ++i) {
    const Block block = block_of(problem, i);
    const auto r = out.rate.segment(block.row, block.size);
    const auto f = out.f.segment(block.row, block.size);
    const double limit = problem.limit[static_cast<Eigen::Index>(i)];
    const double length = f.norm();
    if (limit == 0.0) {
      out.slides[i] = r.norm() > noise;
      continue;
    }
    if (!at_limit(length, limit)) {
      worst = std::max(worst, r.norm());
      continue;
    }
    // On the boundary the rate must point along −f.
    const double outward = f.dot(r) / length;
    const double across = (r - (outward / length) * f).norm();
    worst = std::max({worst, outward, across});
    out.slides[i] = -outward > noise;
  }
  out.error = scale > 0.0 ? worst / scale : worst;
  return out.error;
}

void StickSolver::solve(const StickProblem& problem, StickForces& out) {
  out = {};
  if (problem.c.size() == 0) {
    out.solved = true;
    return;
  }
  out.solved = hold_all(problem, out);
  if (out.solved) return;
  StickForces best;
  best.error = std::numeric_limits<double>::infinity();
  Vector f = Vector::Zero(problem.c.size());
  for (int round = 0; round < kMostRounds; ++round) {
    for (int k = 0; k < kSweeps; ++k) sweep(problem, f);
    out.f = f;
    out.iterations += kSweeps;
    double error = judge(problem, out);
    if (error > kAccuracy && polish(problem, out.f)) error = judge(problem, out);
    if (error < best.error) best = out;
    if (error <= kAccuracy) break;
  }
  const int iterations = out.iterations;
  out = best;
  out.iterations = iterations;
  out.solved = out.error <= 1e-9;
}

}  // namespace percute::numerics
