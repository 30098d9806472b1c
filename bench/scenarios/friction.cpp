// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/friction.hpp"

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/timing.hpp"
#include "bench/scenarios/tolerance_sweep.hpp"

#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/systems/planar_body.hpp>

#include <Eigen/LU>

#include <array>

namespace percute::bench {

namespace {

using laws::Lzb;
using laws::LzbWorkspace;

constexpr const char* kPlanar = "planar contact";
constexpr const char* kSpatial = "spatial contact";
constexpr const char* kSlender = "slender block, one corner slides";
constexpr const char* kFlat = "flat block, sliding reverses";

/// A contact whose own velocities are the coordinates: U = U⁻ + A p.
ImpactProblem contact(const Matrix& A, const Vector& U, double friction, double restitution) {
  const Eigen::Index d = A.rows() - 1;
  ImpactProblem problem;
  problem.mass = MassMatrix::dense(A.inverse());
  problem.velocity = U;
  problem.gradients = Matrix(Matrix::Identity(1 + d, 1)).sparseView();
  problem.contacts = {{.material = {.restitution = restitution, .friction = friction}}};
  set_tangents(problem, {Matrix::Identity(1 + d, 1 + d).rightCols(d)});
  return problem;
}

/// Jams first: friction draws the bodies together, sliding stops, and they stick.
ImpactProblem planar_contact() {
  Matrix A(2, 2);
  A << 1.0, 1.5, 1.5, 3.0;
  return contact(A, (Vector(2) << -1.0, 0.5).finished(), 1.0, 0.5);
}

/// The direction of sliding turns until it stops.
ImpactProblem spatial_contact() {
  Matrix A(3, 3);
  A << 1.0, 0.3, -0.2, 0.3, 2.0, 0.4, -0.2, 0.4, 1.5;
  return contact(A, (Vector(3) << -1.0, 0.1, 0.2).finished(), 0.5, 0.7);
}

/// Width b and height h; it turns about its left corner, and the right one hits the floor.
ImpactProblem block(double b, double h, double friction, double restitution) {
  using systems::RockingBlock;
  const RockingBlock block{
      .width = b, .height = h, .material = {.restitution = restitution, .friction = friction}};
  return block.impact(block.rotating_about(RockingBlock::Corner::Left, -1.0));
}

Row closed_form(const ImpactProblem& problem, const Vector& reference, double budget) {
  LzbWorkspace workspace;
  Row row{.method = "percute", .target = 1e-10, .knob = "closed form"};
  ImpactResult result;
  const Timing timing = time_calls([&] { result = Lzb{}(problem, workspace); }, budget);
  row.error = relative_error(result.velocity, reference);
  set_time(row, timing);
  row.evaluations = result.diagnostics.evaluations;
  row.steps = result.diagnostics.steps;
  row.events = result.diagnostics.events;
  row.reached = result.ok() && row.error <= row.target;
  return row;
}

/// The same contacts integrated in time, whose stiffness does not matter to one contact alone.
Vector integrated(const ImpactProblem& problem) {
  return Lzb{.tolerance = 1e-13}(problem, Recording{.every = 0}).velocity;
}

/// Contacts that unload once, and never load again, are those of the compliant law.
Vector compliant(const ImpactProblem& problem) {
  return laws::Compliant{.force = laws::Compliant::Force::BiStiffness, .tolerance = 1e-12}(problem)
      .velocity;
}

std::vector<Goal> goals(const std::vector<Row>& rows) {
  std::vector<Goal> out;
  for (const Row& row : rows) {
    if (!row.reached) continue;
    const bool block = row.contacts == 2 && row.target == 1e-6;
    if (row.problem != kPlanar && !block) continue;
    out.push_back({.what = row.problem + (block ? ", error 1e-6" : ""),
                   .value = 1e6 * row.seconds,
                   .limit = block ? 30.0 : 1.0,
                   .unit = "µs"});
  }
  return out;
}

}  // namespace

Report run_friction(const Options& options) {
  const double budget = options.quick ? 0.01 : 1.0;
  Report report;
  const auto add = [&](const char* name, Row row, int contacts) {
    row.problem = name;
    row.contacts = contacts;
    report.rows.push_back(std::move(row));
  };
  const auto single = [&](const char* name, const ImpactProblem& problem) {
    const Vector reference = integrated(problem);
    Row row = closed_form(problem, reference, budget);
    report.references.push_back({.problem = name, .difference = row.error});
    add(name, std::move(row), 1);
  };
  single(kPlanar, planar_contact());
  single(kSpatial, spatial_contact());

  const auto two = [&](const char* name, const ImpactProblem& problem) {
    LzbWorkspace workspace;
    const Vector converged = Lzb{.tolerance = 1e-13}(problem, workspace).velocity;
    report.references.push_back(
        {.problem = name, .difference = relative_error(compliant(problem), converged)});
    const std::vector<Trial> trials = sweep_tolerance(problem, converged, workspace);
    for (const double target : {1e-3, 1e-6, 1e-9}) {
      add(name, measure_percute(problem, trials, target, budget, workspace), 2);
    }
  };
  two(kSlender, block(1.0, 2.0, 0.3, 1.0));
  two(kFlat, block(2.0, 1.0, 0.3, 0.8));
  report.goals = goals(report.rows);
  report.notes.emplace_back(
      "closed forms are compared with the integration in time at tolerance 1e-13, blocks with the "
      "law compliant, force bi_stiffness");
  return report;
}

}  // namespace percute::bench
