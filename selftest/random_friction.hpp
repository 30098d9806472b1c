// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/random.hpp"
#include "selftest/random_problem.hpp"

namespace percute::selftest {

inline constexpr std::size_t kMostContacts = 12;

/// 0, 1, ½ and between.
double draw_restitution(Random& random);

/// A problem of random_problem() with at most 12 contacts, of which only the restitution is kept:
/// without what algebraic laws have no use for.
RandomProblem draw_common(std::uint64_t seed, std::uint64_t index);

/// Friction of all contacts that have tangents (0, small, 1, infinite, equal or mixed), and
/// restitution of all, unless it is kept. Returns the restitution of laws that take one.
double draw_materials(Random& random, bool restitution, ImpactProblem& problem);

/// The same contact once more, under another number.
void repeat_a_contact(Random& random, ImpactProblem& problem);

}  // namespace percute::selftest
