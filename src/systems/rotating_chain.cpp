// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/spinning_spheres.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/spinning_spheres.hpp>

namespace percute::systems {

namespace {

using Eigen::Vector3d;

bool wall_on_left(const RotatingChain& chain) {
  return chain.wall == BallChain::Wall::Left || chain.wall == BallChain::Wall::Both;
}

bool wall_on_right(const RotatingChain& chain) {
  return chain.wall == BallChain::Wall::Right || chain.wall == BallChain::Wall::Both;
}

double radius_of(const RotatingChain& chain, int ball) {
  return each(chain.radii, chain.radius, static_cast<std::size_t>(ball));
}

/// Centres at contact, along x.
std::vector<double> row_of(const RotatingChain& chain) {
  std::vector<double> x(static_cast<std::size_t>(chain.balls), 0.0);
  for (int i = 1; i < chain.balls; ++i) {
    const auto k = static_cast<std::size_t>(i);
    x[k] = x[k - 1] + radius_of(chain, i - 1) + radius_of(chain, i);
  }
  return x;
}

std::vector<SpinningSphere> spheres_of(const RotatingChain& chain, const State& state) {
  std::vector<SpinningSphere> spheres(static_cast<std::size_t>(chain.balls));
  const Eigen::Index space = chain.spatial ? 3 : 2;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    SpinningSphere& sphere = spheres[i];
    sphere.mass = each(chain.masses, chain.mass, i);
    sphere.radius = each(chain.radii, chain.radius, i);
    sphere.inertia = chain.inertia_factor * sphere.mass * sphere.radius * sphere.radius;
    sphere.centre.head(space) =
        state.position.segment(chain.per_ball() * static_cast<Eigen::Index>(i), space);
  }
  return spheres;
}

std::string between(const std::string& first, const std::string& second) {
  return first + "–" + second;
}

/// A contact that is closed, and its place among all of the chain, from left to right.
struct Touching {
  std::size_t place = 0;
  SphereTouch touch = {};
};

std::vector<Touching> closed_contacts(const RotatingChain& chain,
                                      const std::vector<SpinningSphere>& spheres) {
  std::vector<Touching> closed;
  std::size_t place = 0;
  const auto consider = [&](double gap, double size, SphereTouch touch) {
    touch.material = each(chain.materials, chain.material, place);
    if (gap <= kTouching * size) closed.push_back({.place = place, .touch = touch});
    ++place;
  };
  if (wall_on_left(chain)) {
    const SpinningSphere& first = spheres.front();
    consider(first.centre.x(), first.radius, {.first = 0, .normal = Vector3d::UnitX()});
  }
  for (int i = 0; i + 1 < chain.balls; ++i) {
    const SpinningSphere& left = spheres[static_cast<std::size_t>(i)];
    const SpinningSphere& right = spheres[static_cast<std::size_t>(i) + 1];
    const Vector3d apart = right.centre - left.centre;
    const double sum = left.radius + right.radius;
    consider(apart.stableNorm() - sum, sum,
             {.first = i, .second = i + 1, .normal = apart.stableNormalized()});
  }
  if (wall_on_right(chain)) {
    const SpinningSphere& last = spheres.back();
    consider(row_of(chain).back() - last.centre.x(), last.radius,
             {.first = chain.balls - 1, .normal = -Vector3d::UnitX()});
  }
  return closed;
}

}  // namespace

int RotatingChain::contacts() const {
  return balls - 1 + (wall_on_left(*this) ? 1 : 0) + (wall_on_right(*this) ? 1 : 0);
}

void validate(const RotatingChain& chain) {
  if (chain.balls < 1) {
    throw InvalidInput("balls", std::to_string(chain.balls) + " is not a number from 1");
  }
  const auto balls = static_cast<std::size_t>(chain.balls);
  require_each(chain.radii, chain.radius, balls, "radii", "radius");
  require_each(chain.masses, chain.mass, balls, "masses", "mass");
  require_inertia_factor(chain.inertia_factor, "inertia_factor");
  require_names(chain.names, balls);
  if (!chain.materials.empty()) {
    require_size(chain.materials.size(), static_cast<std::size_t>(chain.contacts()), "materials",
                 "contact");
  }
}

State RotatingChain::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), static_cast<std::size_t>(coordinates()),
               "velocity", "coordinate");
  require_finite(velocity, "velocity");
  Vector position = Vector::Zero(coordinates());
  const std::vector<double> x = row_of(*this);
  for (std::size_t i = 0; i < x.size(); ++i) {
    position[per_ball() * static_cast<Eigen::Index>(i)] = x[i];
  }
  return {.position = std::move(position), .velocity = velocity};
}

State RotatingChain::struck_by(const Vector& first) const {
  validate(*this);
  require_size(static_cast<std::size_t>(first.size()), static_cast<std::size_t>(per_ball()),
               "velocity", "coordinate");
  Vector velocity = Vector::Zero(coordinates());
  velocity.head(per_ball()) = first;
  return at_contact(velocity);
}

ImpactProblem RotatingChain::impact(const State& state) const {
  validate(*this);
  require_state(state, static_cast<std::size_t>(coordinates()), "coordinate");
  const std::vector<SpinningSphere> spheres = spheres_of(*this, state);
  std::vector<SphereTouch> touches;
  for (const Touching& closed : closed_contacts(*this, spheres)) touches.push_back(closed.touch);
  return spheres_impact(spheres, touches, state.velocity, !spatial);
}

std::vector<Body> RotatingChain::bodies() const {
  validate(*this);
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(balls));
  for (const Body& body : named_bodies(names, static_cast<std::size_t>(balls))) {
    all.push_back(body.name);
  }
  return rigid_bodies(all, !spatial);
}

std::vector<std::string> RotatingChain::contact_names(const State& state) const {
  validate(*this);
  require_state(state, static_cast<std::size_t>(coordinates()), "coordinate");
  std::vector<std::string> result;
  for (const auto& [place, touch] : closed_contacts(*this, spheres_of(*this, state))) {
    const std::string first = short_name(names, static_cast<std::size_t>(touch.first));
    if (touch.second != SphereTouch::kObstacle) {
      const std::string second = short_name(names, static_cast<std::size_t>(touch.second));
      result.push_back(between(first, second));
    } else {
      const bool left = place == 0 && wall_on_left(*this);
      result.push_back(left ? between("wall", first) : between(first, "wall"));
    }
  }
  return result;
}

}  // namespace percute::systems
