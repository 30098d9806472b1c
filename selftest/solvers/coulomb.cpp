// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/coulomb.hpp"

#include "numerics/coulomb_methods.hpp"
#include "numerics/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace percute::selftest {

namespace {

using numerics::CoulombBlocks;
using numerics::CoulombContact;
using numerics::CoulombProblem;
using numerics::CoulombSolution;
using numerics::NewtonStep;
using numerics::SolverStatus;

/// A planar problem as a linear complementarity problem of size 3m, solved by Lemke's method: with
/// z_t = z⁺ − z⁻ and p_t = ξ − μ p_n,
///
///   z_n ⟂ p_n − floor,   z⁺ ⟂ ξ = μ p_n + p_t,   2μ p_n − ξ = μ p_n − p_t ⟂ z⁻   (Pfeiffer &
///   Glocker 1996).
///
/// Not for μ = ∞.
void solve_planar_lcp(const CoulombProblem& problem, const CoulombBlocks& blocks, double tolerance,
                      CoulombSolution& solution) {
  const int m = blocks.contacts();
  const int n = blocks.rows();
  std::vector<int> sliding;  // contacts with friction
  double unit = 0.0;         // of impulses: the largest m_i; velocities then have the unit of b
  for (int i = 0; i < m; ++i) {
    if (blocks.contact(i).friction() > 0.0) sliding.push_back(i);
    unit = std::max(unit, blocks.contact(i).mass());
  }
  if (!(unit > 0.0)) unit = 1.0;
  const int t = static_cast<int>(sliding.size());

  // p = floor part + S (p_n − floor, ξ)
  Matrix S = Matrix::Zero(n, m + t);
  Vector base = Vector::Zero(n);
  for (int i = 0; i < m; ++i) {
    S(blocks.start(i), i) = 1.0;
    base[blocks.start(i)] = blocks.contact(i).floor();
  }
  for (int k = 0; k < t; ++k) {
    const int i = sliding[k];
    const int row = blocks.start(i) + 1;
    const double mu = blocks.contact(i).friction();
    S(row, i) = -mu;
    S(row, m + k) = 1.0;
    base[row] = -mu * blocks.contact(i).floor();
  }
  const Matrix AS = unit * (problem.A * S);
  const Vector z = problem.b + problem.A * base;

  // Rows z_n, z⁺ = z_t + z⁻, and 2μ p_n − ξ; columns p_n − floor, ξ (both over `unit`), z⁻.
  Matrix M = Matrix::Zero(m + 2 * t, m + 2 * t);
  Vector q = Vector::Zero(m + 2 * t);
  for (int i = 0; i < m; ++i) {
    M.row(i).head(m + t) = AS.row(blocks.start(i));
    q[i] = z[blocks.start(i)];
  }
  for (int k = 0; k < t; ++k) {
    const int i = sliding[k];
    const int row = blocks.start(i) + 1;
    const double mu = blocks.contact(i).friction();
    M.row(m + k).head(m + t) = AS.row(row);
    M(m + k, m + t + k) = 1.0;
    q[m + k] = z[row];
    M(m + t + k, i) = 2.0 * mu;
    M(m + t + k, m + k) = -1.0;
    q[m + t + k] = 2.0 * mu * blocks.contact(i).floor() / unit;
  }
  const numerics::LcpSolution lcp =
      numerics::solve_lcp(M, q, {.method = numerics::LcpMethod::Lemke, .scale = blocks.scale()});
  solution.iterations += lcp.iterations;
  solution.p = base + unit * (S * lcp.z.head(m + t));
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? SolverStatus::Solved : SolverStatus::IterationLimit;
}

/// φ of one contact and its derivatives ∂φ/∂p and ∂φ/∂z, where asked for; all divided by m vs =
/// unit.
class ConeFunction {
 public:
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Eigen::Matrix3d by_p = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d by_z = Eigen::Matrix3d::Zero();

  ConeFunction(const CoulombContact& contact, const double* p, const double* z, double unit,
               double tau, bool derivatives) {
    const int n = contact.size();
    const double mu = contact.friction();
    const double rho = contact.step() / unit;
    if (mu == 0.0) {
      // The normal direction is a cone of one dimension; there is no friction.
      const double x = p[0] / unit;
      const double y = rho * z[0];
      const double root = std::sqrt(x * x + y * y + 2.0 * tau * tau);
      value[0] = x + y - root;
      by_p(0, 0) = (1.0 - x / root) / unit;
      by_z(0, 0) = (1.0 - y / root) * rho;
      for (int r = 1; r < n; ++r) {
        value[r] = p[r] / unit;
        by_p(r, r) = 1.0 / unit;
      }
      return;
    }
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    double sliding = tau * tau / (rho * rho);
    for (int r = 1; r < n; ++r) {
      x[r] = p[r] / unit;
      y[r] = rho * mu * z[r];
      sliding += z[r] * z[r];
    }
    sliding = std::sqrt(sliding);
    x[0] = mu * p[0] / unit;
    y[0] = rho * (z[0] + mu * sliding);

    // v = (x∘x + y∘y + 2τ²e)^{1/2} by its eigenvalues
    const double w0 = x.squaredNorm() + y.squaredNorm() + 2.0 * tau * tau;
    const Eigen::Vector2d w = 2.0 * (x[0] * x.tail<2>() + y[0] * y.tail<2>());
    const double length = w.norm();
    const double small = std::sqrt(std::max(w0 - length, 2e-32 + 1e-32 * w0));
    const double large = std::sqrt(w0 + length);
    Eigen::Vector3d v(0.5 * (small + large), 0.0, 0.0);
    if (length > 0.0) v.tail<2>() = 0.5 * (large - small) / length * w;
    value = x + y - v;
    if (n < 3) value[2] = 0.0;
    if (!derivatives) return;

    // dφ = (I − L_v⁻¹L_x) dx + (I − L_v⁻¹L_y) dy, L_a the matrix of b ↦ a∘b
    const Eigen::Matrix3d inverse = inverse_arrow(v, small * large);
    Eigen::Matrix3d dy = Eigen::Matrix3d::Zero();
    dy(0, 0) = rho;
    by_p = Eigen::Matrix3d::Identity() - inverse * arrow(x);
    by_z = Eigen::Matrix3d::Identity() - inverse * arrow(y);
    for (int r = 1; r < n; ++r) {
      dy(r, r) = rho * mu;
      if (sliding > 0.0) dy(0, r) = rho * mu * z[r] / sliding;
    }
    by_p *= Eigen::Vector3d(mu, 1.0, 1.0).asDiagonal();
    by_p /= unit;
    by_z = by_z * dy;
  }

 private:
  static Eigen::Matrix3d arrow(const Eigen::Vector3d& a) {
    Eigen::Matrix3d L = a[0] * Eigen::Matrix3d::Identity();
    L.row(0).tail<2>() = a.tail<2>();
    L.col(0).tail<2>() = a.tail<2>();
    return L;
  }
  static Eigen::Matrix3d inverse_arrow(const Eigen::Vector3d& v, double determinant) {
    Eigen::Matrix3d L = Eigen::Matrix3d::Zero();
    L(0, 0) = v[0] / determinant;
    L.row(0).tail<2>() = -v.tail<2>() / determinant;
    L.col(0).tail<2>() = -v.tail<2>() / determinant;
    L.bottomRightCorner<2, 2>() =
        (Eigen::Matrix2d::Identity() + v.tail<2>() * v.tail<2>().transpose() / determinant) / v[0];
    return L;
  }
};

double unit_of(const CoulombBlocks& blocks, int i) {
  const double unit = blocks.contact(i).mass() * blocks.scale();
  return unit > 0.0 ? unit : 1.0;
}

double smoothed(const CoulombBlocks& blocks, const Vector& p, const Vector& z, double tau,
                Vector& F) {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const int row = blocks.start(i);
    const ConeFunction phi(blocks.contact(i), p.data() + row, z.data() + row, unit_of(blocks, i),
                           tau, false);
    for (int r = 0; r < blocks.size(i); ++r) F[row + r] = phi.value[r];
  }
  return F.norm();
}

void assemble(const CoulombBlocks& blocks, const Vector& p, const Vector& z, double tau,
              NewtonStep& J) {
  J.clear();
  for (int i = 0; i < blocks.contacts(); ++i) {
    const int row = blocks.start(i);
    const int n = blocks.size(i);
    const ConeFunction phi(blocks.contact(i), p.data() + row, z.data() + row, unit_of(blocks, i),
                           tau, true);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) J.add(row + r, row + c, phi.by_p(r, c));
    }
    blocks.for_row(i, [&](int j, const double* A) {
      const int columns = blocks.size(j);
      for (int r = 0; r < n; ++r) {
        for (int c = 0; c < columns; ++c) {
          double sum = 0.0;
          for (int k = 0; k < n; ++k) sum += phi.by_z(r, k) * A[k * columns + c];
          J.add(row + r, blocks.start(j) + c, sum);
        }
      }
    });
  }
}

/// Newton from the given p on x + y − (x∘x + y∘y + 2τ²e)^{1/2}, x = (μ p_n, p_t), y = ρ (ẑ_n, μ
/// z_t), ∘ the Jordan product of the second-order cone, smoothed by τ → 0 (Fukushima, Luo & Tseng
/// 2002). No floors, no μ = ∞.
void solve_fischer_burmeister(const CoulombBlocks& blocks, double tolerance, int max_steps,
                              CoulombSolution& solution) {
  const int n = blocks.rows();
  NewtonStep jacobian;
  Vector F(n);
  Vector step(n);
  Vector trial_p(n);
  Vector trial_z(n);
  Vector trial_F(n);
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  Vector best_p = solution.p;
  double best_error = solution.error;
  double tau = std::clamp(0.1 * solution.error, 1e-8, 0.1);
  int stalls = 0;
  for (int k = 0; k < max_steps && !(best_error <= tolerance) && stalls < 8; ++k) {
    ++solution.iterations;
    double value = smoothed(blocks, solution.p, solution.z, tau, F);
    assemble(blocks, solution.p, solution.z, tau, jacobian);
    if (!jacobian.solve(F, 1e-12, step)) break;
    double t = 1.0;
    for (; t > 1e-6; t *= 0.5) {
      trial_p = solution.p + t * step;
      solution.error = blocks.evaluate(trial_p.data(), trial_z.data());
      const double trial = smoothed(blocks, trial_p, trial_z, tau, trial_F);
      if (trial <= (1.0 - 1e-4 * t) * value || solution.error <= tolerance) {
        value = trial;
        break;
      }
    }
    solution.p.swap(trial_p);
    solution.z.swap(trial_z);
    if (solution.error < best_error) {
      best_p = solution.p;
      best_error = solution.error;
    }
    // Follow the solution of the smoothed equations; push on where they resist.
    if (t <= 1e-6) {
      ++stalls;
      tau = stalls % 2 == 1 ? std::min(0.3, 10.0 * tau) : 0.01 * tau;
    } else if (value <= 0.3 * tau) {
      tau = std::max(1e-15, std::min(0.2 * tau, value * value + 1e-3 * tau));
    }
  }
  solution.p = best_p;
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? SolverStatus::Solved : SolverStatus::IterationLimit;
}

constexpr double kSolved = 1e-10;  ///< error of an answer
constexpr double kNear = 1e-6;     ///< error from which a few steps of Newton's method arrive

}  // namespace

CoulombSolution solve_coulomb(const CoulombProblem& problem, CoulombMethod method, double scale,
                              int max_iterations) {
  using enum CoulombMethod;
  if (method == Automatic || method == Nsgs || method == AlartCurnier) {
    const auto of_the_library = method == Automatic ? numerics::CoulombMethod::Automatic
                                : method == Nsgs    ? numerics::CoulombMethod::Nsgs
                                                    : numerics::CoulombMethod::AlartCurnier;
    return numerics::solve_coulomb(
        problem, {.method = of_the_library, .scale = scale, .max_iterations = max_iterations});
  }
  if (method == PlanarEnumeration) {
    const std::vector<CoulombSolution> all = numerics::enumerate_coulomb(problem);
    if (all.empty()) return {.status = SolverStatus::Infeasible};
    CoulombSolution first = all.front();
    if (!(first.error <= kSolved)) first.status = SolverStatus::IterationLimit;
    return first;
  }
  constexpr double kTolerance = 1e-12;
  CoulombBlocks blocks;
  blocks.assign(problem, scale);
  CoulombSolution solution{.p = Vector::Zero(blocks.rows())};
  const bool any_tangents = method == FischerBurmeister;
  if (!problem.friction.allFinite() || !(any_tangents || blocks.planar())) {
    throw std::invalid_argument(
        "Coulomb problem: PlanarLcp is for contacts with at most one tangent and finite friction, "
        "FischerBurmeister for finite friction");
  }
  if (any_tangents) {
    const int steps = max_iterations > 0 ? max_iterations : 200;
    solve_fischer_burmeister(blocks, kTolerance, steps, solution);
  } else {
    solve_planar_lcp(problem, blocks, kTolerance, solution);
  }
  // Pivots leave rounding; near the apex of a cone the smoothed function is blind for sliding.
  if (solution.error <= kNear) {
    numerics::solve_alart_curnier(blocks, kTolerance, 10, solution);
  }
  solution.status = solution.error <= kSolved ? SolverStatus::Solved : SolverStatus::IterationLimit;
  return solution;
}

}  // namespace percute::selftest
