// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/lzb.hpp>
#include <percute/model/impact_problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace percute::selftest {

/// A random impact and the law to apply to it.
struct RandomProblem {
  std::string kind = {};  ///< "chain", "chain on walls", "cluster", "hexagonal", "plate", "dense"
  ImpactProblem problem = {};
  laws::Lzb law = {};
  std::vector<std::vector<int>> bodies = {};  ///< coordinates of each body
  Vector translation = {};  ///< velocity of a common motion that no contact feels; empty: none
};

/// Problem number `index` of a seed: the same one with every compiler and standard library, and
/// independent of all others, so that it can be drawn again alone.
///
/// Drawn are chains with and without walls, planar clusters, patches of a hexagonal packing, plates
/// on more feet than needed, and dense mass matrices with random gradients; 1 to 12 contacts, one
/// in fifty up to 40; masses and stiffnesses over four decades; exponents 1, 1.5, 2 and odd ones,
/// mixed or shared; restitution 0, 1 and between; bi-, mono- and tri-stiffness, also mixed; both
/// re-engagement rules; precompression; repeated contacts; bodies at rest, moving together or
/// struck; units of mass, length and time from 1e-6 to 1e6 of SI.
RandomProblem random_problem(std::uint64_t seed, std::uint64_t index);

/// The same problem in other units of mass, length and time, powers of two: every number is scaled
/// exactly. Exponents must be multiples of 0.1, and `length` is 2^(10 · length_steps).
struct Units {
  int mass = 0;          ///< mass unit shrinks by 2^mass
  int length_steps = 0;  ///< length unit shrinks by 2^(10 length_steps)
  int time = 0;          ///< time unit shrinks by 2^time

  double velocity_factor() const;
};
void change_units(ImpactProblem& problem, const Units& units);

}  // namespace percute::selftest
