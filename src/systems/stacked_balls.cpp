// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>
#include <percute/systems/stacked_balls.hpp>

#include <cmath>
#include <utility>

namespace percute::systems {

namespace {

std::size_t at(int ball) {
  return static_cast<std::size_t>(ball);
}

/// Contact c is the one below ball c: with the floor for c = 0.
std::vector<int> closed_contacts(const StackedBalls& stack, const State& state) {
  std::vector<int> closed;
  for (int c = 0; c < stack.balls(); ++c) {
    const double below = c == 0 ? 0.0 : stack.radii[at(c - 1)];
    const double floor = c == 0 ? 0.0 : state.position[c - 1];
    const double sum = below + stack.radii[at(c)];
    const double gap = state.position[c] - floor - sum;
    if (gap <= kTouching * (c == 0 ? sum : 0.5 * sum)) closed.push_back(c);
  }
  return closed;
}

/// Material of contact c, with the stiffness of the pressure where there is one.
Material material_of(const StackedBalls& stack, int c) {
  Material result = stack.materials.empty() ? stack.material : stack.materials[at(c)];
  if (stack.pressures.empty()) return result;
  const auto stiffness = [&](int ball) {
    return inflated_stiffness(stack.pressures[at(ball)], stack.radii[at(ball)]);
  };
  result.stiffness = c == 0 ? stiffness(0) : stiffness_in_series(stiffness(c - 1), stiffness(c));
  result.exponent = 1.0;
  return result;
}

}  // namespace

void validate(const StackedBalls& stack) {
  const std::size_t balls = stack.masses.size();
  if (balls == 0) throw InvalidInput("masses", "is empty; a stack has at least one ball");
  require_positive(stack.masses, "masses");
  require_size(stack.radii.size(), balls, "radii", "ball");
  require_positive(stack.radii, "radii");
  if (!stack.pressures.empty()) {
    require_size(stack.pressures.size(), balls, "pressures", "ball");
    require_positive(stack.pressures, "pressures");
  }
  if (!stack.materials.empty()) {
    require_size(stack.materials.size(), balls, "materials", "contact");
  }
  require_names(stack.names, balls);
}

State StackedBalls::at_contact(double drop_speed) const {
  if (!(std::isfinite(drop_speed) && drop_speed >= 0.0)) {
    throw InvalidInput("speed", text(drop_speed) + " is not a finite number >= 0 (downwards)");
  }
  return at_contact(Vector::Constant(balls(), -drop_speed));
}

State StackedBalls::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), masses.size(), "velocity", "ball");
  require_finite(velocity, "velocity");
  Vector height(balls());
  for (int i = 0; i < balls(); ++i) {
    height[i] = i == 0 ? radii[0] : height[i - 1] + (radii[at(i - 1)] + radii[at(i)]);
  }
  return {.position = std::move(height), .velocity = velocity};
}

State StackedBalls::dropped_from(double height, double gravity) const {
  require_positive(height, "height");
  require_positive(gravity, "gravity");
  return at_contact(std::sqrt(2.0 * gravity * height));
}

ImpactProblem StackedBalls::impact(const State& state) const {
  validate(*this);
  require_state(state, masses.size(), "ball");
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> contacts;
  for (const int c : closed_contacts(*this, state)) {
    const auto column = static_cast<int>(contacts.size());
    entries.emplace_back(c, column, 1.0);
    if (c > 0) entries.emplace_back(c - 1, column, -1.0);
    contacts.push_back({.material = material_of(*this, c)});
  }
  SparseMatrix W(balls(), static_cast<Eigen::Index>(contacts.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  return {.mass = MassMatrix::diagonal(Vector::Map(masses.data(), balls())),
          .gradients = W,
          .velocity = state.velocity,
          .contacts = std::move(contacts)};
}

std::vector<Body> StackedBalls::bodies() const {
  validate(*this);
  return named_bodies(names, masses.size());
}

std::vector<std::string> StackedBalls::contact_names(const State& state) const {
  validate(*this);
  require_state(state, masses.size(), "ball");
  std::vector<std::string> result;
  for (const int c : closed_contacts(*this, state)) {
    result.push_back(c == 0 ? short_name(names, 0) + "–floor"
                            : short_name(names, at(c - 1)) + "–" + short_name(names, at(c)));
  }
  return result;
}

}  // namespace percute::systems
