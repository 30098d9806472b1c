// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"

namespace percute::bench {

/// A hexagonal pile of 558 disks with friction 0.3 that lands on a floor at 1 m/s, plastic
/// contacts: 1000 of them, two rows each (normal, tangential). Bodies move and spin a little
/// besides.
numerics::CoulombProblem granular_pile();

/// Largest |p − proj(p − ρ ẑ)|/(m vs) of the contacts, z = A p + b computed anew, vs = 1 m/s.
double coulomb_error(const numerics::CoulombProblem& problem, const Vector& p);

}  // namespace percute::bench
