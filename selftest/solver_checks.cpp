// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"
#include "numerics/coulomb.hpp"
#include "numerics/coulomb_contact.hpp"
#include "selftest/law_checks.hpp"
#include "selftest/law_outcome.hpp"
#include "selftest/measures.hpp"
#include "selftest/random.hpp"
#include "selftest/solvers/coulomb.hpp"
#include "selftest/solvers/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace percute::selftest {

namespace {

using numerics::CoulombProblem;
using numerics::CoulombSolution;
using numerics::SolverStatus;

/// max |min(z_i/m_i, w_i)|/vs with w recomputed.
double natural_error(const Matrix& A, const Vector& b, const Vector& z, double vs) {
  const Vector w = A * z + b;
  return (z.cwiseProduct(A.diagonal())).cwiseMin(w).cwiseAbs().maxCoeff() / vs;
}

void check_lcp(const LawContext& c, std::vector<LawReport>& reports) {
  // 0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0 of the contacts that take part
  std::vector<int> part;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (c.takes_part(i)) part.push_back(static_cast<int>(i));
  }
  const Matrix G = Matrix(c.problem.mass.delassus(c.problem.gradients))(part, part);
  Vector b = c.U(part);
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    b[i] += c.restitution(part[static_cast<std::size_t>(i)]) * std::min(b[i], 0.0);
  }
  struct Named {
    LcpMethod method;
    const char* name;
  };
  const Named methods[] = {// NOLINT(*-avoid-c-arrays)
                           {LcpMethod::ActiveSet, "lcp active_set"},
                           {LcpMethod::Lemke, "lcp lemke"},
                           {LcpMethod::GaussSeidel, "lcp gauss_seidel"},
                           {LcpMethod::MinNewton, "lcp min_newton"},
                           {LcpMethod::FischerBurmeister, "lcp fischer_burmeister"},
                           {LcpMethod::Enumeration, "lcp enumeration"}};
  Vector first;
  for (const Named& named : methods) {
    if (named.method == LcpMethod::Enumeration && b.size() > 10) continue;
    LawReport report{.name = named.name};
    const LcpSolution solution =
        solve_lcp(G, b, {.method = named.method, .scale = c.scale.velocity});
    report.answered = solution.solved();
    const bool may_fail = named.method == LcpMethod::GaussSeidel;
    report.checks.push_back({"solved", report.answered || may_fail ? 0.0 : 1.0, 0.0});
    if (report.answered) {
      report.checks.push_back({"error", natural_error(G, b, solution.z, c.scale.velocity),
                               std::max(1e-10, solution.rounding)});
      const Vector w = G * solution.z + b;
      if (first.size() == 0) first = w;
      report.checks.push_back({"agree", largest(w - first), 1e-9 * c.scale.velocity});
    }
    reports.push_back(std::move(report));
  }
}

bool planar(const CoulombProblem& problem) {
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    if (problem.start[i + 1] - problem.start[i] > 2) return false;
  }
  return true;
}

/// The error of a solution, with z recomputed.
double coulomb_error(const CoulombProblem& problem, const Vector& p, double vs) {
  const Vector z = problem.A * p + problem.b;
  const Matrix A = problem.A;
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int at = problem.start[i];
    const int size = problem.start[i + 1] - at;
    const Matrix block = A.block(at, at, size, size);
    numerics::CoulombContact contact;
    contact.assign(block.data(), size, size, problem.friction[static_cast<Eigen::Index>(i)]);
    worst = std::max(worst, contact.error(p.data() + at, z.data() + at));
  }
  return worst / vs;
}

/// How strongly velocities react to changes of b, largest entries over largest entries; at least 1.
/// Measured with small random changes, from the solution p.
double sensitivity(const CoulombProblem& problem, const Vector& p, double vs) {
  const Vector z = problem.A * p + problem.b;
  double factor = 1.0;
  Random random(1, 1);
  for (int k = 0; k < 5; ++k) {
    CoulombProblem changed = problem;
    const double size = 1e-8 * vs;
    for (double& b : changed.b) b += size * random.uniform(-1.0, 1.0);
    CoulombSolution solution;
    solution.p = p;
    numerics::solve_coulomb(changed, {.scale = vs}, solution);
    if (solution.status != SolverStatus::Solved && planar(problem) &&
        problem.friction.allFinite()) {
      solution = solve_coulomb(changed, CoulombMethod::PlanarLcp, vs);
    }
    if (solution.status != SolverStatus::Solved) continue;
    const Vector now = changed.A * solution.p + changed.b;
    factor = std::max(factor, largest(now - z) / size);
  }
  return factor;
}

/// Whether contacts with infinite friction carry tangential impulses under pressure only. Without,
/// an impulse is the limit of solutions with ever larger coefficients, but none of the problem, and
/// a method may rightly say that there is none.
bool pressed_where_it_sticks(const CoulombProblem& problem, const Vector& p, double vs) {
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int at = problem.start[i];
    const int tangents = problem.start[i + 1] - at - 1;
    if (tangents == 0 || !std::isinf(problem.friction[static_cast<Eigen::Index>(i)])) continue;
    const double small = 1e-10 * vs / problem.A.coeff(at, at);
    if (p[at] <= small && p.segment(at + 1, tangents).norm() > small) return false;
  }
  return true;
}

void check_coulomb(const LawContext& c, double theta, std::vector<LawReport>& reports) {
  const CoulombProblem problem =
      laws::coulomb_impact(c.problem, laws::Coulomb{.tangential = theta}).problem;
  const double vs = c.scale.velocity;
  struct Named {
    CoulombMethod method;
    const char* name;
  };
  const Named methods[] = {// NOLINT(*-avoid-c-arrays)
                           {CoulombMethod::Automatic, "friction automatic"},
                           {CoulombMethod::Nsgs, "friction nsgs"},
                           {CoulombMethod::AlartCurnier, "friction alart_curnier"},
                           {CoulombMethod::FischerBurmeister, "friction fischer_burmeister"},
                           {CoulombMethod::PlanarLcp, "friction planar_lcp"},
                           {CoulombMethod::PlanarEnumeration, "friction planar_enumeration"}};
  Vector first;
  bool enumerated_none = false;
  bool possible = false;
  for (const Named& named : methods) {
    const bool needs_planar = named.method == CoulombMethod::PlanarLcp ||
                              named.method == CoulombMethod::PlanarEnumeration;
    if (needs_planar && !planar(problem)) continue;
    const bool needs_finite = named.method == CoulombMethod::PlanarLcp ||
                              named.method == CoulombMethod::FischerBurmeister;
    if (needs_finite && !problem.friction.allFinite()) continue;
    if (named.method == CoulombMethod::PlanarEnumeration && problem.friction.size() > 4) continue;
    LawReport report{.name = named.name};
    const CoulombSolution solution = solve_coulomb(problem, named.method, vs);
    report.answered = solution.status == SolverStatus::Solved;
    if (named.method == CoulombMethod::PlanarEnumeration) enumerated_none = !report.answered;
    if (report.answered) {
      report.checks.push_back({"error", coulomb_error(problem, solution.p, vs), 1e-10});
      const Vector z = problem.A * solution.p + problem.b;
      if (first.size() == 0) first = z;
      possible = possible || pressed_where_it_sticks(problem, solution.p, vs);
      // Two solutions that both satisfy the conditions and differ: velocities are not unique.
      const double apart = largest(z - first);
      report.non_unique = apart > 1e-6 * vs;
      double bound = 1e-9 * vs;
      if (apart > bound) bound *= sensitivity(problem, solution.p, vs);
      if (!report.non_unique) report.checks.push_back({"agree", apart, bound});
    }
    reports.push_back(std::move(report));
  }
  // What a solver found, enumeration must find too; infinite friction without pressure is a limit
  // that none of its modes describes.
  if (enumerated_none && first.size() > 0 && problem.friction.allFinite()) {
    reports.back().checks.push_back({"solved", 1.0, 0.0});
  }
  // The default method is not allowed to give up where another one does not.
  const std::size_t count = reports.size();
  for (std::size_t k = count; k-- > 0;) {
    if (reports[k].name != "friction automatic") continue;
    const bool gave_up = !reports[k].answered && possible;
    reports[k].checks.push_back({"solved", gave_up ? 1.0 : 0.0, 0.0});
    break;
  }
}

}  // namespace

std::vector<LawReport> check_solvers(const RandomLaws& random) {
  std::vector<LawReport> reports;
  const LawContext context(random.problem);
  if (!context.approaching()) return reports;
  check_lcp(context, reports);
  if (sliding(random.problem)) {
    check_coulomb(context, 0.0, reports);
    check_coulomb(context, 1.0, reports);
  }
  return reports;
}

}  // namespace percute::selftest
