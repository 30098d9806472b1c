// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/systems/bouncing_ball.hpp>

namespace percute::systems {

namespace {

/// m q″ = −m g + λ, h = q.
class MovingBall {
 public:
  explicit MovingBall(const BouncingBall& ball) : ball_(ball) {}

  static int coordinates() { return 1; }
  static int contacts() { return 1; }
  void mass(const Vector& /*q*/, Matrix& M) const { M(0, 0) = ball_.mass; }
  void force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f[0] = -ball_.mass * ball_.gravity;
  }
  static void gaps(const Vector& q, Vector& h) { h[0] = q[0]; }
  static void gradient(int /*i*/, const Vector& /*q*/, Vector& column) { column[0] = 1.0; }
  static double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) { return 0.0; }
  Contact contact(int /*i*/, const Vector& /*q*/) const { return {.material = ball_.material}; }
  double potential_energy(const Vector& q) const { return ball_.mass * ball_.gravity * q[0]; }
  static void stiffness(const Vector& /*q*/, Matrix& K) { K(0, 0) = 0.0; }

  static std::vector<Body> bodies() { return {{.name = "ball", .coordinates = {0}}}; }
  static std::vector<std::string> contact_names() { return {"ball–floor"}; }

 private:
  BouncingBall ball_;
};
static_assert(MovingSystem<MovingBall>);

}  // namespace

void validate(const BouncingBall& ball) {
  require_positive(ball.mass, "mass");
  require_not_negative(ball.gravity, "gravity");
  require_not_negative(ball.radius, "radius");
}

State BouncingBall::at(double height, double velocity) const {
  validate(*this);
  require_not_negative(height, "height");
  require_finite(velocity, "velocity");
  return {.position = Vector::Constant(1, height), .velocity = Vector::Constant(1, velocity)};
}

BouncingBall::operator AnySystem() const {
  validate(*this);
  return MovingBall(*this);
}

}  // namespace percute::systems
