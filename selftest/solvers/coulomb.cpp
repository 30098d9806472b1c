// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/coulomb.hpp"

#include "numerics/coulomb_blocks.hpp"
#include "numerics/coulomb_newton.hpp"
#include "numerics/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace percute::selftest {

namespace {

using numerics::CoulombBlocks;
using numerics::CoulombProblem;
using numerics::CoulombSolution;
using numerics::CoulombStatus;
using numerics::NewtonMemory;

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
      solution.error <= tolerance ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
}

constexpr double kSolved = 1e-10;  ///< error of an answer
constexpr double kNear = 1e-6;     ///< error from which a few steps of Newton's method arrive

}  // namespace

CoulombSolution solve_coulomb(const CoulombProblem& problem, CoulombMethod method, double scale,
                              int max_iterations) {
  using enum CoulombMethod;
  if (method != PlanarLcp && method != PlanarEnumeration) {
    const auto of_the_library = method == Automatic ? numerics::CoulombMethod::Automatic
                                : method == Nsgs    ? numerics::CoulombMethod::Nsgs
                                : method == AlartCurnier
                                    ? numerics::CoulombMethod::AlartCurnier
                                    : numerics::CoulombMethod::FischerBurmeister;
    return numerics::solve_coulomb(
        problem, {.method = of_the_library, .scale = scale, .max_iterations = max_iterations});
  }
  if (method == PlanarEnumeration) {
    const std::vector<CoulombSolution> all = numerics::enumerate_coulomb(problem);
    if (all.empty()) return {.status = CoulombStatus::Infeasible};
    CoulombSolution first = all.front();
    if (!(first.error <= kSolved)) first.status = CoulombStatus::IterationLimit;
    return first;
  }
  constexpr double kTolerance = 1e-12;
  CoulombBlocks blocks;
  blocks.assign(problem, scale);
  NewtonMemory newton;
  CoulombSolution solution{.p = Vector::Zero(blocks.rows())};
  if (!blocks.planar() || blocks.has_infinite_friction()) {
    throw std::invalid_argument(
        "Coulomb problem: PlanarLcp is for contacts with at most one tangent and finite friction");
  }
  solve_planar_lcp(problem, blocks, kTolerance, solution);
  // Pivots leave rounding.
  if (solution.error <= kNear) {
    numerics::solve_alart_curnier(blocks, kTolerance, 10, newton, solution);
  }
  solution.status =
      solution.error <= kSolved ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
  return solution;
}

}  // namespace percute::selftest
