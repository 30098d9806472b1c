// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"

#include <percute/laws/coulomb.hpp>

namespace percute::laws {

/// The law of an impact as a problem of its impulses, z = A p + b, for the contacts that do not
/// separate: what operator() solves first, and what tells of other solutions.
struct CoulombImpact {
  numerics::CoulombProblem problem = {};
  SparseMatrix directions = {};  ///< H, gradient and tangents of each contact: M (v⁺ − v⁻) = H p
  double velocity_scale = 0.0;
};
CoulombImpact coulomb_impact(const ImpactProblem& problem, const Coulomb& law);

}  // namespace percute::laws
