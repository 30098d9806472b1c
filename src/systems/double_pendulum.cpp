// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rods.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/multiple_pendulum.hpp>

#include <utility>

namespace percute::systems {

namespace {

using Eigen::Vector2d;

// A gradient below this part of the length is zero but for rounding of the angles.
constexpr double kNoGradient = 1e-12;

double length(const DoublePendulum& pendulum) {
  return pendulum.lengths[0] + pendulum.lengths[1];
}

Vector2d angles_at_contact(const DoublePendulum& pendulum) {
  return {pendulum.angles[0], pendulum.angles[1]};
}

/// Where floor (contact 0) and wall (contact 1) push.
Point normal_of(const DoublePendulum& pendulum, int i) {
  if (i == 0) return Point::UnitY();
  return pendulum.wall == DoublePendulum::Wall::Left ? Point(1.0, 0.0) : Point(-1.0, 0.0);
}

Rods rods_of(const DoublePendulum& pendulum) {
  return {{pendulum.masses[0], pendulum.masses[1]},
          {pendulum.lengths[0], pendulum.lengths[1]},
          pendulum.gravity};
}

/// The pendulum in motion.
class TwoRods {
 public:
  explicit TwoRods(DoublePendulum pendulum)
      : pendulum_(std::move(pendulum)),
        rods_(rods_of(pendulum_)),
        at_contact_(angles_at_contact(pendulum_)) {}

  static int coordinates() { return 2; }
  int contacts() const { return pendulum_.contacts(); }
  void mass(const Vector& q, Matrix& M) const { rods_.mass(q, M); }
  void force(double /*t*/, const Vector& q, const Vector& v, Vector& f) const {
    rods_.force(q, v, f);
  }
  double potential_energy(const Vector& q) const { return rods_.potential_energy(q); }

  void gaps(const Vector& q, Vector& h) const {
    const Point moved = rods_.way(kTip, at_contact_, q);
    for (int i = 0; i < contacts(); ++i) h[i] = normal_of(pendulum_, i).dot(moved);
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    rods_.gradient(kTip, normal_of(pendulum_, i), q, column);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return rods_.curvature(kTip, normal_of(pendulum_, i), q, v);
  }
  Contact contact(int i, const Vector& q) const {
    return {.material = each(pendulum_.materials, pendulum_.material, static_cast<std::size_t>(i)),
            .directions = rods_.directions(kTip, normal_of(pendulum_, i), q)};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    rods_.tangent(kTip, normal_of(pendulum_, i), q, T.col(0));
  }

  std::vector<Body> bodies() const { return rods_.bodies(); }
  std::vector<std::string> contact_names() const {
    if (contacts() == 1) return {"tip–floor"};
    return {"tip–floor", "tip–wall"};
  }

 private:
  static constexpr int kTip = 1;

  DoublePendulum pendulum_;
  Rods rods_;
  Vector at_contact_;
};

}  // namespace

void validate(const DoublePendulum& pendulum) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_positive(pendulum.masses[i], "masses" + entry);
    require_positive(pendulum.lengths[i], "lengths" + entry);
    require_finite(pendulum.angles[i], "angles" + entry);
  }
  require_not_negative(pendulum.gravity, "gravity");
  const Rods rods = rods_of(pendulum);
  const Vector angles = angles_at_contact(pendulum);
  const double least = kNoGradient * length(pendulum);
  if (rods.gradient(1, Point::UnitY(), angles).norm() <= least) {
    throw InvalidInput("angles", "both rods are vertical: the tip cannot move towards the floor");
  }
  if (pendulum.wall != DoublePendulum::Wall::None &&
      rods.gradient(1, Point::UnitX(), angles).norm() <= least) {
    throw InvalidInput("angles", "both rods are level: the tip cannot move towards the wall");
  }
  if (!pendulum.materials.empty()) {
    require_size(pendulum.materials.size(), static_cast<std::size_t>(pendulum.contacts()),
                 "materials", "contact");
  }
}

DoublePendulum::operator AnySystem() const {
  validate(*this);
  return TwoRods(*this);
}

State DoublePendulum::at_contact(const Vector2d& rates) const {
  validate(*this);
  require_finite(rates, "velocity");
  return {.position = angles_at_contact(*this), .velocity = rates};
}

State DoublePendulum::at(const Vector2d& start, const Vector2d& rates) const {
  validate(*this);
  require_finite(start, "angles");
  require_finite(rates, "rates");
  return {.position = start, .velocity = rates};
}

ImpactProblem DoublePendulum::impact(const State& state) const {
  require_state(state, 2, "rod");
  const AnySystem moving = *this;
  return impact_problem(moving, state.position, state.velocity,
                        closed_contacts(moving, state.position, kTouching * length(*this)));
}

std::vector<Body> DoublePendulum::bodies() const {
  validate(*this);
  return rods_of(*this).bodies();
}

std::vector<std::string> DoublePendulum::contact_names(const State& state) const {
  require_state(state, 2, "rod");
  return closed_names(*this, state.position, kTouching * length(*this));
}

}  // namespace percute::systems
