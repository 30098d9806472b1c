// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/v_groove.hpp>

#include <array>
#include <cmath>

namespace percute::systems {

namespace {

// Largest distance to a wall that still touches, m: the groove has no length to compare it with.
constexpr double kTouching = 1e-9;

/// Unit normals of the left and of the right wall; b = (π − θ)/2.
std::array<Point, 2> normals(const VGroove& groove) {
  const double sine = std::cos(0.5 * groove.opening);    // sin b
  const double cosine = std::sin(0.5 * groove.opening);  // cos b
  return {Point(sine, cosine), Point(-sine, cosine)};
}

std::vector<std::size_t> closed_walls(const VGroove& groove, const State& state) {
  const std::array<Point, 2> n = normals(groove);
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (n[i].dot(state.position.head<2>()) <= kTouching) closed.push_back(i);
  }
  return closed;
}

}  // namespace

void validate(const VGroove& groove) {
  require_positive(groove.mass, "mass");
  if (!(groove.opening > 0.0 && groove.opening < std::numbers::pi)) {
    throw InvalidInput("opening", text(groove.opening) + " is not in (0, pi)");
  }
  if (!groove.materials.empty()) require_size(groove.materials.size(), 2, "materials", "wall");
}

State VGroove::at_contact(const Point& velocity) const {
  validate(*this);
  require_finite(velocity, "velocity");
  return {.position = Vector::Zero(2), .velocity = velocity};
}

ImpactProblem VGroove::impact(const State& state) const {
  validate(*this);
  require_state(state, 2, "coordinate");
  const std::array<Point, 2> n = normals(*this);
  std::vector<ClosedContact> closed;
  for (const std::size_t i : closed_walls(*this, state)) {
    closed.push_back({.gradient = n[i],
                      .tangents = Point(n[i].y(), -n[i].x()),
                      .material = each(materials, material, i)});
  }
  return assemble(MassMatrix::diagonal(Vector::Constant(2, mass)), state.velocity,
                  std::move(closed));
}

std::vector<Body> VGroove::bodies() const {
  validate(*this);
  return {{.name = "particle", .coordinates = {0, 1}, .axes = {"x", "y"}}};
}

std::vector<std::string> VGroove::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 2, "coordinate");
  std::vector<std::string> names;
  for (const std::size_t i : closed_walls(*this, state)) {
    names.emplace_back(i == 0 ? "particle–left wall" : "particle–right wall");
  }
  return names;
}

}  // namespace percute::systems
