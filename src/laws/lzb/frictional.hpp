// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/friction_integrator.hpp"

namespace percute::laws {

/// Memory of runs with friction.
struct FrictionMemory {
  FrictionSetup setup;
  FrictionIntegrator integrator;
};

/// The LZB law with Coulomb friction, Darboux–Keller dynamics of all contacts (Liu, Zhao and
/// Brogliato 2009; Brogliato 2024): see FrictionStep and FrictionModes for the equations.
ImpactResult run_frictional(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
                            ContactPhases& phases, FrictionMemory& memory,
                            const Recording* recording);

}  // namespace percute::laws
