// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

// Balls on a line, upright or level: chains, columns of beads, stacks and the single ball.

namespace percute::systems {

namespace {

double radius_of(const BallChain& chain, int ball) {
  return each(chain.radii, chain.radius, ball);
}

/// Centres of the touching chain: x_1 = first, x_{i+1} = x_i + r_i + r_{i+1}.
Vector touching_positions(const BallChain& chain) {
  Vector x = Vector::Constant(chain.balls, chain.first);
  for (int i = 1; i < chain.balls; ++i) {
    x[i] = x[i - 1] + (radius_of(chain, i - 1) + radius_of(chain, i));
  }
  return x;
}

/// Two neighbours: the balls on the two sides of a contact; −1 is the wall on the left, chain.balls
/// the one on the right.
struct Neighbours {
  int left;
  int right;
};

/// Contact i of all contacts of the chain.
Neighbours neighbours(const BallChain& chain, int i) {
  const int left = chain.wall_on_left() ? i - 1 : i;
  return {.left = left, .right = left + 1};
}

/// A chain as a system. Gaps are x_{i+1} − x_i − r_i − r_{i+1}; a wall is a ball that stays where
/// the touching chain would have it, the last ball at `end`.
class Line {
 public:
  /// The contact with the wall on the left is "wall–1", or "1–floor" where there is a floor.
  explicit Line(BallChain chain, bool floor = false)
      : chain_(std::move(chain)),
        masses_(chain_.balls),
        end_(touching_positions(chain_)[chain_.balls - 1]),
        floor_(floor) {
    for (int i = 0; i < chain_.balls; ++i) masses_[i] = each(chain_.masses, chain_.mass, i);
  }

  int coordinates() const { return chain_.balls; }
  int contacts() const { return chain_.contacts(); }
  const Vector& diagonal_mass() const { return masses_; }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) h[i] = gap(neighbours(chain_, i), q);
  }
  void gradient(int i, const Vector& /*q*/, Vector& column) const {
    const auto [left, right] = neighbours(chain_, i);
    if (left >= 0) column[left] = -1.0;
    if (right < chain_.balls) column[right] = 1.0;
  }
  Blocks blocks(int i) const {
    const auto [left, right] = neighbours(chain_, i);
    return {{{std::max(left, 0), left < 0 ? 0 : 1}, {right, right == chain_.balls ? 0 : 1}}};
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(chain_.materials, chain_.material, i)};
  }
  double touching(int i) const {
    const auto [left, right] = neighbours(chain_, i);
    double size = radius_of(chain_, std::max(left, 0));
    if (left >= 0 && right < chain_.balls) size = 0.5 * (size + radius_of(chain_, right));
    return kTouching * (size > 0.0 ? size : 1.0);
  }

  void force(double t, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f = masses_ * -(chain_.gravity + chain_.base.at(t));
  }
  static double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) { return 0.0; }
  double potential_energy(const Vector& q) const { return chain_.gravity * masses_.dot(q); }
  static void stiffness(const Vector& /*q*/, Matrix& K) { K.setZero(); }
  bool conservative() const { return !chain_.base.moves(); }
  double longest_step(double t) const { return chain_.base.longest_step(t); }

  std::vector<Body> bodies() const {
    return named_bodies(chain_.names, static_cast<std::size_t>(chain_.balls));
  }
  std::vector<std::string> contact_names() const {
    return all_names(contacts(), [this](int i) {
      const auto [left, right] = neighbours(chain_, i);
      return floor_ && left < 0 ? name(right) + "–floor" : name(left) + "–" + name(right);
    });
  }

 private:
  double gap(const Neighbours& pair, const Vector& x) const {
    if (pair.left < 0) return x[0] - chain_.first;
    if (pair.right == chain_.balls) return end_ - x[pair.left];
    return x[pair.right] - x[pair.left] -
           (radius_of(chain_, pair.left) + radius_of(chain_, pair.right));
  }
  std::string name(int ball) const {
    if (ball < 0 || ball == chain_.balls) return "wall";
    return short_name(chain_.names, static_cast<std::size_t>(ball));
  }

  BallChain chain_;
  Vector masses_;
  double end_;  // of the last ball at the wall
  bool floor_;
};

/// Speed after a free fall, √(2 g h).
double fall_speed(double height, double gravity) {
  require_positive(height, "height");
  require_positive(gravity, "gravity");
  return std::sqrt(2.0 * gravity * height);
}

void require_strikers(int strikers, int most, const std::string& why, const char* where = "") {
  if (strikers >= 1 && strikers <= most) return;
  throw InvalidInput("strikers", std::to_string(strikers) + where + " is not from 1 to " + why);
}

void require_downwards(double speed) {
  require(std::isfinite(speed) && speed >= 0.0, "speed", speed, "a finite number >= 0 (downwards)");
}

}  // namespace

void validate(const BallChain& chain) {
  if (chain.balls < 1) throw InvalidInput("balls", std::to_string(chain.balls) + " is below 1");
  const auto balls = static_cast<std::size_t>(chain.balls);
  require_each(chain.radii, chain.radius, balls, "radii", "radius");
  require_each(chain.masses, chain.mass, balls, "masses", "mass");
  require_names(chain.names, balls);
  require_materials(chain.materials, chain.contacts());
  require_finite(chain.first, "first");
  require_ranges("", chain);
  require_ranges("base", chain.base);
}

BallChain::operator AnySystem() const {
  validate(*this);
  return Line(*this);
}

BallChain with_striker_mass(BallChain chain, double mass) {
  validate(chain);
  require_positive(mass, "striker_mass");
  if (chain.masses.empty()) chain.masses.assign(static_cast<std::size_t>(chain.balls), chain.mass);
  chain.masses.front() = mass;
  return chain;
}

State BallChain::at_contact(double speed, int strikers) const {
  validate(*this);
  require_strikers(strikers, balls, std::to_string(balls) + ", the number of balls");
  Vector velocity = Vector::Zero(balls);
  velocity.head(strikers).setConstant(speed);
  return at_contact(velocity);
}

State BallChain::struck_at_both_ends(double speed, int strikers) const {
  validate(*this);
  require_strikers(strikers, balls / 2,
                   std::to_string(balls / 2) + ", half of " + std::to_string(balls) + " balls",
                   " at each end");
  Vector velocity = Vector::Zero(balls);
  velocity.head(strikers).setConstant(speed);
  velocity.tail(strikers).setConstant(-speed);
  return at_contact(velocity);
}

State BallChain::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, balls, "velocity", "ball");
  return {.position = touching_positions(*this), .velocity = velocity};
}

State BallChain::apart(const Vector& gaps, const Vector& velocity) const {
  State state = at_contact(velocity);
  require_size(static_cast<std::size_t>(gaps.size()), static_cast<std::size_t>(contacts()), "gaps",
               "contact");
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    require_not_negative(gaps[i], "gaps[" + std::to_string(i) + "]");
  }
  if (wall == Wall::Both && !gaps.isZero(0.0)) {
    throw InvalidInput("gaps", "walls at both ends leave no room between the balls");
  }
  // Every gap moves the balls on its side away from the wall, or from the first ball.
  for (int i = 0; i < contacts(); ++i) {
    const auto [left, right] = neighbours(*this, i);
    if (wall == Wall::Right) {
      state.position.head(left + 1).array() -= gaps[i];
    } else {
      state.position.tail(balls - right).array() += gaps[i];
    }
  }
  return state;
}

void validate(const BeadColumn& column) {
  require_ranges("", column);
  require_positive(column.mass, "mass");
  require_ranges("base", column.base);
}

BallChain BeadColumn::chain() const {
  validate(*this);
  BallChain chain{.balls = beads,
                  .mass = mass,
                  .radius = radius,
                  .wall = BallChain::Wall::Left,
                  .materials = std::vector<Material>(static_cast<std::size_t>(beads), material),
                  .first = radius,
                  .gravity = gravity,
                  .base = base};
  chain.materials.front() = wall;
  for (int i = 1; i <= beads; ++i) chain.names.push_back("bead " + std::to_string(i));
  return chain;
}

BeadColumn::operator AnySystem() const {
  return chain();
}

State BeadColumn::at_contact(double speed) const {
  validate(*this);
  require_downwards(speed);
  return at_contact(Vector::Constant(beads, -speed));
}

State BeadColumn::at_contact(const Vector& velocity) const {
  return chain().at_contact(velocity);
}

State BeadColumn::above(double height, double velocity) const {
  validate(*this);
  require_not_negative(height, "height");
  State state = at_contact(Vector::Constant(beads, velocity));
  state.position.array() += height;
  return state;
}

State BeadColumn::dropped_from(double height, double g) const {
  return at_contact(fall_speed(height, g));
}

void validate(const StackedBalls& stack) {
  const std::size_t balls = stack.masses.size();
  if (balls == 0) throw InvalidInput("masses", "is empty; a stack has at least one ball");
  require_positive(stack.masses, "masses");
  require_size(stack.radii.size(), balls, "radii", "ball");
  require_positive(stack.radii, "radii");
  if (!stack.pressures.empty()) {
    require_size(stack.pressures.size(), balls, "pressures", "ball");
    require_positive(stack.pressures, "pressures");
  }
  require_materials(stack.materials, balls);
  require_names(stack.names, balls);
}

BallChain StackedBalls::chain() const {
  validate(*this);
  BallChain chain{.balls = balls(),
                  .wall = BallChain::Wall::Left,
                  .masses = masses,
                  .radii = radii,
                  .materials = materials,
                  .names = names,
                  .first = radii[0]};
  if (materials.empty()) chain.materials.assign(masses.size(), material);
  if (pressures.empty()) return chain;
  double below = 0.0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double own = inflated_stiffness(pressures[i], radii[i]);
    chain.materials[i].stiffness = i == 0 ? own : stiffness_in_series(below, own);
    chain.materials[i].exponent = 1.0;
    below = own;
  }
  return chain;
}

StackedBalls::operator AnySystem() const {
  return Line(chain(), /*floor=*/true);
}

State StackedBalls::at_contact(double drop_speed) const {
  require_downwards(drop_speed);
  return at_contact(Vector::Constant(balls(), -drop_speed));
}

State StackedBalls::at_contact(const Vector& velocity) const {
  return chain().at_contact(velocity);
}

State StackedBalls::dropped_from(double height, double gravity) const {
  return at_contact(fall_speed(height, gravity));
}

void validate(const BouncingBall& ball) {
  require_ranges("", ball);
}

BouncingBall::operator AnySystem() const {
  validate(*this);
  return Line({.balls = 1,
               .mass = mass,
               .radius = radius,
               .material = material,
               .wall = BallChain::Wall::Left,
               .names = {"ball"},
               .gravity = gravity},
              /*floor=*/true);
}

State BouncingBall::at(double height, double velocity) const {
  validate(*this);
  require_not_negative(height, "height");
  require_finite(velocity, "velocity");
  return {.position = Vector::Constant(1, height), .velocity = Vector::Constant(1, velocity)};
}

}  // namespace percute::systems
