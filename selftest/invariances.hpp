// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/invariants.hpp"
#include "selftest/random_problem.hpp"

#include <vector>

namespace percute::selftest {

/// What was found out about one impact by solving it in several guises.
struct InvarianceReport {
  std::vector<Check> checks = {};
  double amplification = 1.0;  ///< of small differences; 1 where it was not needed to explain one
};

/// Solves the impact again in guises that must give the same outcome, and compares with `result`:
///
///     reuse      the same bits from a workspace that has solved other problems
///     tighter    at tolerance/100; half the bound, because only one run has an error to speak of
///     contacts   contacts in reverse order
///     bodies     coordinates in reverse order
///     shift      seen by an observer who moves along the common translation of the bodies
///     units      other units of mass, length and time
///     halves     one contact split into two of half the stiffness and stored energy
///
/// Two runs may differ by agreement_bound(). Where they differ by more, the impact may amplify
/// differences: that is measured (amplification()), and the bound grows by that factor. Runs that
/// end without an answer on either side are not compared.
InvarianceReport check_invariances(const RandomProblem& random, const ImpactResult& result,
                                   laws::LzbWorkspace& workspace);

}  // namespace percute::selftest
