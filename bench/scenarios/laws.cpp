// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/laws.hpp"

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/granular_pile.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/scenarios/siconos_numerics.hpp"
#include "bench/scenarios/timing.hpp"
#include "selftest/solvers/lcp.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::bench {

namespace {

/// Closed forms: nothing but rounding is allowed for.
constexpr double kExact = 1e-10;
constexpr const char* kEqual = "11 equal balls e=0.5";
constexpr const char* kUnequal = "11 unequal balls e=0.9";
constexpr const char* kPile = "pile of disks";

/// 0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0, unless told otherwise by trying all sets of contacts.
Vector newton_outcome(const ImpactProblem& problem,
                      selftest::LcpMethod method = selftest::LcpMethod::Enumeration) {
  const Matrix G = Matrix(problem.mass.delassus(problem.gradients));
  Vector b = problem.gradients.transpose() * problem.velocity;
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    b[i] *= 1.0 + problem.contacts[static_cast<std::size_t>(i)].material.restitution;
  }
  const selftest::LcpSolution solution = selftest::solve_lcp(G, b, {.method = method});
  return problem.velocity + problem.mass.solve(Vector(problem.gradients * solution.z));
}

/// Balls in a row, one collision after the other where they approach fastest, in long double.
Vector collisions(const Scenario& scenario) {
  std::vector<long double> v;
  v.reserve(scenario.velocities.size());
  for (const Vector& velocity : scenario.velocities) v.push_back(velocity[0]);
  for (;;) {
    std::size_t worst = 0;
    long double approach = 0.0L;
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      if (v[i] - v[i + 1] > approach + 1e-15L) {
        approach = v[i] - v[i + 1];
        worst = i;
      }
    }
    if (approach <= 1e-10L) break;
    const long double a = scenario.masses[worst];
    const long double b = scenario.masses[worst + 1];
    const long double e = scenario.touches[worst].material.restitution;
    const long double p = (1.0L + e) * approach * a * b / (a + b);
    v[worst] -= p / a;
    v[worst + 1] += p / b;
  }
  Vector out(static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i) {
    out[static_cast<Eigen::Index>(i)] = static_cast<double>(v[i]);
  }
  return out;
}

/// Scalar restitution, equal balls: all move together but the ends, e/2 off on either side.
Vector scalar_outcome(int balls, double e) {
  Vector v = Vector::Constant(balls, 1.0 / balls);
  v[0] -= 0.5 * e;
  v[balls - 1] += 0.5 * e;
  return v;
}

template <class Call>
Row measured(const char* method, double target, Call&& call, const Vector& exact, double budget) {
  Row row{.method = method, .target = target};
  ImpactResult result;
  const Timing timing = time_calls([&] { result = call(); }, budget);
  row.error = relative_error(result.velocity, exact);
  set_time(row, timing);
  row.reached = result.ok() && row.error <= target;
  row.evaluations = result.diagnostics.evaluations;
  if (const auto& algebraic = result.diagnostics.algebraic) row.steps = algebraic->iterations;
  return row;
}

std::vector<Row> measure_laws(const Scenario& scenario, double budget) {
  const ImpactProblem problem = scenario.problem();
  const Vector newton = newton_outcome(problem);
  laws::AlgebraicWorkspace memory;
  laws::LzbWorkspace lzb_memory;
  std::vector<Row> rows;
  const auto with_memory = [&](const char* name, const auto& law) {
    rows.push_back(
        measured(name, kExact, [&] { return resolve(problem, law, memory); }, newton, budget));
  };
  const auto plain = [&](const char* name, const auto& law, const Vector& exact) {
    rows.push_back(measured(name, kExact, [&] { return resolve(problem, law); }, exact, budget));
  };
  with_memory("moreau", laws::Moreau{});
  with_memory("newton", laws::Newton{});
  with_memory("poisson", laws::Poisson{});
  plain("coulomb", laws::Coulomb{}, newton);
  if (scenario.name == kEqual) {
    plain("scalar_restitution", laws::ScalarRestitution{},
          scalar_outcome(static_cast<int>(scenario.masses.size()),
                         scenario.touches[0].material.restitution));
  }
  plain("binary", laws::Binary{}, collisions(scenario));
  rows.back().target = 1e-8;  // approach below 1e-10 is finished plastically
  rows.back().reached = rows.back().error <= rows.back().target;
  for (Row& row : rows) {
    row.knob = "whole call, e";
    row.setting = scenario.touches[0].material.restitution;
  }
  const Vector waves = laws::Lzb{.tolerance = 1e-13}(problem, lzb_memory).velocity;
  const laws::Lzb lzb{.tolerance = 1e-6};  // which promises errors below a hundred times that
  rows.push_back(
      measured("lzb", 1e-4, [&] { return resolve(problem, lzb, lzb_memory); }, waves, budget));
  rows.back().knob = "tolerance";
  rows.back().setting = lzb.tolerance;
  return rows;
}

/// The complementarity problem of Newton's law alone, without what surrounds it.
std::vector<Row> measure_lcp(const Scenario& scenario, const Options& options, double budget) {
  const ImpactProblem problem = scenario.problem();
  const SparseMatrix sparse = problem.mass.delassus(problem.gradients);
  const Matrix G = Matrix(sparse);
  const Vector b = 1.9 * (problem.gradients.transpose() * problem.velocity);
  const Vector exact = newton_outcome(problem);
  const auto velocity = [&](const Vector& z) {
    return Vector(problem.velocity + problem.mass.solve(Vector(problem.gradients * z)));
  };
  struct Named {
    const char* name;
    selftest::LcpMethod method;
  };
  using selftest::LcpMethod;
  constexpr std::array<Named, 5> kMethods{
      {{.name = "percute", .method = LcpMethod::ActiveSet},
       {.name = "percute lemke", .method = LcpMethod::Lemke},
       {.name = "percute min_newton", .method = LcpMethod::MinNewton},
       {.name = "percute gauss_seidel", .method = LcpMethod::GaussSeidel},
       {.name = "percute enumeration", .method = LcpMethod::Enumeration}}};
  std::vector<Row> rows;
  selftest::LcpSolver solver;
  selftest::LcpSolution solution;
  for (const Named& named : kMethods) {
    const Timing timing = time_calls(
        [&] {
          solution.z.resize(0);  // no guess
          solver.solve(G, b, {.method = named.method}, solution);
        },
        budget);
    Row row{.method = named.name, .target = kExact, .knob = "solver alone, e", .setting = 0.9};
    row.error = relative_error(velocity(solution.z), exact);
    set_time(row, timing);
    row.steps = solution.iterations;
    row.reached = solution.solved() && row.error <= kExact;
    rows.push_back(row);
  }
  for (const char* name : {"lcp_lemke", "lcp_enum"}) {
    const auto peer = siconos_numerics(options.drivers, name, 1e-12, sparse, b);
    if (!peer) continue;
    Row row{.method = std::string("siconos ") + name,
            .target = kExact,
            .knob = "solver alone, e",
            .setting = 0.9};
    row.error = relative_error(velocity(peer->z), exact);
    row.seconds = row.median = peer->seconds;
    row.repeats = peer->repeats;
    row.steps = peer->iterations;
    row.reached = row.error <= kExact;
    rows.push_back(row);
  }
  return rows;
}

Row pile_row(const numerics::CoulombProblem& pile, double target, double budget, Vector& p) {
  numerics::CoulombSolution solution;
  const Timing timing = time_calls(
      [&] {
        solution.p.resize(0);  // no guess
        numerics::solve_coulomb(pile,
                                {.method = numerics::CoulombMethod::Nsgs,
                                 .tolerance = target,
                                 .scale = 1.0,
                                 .max_iterations = 200'000},
                                solution);
      },
      budget);
  Row row{.method = "percute", .target = target, .knob = "nsgs tolerance", .setting = target};
  row.error = coulomb_error(pile, solution.p);
  set_time(row, timing);
  row.steps = solution.iterations;
  row.reached = row.error <= 1.001 * target;  // computed in another order
  p = solution.p;
  return row;
}

/// Siconos stops on an error of its own: the loosest tolerance that reaches ours.
Row peer_pile_row(const numerics::CoulombProblem& pile, const Options& options, double target) {
  Row row{.method = "siconos fc2d_nsgs", .target = target, .knob = "tolerance", .reached = false};
  double tolerance = target;
  for (int decade = 0; decade < 5 && row.seconds <= 10.0; ++decade, tolerance *= 0.1) {
    const auto peer =
        siconos_numerics(options.drivers, "fc2d_nsgs", tolerance, pile.A, pile.b, pile.friction);
    if (!peer) break;
    row.error = coulomb_error(pile, peer->z);
    row.setting = tolerance;
    row.seconds = row.median = peer->seconds;
    row.repeats = peer->repeats;
    row.steps = peer->iterations;
    row.reached = row.error <= target;
    if (row.reached) break;
  }
  return row;
}

std::vector<Row> measure_pile(const Options& options, double budget, Reference& reference) {
  const numerics::CoulombProblem pile = granular_pile();
  std::vector<double> targets{1e-3, 1e-4};
  if (!options.quick) targets.push_back(1e-6);
  std::vector<Row> rows;
  std::vector<Vector> velocities;
  for (const double target : targets) {
    Vector p;
    rows.push_back(pile_row(pile, target, budget, p));
    velocities.emplace_back(pile.A * p + pile.b);
  }
  const std::size_t last = velocities.size() - 1;
  reference = {.problem = kPile,
               .difference = relative_error(velocities[last - 1], velocities[last])};
  const bool peer = std::filesystem::exists(options.drivers / "percute-siconos-numerics");
  for (const double target : targets) {
    if (peer && !options.quick) rows.push_back(peer_pile_row(pile, options, target));
  }
  return rows;
}

void fill_ratios(std::vector<Row>& rows) {
  for (Row& row : rows) {
    for (const Row& ours : rows) {
      const bool pair = ours.method == "percute" && ours.target == row.target;
      if (pair && row.reached && ours.reached) row.ratio = row.seconds / ours.seconds;
    }
  }
}

std::vector<Goal> goals(const std::vector<Row>& rows) {
  std::vector<Goal> out;
  for (const Row& row : rows) {
    if (row.method != "moreau" && row.method != "poisson") continue;
    out.push_back({.what = row.method + ", " + row.problem,
                   .value = 1e6 * row.seconds,
                   .limit = 5.0,
                   .unit = "µs"});
  }
  return out;
}

}  // namespace

Report run_laws(const Options& options) {
  const double budget = options.quick ? 0.005 : 0.5;
  std::vector<double> masses(11);
  for (int i = 0; i < 11; ++i) masses[static_cast<std::size_t>(i)] = 1.0 + 0.1 * ((7 * i) % 5);
  const Scenario equal =
      chain(kEqual, std::vector<double>(11, 1.0), std::vector<Material>(10, {.restitution = 0.5}));
  const Scenario unequal = chain(kUnequal, masses, std::vector<Material>(10, {.restitution = 0.9}));

  Report report;
  const auto add = [&](const std::string& problem, int contacts, std::vector<Row> rows,
                       double difference) {
    for (Row& row : rows) {
      row.problem = problem;
      row.contacts = contacts;
    }
    fill_ratios(rows);
    report.rows.insert(report.rows.end(), rows.begin(), rows.end());
    report.references.push_back({.problem = problem, .difference = difference});
  };
  // Moreau's law for N equal balls: v₁ = 1 − (1 + e)(N − 1)/N, the others (1 + e)/N.
  Vector closed = Vector::Constant(11, 1.5 / 11.0);
  closed[0] = 1.0 - 15.0 / 11.0;
  add(kEqual, 10, measure_laws(equal, budget),
      relative_error(newton_outcome(equal.problem()), closed));
  const double confirmed =
      relative_error(newton_outcome(unequal.problem(), selftest::LcpMethod::Lemke),
                     newton_outcome(unequal.problem()));
  add(kUnequal, 10, measure_laws(unequal, budget), confirmed);
  add("complementarity of these", 10, measure_lcp(unequal, options, budget), confirmed);
  Reference pile;
  std::vector<Row> rows = measure_pile(options, budget, pile);
  add(kPile, 1000, std::move(rows), pile.difference);

  report.goals = goals(report.rows);
  report.notes.emplace_back(
      "pile of disks: the error is the residual of Coulomb's law, steps are sweeps");
  if (!std::filesystem::exists(options.drivers / "percute-siconos-numerics")) {
    report.notes.emplace_back(
        "Siconos was not compared with: install libsiconos-kernel-dev and build again");
  }
  return report;
}

}  // namespace percute::bench
