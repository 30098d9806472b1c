// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"

#include <percute/laws/newton.hpp>

namespace percute::laws {

ImpactResult Newton::operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const {
  require_restitution(problem);
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  const Promise promise = form == Form::Equality ? Promise::None : Promise::Separation;
  return in_stages(problem, options, memory, promise, [&](const Stage& stage, Vector& p) {
    // 0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0, or U⁺ = −E U⁻
    Vector& b = memory.scratch;
    b = stage.U;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      b[i] += stage.contact(i).material.restitution * stage.restituted(i);
    }
    // p = −G⁻¹ (I + E) U⁻, whatever its signs
    if (form == Form::Equality) return solve_equations(stage, -b, p);
    return solve_impulses(stage, b, memory.solution, p);
  });
}

ImpactResult Newton::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

void validate(const Newton& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws
