// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/diagonal_mass.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_rod.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percute::systems {

namespace {

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

/// The rod in motion.
class FlyingRod {
 public:
  explicit FlyingRod(BallRod rod)
      : rod_(std::move(rod)),
        arms_(arms(rod_)),
        diagonal_(Eigen::Vector3d(total_mass(rod_), total_mass(rod_), inertia_of(rod_))) {}

  static int coordinates() { return 3; }
  int contacts() const { return static_cast<int>(arms_.size()); }
  void mass(const Vector& /*q*/, Matrix& M) const { M = diagonal_.asDiagonal(); }
  std::unique_ptr<MassSolver> solver() const { return diagonal_solver(diagonal_); }
  void force(double t, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f[0] = -diagonal_[0] * rod_.base.horizontal.at(t);
    f[1] = -diagonal_[1] * (rod_.gravity + rod_.base.vertical.at(t));
    f[2] = 0.0;
  }
  bool conservative() const { return !rod_.base.moves(); }
  double longest_step(double t) const { return rod_.base.longest_step(t); }
  double potential_energy(const Vector& q) const { return diagonal_[1] * rod_.gravity * q[1]; }

  void gaps(const Vector& q, Vector& h) const {
    const double sine = std::sin(q[2]);
    for (int i = 0; i < contacts(); ++i) h[i] = q[1] - radius(i) + arm(i) * sine;
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    column = Eigen::Vector3d(0.0, 1.0, arm(i) * std::cos(q[2]));
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return -arm(i) * std::sin(q[2]) * v[2] * v[2];
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(rod_.materials, rod_.material, static_cast<std::size_t>(i)),
            .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const { T.col(0) = tangent(i, q); }

  std::vector<Body> bodies() const { return rod_.bodies(); }
  std::vector<std::string> contact_names() const {
    std::vector<std::string> names;
    names.reserve(arms_.size());
    for (std::size_t i = 1; i <= arms_.size(); ++i) {
      names.push_back("ball " + std::to_string(i) + "–floor");
    }
    return names;
  }

 private:
  Eigen::Vector3d tangent(int i, const Vector& q) const {
    return {1.0, 0.0, radius(i) - arm(i) * std::sin(q[2])};
  }
  double arm(int i) const { return arms_[static_cast<std::size_t>(i)]; }
  double radius(int i) const { return rod_.radii[static_cast<std::size_t>(i)]; }

  BallRod rod_;
  std::vector<double> arms_;
  Vector diagonal_;
};

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
  require_not_negative(rod.gravity, "gravity");
  validate(rod.base.horizontal, "base.horizontal");
  validate(rod.base.vertical, "base.vertical");
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

BallRod::operator AnySystem() const {
  validate(*this);
  return FlyingRod(*this);
}

State BallRod::at_contact(const Eigen::Vector3d& velocity) const {
  validate(*this);
  return above(0.0, angle_of(*this), velocity);
}

State BallRod::above(double height, double phi, const Eigen::Vector3d& velocity) const {
  validate(*this);
  require_not_negative(height, "height");
  require_finite(phi, "angle");
  require_finite(Vector(velocity), "velocity");
  const std::vector<double> h = heights(*this, phi);
  return {.position = Eigen::Vector3d(0.0, height - *std::min_element(h.begin(), h.end()), phi),
          .velocity = velocity};
}

ImpactProblem BallRod::impact(const State& state) const {
  require_state(state, 3, "coordinate");
  const AnySystem moving = *this;
  return impact_problem(moving, state.position, state.velocity,
                        closed_contacts(moving, state.position, kTouching * length(*this)));
}

std::vector<Body> BallRod::bodies() const {
  validate(*this);
  return rigid_bodies({name}, /*planar=*/true);
}

std::vector<std::string> BallRod::contact_names(const State& state) const {
  require_state(state, 3, "coordinate");
  return closed_names(*this, state.position, kTouching * length(*this));
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
