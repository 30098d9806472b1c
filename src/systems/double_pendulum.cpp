// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/double_pendulum.hpp>

#include <cmath>

namespace percute::systems {

namespace {

using Eigen::Vector2d;

// Largest gap, in lengths of the pendulum, that still touches: rounding of angles.
constexpr double kTouching = 1e-9;
// A gradient below this part of the length is zero but for rounding of the angles.
constexpr double kNoGradient = 1e-12;

double length(const DoublePendulum& pendulum) {
  return pendulum.lengths[0] + pendulum.lengths[1];
}

/// ∇x of the tip.
Vector2d across(const DoublePendulum& pendulum, const Vector2d& angles) {
  return {pendulum.lengths[0] * std::cos(angles[0]), pendulum.lengths[1] * std::cos(angles[1])};
}

/// ∇y of the tip.
Vector2d upwards(const DoublePendulum& pendulum, const Vector2d& angles) {
  return {pendulum.lengths[0] * std::sin(angles[0]), pendulum.lengths[1] * std::sin(angles[1])};
}

/// Place of the tip from the fixed point: x = Σ l sin θ, y = −Σ l cos θ.
Vector2d tip(const DoublePendulum& pendulum, const Vector2d& angles) {
  return {upwards(pendulum, angles).sum(), -across(pendulum, angles).sum()};
}

Vector2d angles_at_contact(const DoublePendulum& pendulum) {
  return {pendulum.angles[0], pendulum.angles[1]};
}

/// Which way the wall pushes: +1 if it is on the left.
double wall_side(const DoublePendulum& pendulum) {
  return pendulum.wall == DoublePendulum::Wall::Left ? 1.0 : -1.0;
}

/// Contact 0 is that with the floor, contact 1 that with the wall.
std::vector<int> closed_contacts(const DoublePendulum& pendulum, const State& state) {
  const Vector2d moved = tip(pendulum, state.position) - tip(pendulum, angles_at_contact(pendulum));
  std::vector<int> closed;
  for (int i = 0; i < pendulum.contacts(); ++i) {
    const double gap = i == 0 ? moved.y() : wall_side(pendulum) * moved.x();
    if (gap <= kTouching * length(pendulum)) closed.push_back(i);
  }
  return closed;
}

Matrix mass_matrix(const DoublePendulum& pendulum, const Vector2d& angles) {
  const auto& [m1, m2] = pendulum.masses;
  const auto& [l1, l2] = pendulum.lengths;
  const double coupling = 0.5 * m2 * l1 * l2 * std::cos(angles[0] - angles[1]);
  return Matrix{{(m1 / 3.0 + m2) * l1 * l1, coupling}, {coupling, m2 * l2 * l2 / 3.0}};
}

}  // namespace

void validate(const DoublePendulum& pendulum) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_positive(pendulum.masses[i], "masses" + entry);
    require_positive(pendulum.lengths[i], "lengths" + entry);
    require_finite(pendulum.angles[i], "angles" + entry);
  }
  const Vector2d angles = angles_at_contact(pendulum);
  const double least = kNoGradient * length(pendulum);
  if (upwards(pendulum, angles).norm() <= least) {
    throw InvalidInput("angles", "both rods are vertical: the tip cannot move towards the floor");
  }
  if (pendulum.wall != DoublePendulum::Wall::None && across(pendulum, angles).norm() <= least) {
    throw InvalidInput("angles", "both rods are level: the tip cannot move towards the wall");
  }
  if (!pendulum.materials.empty()) {
    require_size(pendulum.materials.size(), static_cast<std::size_t>(pendulum.contacts()),
                 "materials", "contact");
  }
}

State DoublePendulum::at_contact(const Vector2d& rates) const {
  validate(*this);
  require_finite(rates, "velocity");
  return {.position = angles_at_contact(*this), .velocity = rates};
}

ImpactProblem DoublePendulum::impact(const State& state) const {
  validate(*this);
  require_state(state, 2, "rod");
  const Vector2d x = across(*this, state.position);
  const Vector2d y = upwards(*this, state.position);
  const double side = wall_side(*this);
  std::vector<ClosedContact> closed;
  for (const int i : closed_contacts(*this, state)) {
    closed.push_back({.gradient = i == 0 ? y : Vector2d(side * x),
                      .tangents = i == 0 ? x : Vector2d(-side * y),
                      .material = each(materials, material, static_cast<std::size_t>(i))});
  }
  return assemble(MassMatrix::dense(mass_matrix(*this, state.position)), state.velocity,
                  std::move(closed));
}

std::vector<Body> DoublePendulum::bodies() const {
  validate(*this);
  return {{.name = "rod 1", .coordinates = {0}, .axes = {"angle"}, .units = {"rad/s"}},
          {.name = "rod 2", .coordinates = {1}, .axes = {"angle"}, .units = {"rad/s"}}};
}

std::vector<std::string> DoublePendulum::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 2, "rod");
  std::vector<std::string> names;
  for (const int i : closed_contacts(*this, state)) {
    names.emplace_back(i == 0 ? "tip–floor" : "tip–wall");
  }
  return names;
}

}  // namespace percute::systems
