// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/bead_column.hpp>

#include <cmath>

namespace percute::systems {

namespace {

/// A column is a chain with a wall on its left, turned upright.
BallChain unnamed_chain(const BeadColumn& column) {
  validate(column);
  BallChain chain{.balls = column.beads,
                  .mass = column.mass,
                  .radius = column.radius,
                  .wall = BallChain::Wall::Left,
                  .first = column.radius,
                  .gravity = column.gravity,
                  .base = column.base};
  chain.materials.assign(static_cast<std::size_t>(column.beads), column.material);
  chain.materials.front() = column.wall;
  return chain;
}

}  // namespace

void validate(const BeadColumn& column) {
  if (column.beads < 1) throw InvalidInput("beads", std::to_string(column.beads) + " is below 1");
  require_positive(column.mass, "mass");
  require_positive(column.radius, "radius");
  require_not_negative(column.gravity, "gravity");
  validate(column.base, "base");
}

BallChain BeadColumn::chain() const {
  BallChain chain = unnamed_chain(*this);
  for (const Body& bead : bodies()) chain.names.push_back(bead.name);
  return chain;
}

BeadColumn::operator AnySystem() const {
  return chain();
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
  return unnamed_chain(*this).at_contact(velocity);
}

State BeadColumn::above(double height, double velocity) const {
  require_not_negative(height, "height");
  State state = at_contact(Vector::Constant(beads, velocity));
  state.position.array() += height;
  return state;
}

State BeadColumn::dropped_from(double height, double g) const {
  require_positive(height, "height");
  require_positive(g, "gravity");
  return at_contact(std::sqrt(2.0 * g * height));
}

ImpactProblem BeadColumn::impact(const State& state) const {
  require_state(state, static_cast<std::size_t>(beads), "bead");
  return unnamed_chain(*this).impact(state);
}

std::vector<Body> BeadColumn::bodies() const {
  std::vector<Body> bodies = unnamed_chain(*this).bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].name = "bead " + std::to_string(i + 1);
  return bodies;
}

std::vector<std::string> BeadColumn::contact_names(const State& state) const {
  require_state(state, static_cast<std::size_t>(beads), "bead");
  return unnamed_chain(*this).contact_names(state);
}

}  // namespace percute::systems
