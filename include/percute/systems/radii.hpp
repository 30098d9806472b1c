// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstdint>
#include <vector>

namespace percute::systems {

// Radii of the balls of a chain, m, from the first ball to the last. Arguments out of range throw
// InvalidInput with the name of the argument.

/// counts[0] balls of radius values[0], then counts[1] of values[1], …
std::vector<double> stepped_radii(const std::vector<int>& counts,
                                  const std::vector<double>& values);

/// Each ball smaller than the one before by the same part: R_i = first (1 − taper)^(i−1). A
/// negative taper makes them grow.
std::vector<double> tapered_radii(int balls, double first, double taper);

/// A small ball between any two neighbours: large[0], small, large[1], small, …, 2n − 1 balls.
std::vector<double> decorated_radii(const std::vector<double>& large, double small);

/// Two sizes in turn: first, second, first, …
std::vector<double> dimer_radii(int balls, double first, double second);

/// Independent and uniform between two radii. The same seed gives the same radii, to the last bit,
/// everywhere.
std::vector<double> disordered_radii(int balls, double smallest, double largest,
                                     std::uint64_t seed);

/// Equal balls but for one, the ball number `place` (from 1, as the names of balls count).
std::vector<double> big_ball_radii(int balls, double radius, double big, int place);

/// From the last ball to the first: a tapered chain that is struck at its thin end.
std::vector<double> reversed_radii(std::vector<double> radii);

}  // namespace percute::systems
