// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/random_laws.hpp"

#include <optional>

namespace percute::selftest {

/// The same impact and law in another guise.
struct Guise {
  ImpactProblem problem = {};
  AlgebraicLaw law = {};
};

/// Contacts in reverse order; nothing for laws whose choices depend on the order.
std::optional<Guise> with_contacts_reversed(const ImpactProblem& problem, const AlgebraicLaw& law);

/// The first contact twice, its share of parameters that add up halved; nothing where a law counts
/// contacts. `redundant`: the contacts were already.
std::optional<Guise> with_a_contact_twice(const ImpactProblem& problem, const AlgebraicLaw& law,
                                          bool redundant);

/// Other units of mass, length and time, powers of two.
Guise with_units(const ImpactProblem& problem, const AlgebraicLaw& law, const Units& units);

}  // namespace percute::selftest
