// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/state.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <concepts>
#include <string>
#include <vector>

namespace percute::systems {

/// A point or a vector of the plane, (x, y).
using Point = Eigen::Vector2d;

/// What every system offers, whatever it is made of. A system is a plain value that knows its
/// bodies and where they touch; it does not know which law will be applied. Besides these, each has
/// at_contact(…), the states that start an impact.
template <class S>
concept System = requires(const S& system, const State& state) {
  // Throws InvalidInput, naming the field, unless the system can be built.
  validate(system);
  // The impact that starts in this state: one contact for each pair that touches.
  { system.impact(state) } -> std::same_as<ImpactProblem>;
  // Its bodies, in the order of their coordinates.
  { system.bodies() } -> std::same_as<std::vector<Body>>;
  // Names of the contacts of impact(state), in their order: "1–2", "3–wall".
  { system.contact_names(state) } -> std::same_as<std::vector<std::string>>;
};

}  // namespace percute::systems
