// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/four_foot_plate.hpp>

#include <algorithm>
#include <cmath>

namespace percute::systems {

namespace {

std::vector<Point> feet_of(const FourFootPlate& plate) {
  if (!plate.feet.empty()) return plate.feet;
  const double x = 0.5 * plate.length;
  const double y = 0.5 * plate.width;
  return {Point(x, y), Point(-x, y), Point(-x, -y), Point(x, -y)};
}

/// I_x, I_y, I_z.
Eigen::Vector3d inertias_of(const FourFootPlate& plate) {
  if (!plate.inertias.empty()) return Eigen::Vector3d(plate.inertias.data());
  const double l2 = plate.length * plate.length;
  const double w2 = plate.width * plate.width;
  return plate.mass / 12.0 * Eigen::Vector3d(w2, l2, l2 + w2);
}

/// Place of z among the coordinates; r_x and r_y follow.
Eigen::Index vertical(const FourFootPlate& plate) {
  return plate.sliding ? 2 : 0;
}

std::vector<std::size_t> closed_feet(const FourFootPlate& plate, const State& state) {
  const std::vector<Point> feet = feet_of(plate);
  double size = std::max(plate.length, plate.width);
  for (const Point& foot : feet) size = std::max(size, foot.stableNorm());
  const Eigen::Vector3d q = state.position.segment<3>(vertical(plate));
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const double gap = (q[0] - plate.height) + feet[i].y() * q[1] - feet[i].x() * q[2];
    if (gap <= kTouching * size) closed.push_back(i);
  }
  return closed;
}

/// What a foot at (x, y) below the centre does to the coordinates.
ClosedContact contact_of(const FourFootPlate& plate, const Point& foot, const Material& material) {
  ClosedContact contact{.gradient = Vector::Zero(plate.coordinates()), .material = material};
  contact.gradient.segment<3>(vertical(plate)) = Eigen::Vector3d(1.0, foot.y(), -foot.x());
  if (plate.sliding) {
    contact.tangents.resize(6, 2);
    contact.tangents.col(0) << 1.0, 0.0, 0.0, 0.0, -plate.height, -foot.y();
    contact.tangents.col(1) << 0.0, 1.0, 0.0, plate.height, 0.0, foot.x();
  }
  return contact;
}

MassMatrix mass_matrix(const FourFootPlate& plate) {
  const Eigen::Vector3d inertias = inertias_of(plate);
  Vector diagonal(plate.coordinates());
  if (plate.sliding) {
    diagonal << plate.mass, plate.mass, plate.mass, inertias;
  } else {
    diagonal << plate.mass, inertias.head<2>();
  }
  return MassMatrix::diagonal(std::move(diagonal));
}

}  // namespace

void validate(const FourFootPlate& plate) {
  require_positive(plate.length, "length");
  require_positive(plate.width, "width");
  require_positive(plate.mass, "mass");
  if (!plate.inertias.empty()) {
    require_size(plate.inertias.size(), 3, "inertias", "axis");
    require_positive(plate.inertias, "inertias");
  }
  for (std::size_t i = 0; i < plate.feet.size(); ++i) {
    require_finite(plate.feet[i], "feet[" + std::to_string(i) + "]");
  }
  if (!(std::isfinite(plate.height) && plate.height >= 0.0)) {
    throw InvalidInput("height", text(plate.height) + " is not a finite number >= 0");
  }
  if (!plate.materials.empty()) {
    require_size(plate.materials.size(), feet_of(plate).size(), "materials", "foot");
  }
}

State FourFootPlate::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), static_cast<std::size_t>(coordinates()),
               "velocity", "coordinate");
  require_finite(velocity, "velocity");
  Vector position = Vector::Zero(coordinates());
  position[vertical(*this)] = height;
  return {.position = std::move(position), .velocity = velocity};
}

ImpactProblem FourFootPlate::impact(const State& state) const {
  validate(*this);
  require_state(state, static_cast<std::size_t>(coordinates()), "coordinate");
  const std::vector<Point> places = feet_of(*this);
  std::vector<ClosedContact> closed;
  for (const std::size_t i : closed_feet(*this, state)) {
    closed.push_back(contact_of(*this, places[i], each(materials, material, i)));
  }
  return assemble(mass_matrix(*this), state.velocity, closed);
}

std::vector<Body> FourFootPlate::bodies() const {
  validate(*this);
  if (!sliding) {
    return {{.name = "plate",
             .coordinates = {0, 1, 2},
             .axes = {"z", "rx", "ry"},
             .units = {"m/s", "rad/s", "rad/s"}}};
  }
  return {{.name = "plate",
           .coordinates = {0, 1, 2, 3, 4, 5},
           .axes = {"x", "y", "z", "rx", "ry", "rz"},
           .units = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"}}};
}

std::vector<std::string> FourFootPlate::contact_names(const State& state) const {
  validate(*this);
  require_state(state, static_cast<std::size_t>(coordinates()), "coordinate");
  std::vector<std::string> names;
  for (const std::size_t i : closed_feet(*this, state)) {
    names.push_back("foot " + std::to_string(i + 1) + "–floor");
  }
  return names;
}

}  // namespace percute::systems
