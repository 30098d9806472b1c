// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/body_points.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/diagonal_mass.hpp"
#include "systems/rigid_motion.hpp"

#include <percute/systems/planar_body.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percute::systems {

namespace {

/// s = R(φ) r_i: point i from the centre of mass, in fixed axes.
Point arm(const PlanarBody& body, std::size_t i, double angle) {
  return Eigen::Rotation2Dd(angle) * body.points[i].at;
}

/// Distance below which a point touches.
double touching(const PlanarBody& body) {
  double size = 0.0;
  for (const BodyPoint& point : body.points) size = std::max(size, point.at.stableNorm());
  return kTouching * size;
}

/// The body in motion.
class Solid {
 public:
  explicit Solid(PlanarBody body) : body_(std::move(body)) {
    normals_.reserve(body_.points.size());
    for (const BodyPoint& point : body_.points) {
      normals_.push_back(point.normal.stableNormalized());
    }
  }

  static int coordinates() { return 3; }
  int contacts() const { return static_cast<int>(normals_.size()); }
  void mass(const Vector& /*q*/, Matrix& M) const { M = diagonal().asDiagonal(); }
  std::unique_ptr<MassSolver> solver() const { return diagonal_solver(diagonal()); }
  void force(double t, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f[0] = -body_.mass * body_.base.horizontal.at(t);
    f[1] = -body_.mass * (body_.gravity + body_.base.vertical.at(t));
    f[2] = 0.0;
  }
  bool conservative() const { return !body_.base.moves(); }
  double longest_step(double t) const { return body_.base.longest_step(t); }
  double potential_energy(const Vector& q) const { return body_.mass * body_.gravity * q[1]; }

  /// h = n · (way of the point since contact), with (R(φ) − R(φ₀)) r = 2 sin((φ − φ₀)/2) J R(φ_m)
  /// r, J a quarter turn and φ_m the mean angle, so that small gaps keep their digits.
  void gaps(const Vector& q, Vector& h) const {
    const double chord = 2.0 * std::sin(0.5 * (q[2] - body_.angle));
    const double mean = 0.5 * (q[2] + body_.angle);
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Point s = arm(body_, i, mean);
      const Point way = (q.head<2>() - body_.position) + chord * Point(-s.y(), s.x());
      h[static_cast<Eigen::Index>(i)] = normals_[i].dot(way);
    }
  }
  void gradient(int i, const Vector& q, Vector& column) const { column = along(i, normal(i), q); }
  /// R″ = −R.
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return -v[2] * v[2] * arm(body_, static_cast<std::size_t>(i), q[2]).dot(normal(i));
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(body_.materials, body_.material, static_cast<std::size_t>(i)),
            .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    T.col(0) = along(i, tangent(i), q);
  }

  std::vector<Body> bodies() const { return body_.bodies(); }
  std::vector<std::string> contact_names() const {
    std::vector<std::string> names;
    names.reserve(normals_.size());
    for (std::size_t i = 0; i < normals_.size(); ++i) names.push_back(point_name(body_.points, i));
    return names;
  }

 private:
  const Point& normal(int i) const { return normals_[static_cast<std::size_t>(i)]; }
  Point tangent(int i) const { return {normal(i).y(), -normal(i).x()}; }
  Vector diagonal() const { return Eigen::Vector3d(body_.mass, body_.mass, body_.inertia); }
  /// (d, s × d): what the velocity of point i along d is made of.
  Eigen::Vector3d along(int i, const Point& d, const Vector& q) const {
    const Point s = arm(body_, static_cast<std::size_t>(i), q[2]);
    return velocity_row(s, d);
  }

  PlanarBody body_;
  std::vector<Point> normals_;
};

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
  require_not_negative(body.gravity, "gravity");
  validate(body.base.horizontal, "base.horizontal");
  validate(body.base.vertical, "base.vertical");
}

PlanarBody::operator AnySystem() const {
  validate(*this);
  return Solid(*this);
}

State PlanarBody::at_contact(const Eigen::Vector3d& velocity) const {
  return at({position.x(), position.y(), angle}, velocity);
}

State PlanarBody::at(const Eigen::Vector3d& place, const Eigen::Vector3d& velocity) const {
  validate(*this);
  require_finite(Vector(place), "position");
  require_finite(Vector(velocity), "velocity");
  return {.position = place, .velocity = velocity};
}

ImpactProblem PlanarBody::impact(const State& state) const {
  require_state(state, 3, "coordinate");
  const AnySystem moving = *this;
  return impact_problem(moving, state.position, state.velocity,
                        closed_contacts(moving, state.position, touching(*this)));
}

std::vector<Body> PlanarBody::bodies() const {
  validate(*this);
  return rigid_bodies({name}, /*planar=*/true);
}

std::vector<std::string> PlanarBody::contact_names(const State& state) const {
  require_state(state, 3, "coordinate");
  return closed_names(*this, state.position, touching(*this));
}

}  // namespace percute::systems
