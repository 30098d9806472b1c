// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/frictional_run.hpp"

namespace percute::laws {

/// Memory of runs with friction.
struct FrictionalMemory {
  FrictionSetup setup;
  FrictionalRun run;
};

/// The LZB law with Coulomb friction, Darboux–Keller dynamics of all contacts (Liu, Zhao and
/// Brogliato 2009; Brogliato 2024): see FrictionalRun for the equations.
ImpactResult run_frictional(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
                            ContactPhases& phases, FrictionalMemory& memory,
                            const Recording* recording);

}  // namespace percute::laws
