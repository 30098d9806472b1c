// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/multiple_pendulum.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace percute::systems {

namespace {

// A gradient below this part of the length is zero but for rounding of the angles.
constexpr double kNoGradient = 1e-12;

/// Where a rod points, its angle counted from the downward vertical.
Point along_rod(double angle) {
  return {std::sin(angle), -std::cos(angle)};
}

/// Its derivative by the angle.
Point sideways(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// A MultiplePendulum as a system. Obstacles end where they say, or where the rods touch them all
/// at the angles of contact: then small gaps keep their digits.
class HingedRods {
 public:
  explicit HingedRods(MultiplePendulum pendulum, std::optional<Vector> at_contact = {})
      : pendulum_(std::move(pendulum)),
        at_contact_(std::move(at_contact)),
        lengths_(Vector::Map(pendulum_.lengths.data(),
                             static_cast<Eigen::Index>(pendulum_.lengths.size()))),
        weights_(lengths_.size()),
        own_(lengths_.size()) {
    double below = 0.0;
    for (int j = coordinates() - 1; j >= 0; --j) {
      const double m = pendulum_.masses[static_cast<std::size_t>(j)];
      weights_[j] = 0.5 * m + below;
      own_[j] = m / 3.0 + below;
      below += m;
    }
    for (PendulumObstacle& obstacle : pendulum_.obstacles) {
      obstacle.normal = Point(obstacle.normal.stableNormalized());
    }
  }

  int coordinates() const { return static_cast<int>(lengths_.size()); }
  int contacts() const { return static_cast<int>(pendulum_.obstacles.size()); }

  void mass(const Vector& q, Matrix& M) const {
    for (int i = 0; i < coordinates(); ++i) {
      M(i, i) = coupling(i, i);
      for (int j = 0; j < i; ++j) {
        M(i, j) = coupling(i, j) * std::cos(q[i] - q[j]);
        M(j, i) = M(i, j);
      }
    }
  }
  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) {
      h[i] = at(i).normal.dot(at_contact_ ? way(i, q) : Point(end(i, q) - at(i).through));
    }
  }
  void gradient(int i, const Vector& q, Vector& column) const { along(i, at(i).normal, q, column); }
  /// An end that cannot move along the border of its obstacle has no direction of sliding.
  Contact contact(int i, const Vector& q) const {
    Vector column(coordinates());
    along(i, border(i), q, column);
    return {.material = each(pendulum_.materials, pendulum_.material, i),
            .directions = column.norm() <= kNoGradient * lengths_.sum() ? 0 : 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    along(i, border(i), q, T.col(0));
  }
  double touching(int /*i*/) const { return kTouching * lengths_.sum(); }

  void force(double /*t*/, const Vector& q, const Vector& v, Vector& f) const {
    for (int i = 0; i < coordinates(); ++i) {
      f[i] = -pendulum_.gravity * weights_[i] * lengths_[i] * std::sin(q[i]);
      for (int j = 0; j < coordinates(); ++j) {
        f[i] -= coupling(i, j) * std::sin(q[i] - q[j]) * v[j] * v[j];
      }
    }
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    double sum = 0.0;
    for (int j = 0; j < at(i).rod; ++j) {
      sum -= lengths_[j] * at(i).normal.dot(along_rod(q[j])) * v[j] * v[j];
    }
    return sum;
  }
  /// 0 where all hang down.
  double potential_energy(const Vector& q) const {
    double sum = 0.0;
    for (int i = 0; i < coordinates(); ++i) {
      const double half = std::sin(0.5 * q[i]);  // 1 − cos θ = 2 sin²(θ/2)
      sum += 2.0 * pendulum_.gravity * weights_[i] * lengths_[i] * half * half;
    }
    return sum;
  }

  std::vector<Body> bodies() const { return angle_bodies("rod ", coordinates()); }
  std::vector<std::string> contact_names() const { return obstacle_names(pendulum_); }

  static std::vector<std::string> obstacle_names(const MultiplePendulum& pendulum) {
    return all_names(pendulum.obstacles.size(), [&](int i) {
      const PendulumObstacle& obstacle = pendulum.obstacles[static_cast<std::size_t>(i)];
      const std::string number = "–obstacle " + std::to_string(i + 1);
      return obstacle.name.empty() ? "rod " + std::to_string(obstacle.rod) + number : obstacle.name;
    });
  }

 private:
  const PendulumObstacle& at(int i) const {
    return pendulum_.obstacles[static_cast<std::size_t>(i)];
  }
  Point border(int i) const { return {at(i).normal.y(), -at(i).normal.x()}; }
  double coupling(int i, int j) const {  // μ_ij l_i l_j
    return (i == j ? own_[i] : weights_[std::max(i, j)]) * lengths_[i] * lengths_[j];
  }
  /// The end of the rod at contact i.
  Point end(int i, const Vector& q) const {
    Point at_end = Point::Zero();
    for (int j = 0; j < at(i).rod; ++j) at_end += lengths_[j] * along_rod(q[j]);
    return at_end;
  }
  /// How far it has moved since contact.
  Point way(int i, const Vector& q) const {
    Point way = Point::Zero();
    for (int j = 0; j < at(i).rod; ++j) {
      const double from = (*at_contact_)[j];
      way += 2.0 * lengths_[j] * std::sin(0.5 * (q[j] - from)) * sideways(0.5 * (q[j] + from));
    }
    return way;
  }
  /// Gradient of d · end.
  void along(int i, const Point& d, const Vector& q, Eigen::Ref<Vector> out) const {
    out.setZero();
    for (int j = 0; j < at(i).rod; ++j) out[j] = lengths_[j] * d.dot(sideways(q[j]));
  }

  MultiplePendulum pendulum_;
  std::optional<Vector> at_contact_;
  Vector lengths_;
  Vector weights_;  // w
  Vector own_;      // μ_ii
};

void require_obstacles(const MultiplePendulum& pendulum) {
  const std::size_t rods = pendulum.lengths.size();
  for (std::size_t i = 0; i < pendulum.obstacles.size(); ++i) {
    const PendulumObstacle& obstacle = pendulum.obstacles[i];
    const std::string entry = "obstacles[" + std::to_string(i) + "]";
    if (obstacle.rod < 1 || static_cast<std::size_t>(obstacle.rod) > rods) {
      throw InvalidInput(entry + ".rod", std::to_string(obstacle.rod) + " is not from 1 to " +
                                             std::to_string(rods) + ", the number of rods");
    }
    require_direction(obstacle.normal, entry + ".normal");
    require_finite(obstacle.through, entry + ".through");
  }
  require_different(HingedRods::obstacle_names(pendulum), "obstacles");
}

}  // namespace

void validate(const DoublePendulum& pendulum) {
  require_ranges("", pendulum);
  // ∇y = (l_1 sin θ_1, l_2 sin θ_2) and ∇x with cosines.
  const Eigen::Array2d lengths(pendulum.lengths.data());
  const Eigen::Array2d angles(pendulum.angles.data());
  const double least = kNoGradient * lengths.sum();
  if ((lengths * angles.sin()).matrix().norm() <= least) {
    throw InvalidInput("angles", "both rods are vertical: the tip cannot move towards the floor");
  }
  if (pendulum.wall != DoublePendulum::Wall::None &&
      (lengths * angles.cos()).matrix().norm() <= least) {
    throw InvalidInput("angles", "both rods are level: the tip cannot move towards the wall");
  }
  require_materials(pendulum.materials, pendulum.contacts());
}

DoublePendulum::operator AnySystem() const {
  validate(*this);
  MultiplePendulum rods{.masses = {masses.begin(), masses.end()},
                        .lengths = {lengths.begin(), lengths.end()},
                        .obstacles = {{.rod = 2, .name = "tip–floor"}},
                        .gravity = gravity,
                        .material = material,
                        .materials = materials};
  if (wall != Wall::None) {
    rods.obstacles.push_back({.rod = 2,
                              .normal = wall == Wall::Left ? Point(1.0, 0.0) : Point(-1.0, 0.0),
                              .name = "tip–wall"});
  }
  return HingedRods(std::move(rods), Vector(Vector::Map(angles.data(), 2)));
}

State DoublePendulum::at_contact(const Eigen::Vector2d& rates) const {
  validate(*this);
  require_finite(rates, "velocity");
  return {.position = Vector::Map(angles.data(), 2), .velocity = rates};
}

State DoublePendulum::at(const Eigen::Vector2d& start, const Eigen::Vector2d& rates) const {
  validate(*this);
  require_finite(start, "angles");
  require_finite(rates, "rates");
  return {.position = start, .velocity = rates};
}

void validate(const MultiplePendulum& pendulum) {
  if (pendulum.lengths.empty()) throw InvalidInput("lengths", "is empty; one rod at least");
  require_ranges("", pendulum);
  require_size(pendulum.masses.size(), pendulum.lengths.size(), "masses", "rod");
  if (pendulum.obstacles.empty()) throw InvalidInput("obstacles", "is empty; one at least");
  require_obstacles(pendulum);
  require_materials(pendulum.materials, pendulum.obstacles.size(), "obstacle");
}

MultiplePendulum::operator AnySystem() const {
  validate(*this);
  return HingedRods(*this);
}

State MultiplePendulum::at(const Vector& angles, const Vector& rates) const {
  validate(*this);
  require_numbers(angles, lengths.size(), "angles", "rod");
  require_numbers(rates, lengths.size(), "rates", "rod");
  return {.position = angles, .velocity = rates};
}

}  // namespace percute::systems
