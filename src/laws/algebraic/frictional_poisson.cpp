// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/frictional_poisson.hpp"

#include "laws/algebraic/friction_stages.hpp"

#include <algorithm>

namespace percute::laws {

ImpactResult frictional_poisson(const ImpactProblem& problem, const AlgebraicOptions& options) {
  return in_friction_stages(problem, options, [&](const FrictionStage& stage, Vector& p) {
    numerics::CoulombSolution compression;
    if (const Status status = solve_coulomb(stage, stage.coulomb, compression); !accepted(status)) {
      p = compression.p;
      return status;
    }
    select_impulses(stage, stage.coulomb, compression);

    numerics::CoulombProblem second = stage.coulomb;
    second.b = stage.U + stage.coulomb.A * compression.p;
    second.impulse_floor.resize(static_cast<Eigen::Index>(stage.contacts.size()));
    for (std::size_t k = 0; k < stage.contacts.size(); ++k) {
      // Rounding may leave a contact that carries nothing with less than that.
      second.impulse_floor[static_cast<Eigen::Index>(k)] =
          stage.contact(k).material.restitution * std::max(0.0, compression.p[stage.normal(k)]);
    }
    numerics::CoulombSolution expansion;
    const Status status = solve_coulomb(stage, second, expansion);
    if (accepted(status)) select_impulses(stage, second, expansion);
    p = compression.p + expansion.p;
    return status;
  });
}

}  // namespace percute::laws
