// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/body_points.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rigid_motion.hpp"

#include <percute/systems/planar_body.hpp>

#include <algorithm>

namespace percute::systems {

namespace {

// Largest gap, in sizes of the body, of points that still touch: rounding of positions.
constexpr double kTouching = 1e-9;

/// s = R(φ) r_i: point i from the centre of mass, in fixed axes.
Point arm(const PlanarBody& body, std::size_t i, double angle) {
  return Eigen::Rotation2Dd(angle) * body.points[i].at;
}

std::vector<std::size_t> closed_points(const PlanarBody& body, const State& state) {
  double size = 0.0;
  for (const BodyPoint& point : body.points) size = std::max(size, point.at.stableNorm());
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < body.points.size(); ++i) {
    // h = n · (displacement of the point since contact).
    const Point moved = (state.position.head<2>() - body.position) +
                        (arm(body, i, state.position[2]) - arm(body, i, body.angle));
    const double gap = body.points[i].normal.stableNormalized().dot(moved);
    if (gap <= kTouching * size) closed.push_back(i);
  }
  return closed;
}

ClosedContact contact_of(const PlanarBody& body, std::size_t i, double angle) {
  const Point n = body.points[i].normal.stableNormalized();
  const Point t(n.y(), -n.x());
  const Point s = arm(body, i, angle);
  return {.gradient = velocity_row(s, n),
          .tangents = velocity_row(s, t),
          .material = each(body.materials, body.material, i)};
}

}  // namespace

void validate(const PlanarBody& body) {
  require_positive(body.mass, "mass");
  require_positive(body.inertia, "inertia");
  require_points(body.points);
  for (std::size_t i = 0; i < body.points.size(); ++i) {
    require_finite(body.points[i].at, point_entry(i) + ".at");
    require_direction(body.points[i].normal, point_entry(i) + ".normal");
  }
  require_finite(body.position, "position");
  require_finite(body.angle, "angle");
  if (!body.materials.empty()) {
    require_size(body.materials.size(), body.points.size(), "materials", "point");
  }
}

State PlanarBody::at_contact(const Eigen::Vector3d& velocity) const {
  validate(*this);
  require_finite(Vector(velocity), "velocity");
  return {.position = Eigen::Vector3d(position.x(), position.y(), angle), .velocity = velocity};
}

ImpactProblem PlanarBody::impact(const State& state) const {
  validate(*this);
  require_state(state, 3, "coordinate");
  std::vector<ClosedContact> closed;
  for (const std::size_t i : closed_points(*this, state)) {
    closed.push_back(contact_of(*this, i, state.position[2]));
  }
  return assemble(MassMatrix::diagonal(Eigen::Vector3d(mass, mass, inertia)), state.velocity,
                  std::move(closed));
}

std::vector<Body> PlanarBody::bodies() const {
  validate(*this);
  return rigid_bodies({name}, /*planar=*/true);
}

std::vector<std::string> PlanarBody::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 3, "coordinate");
  std::vector<std::string> names;
  for (const std::size_t i : closed_points(*this, state)) names.push_back(point_name(points, i));
  return names;
}

}  // namespace percute::systems
