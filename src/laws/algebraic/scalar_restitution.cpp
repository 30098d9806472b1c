// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"
#include "numerics/cone_program.hpp"

#include <percute/laws/scalar_restitution.hpp>

#include <cmath>

namespace percute::laws {

namespace {

Status solve_program(const numerics::ConeProgram& program, AlgebraicDiagnostics& diagnostics,
                     Vector& p) {
  const numerics::ConeProgramSolution solution = numerics::solve_cone_program(program);
  diagnostics.iterations += solution.iterations;
  diagnostics.residual = std::max(diagnostics.residual, solution.error);
  p = solution.p;
  switch (solution.status) {
    case numerics::ConeProgramStatus::Solved:
      return Status::Ok;
    case numerics::ConeProgramStatus::Infeasible:
      return Status::Infeasible;
    case numerics::ConeProgramStatus::IterationLimit:
      return Status::NotTerminated;
  }
  return Status::NotTerminated;
}

/// Karush–Kuhn–Tucker conditions of
///
///     min ½ pᵀG p + pᵀU⁻   over   p ≥ 0,  G p + U⁻ ≥ 0,  gᵀ(G p + U⁻) + c ≥ 0
///
/// as one linear complementarity problem in (p, λ, σ), positive semidefinite but not symmetric:
///
///     ⎡ G   −G  −Gg ⎤     ⎡ U⁻          ⎤
///     ⎢ G    0   0  ⎥ z + ⎢ U⁻          ⎥
///     ⎣ gᵀG  0   0  ⎦     ⎣ gᵀU⁻ + c    ⎦
Status solve_normal(const Stage& stage, double gamma, Vector& p) {
  const Eigen::Index k = stage.size();
  Vector g(k);
  double c = 0.0;
  double heaviest = 0.0;
  for (Eigen::Index i = 0; i < k; ++i) heaviest = std::max(heaviest, 1.0 / stage.G(i, i));
  for (Eigen::Index i = 0; i < k; ++i) {
    g[i] = std::pow(1.0 / (stage.G(i, i) * heaviest), gamma);
    c += g[i] * stage.restitution(i) * stage.restituted(i);
  }
  const Vector Gg = stage.G * g;
  Matrix A = Matrix::Zero(2 * k + 1, 2 * k + 1);
  A.topLeftCorner(k, k) = stage.G;
  A.block(0, k, k, k) = -stage.G;
  A.block(k, 0, k, k) = stage.G;
  A.col(2 * k).head(k) = -Gg;
  A.row(2 * k).head(k) = Gg.transpose();
  Vector b(2 * k + 1);
  b << stage.U, stage.U, g.dot(stage.U) + c;
  numerics::LcpSolution solution = numerics::solve_lcp(
      A, b, {.method = numerics::LcpMethod::Lemke, .scale = stage.scale.velocity});
  stage.diagnostics.iterations += solution.iterations;
  p = solution.z.head(k);
  if (solution.status == numerics::LcpStatus::Solved) {
    stage.diagnostics.residual = std::max(stage.diagnostics.residual, solution.error);
    select_impulses(stage, p);
    return Status::Ok;
  }
  // Pivots may lose their way among redundant contacts: the same as a convex program.
  numerics::ConeProgram program{.A = stage.G, .b = stage.U, .friction = Vector::Zero(k)};
  for (int i = 0; i <= static_cast<int>(k); ++i) program.start.push_back(i);
  program.C = A.bottomLeftCorner(k + 1, k);
  program.d = b.tail(k + 1);
  program.scale = stage.scale.velocity;
  const Status status = solve_program(program, stage.diagnostics, p);
  if (accepted(status)) select_impulses(stage, p);
  return status;
}

/// The same with friction: cones instead of p ≥ 0, a convex program.
Status solve_with_friction(const FrictionStage& stage, double gamma, Vector& p) {
  const auto k = static_cast<Eigen::Index>(stage.contacts.size());
  numerics::ConeProgram program{.A = Matrix(stage.coulomb.A),
                                .b = stage.before(),
                                .start = stage.coulomb.start,
                                .friction = stage.coulomb.friction,
                                .C = Matrix::Zero(k + 1, stage.before().size()),
                                .d = Vector::Zero(k + 1),
                                .scale = stage.scale.velocity};
  double heaviest = 0.0;
  for (std::size_t i = 0; i < stage.contacts.size(); ++i) {
    heaviest = std::max(heaviest, 1.0 / program.A(stage.normal(i), stage.normal(i)));
  }
  for (std::size_t i = 0; i < stage.contacts.size(); ++i) {
    const int row = stage.normal(i);
    const auto at = static_cast<Eigen::Index>(i);
    const double weight = std::pow(1.0 / (program.A(row, row) * heaviest), gamma);
    program.C.row(at) = program.A.row(row);
    program.d[at] = stage.before()[row];
    program.C.row(k) += weight * program.A.row(row);
    program.d[k] += weight * (stage.before()[row] +
                              stage.contact(i).material.restitution * stage.restituted(i));
  }
  const Status status = solve_program(program, stage.diagnostics, p);
  if (!accepted(status)) return status;
  return numerics::press_where_it_sticks(stage.coulomb, program.scale, p) ? Status::Ok
                                                                          : Status::NoSlipSolution;
}

}  // namespace

ImpactResult ScalarRestitution::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  if (has_friction(problem)) {
    return in_friction_stages(problem, options, [&](const FrictionStage& stage, Vector& p) {
      return solve_with_friction(stage, gamma, p);
    });
  }
  AlgebraicWorkspace workspace;
  return in_stages(problem, options, workspace.memory(), Promise::Separation,
                   [&](const Stage& stage, Vector& p) { return solve_normal(stage, gamma, p); });
}

void validate(const ScalarRestitution& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws
