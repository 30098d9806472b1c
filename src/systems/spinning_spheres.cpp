// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/spinning_spheres.hpp>

#include <algorithm>
#include <utility>

namespace percute::systems {

namespace {

using Eigen::Vector3d;

// Largest gap, in sums of the radii, that still touches: centres written with seven digits.
constexpr double kTouchingCentres = 1e-6;

/// A round body that turns as well as moves: its coordinates are (x, y, z, r_x, r_y, r_z), in the
/// plane (x, y, angle).
struct SpinningSphere {
  double mass = 1.0;            ///< kg
  double radius = 1.0;          ///< m
  double inertia_factor = 0.4;  ///< β, I = β m r²
};

/// Where two of them may touch, or one of them a fixed plane.
struct SphereContact {
  static constexpr int kPlane = -1;
  int first = 0;
  int second = kPlane;
  std::string name = {};
  Material material = {};
  double touching = 0.0;               ///< m
  Vector3d normal = Vector3d::Zero();  ///< of the plane, unit, towards the sphere
  double offset = 0.0;                 ///< height of the centre that touches the plane, m
};

/// Spheres as a system. With s = r n from the first sphere, s = −r n from the second one and from a
/// sphere on a plane, the sliding velocity is that of the second sphere on the first, or of the
/// sphere on the plane; in the plane of motion along n turned by a right angle counter-clockwise.
class Spheres {
 public:
  Spheres(std::vector<SpinningSphere> spheres, std::vector<SphereContact> contacts, bool planar,
          std::vector<std::string> names)
      : spheres_(std::move(spheres)),
        contacts_(std::move(contacts)),
        planar_(planar),
        names_(std::move(names)),
        diagonal_(each_has() * static_cast<int>(spheres_.size())) {
    const int shift = planar_ ? 2 : 3;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      const SpinningSphere& sphere = spheres_[i];
      auto own = diagonal_.segment(each_has() * static_cast<int>(i), each_has());
      own.head(shift).setConstant(sphere.mass);
      own.tail(each_has() - shift)
          .setConstant(sphere.inertia_factor * sphere.mass * sphere.radius * sphere.radius);
    }
  }

  int coordinates() const { return static_cast<int>(diagonal_.size()); }
  int contacts() const { return static_cast<int>(contacts_.size()); }
  const Vector& diagonal_mass() const { return diagonal_; }
  double touching(int i) const { return at(i).touching; }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) {
      const SphereContact& touch = at(i);
      h[i] = alone(touch) ? touch.normal.dot(centre(touch.first, q)) - touch.offset
                          : apart(touch, q).stableNorm() -
                                (sphere(touch.first).radius + sphere(touch.second).radius);
    }
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    const Vector3d n = normal(at(i), q);
    write(at(i), n, n, column);
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = at(i).material, .directions = planar_ ? 1 : 2};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    const Vector3d n = normal(at(i), q);
    if (planar_) {
      write(at(i), n, Vector3d(-n.y(), n.x(), 0.0), T.col(0));
      return;
    }
    const Eigen::Matrix<double, 3, 2> t = tangents_of(n);
    for (Eigen::Index k = 0; k < 2; ++k) write(at(i), n, t.col(k), T.col(k));
  }
  Blocks blocks(int i) const {
    const auto block = [this](int k) -> std::array<int, 2> {
      if (k == SphereContact::kPlane) return {0, 0};
      return {each_has() * k, each_has()};
    };
    return {block(at(i).first), block(at(i).second)};
  }

  std::vector<Body> bodies() const { return rigid_bodies(names_, planar_); }
  std::vector<std::string> contact_names() const {
    return all_names(contacts(), [this](int i) { return at(i).name; });
  }

 private:
  int each_has() const { return planar_ ? 3 : 6; }
  const SphereContact& at(int i) const { return contacts_[static_cast<std::size_t>(i)]; }
  const SpinningSphere& sphere(int i) const { return spheres_[static_cast<std::size_t>(i)]; }
  static bool alone(const SphereContact& touch) { return touch.second == SphereContact::kPlane; }

  Vector3d centre(int i, const Vector& q) const {
    const Eigen::Index k = each_has() * i;
    return {q[k], q[k + 1], planar_ ? 0.0 : q[k + 2]};
  }
  Vector3d apart(const SphereContact& touch, const Vector& q) const {
    return centre(touch.second, q) - centre(touch.first, q);
  }
  Vector3d normal(const SphereContact& touch, const Vector& q) const {
    return alone(touch) ? touch.normal : Vector3d(apart(touch, q).stableNormalized());
  }
  /// What the velocity of sphere i at s along d is made of.
  void write_one(int i, const Vector3d& s, const Vector3d& d, double sign,
                 Eigen::Ref<Vector> column) const {
    if (planar_) {
      column.segment<3>(3 * i) = sign * velocity_row(Point(s.head<2>()), Point(d.head<2>()));
    } else {
      column.segment<6>(6 * i) = sign * velocity_row(s, d);
    }
  }
  /// Velocity along d of the second sphere, or of that on a plane, from what it touches.
  void write(const SphereContact& touch, const Vector3d& n, const Vector3d& d,
             Eigen::Ref<Vector> column) const {
    const int moving = alone(touch) ? touch.first : touch.second;
    write_one(moving, -sphere(moving).radius * n, d, 1.0, column);
    if (!alone(touch)) write_one(touch.first, sphere(touch.first).radius * n, d, -1.0, column);
  }

  std::vector<SpinningSphere> spheres_;
  std::vector<SphereContact> contacts_;
  bool planar_;
  std::vector<std::string> names_;
  Vector diagonal_;
};

/// I = β m r², of 0.4 for a solid sphere to 2/3 for a thin shell; a hoop has 1.
void require_inertia_factor(double factor, const std::string& field) {
  require(factor > 0.0 && factor <= 1.0, field, factor, "in (0, 1]; a solid sphere has 0.4");
}

/// The balls as they move along x, without spin.
BallChain row_of(const RotatingChain& chain) {
  return {.balls = chain.balls,
          .mass = chain.mass,
          .radius = chain.radius,
          .material = chain.material,
          .wall = chain.wall,
          .masses = chain.masses,
          .radii = chain.radii,
          .materials = chain.materials,
          .names = chain.names};
}

}  // namespace

void validate(const SphereOnPlane& sphere) {
  require_ranges("", sphere);
  require_positive(sphere.mass, "mass");
  require_inertia_factor(sphere.inertia_factor, "inertia_factor");
  require_direction(sphere.normal, "normal");
}

SphereOnPlane::operator AnySystem() const {
  validate(*this);
  return Spheres({{.mass = mass, .radius = radius, .inertia_factor = inertia_factor}},
                 {{.name = "sphere–plane",
                   .material = material,
                   .touching = kTouching * radius,
                   .normal = normal.stableNormalized(),
                   .offset = radius}},
                 /*planar=*/false, {"sphere"});
}

State SphereOnPlane::at_contact(const Eigen::Vector3d& velocity,
                                const Eigen::Vector3d& spin) const {
  validate(*this);
  require_finite(velocity, "velocity");
  require_finite(spin, "spin");
  State state{.position = Vector::Zero(6), .velocity = Vector(6)};
  state.position.head<3>() = radius * normal.stableNormalized();
  state.velocity << velocity, spin;
  return state;
}

void validate(const TwoSpheres& spheres) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_positive(spheres.masses[i], "masses" + entry);
    require_positive(spheres.radii[i], "radii" + entry);
    require_inertia_factor(spheres.inertia_factors[i], "inertia_factors" + entry);
    require_finite(spheres.centres[i], "centres" + entry);
  }
  const double sum = spheres.radii[0] + spheres.radii[1];
  const double distance = (spheres.centres[1] - spheres.centres[0]).stableNorm();
  if (!(std::abs(distance - sum) <= kTouchingCentres * sum)) {
    throw InvalidInput("centres", "are " + text(distance) +
                                      " m apart; spheres that touch are as far apart as the sum "
                                      "of their radii, " +
                                      text(sum) + " m");
  }
}

TwoSpheres::operator AnySystem() const {
  validate(*this);
  std::vector<SpinningSphere> spheres;
  for (std::size_t i = 0; i < 2; ++i) {
    spheres.push_back(
        {.mass = masses[i], .radius = radii[i], .inertia_factor = inertia_factors[i]});
  }
  return Spheres(std::move(spheres),
                 {{.second = 1,
                   .name = "1–2",
                   .material = material,
                   .touching = kTouchingCentres * (radii[0] + radii[1])}},
                 /*planar=*/false, {"sphere 1", "sphere 2"});
}

State TwoSpheres::at_contact(const Vectors& velocities, const Vectors& spins) const {
  validate(*this);
  State state{.position = Vector::Zero(12), .velocity = Vector(12)};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_finite(velocities[i], "velocity" + entry);
    require_finite(spins[i], "spin" + entry);
    const auto at = 6 * static_cast<Eigen::Index>(i);
    state.position.segment<3>(at) = centres[i];
    state.velocity.segment<3>(at) = velocities[i];
    state.velocity.segment<3>(at + 3) = spins[i];
  }
  return state;
}

int RotatingChain::contacts() const {
  return row_of(*this).contacts();
}

void validate(const RotatingChain& chain) {
  validate(row_of(chain));
  require_inertia_factor(chain.inertia_factor, "inertia_factor");
}

RotatingChain::operator AnySystem() const {
  validate(*this);
  const BallChain chain = row_of(*this);
  const AnySystem row = chain;
  const Vector x = chain.at_contact(Vector::Zero(balls)).position;
  std::vector<SpinningSphere> spheres;
  std::vector<std::string> all;
  for (const Body& body : row.bodies()) {
    spheres.push_back({.mass = each(masses, mass, all.size()),
                       .radius = each(radii, radius, all.size()),
                       .inertia_factor = inertia_factor});
    all.push_back(body.name);
  }
  std::vector<SphereContact> touches;
  for (const std::string& name : row.contact_names()) {
    const int i = static_cast<int>(touches.size());
    const int left = chain.wall_on_left() ? i - 1 : i;
    SphereContact touch{.first = left,
                        .second = left + 1,
                        .name = name,
                        .material = each(materials, material, i),
                        .touching = row.touching(i)};
    if (left < 0) {
      touch.first = 0;
      touch.second = SphereContact::kPlane;
      touch.normal = Vector3d::UnitX();
    } else if (left + 1 == balls) {
      touch.second = SphereContact::kPlane;
      touch.normal = -Vector3d::UnitX();
      touch.offset = -x[left];
    }
    touches.push_back(std::move(touch));
  }
  return Spheres(std::move(spheres), std::move(touches), !spatial, std::move(all));
}

State RotatingChain::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, coordinates(), "velocity", "coordinate");
  const Vector x = row_of(*this).at_contact(Vector::Zero(balls)).position;
  State state{.position = Vector::Zero(coordinates()), .velocity = velocity};
  for (int i = 0; i < balls; ++i) state.position[per_ball() * i] = x[i];
  return state;
}

State RotatingChain::struck_by(const Vector& first) const {
  validate(*this);
  require_numbers(first, per_ball(), "velocity", "coordinate");
  Vector velocity = Vector::Zero(coordinates());
  velocity.head(per_ball()) = first;
  return at_contact(velocity);
}

}  // namespace percute::systems
