// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/bead_column.hpp>

#include <cmath>

namespace percute::systems {

namespace {

/// A column is a chain with a wall on its left, turned upright.
BallChain lying(const BeadColumn& column) {
  BallChain chain{.balls = column.beads,
                  .mass = column.mass,
                  .radius = column.radius,
                  .wall = BallChain::Wall::Left};
  chain.materials.assign(static_cast<std::size_t>(column.beads), column.material);
  chain.materials.front() = column.wall;
  return chain;
}

/// Bead 1 of a column is at z = R on the wall, ball 1 of a chain at x = 0.
State lying(const BeadColumn& column, State state) {
  require_state(state, static_cast<std::size_t>(column.beads), "bead");
  state.position.array() -= column.radius;
  return state;
}

}  // namespace

void validate(const BeadColumn& column) {
  if (column.beads < 1) throw InvalidInput("beads", std::to_string(column.beads) + " is below 1");
  require_positive(column.mass, "mass");
  require_positive(column.radius, "radius");
}

State BeadColumn::at_contact(double speed) const {
  validate(*this);
  if (!(std::isfinite(speed) && speed >= 0.0)) {
    throw InvalidInput("speed", text(speed) + " is not a finite number >= 0 (downwards)");
  }
  return at_contact(Vector::Constant(beads, -speed));
}

State BeadColumn::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), static_cast<std::size_t>(beads),
               "velocity", "bead");
  State state = lying(*this).at_contact(velocity);
  state.position.array() += radius;
  return state;
}

State BeadColumn::dropped_from(double height, double gravity) const {
  require_positive(height, "height");
  require_positive(gravity, "gravity");
  return at_contact(std::sqrt(2.0 * gravity * height));
}

ImpactProblem BeadColumn::impact(const State& state) const {
  validate(*this);
  return lying(*this).impact(lying(*this, state));
}

std::vector<Body> BeadColumn::bodies() const {
  validate(*this);
  std::vector<Body> bodies = lying(*this).bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].name = "bead " + std::to_string(i + 1);
  return bodies;
}

std::vector<std::string> BeadColumn::contact_names(const State& state) const {
  validate(*this);
  return lying(*this).contact_names(lying(*this, state));
}

}  // namespace percute::systems
