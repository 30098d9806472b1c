// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_rod.hpp>

#include <algorithm>
#include <cmath>

namespace percute::systems {

namespace {

// Largest gap, in lengths of the rod, of balls that still touch: rounding of positions.
constexpr double kTouching = 1e-9;

double length(const BallRod& rod) {
  return rod.places.back() - rod.places.front();
}

double total_mass(const BallRod& rod) {
  double sum = 0.0;
  for (const double m : rod.masses) sum += m;
  return sum;
}

/// a_i: places from the centre of mass.
std::vector<double> arms(const BallRod& rod) {
  const double mass = total_mass(rod);
  // From the first ball, so that a rod far from the origin of its places loses no digits.
  double centre = 0.0;
  for (std::size_t i = 0; i < rod.places.size(); ++i) {
    centre += rod.masses[i] / mass * (rod.places[i] - rod.places[0]);
  }
  std::vector<double> a(rod.places.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (rod.places[i] - rod.places[0]) - centre;
  return a;
}

double inertia_of(const BallRod& rod) {
  if (rod.inertia) return *rod.inertia;
  const std::vector<double> a = arms(rod);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += rod.masses[i] * (a[i] * a[i] + 0.4 * rod.radii[i] * rod.radii[i]);
  }
  return sum;
}

/// Angle at which the first and the last ball lie on the floor, where none is given.
double angle_of(const BallRod& rod) {
  return rod.angle ? *rod.angle : std::asin((rod.radii.back() - rod.radii.front()) / length(rod));
}

/// h_i − y: gaps of a rod whose centre of mass is on the floor.
std::vector<double> heights(const BallRod& rod, double angle) {
  std::vector<double> h = arms(rod);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = h[i] * std::sin(angle) - rod.radii[i];
  return h;
}

std::vector<std::size_t> closed_balls(const BallRod& rod, const State& state) {
  const std::vector<double> h = heights(rod, state.position[2]);
  std::vector<std::size_t> closed;
  closed.reserve(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (state.position[1] + h[i] <= kTouching * length(rod)) closed.push_back(i);
  }
  return closed;
}

std::string contact_name(std::size_t i) {
  return "ball " + std::to_string(i + 1) + "–floor";
}

/// The rod in this state as a body that touches at these balls. The lowest point of a ball is
/// another one of the body at every angle.
PlanarBody body_of(const BallRod& rod, const State& state, const std::vector<std::size_t>& closed) {
  PlanarBody body{.mass = total_mass(rod),
                  .inertia = inertia_of(rod),
                  .points = {},
                  .position = state.position.head<2>(),
                  .angle = state.position[2],
                  .name = rod.name};
  const std::vector<double> a = arms(rod);
  const double c = std::cos(body.angle);
  const double s = std::sin(body.angle);
  for (const std::size_t i : closed) {
    // R(φ) at = (a cos φ, a sin φ − r).
    body.points.push_back(
        {.at = Point(a[i] - rod.radii[i] * s, -rod.radii[i] * c), .name = contact_name(i)});
    body.materials.push_back(each(rod.materials, rod.material, i));
  }
  return body;
}

}  // namespace

void validate(const BallRod& rod) {
  const std::size_t balls = rod.places.size();
  if (balls < 2) {
    throw InvalidInput("places", "has " + std::to_string(balls) + " entries; a rod joins 2 balls");
  }
  require_size(rod.masses.size(), balls, "masses", "ball");
  require_positive(rod.masses, "masses");
  require_size(rod.radii.size(), balls, "radii", "ball");
  require_positive(rod.radii, "radii");
  for (std::size_t i = 0; i < balls; ++i) {
    const std::string entry = "places[" + std::to_string(i) + "]";
    require_finite(rod.places[i], entry);
    if (i > 0 && !(rod.places[i] > rod.places[i - 1])) {
      throw InvalidInput(entry, text(rod.places[i]) + " is not greater than the one before it");
    }
  }
  if (rod.inertia) require_positive(*rod.inertia, "inertia");
  if (rod.angle) {
    require_finite(*rod.angle, "angle");
  } else if (!(std::abs(rod.radii.back() - rod.radii.front()) < length(rod))) {
    throw InvalidInput("radii",
                       "the rod is too short for the first and the last ball to lie on the "
                       "floor both");
  }
  if (!rod.materials.empty()) require_size(rod.materials.size(), balls, "materials", "ball");
  if (rod.angle) return;
  const std::vector<double> h = heights(rod, angle_of(rod));
  for (std::size_t i = 1; i + 1 < balls; ++i) {
    if (h[i] < h[0] - kTouching * length(rod)) {
      throw InvalidInput("radii[" + std::to_string(i) + "]",
                         "the ball keeps the ends of the rod off the floor; give the angle at "
                         "contact");
    }
  }
}

State BallRod::at_contact(const Eigen::Vector3d& velocity) const {
  validate(*this);
  require_finite(Vector(velocity), "velocity");
  const double phi = angle_of(*this);
  const std::vector<double> h = heights(*this, phi);
  return {.position = Eigen::Vector3d(0.0, -*std::min_element(h.begin(), h.end()), phi),
          .velocity = velocity};
}

ImpactProblem BallRod::impact(const State& state) const {
  validate(*this);
  require_state(state, 3, "coordinate");
  const std::vector<std::size_t> closed = closed_balls(*this, state);
  if (closed.empty()) {
    const double m = total_mass(*this);
    return assemble(MassMatrix::diagonal(Eigen::Vector3d(m, m, inertia_of(*this))), state.velocity,
                    {});
  }
  return body_of(*this, state, closed).impact(state);
}

std::vector<Body> BallRod::bodies() const {
  validate(*this);
  return rigid_bodies({name}, /*planar=*/true);
}

std::vector<std::string> BallRod::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 3, "coordinate");
  std::vector<std::string> names;
  for (const std::size_t i : closed_balls(*this, state)) names.push_back(contact_name(i));
  return names;
}

BallRod ball_dimer(double length, double radius, double mass) {
  return {
      .places = {0.0, length}, .masses = {mass, mass}, .radii = {radius, radius}, .name = "dimer"};
}

BallRod three_ball_rod(double length, double radius, double mass) {
  return {.places = {0.0, 0.5 * length, length},
          .masses = {mass, mass, mass},
          .radii = {radius, radius, radius},
          .name = "rod"};
}

}  // namespace percute::systems
