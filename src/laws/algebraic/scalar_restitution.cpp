// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"
#include "numerics/cone_program.hpp"

#include <percute/laws/scalar_restitution.hpp>

#include <cmath>
#include <numeric>

namespace percute::laws {

namespace {

/// The program of a stage, see ScalarRestitution, with A and b as `program` has them. Rows of C:
/// U_n⁺ ≥ 0 of each contact, and with weights g_i = m_i^γ, over the largest, gᵀ(U_n⁺ + E U_n⁻) ≥ 0.
Status solve_program(numerics::ConeProgram program, const StageContacts& stage, double gamma,
                     Vector& p) {
  const auto k = static_cast<Eigen::Index>(stage.contacts.size());
  program.C.resize(k + 1, program.b.size());
  program.d.resize(k + 1);
  program.scale = stage.scale.velocity;
  const std::vector<int> normals(program.start.begin(), program.start.end() - 1);
  const double heaviest = program.A.diagonal()(normals).cwiseInverse().maxCoeff();
  Vector g = Vector::Zero(program.b.size());
  double c = 0.0;
  for (Eigen::Index i = 0; i < k; ++i) {
    const int row = normals[static_cast<std::size_t>(i)];
    g[row] = std::pow(1.0 / (program.A(row, row) * heaviest), gamma);
    c += g[row] * stage.contact(static_cast<std::size_t>(i)).material.restitution *
         stage.restituted(program.b[row]);
    program.C.row(i) = program.A.row(row);
    program.d[i] = program.b[row];
  }
  program.C.row(k) = (program.A * g).transpose();
  program.d[k] = g.dot(program.b) + c;

  const numerics::ConeProgramSolution solution = numerics::solve_cone_program(program);
  p = solution.p;
  return note_work(stage, solution);
}

}  // namespace

ImpactResult ScalarRestitution::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  if (has_friction(problem)) {
    return in_friction_stages(problem, options, [&](const FrictionStage& stage, Vector& p) {
      return solve_program({.A = Matrix(stage.coulomb.A),
                            .b = stage.before(),
                            .start = stage.coulomb.start,
                            .friction = stage.coulomb.friction},
                           stage, gamma, p);
    });
  }
  AlgebraicWorkspace workspace;
  return in_stages(problem, options, workspace.memory(), Promise::Separation,
                   [&](const Stage& stage, Vector& p) {
                     std::vector<int> start(stage.contacts.size() + 1);
                     std::iota(start.begin(), start.end(), 0);
                     const Status status = solve_program({.A = stage.G,
                                                          .b = stage.U,
                                                          .start = std::move(start),
                                                          .friction = Vector::Zero(stage.size())},
                                                         stage, gamma, p);
                     if (accepted(status)) select_impulses(stage, p);
                     return status;
                   });
}

}  // namespace percute::laws
