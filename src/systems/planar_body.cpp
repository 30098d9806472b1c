// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/planar_body.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

// One rigid body in the plane, and what it is the body of: blocks that rock, balls on a rod, and a
// particle in a groove.

namespace percute::systems {

namespace {

/// A planar body as a system. One that does not turn is a particle, with two coordinates.
class Solid {
 public:
  explicit Solid(PlanarBody body, bool turns = true)
      : body_(std::move(body)), diagonal_(turns ? 3 : 2) {
    diagonal_.head<2>().setConstant(body_.mass);
    if (turns) diagonal_[2] = body_.inertia;
    normals_.reserve(body_.points.size());
    for (const BodyPoint& point : body_.points) {
      normals_.push_back(point.normal.stableNormalized());
      size_ = std::max(size_, point.at.stableNorm());
    }
  }

  int coordinates() const { return static_cast<int>(diagonal_.size()); }
  int contacts() const { return static_cast<int>(normals_.size()); }
  const Vector& diagonal_mass() const { return diagonal_; }

  /// h = n · (way of the point since contact) + what was left to the obstacle then, with
  /// (R(φ) − R(φ₀)) r = 2 sin((φ − φ₀)/2) J R(φ_m) r, J a quarter turn and φ_m the mean angle, so
  /// that small gaps keep their digits.
  void gaps(const Vector& q, Vector& h) const {
    const double chord = 2.0 * std::sin(0.5 * (angle(q) - body_.angle));
    const double mean = 0.5 * (angle(q) + body_.angle);
    for (int i = 0; i < contacts(); ++i) {
      const Point s = arm(i, mean);
      const Point way = (q.head<2>() - body_.position) + chord * Point(-s.y(), s.x());
      h[i] = normal(i).dot(way) + point(i).gap;
    }
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    column = along(i, normal(i), q).head(coordinates());
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(body_.materials, body_.material, i), .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    T.col(0) = along(i, Point(normal(i).y(), -normal(i).x()), q).head(coordinates());
  }
  double touching(int /*i*/) const { return kTouching * (size_ > 0.0 ? size_ : 1.0); }

  void force(double t, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f.setZero();
    f[0] = -body_.mass * body_.base.horizontal.at(t);
    f[1] = -body_.mass * (body_.gravity + body_.base.vertical.at(t));
  }
  /// R″ = −R.
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    const double rate = v.size() > 2 ? v[2] : 0.0;
    return -rate * rate * arm(i, angle(q)).dot(normal(i));
  }
  double potential_energy(const Vector& q) const { return body_.mass * body_.gravity * q[1]; }
  bool conservative() const { return !body_.base.moves(); }
  double longest_step(double t) const { return body_.base.longest_step(t); }

  std::vector<Body> bodies() const {
    if (coordinates() == 2) return named_bodies({body_.name}, 1, {"x", "y"});
    return rigid_bodies({body_.name}, /*planar=*/true);
  }
  std::vector<std::string> contact_names() const { return point_names(body_.points); }

 private:
  const BodyPoint& point(int i) const { return body_.points[static_cast<std::size_t>(i)]; }
  const Point& normal(int i) const { return normals_[static_cast<std::size_t>(i)]; }
  double angle(const Vector& q) const { return q.size() > 2 ? q[2] : body_.angle; }
  /// s = R(φ) r_i: point i from the centre of mass, in fixed axes.
  Point arm(int i, double angle) const { return Eigen::Rotation2Dd(angle) * point(i).at; }
  /// (d, s × d): what the velocity along d is made of, at the point or where its disc touches.
  Eigen::Vector3d along(int i, const Point& d, const Vector& q) const {
    return velocity_row(Point(arm(i, angle(q)) - point(i).radius * normal(i)), d);
  }

  PlanarBody body_;
  Vector diagonal_;
  std::vector<Point> normals_;
  double size_ = 0.0;  // largest |r_i|
};

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

}  // namespace

void validate(const PlanarBody& body) {
  require_ranges("", body);
  require_points(body.points);
  require_materials(body.materials, body.points.size(), "point");
  require_ranges("base.horizontal", body.base.horizontal);
  require_ranges("base.vertical", body.base.vertical);
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
  require_finite(place, "position");
  require_finite(velocity, "velocity");
  return {.position = place, .velocity = velocity};
}

void validate(const RockingBlock& block) {
  require_ranges("", block);
  require_materials(block.materials, 2, "corner");
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
  require_ranges("", rod);
  if (!rod.angle && !(std::abs(rod.radii.back() - rod.radii.front()) < length(rod))) {
    throw InvalidInput("radii",
                       "the rod is too short for the first and the last ball to lie on the "
                       "floor both");
  }
  require_materials(rod.materials, balls, "ball");
  require_ranges("base.horizontal", rod.base.horizontal);
  require_ranges("base.vertical", rod.base.vertical);
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

PlanarBody BallRod::body() const {
  validate(*this);
  const double phi = angle_of(*this);
  const std::vector<double> a = arms(*this);
  const std::vector<double> h = heights(*this, phi);
  const double lowest = *std::min_element(h.begin(), h.end());
  PlanarBody body{.mass = total_mass(*this),
                  .inertia = inertia_of(*this),
                  .points = {},
                  .position = Point(0.0, -lowest),
                  .angle = phi,
                  .material = material,
                  .materials = materials,
                  .name = name,
                  .gravity = gravity,
                  .base = base};
  for (std::size_t i = 0; i < a.size(); ++i) {
    body.points.push_back({.at = Point(a[i], 0.0),
                           .name = "ball " + std::to_string(i + 1) + "–floor",
                           .radius = radii[i],
                           .gap = h[i] - lowest});
  }
  return body;
}

BallRod::operator AnySystem() const {
  return body();
}

State BallRod::at_contact(const Eigen::Vector3d& velocity) const {
  validate(*this);
  return above(0.0, angle_of(*this), velocity);
}

State BallRod::above(double height, double phi, const Eigen::Vector3d& velocity) const {
  validate(*this);
  require_not_negative(height, "height");
  require_finite(phi, "angle");
  require_finite(velocity, "velocity");
  const std::vector<double> h = heights(*this, phi);
  return {.position = Eigen::Vector3d(0.0, height - *std::min_element(h.begin(), h.end()), phi),
          .velocity = velocity};
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

void validate(const VGroove& groove) {
  require_ranges("", groove);
  require_materials(groove.materials, 2, "wall");
}

VGroove::operator AnySystem() const {
  validate(*this);
  const double sine = std::cos(0.5 * opening);    // sin b, b = (π − θ)/2
  const double cosine = std::sin(0.5 * opening);  // cos b
  return Solid({.mass = mass,
                .points = {{.normal = Point(sine, cosine), .name = "particle–left wall"},
                           {.normal = Point(-sine, cosine), .name = "particle–right wall"}},
                .material = material,
                .materials = materials,
                .name = "particle",
                .gravity = gravity},
               /*turns=*/false);
}

State VGroove::at_contact(const Point& velocity) const {
  return at(Point::Zero(), velocity);
}

State VGroove::at(const Point& position, const Point& velocity) const {
  validate(*this);
  require_finite(position, "position");
  require_finite(velocity, "velocity");
  return {.position = position, .velocity = velocity};
}

}  // namespace percute::systems
