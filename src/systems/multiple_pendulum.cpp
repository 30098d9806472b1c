// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rods.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/multiple_pendulum.hpp>

#include <unordered_map>
#include <utility>

namespace percute::systems {

namespace {

std::string entry(std::size_t i) {
  return "obstacles[" + std::to_string(i) + "]";
}

std::string contact_name(const MultiplePendulum& pendulum, std::size_t i) {
  const PendulumObstacle& obstacle = pendulum.obstacles[i];
  if (!obstacle.name.empty()) return obstacle.name;
  return "rod " + std::to_string(obstacle.rod) + "–obstacle " + std::to_string(i + 1);
}

Rods rods_of(const MultiplePendulum& pendulum) {
  return {pendulum.masses, pendulum.lengths, pendulum.gravity};
}

/// The pendulum in motion.
class HingedRods {
 public:
  explicit HingedRods(MultiplePendulum pendulum)
      : pendulum_(std::move(pendulum)), rods_(rods_of(pendulum_)) {
    normals_.reserve(pendulum_.obstacles.size());
    for (const PendulumObstacle& obstacle : pendulum_.obstacles) {
      normals_.push_back(obstacle.normal.stableNormalized());
    }
  }

  int coordinates() const { return rods_.count(); }
  int contacts() const { return static_cast<int>(normals_.size()); }
  void mass(const Vector& q, Matrix& M) const { rods_.mass(q, M); }
  void force(double /*t*/, const Vector& q, const Vector& v, Vector& f) const {
    rods_.force(q, v, f);
  }
  double potential_energy(const Vector& q) const { return rods_.potential_energy(q); }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) {
      h[i] = normal(i).dot(rods_.end(rod(i), q) - obstacle(i).through);
    }
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    rods_.gradient(rod(i), normal(i), q, column);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return rods_.curvature(rod(i), normal(i), q, v);
  }
  Contact contact(int i, const Vector& q) const {
    return {.material = each(pendulum_.materials, pendulum_.material, static_cast<std::size_t>(i)),
            .directions = rods_.directions(rod(i), normal(i), q)};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    rods_.tangent(rod(i), normal(i), q, T.col(0));
  }

  std::vector<Body> bodies() const { return rods_.bodies(); }
  std::vector<std::string> contact_names() const {
    std::vector<std::string> names;
    names.reserve(normals_.size());
    for (std::size_t i = 0; i < normals_.size(); ++i) names.push_back(contact_name(pendulum_, i));
    return names;
  }

 private:
  const PendulumObstacle& obstacle(int i) const {
    return pendulum_.obstacles[static_cast<std::size_t>(i)];
  }
  const Point& normal(int i) const { return normals_[static_cast<std::size_t>(i)]; }
  int rod(int i) const { return obstacle(i).rod - 1; }

  MultiplePendulum pendulum_;
  Rods rods_;
  std::vector<Point> normals_;
};

void require_obstacles(const MultiplePendulum& pendulum) {
  std::unordered_map<std::string, std::size_t> seen;
  const std::size_t rods = pendulum.lengths.size();
  for (std::size_t i = 0; i < pendulum.obstacles.size(); ++i) {
    const PendulumObstacle& obstacle = pendulum.obstacles[i];
    if (obstacle.rod < 1 || static_cast<std::size_t>(obstacle.rod) > rods) {
      throw InvalidInput(entry(i) + ".rod", std::to_string(obstacle.rod) + " is not from 1 to " +
                                                std::to_string(rods) + ", the number of rods");
    }
    require_direction(obstacle.normal, entry(i) + ".normal");
    require_finite(obstacle.through, entry(i) + ".through");
    const auto [other, fresh] = seen.emplace(contact_name(pendulum, i), i);
    if (!fresh) {
      throw InvalidInput(entry(i) + ".name", "is the same as that of " + entry(other->second) +
                                                 "; every contact needs a name of its own");
    }
  }
}

}  // namespace

void validate(const MultiplePendulum& pendulum) {
  if (pendulum.lengths.empty()) throw InvalidInput("lengths", "is empty; one rod at least");
  require_positive(pendulum.lengths, "lengths");
  require_size(pendulum.masses.size(), pendulum.lengths.size(), "masses", "rod");
  require_positive(pendulum.masses, "masses");
  if (pendulum.obstacles.empty()) throw InvalidInput("obstacles", "is empty; one at least");
  require_obstacles(pendulum);
  require_not_negative(pendulum.gravity, "gravity");
  if (!pendulum.materials.empty()) {
    require_size(pendulum.materials.size(), pendulum.obstacles.size(), "materials", "obstacle");
  }
}

MultiplePendulum::operator AnySystem() const {
  validate(*this);
  return HingedRods(*this);
}

State MultiplePendulum::at(const Vector& angles, const Vector& rates) const {
  validate(*this);
  require_size(static_cast<std::size_t>(angles.size()), lengths.size(), "angles", "rod");
  require_size(static_cast<std::size_t>(rates.size()), lengths.size(), "rates", "rod");
  require_finite(angles, "angles");
  require_finite(rates, "rates");
  return {.position = angles, .velocity = rates};
}

ImpactProblem MultiplePendulum::impact(const State& state) const {
  require_state(state, lengths.size(), "rod");
  const AnySystem moving = *this;
  const double touching = kTouching * rods_of(*this).length();
  return impact_problem(moving, state.position, state.velocity,
                        closed_contacts(moving, state.position, touching));
}

std::vector<Body> MultiplePendulum::bodies() const {
  validate(*this);
  return rods_of(*this).bodies();
}

std::vector<std::string> MultiplePendulum::contact_names(const State& state) const {
  require_state(state, lengths.size(), "rod");
  return closed_names(*this, state.position, kTouching * rods_of(*this).length());
}

}  // namespace percute::systems
