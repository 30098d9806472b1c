// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <cmath>
#include <string>

namespace percute::systems {

namespace {

// Largest gap, in radii, of balls that still touch: rounding of positions along a long chain.
constexpr double kTouching = 1e-9;

void require_positive(double value, const std::string& field) {
  if (!(std::isfinite(value) && value > 0.0)) {
    throw InvalidInput(field, text(value) + " is not a finite number > 0");
  }
}

void require_size(std::size_t size, int expected, const char* field, const char* per) {
  if (size != static_cast<std::size_t>(expected)) {
    throw InvalidInput(field, "has " + std::to_string(size) + " entries; the chain needs " +
                                  std::to_string(expected) + ", one per " + per);
  }
}

void require_finite(const Vector& values, const char* field) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "]",
                         text(values[i]) + " is not finite");
    }
  }
}

Vector masses_of(const BallChain& chain) {
  if (chain.masses.empty()) return Vector::Constant(chain.balls, chain.mass);
  return Eigen::Map<const Vector>(chain.masses.data(), chain.balls);
}

}  // namespace

void validate(const BallChain& chain) {
  if (chain.balls < 1) throw InvalidInput("balls", std::to_string(chain.balls) + " is below 1");
  require_positive(chain.radius, "radius");
  if (chain.masses.empty()) {
    require_positive(chain.mass, "mass");
  } else {
    require_size(chain.masses.size(), chain.balls, "masses", "ball");
    for (std::size_t i = 0; i < chain.masses.size(); ++i) {
      require_positive(chain.masses[i], "masses[" + std::to_string(i) + "]");
    }
  }
  if (!chain.materials.empty()) {
    require_size(chain.materials.size(), chain.contacts(), "materials", "contact");
  }
}

State BallChain::at_contact(double striker_speed) const {
  Vector velocity = Vector::Zero(balls < 1 ? 0 : balls);
  if (velocity.size() > 0) velocity[0] = striker_speed;
  return at_contact(velocity);
}

State BallChain::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), balls, "velocity", "ball");
  require_finite(velocity, "velocity");
  // Ball 1 at the origin; the wall, if any, is where the last ball touches it.
  return {.position = Vector::LinSpaced(balls, 0.0, 2.0 * radius * (balls - 1)),
          .velocity = velocity};
}

ImpactProblem BallChain::impact(const State& state) const {
  validate(*this);
  require_size(static_cast<std::size_t>(state.position.size()), balls, "position", "ball");
  require_size(static_cast<std::size_t>(state.velocity.size()), balls, "velocity", "ball");
  require_finite(state.position, "position");
  require_finite(state.velocity, "velocity");

  // Gaps: x_{i+1} − x_i − 2r between balls, x_wall − x_n − r at the wall.
  const double wall_position = (2.0 * balls - 1.0) * radius;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> closed;
  for (int i = 0; i < contacts(); ++i) {
    const bool at_wall = i + 1 == balls;
    const double gap = at_wall ? wall_position - state.position[i] - radius
                               : state.position[i + 1] - state.position[i] - 2.0 * radius;
    if (gap > kTouching * radius) continue;
    const int column = static_cast<int>(closed.size());
    entries.emplace_back(i, column, -1.0);
    if (!at_wall) entries.emplace_back(i + 1, column, 1.0);
    closed.push_back(
        {.material = materials.empty() ? material : materials[static_cast<std::size_t>(i)]});
  }
  SparseMatrix W(balls, static_cast<Eigen::Index>(closed.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  return {.mass = MassMatrix::diagonal(masses_of(*this)),
          .gradients = W,
          .velocity = state.velocity,
          .contacts = std::move(closed)};
}

}  // namespace percute::systems
