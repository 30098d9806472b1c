// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/frictional_poisson.hpp"
#include "laws/algebraic/stages.hpp"

#include <percute/laws/poisson.hpp>

namespace percute::laws {

namespace {

constexpr double kLargestRestitution = 2.0;

/// Compression, then expansion with the impulses e_i p_i^c at least.
Status solve_phases(const Stage& stage, AlgebraicWorkspace::Memory& memory, Vector& p) {
  // 0 ≤ U^c = U⁻ + G p^c ⟂ p^c ≥ 0. Where p^c is not unique, E p^c depends on the choice.
  numerics::LcpSolution& solution = memory.solution;
  if (const Status status = solve_impulses(stage, stage.U, solution, p); !accepted(status)) {
    return status;
  }

  // p = (I + E) p^c + x,  0 ≤ U⁺ = U⁻ + G (I + E) p^c + G x ⟂ x ≥ 0
  for (Eigen::Index i = 0; i < p.size(); ++i) p[i] *= 1.0 + stage.contact(i).material.restitution;
  Vector& b = memory.scratch;
  b = stage.U;
  b.noalias() += stage.G * p;
  solution.z.resize(0);
  const Status status = solve_lcp(stage, stage.G, b, solution);
  p += solution.z;
  select_impulses(stage, p);
  return status;
}

}  // namespace

ImpactResult Poisson::operator()(const ImpactProblem& problem,
                                 AlgebraicWorkspace& workspace) const {
  require_restitution(problem, kLargestRestitution);
  if (has_friction(problem)) return frictional_poisson(problem, options);
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  return in_stages(problem, options, memory, Promise::Separation,
                   [&](const Stage& stage, Vector& p) { return solve_phases(stage, memory, p); });
}

ImpactResult Poisson::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

void validate(const Poisson& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws
