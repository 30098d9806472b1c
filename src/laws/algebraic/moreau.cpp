// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"

#include <percute/laws/moreau.hpp>

namespace percute::laws {

ImpactResult Moreau::operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const {
  validate(*this);
  const double e = common_restitution(problem, restitution);
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  return in_stages(problem, options, memory, Promise::Separation,
                   [&](const Stage& stage, Vector& p) {
                     // 0 ≤ U⁺ + e U⁻ ⟂ p ≥ 0
                     Vector& b = memory.scratch;
                     b = stage.U;
                     for (Eigen::Index i = 0; i < b.size(); ++i) b[i] += e * stage.restituted(i);
                     return solve_impulses(stage, b, memory.solution, p);
                   });
}

ImpactResult Moreau::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

void validate(const Moreau& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws
