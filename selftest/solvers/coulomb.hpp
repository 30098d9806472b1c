// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"

namespace percute::selftest {

/// How to solve a Coulomb problem. The first three are those of the library
/// (numerics::CoulombMethod), the last is its list of all solutions; the others only give second
/// opinions.
enum class CoulombMethod {
  Automatic,
  Nsgs,
  AlartCurnier,
  FischerBurmeister,  ///< Newton on the smoothed function of the cones; finite friction, no floor
  PlanarLcp,          ///< linear complementarity problem of size 3m, Lemke; at most one tangent
  PlanarEnumeration,  ///< the first of all solutions; at most one tangent, m ≤ 6
};

/// From p = 0. Throws std::invalid_argument where the method is not made for the problem.
numerics::CoulombSolution solve_coulomb(const numerics::CoulombProblem& problem,
                                        CoulombMethod method, double scale = 0.0,
                                        int max_iterations = 0);

}  // namespace percute::selftest
