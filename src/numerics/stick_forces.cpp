// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/orthogonal_factor.hpp>
#include <percute/numerics/stick_forces.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::numerics {

namespace {

constexpr double kAccuracy = 1e-13;  ///< of what drives the contacts
constexpr int kRounds = 3;
constexpr int kInsideSteps = 60;
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

double largest_limit(const StickProblem& problem) {
  double largest = 0.0;
  for (const double limit : problem.limit) {
    if (std::isfinite(limit)) largest = std::max(largest, limit);
  }
  return largest;
}

/// A contact that has just closed can have next to no force, beside others: that counts as none.
bool counts(double limit, double largest) {
  return limit > 1e-14 * largest;
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
  const double radius = std::sqrt(half * half + B[stride] * B[stride]);
  double x = 1.0;
  double y = 0.0;
  if (radius > 0.0) {
    const double longer = std::sqrt(0.5 * (1.0 + std::abs(half) / radius));
    const double shorter = 0.5 * B[stride] / (radius * longer);
    x = half >= 0.0 ? longer : shorter;
    y = half >= 0.0 ? shorter : longer;
  }
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
  const double largest = largest_limit(problem);
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
  redundant_ = factor.rank() < weighted.cols();
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
  const double largest = largest_limit(problem);
  double worst = 0.0;
  for (std::size_t i = 0; i < count_of(problem); ++i) {
    const Block block = block_of(problem, i);
    const auto r = out.rate.segment(block.row, block.size);
    const auto f = out.f.segment(block.row, block.size);
    const double limit = problem.limit[static_cast<Eigen::Index>(i)];
    const double length = f.norm();
    if (!counts(limit, largest)) {
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

/// A primal–dual interior-point method (Mehrotra 1992) for what sweeps and Newton's method do not
/// settle: contacts that are redundant, or hardly beyond their limits. With g_i = f_i/limit_i,
///
///     B g + d + κ_i g_i = 0,   s_i = ½ (1 − |g_i|²) ≥ 0,   κ_i ≥ 0,   κ_i s_i = 0.
///
/// Of several solutions it comes to one far from the limits, whatever the order of contacts.
void StickSolver::go_inside(const StickProblem& problem, Vector& f) {
  const std::size_t blocks = count_of(problem);
  const Eigen::Index n = problem.c.size();
  const double largest = largest_limit(problem);
  weight_.resize(n);
  for (std::size_t i = 0; i < blocks; ++i) {
    const double limit = problem.limit[static_cast<Eigen::Index>(i)];
    const Block block = block_of(problem, i);
    const double unit = std::isfinite(limit) ? limit : (largest > 0.0 ? largest : 1.0);
    weight_.segment(block.row, block.size).setConstant(counts(limit, largest) ? unit : 0.0);
  }
  const Matrix B = weight_.asDiagonal() * problem.A * weight_.asDiagonal();
  const Vector d = weight_.cwiseProduct(problem.c);
  const double scale = d.cwiseAbs().maxCoeff();
  const double mobility = B.diagonal().maxCoeff();
  f.setZero();
  if (!(scale > 0.0) || !(mobility > 0.0)) return;
  const auto limited = [&](std::size_t i) {
    return std::isfinite(problem.limit[static_cast<Eigen::Index>(i)]) &&
           weight_[problem.start[i]] > 0.0;
  };
  struct Side {
    double s = 0.5;
    double kappa = 0.0;
    double ds = 0.0;
    double dkappa = 0.0;
  };
  std::vector<Side> side(blocks);
  for (Side& one : side) one.kappa = scale;
  Vector g = Vector::Zero(n);
  Vector dg = Vector::Zero(n);
  for (int step = 0; step < kInsideSteps; ++step) {
    Vector rest = B * g + d;
    double gap = 0.0;
    int count = 0;
    hessian_ = B;
    // Along directions without mobility nothing is to be gained.
    hessian_.diagonal().array() += 1e-11 * mobility;
    for (std::size_t i = 0; i < blocks; ++i) {
      if (!limited(i)) continue;
      const Block block = block_of(problem, i);
      const Side& at = side[i];
      const auto own = g.segment(block.row, block.size);
      rest.segment(block.row, block.size) += at.kappa * own;
      auto corner = hessian_.block(block.row, block.row, block.size, block.size);
      corner.diagonal().array() += at.kappa;
      corner += (at.kappa / at.s) * own * own.transpose();
      gap += at.kappa * at.s;
      ++count;
    }
    if (count == 0) return;
    gap /= count;
    if (gap <= 1e-24 * scale && rest.cwiseAbs().maxCoeff() <= 1e-14 * scale) break;
    const Eigen::LLT<Matrix> factor(hessian_);
    if (factor.info() != Eigen::Success) break;
    // First towards κ s = 0; then, knowing how far that goes, towards σ times what it is.
    double length = 1.0;
    double target = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      gradient_ = -rest;
      for (std::size_t i = 0; i < blocks; ++i) {
        if (!limited(i)) continue;
        const Block block = block_of(problem, i);
        Side& at = side[i];
        const auto own = g.segment(block.row, block.size);
        const auto change = dg.segment(block.row, block.size);
        double product = target - at.kappa * at.s;
        double slack = 0.5 - 0.5 * own.squaredNorm() - at.s;
        if (pass == 1) {
          product -= at.dkappa * at.ds;
          slack -= 0.5 * change.squaredNorm();
          gradient_.segment(block.row, block.size) -= at.dkappa * change;
        }
        gradient_.segment(block.row, block.size) -= own * ((product - at.kappa * slack) / at.s);
        at.ds = slack;        // completed below
        at.dkappa = product;  // completed below
      }
      dg = factor.solve(gradient_);
      length = 1.0;
      for (std::size_t i = 0; i < blocks; ++i) {
        if (!limited(i)) continue;
        const Block block = block_of(problem, i);
        Side& at = side[i];
        at.ds -= g.segment(block.row, block.size).dot(dg.segment(block.row, block.size));
        at.dkappa = (at.dkappa - at.kappa * at.ds) / at.s;
        if (at.ds < 0.0) length = std::min(length, -at.s / at.ds);
        if (at.dkappa < 0.0) length = std::min(length, -at.kappa / at.dkappa);
      }
      if (pass == 1) break;
      double after = 0.0;
      for (std::size_t i = 0; i < blocks; ++i) {
        if (!limited(i)) continue;
        after += (side[i].s + length * side[i].ds) * (side[i].kappa + length * side[i].dkappa);
      }
      const double ratio = after / (gap * count);
      target = gap * ratio * ratio * ratio;
    }
    if (!dg.allFinite()) break;
    length = std::min(1.0, 0.995 * length);
    g += length * dg;
    for (Side& at : side) {
      at.s += length * at.ds;
      at.kappa += length * at.dkappa;
    }
  }
  f = weight_.cwiseProduct(g);
  for (std::size_t i = 0; i < blocks; ++i) {
    const Block block = block_of(problem, i);
    const double limit = problem.limit[static_cast<Eigen::Index>(i)];
    const double length = f.segment(block.row, block.size).norm();
    if (length > limit) f.segment(block.row, block.size) *= limit / length;
  }
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
  int iterations = 0;
  // Keeps the better of the forces and what Newton's method makes of them.
  const auto try_forces = [&](const Vector& f) {
    out.f = f;
    double error = judge(problem, out);
    if (error < best.error) best = out;
    if (error > kAccuracy && polish(problem, out.f)) {
      error = judge(problem, out);
      if (error < best.error) best = out;
    }
    return best.error <= kAccuracy;
  };
  Vector f = Vector::Zero(problem.c.size());
  bool settled = false;
  // Sweeps creep along forces that change nothing.
  const bool inside_first = redundant_;
  if (inside_first) {
    go_inside(problem, f);
    settled = try_forces(f);
    if (!settled) f.setZero();
  }
  for (int round = 0; round < kRounds && !settled; ++round) {
    for (int k = 0; k < kSweeps; ++k) sweep(problem, f);
    iterations += kSweeps;
    settled = try_forces(f);
  }
  if (!settled && !inside_first) {
    go_inside(problem, f);
    try_forces(f);
  }
  out = best;
  out.iterations = iterations;
  out.solved = out.error <= 1e-9;
}

}  // namespace percute::numerics
