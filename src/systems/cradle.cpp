// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/cradle.hpp>

#include <cmath>
#include <utility>

namespace percute::systems {

namespace {

/// The cradle as a system.
class Pendula {
 public:
  explicit Pendula(Cradle cradle) : cradle_(std::move(cradle)), weight_(cradle_.balls) {
    for (int i = 0; i < cradle_.balls; ++i) weight_[i] = each(cradle_.masses, cradle_.mass, i);
    inertia_ = weight_ * (cradle_.length * cradle_.length);
    weight_ *= cradle_.gravity * cradle_.length;
  }

  int coordinates() const { return cradle_.balls; }
  int contacts() const { return cradle_.balls - 1; }
  const Vector& diagonal_mass() const { return inertia_; }
  double touching(int /*i*/) const { return kTouching * cradle_.radius; }

  void force(double /*t*/, const Vector& q, const Vector& /*v*/, Vector& f) const {
    f = -weight_.array() * q.array().sin();
  }
  double potential_energy(const Vector& q) const {
    // 1 − cos θ = 2 sin²(θ/2)
    return 2.0 * weight_.dot((0.5 * q).array().sin().square().matrix());
  }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) {
      const Pair pair(*this, i, q);
      h[i] = pair.excess / (pair.distance + 2.0 * cradle_.radius);
    }
  }

  void gradient(int i, const Vector& q, Vector& column) const {
    const Pair pair(*this, i, q);
    column.setZero();
    column[i] = pair.left / pair.distance;
    column[i + 1] = pair.right / pair.distance;
  }

  /// D D″ = ½ (D²)″ − D′².
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    const Pair pair(*this, i, q);
    const double L = cradle_.length;
    const double rate = (pair.left * v[i] + pair.right * v[i + 1]) / pair.distance;
    const double turning = v[i + 1] - v[i];
    const double half_square =
        pivot_distance() * L *
            (std::sin(q[i]) * v[i] * v[i] - std::sin(q[i + 1]) * v[i + 1] * v[i + 1]) +
        L * L * std::cos(q[i + 1] - q[i]) * turning * turning;
    return (half_square - rate * rate) / pair.distance;
  }

  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(cradle_.materials, cradle_.material, i)};
  }

  std::vector<Body> bodies() const { return angle_bodies("ball ", cradle_.balls); }
  std::vector<std::string> contact_names() const {
    return all_names(contacts(),
                     [](int i) { return std::to_string(i + 1) + "–" + std::to_string(i + 2); });
  }

 private:
  double pivot_distance() const { return 2.0 * cradle_.radius + cradle_.spacing; }

  /// Two neighbours: D² − 4R², D, and the derivatives of ½ D² by the two angles.
  struct Pair {
    Pair(const Pendula& all, int i, const Vector& q) {
      const Cradle& cradle = all.cradle_;
      const double R = cradle.radius;
      const double L = cradle.length;
      const double d = all.pivot_distance();
      const double half = std::sin(0.5 * (q[i + 1] - q[i]));
      const double across = L * L * std::sin(q[i + 1] - q[i]);
      excess = cradle.spacing * (cradle.spacing + 4.0 * R) +
               4.0 * L * half * (d * std::cos(0.5 * (q[i] + q[i + 1])) + L * half);
      // Centres that coincide may have a square below zero by rounding.
      distance = std::sqrt(std::fmax(excess + 4.0 * R * R, 0.0));
      left = -d * L * std::cos(q[i]) - across;
      right = d * L * std::cos(q[i + 1]) + across;
    }
    double excess;
    double distance;
    double left;
    double right;
  };

  Cradle cradle_;
  Vector inertia_;  // m L²
  Vector weight_;   // m g L
};

/// Balls that would have to pass through each other to get there. D² − 4R² has a second zero where
/// ball i + 1 hangs as far to the left of ball i, D being the distance of the centres.
void require_order(const Cradle& cradle, const Vector& angles) {
  const double d = 2.0 * cradle.radius + cradle.spacing;
  for (int i = 0; i + 1 < cradle.balls; ++i) {
    const double mean = 0.5 * (angles[i] + angles[i + 1]);
    const double half = std::sin(0.5 * (angles[i + 1] - angles[i]));
    if (half < 0.0 && std::cos(mean) > 0.0 && d * std::cos(mean) + cradle.length * half < 0.0) {
      throw InvalidInput("angles", "ball " + std::to_string(i + 1) + " hangs beyond ball " +
                                       std::to_string(i + 2) +
                                       ", through which it cannot pass; angles grow to the right");
    }
  }
}

}  // namespace

void validate(const Cradle& cradle) {
  require_ranges("", cradle);
  require_each(cradle.masses, cradle.mass, static_cast<std::size_t>(cradle.balls), "masses",
               "mass");
  require_materials(cradle.materials, cradle.balls - 1);
}

Cradle::operator AnySystem() const {
  validate(*this);
  return Pendula(*this);
}

State Cradle::at(const Vector& angles, const Vector& rates) const {
  validate(*this);
  require_numbers(angles, balls, "angles", "ball");
  require_numbers(rates, balls, "rates", "ball");
  require_order(*this, angles);
  return {.position = angles, .velocity = rates};
}

State Cradle::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, balls, "velocity", "ball");
  return {.position = Vector::Zero(balls), .velocity = velocity / length};
}

}  // namespace percute::systems
