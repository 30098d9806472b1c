// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/systems/rocking_block.hpp>

#include <Eigen/Geometry>

namespace percute::systems {

void validate(const RockingBlock& block) {
  require_positive(block.width, "width");
  require_positive(block.height, "height");
  require_positive(block.mass, "mass");
  if (block.inertia) require_positive(*block.inertia, "inertia");
  if (!block.materials.empty()) require_size(block.materials.size(), 2, "materials", "corner");
}

PlanarBody RockingBlock::body() const {
  validate(*this);
  const double uniform = mass * (width * width + height * height) / 12.0;
  return {.mass = mass,
          .inertia = inertia.value_or(uniform),
          .points = {{.at = Point(-0.5 * width, -0.5 * height), .name = "left–floor"},
                     {.at = Point(0.5 * width, -0.5 * height), .name = "right–floor"}},
          .position = Point(0.0, 0.5 * height),
          .material = material,
          .materials = materials,
          .name = "block",
          .gravity = gravity,
          .base = base};
}

State RockingBlock::at_contact(const Eigen::Vector3d& velocity) const {
  return body().at_contact(velocity);
}

State RockingBlock::rotating_about(Corner corner, double angular_velocity) const {
  require_finite(angular_velocity, "angular_velocity");
  // v = ω × (centre − corner).
  const double x = corner == Corner::Left ? 0.5 * width : -0.5 * width;
  const double y = 0.5 * height;
  return at_contact({-angular_velocity * y, angular_velocity * x, angular_velocity});
}

State RockingBlock::tilted(double angle, double angular_velocity) const {
  require_finite(angle, "angle");
  require_finite(angular_velocity, "angular_velocity");
  const bool on_left = angle > 0.0 || (angle == 0.0 && angular_velocity >= 0.0);
  const Point corner(on_left ? -0.5 * width : 0.5 * width, 0.0);
  const Point arm = Eigen::Rotation2Dd(angle) * Point(-corner.x(), 0.5 * height);
  const Point centre = corner + arm;
  return body().at({centre.x(), centre.y(), angle},
                   {-angular_velocity * arm.y(), angular_velocity * arm.x(), angular_velocity});
}

RockingBlock::operator AnySystem() const {
  return body();
}

ImpactProblem RockingBlock::impact(const State& state) const {
  return body().impact(state);
}

std::vector<Body> RockingBlock::bodies() const {
  return body().bodies();
}

std::vector<std::string> RockingBlock::contact_names(const State& state) const {
  return body().contact_names(state);
}

}  // namespace percute::systems
