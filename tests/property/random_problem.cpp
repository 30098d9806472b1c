// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "property/random_problem.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace percute::property {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Material material_of(const Recipe::Touch& touch, int model) {
  constexpr std::array<double, 4> kExponents{1.0, 1.5, 2.0, 1.3};
  Material material;
  material.restitution = touch.restitution < 0      ? 0.0
                         : touch.restitution > 1000 ? 1.0
                                                    : touch.restitution / 1000.0;
  material.stiffness = std::pow(10.0, touch.stiffness / 1000.0);
  material.exponent = kExponents[static_cast<std::size_t>(touch.exponent)];
  if (model == 2) {
    const double k1 = material.stiffness;
    material.tri_stiffness =
        TriStiffness{.yield_indentation = 0.05 + 0.001 * std::abs(touch.restitution),
                     .plastic_stiffness = (0.3 + 0.001 * std::abs(touch.stiffness)) * k1,
                     .unloading_stiffness = 2.0 * k1};
  }
  return material;
}

/// Balls on a line, contact i between i and i + 1, perhaps one more with a wall.
Triplets chain_contacts(int balls, bool wall, int& contacts) {
  Triplets W;
  contacts = balls - 1 + (wall ? 1 : 0);
  for (int i = 0; i < contacts; ++i) {
    W.emplace_back(i, i, -1.0);
    if (i + 1 < balls) W.emplace_back(i + 1, i, 1.0);
  }
  return W;
}

/// Disks of unit diameter, each touching an earlier one in its own direction.
Triplets cluster_contacts(const std::vector<Recipe::Body>& bodies, int& contacts) {
  Triplets W;
  contacts = static_cast<int>(bodies.size()) - 1;
  for (int i = 0; i < contacts; ++i) {
    const int first = i / 2;
    const int second = i + 1;
    const double angle = 2.0 * std::numbers::pi * bodies[i].direction / 1000.0;
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    W.emplace_back(2 * first, i, -x);
    W.emplace_back(2 * first + 1, i, -y);
    W.emplace_back(2 * second, i, x);
    W.emplace_back(2 * second + 1, i, y);
  }
  return W;
}

/// Random gradients; the seed comes from the recipe, so the same recipe gives the same problem.
Triplets random_contacts(int coordinates, std::mt19937& random, int& contacts) {
  std::normal_distribution<double> normal;
  Triplets W;
  contacts = coordinates;
  for (int i = 0; i < contacts; ++i) {
    for (int c = 0; c < coordinates; ++c) W.emplace_back(c, i, normal(random));
  }
  return W;
}

}  // namespace

ImpactProblem Recipe::problem() const {
  ImpactProblem problem;
  const int count = static_cast<int>(bodies.size());
  const bool planar = shape == Shape::Cluster;
  const int n = planar ? 2 * count : count;
  Vector mass(n);
  problem.velocity.resize(n);
  for (int i = 0; i < count; ++i) {
    const double m = std::pow(10.0, bodies[i].mass / 1000.0);
    const double v = bodies[i].speed / 1000.0;
    const double angle = 2.0 * std::numbers::pi * bodies[i].direction / 1000.0;
    if (planar) {
      mass[2 * i] = mass[2 * i + 1] = m;
      problem.velocity[2 * i] = v * std::cos(3.0 * angle);
      problem.velocity[2 * i + 1] = v * std::sin(3.0 * angle);
    } else {
      mass[i] = m;
      problem.velocity[i] = v;
    }
  }
  problem.mass = MassMatrix::diagonal(mass);

  int m = 0;
  Triplets W;
  std::mt19937 random(static_cast<unsigned>(bodies[0].mass + 31 * bodies[0].speed + 7 * count));
  switch (shape) {
    case Shape::Chain:
      W = chain_contacts(count, false, m);
      break;
    case Shape::ChainOnWall:
      W = chain_contacts(count, true, m);
      break;
    case Shape::Cluster:
      W = cluster_contacts(bodies, m);
      break;
    case Shape::DenseMass: {
      W = random_contacts(n, random, m);
      std::normal_distribution<double> normal;
      Matrix B(n, n);
      for (double& entry : B.reshaped()) entry = normal(random);
      problem.mass = MassMatrix::dense(B * B.transpose() + Matrix::Identity(n, n));
      break;
    }
  }
  if (duplicate) {
    Triplets first;
    for (const auto& entry : W) {
      if (entry.col() == 0) first.emplace_back(entry.row(), m, entry.value());
    }
    W.insert(W.end(), first.begin(), first.end());
    ++m;
  }
  problem.gradients.resize(n, m);
  problem.gradients.setFromTriplets(W.begin(), W.end());
  for (int i = 0; i < m; ++i) {
    const Touch& touch = touches[static_cast<std::size_t>(i) % touches.size()];
    problem.contacts.push_back({.material = material_of(touch, model),
                                .stored_energy = std::max(0.0, touch.stored / 1000.0)});
  }
  return problem;
}

laws::Lzb Recipe::law() const {
  constexpr std::array<ContactModel, 3> kModels{
      ContactModel::BiStiffness, ContactModel::MonoStiffness, ContactModel::TriStiffness};
  return {.contact_model = kModels[static_cast<std::size_t>(model)],
          .reengagement =
              tracked_gap ? laws::Lzb::Reengagement::TrackedGap : laws::Lzb::Reengagement::ZeroGap,
          .tolerance = 1e-10};
}

std::ostream& operator<<(std::ostream& out, const Recipe& recipe) {
  out << "shape " << static_cast<int>(recipe.shape) << ", model " << recipe.model
      << (recipe.duplicate ? ", first contact twice" : "")
      << (recipe.tracked_gap ? ", tracked gap" : "") << "\n  bodies";
  for (const auto& b : recipe.bodies) {
    out << " {" << b.mass << ", " << b.speed << ", " << b.direction << "}";
  }
  out << "\n  touches";
  for (const auto& t : recipe.touches) {
    out << " {" << t.restitution << ", " << t.stiffness << ", " << t.exponent << ", " << t.stored
        << "}";
  }
  return out << "\n";
}

rc::Gen<Recipe> recipes(Family family) {
  // Containers have a size of 8, and so has what they hold, which is then drawn from a part of its
  // range; wide problems need all of it.
  constexpr int kLength = 8;
  const int part = family.wide ? rc::kNominalSize : kLength;
  using rc::gen::inRange;
  // Bodies at rest, as in a cradle, and equal speeds are the rule in practice.
  const auto speed = rc::gen::weightedOneOf<int>(
      {{2, inRange(-1000, 1001)}, {1, rc::gen::just(0)}, {1, rc::gen::just(500)}});
  const int reach = family.wide ? 6000 : 1000;
  const auto body =
      rc::gen::build<Recipe::Body>(rc::gen::set(&Recipe::Body::mass, inRange(-reach, reach + 1)),
                                   rc::gen::set(&Recipe::Body::speed, speed),
                                   rc::gen::set(&Recipe::Body::direction, inRange(0, 1000)));
  const auto touch = rc::gen::build<Recipe::Touch>(
      rc::gen::set(&Recipe::Touch::restitution,
                   family.elastic ? rc::gen::just(1001) : inRange(-300, 1301)),
      rc::gen::set(&Recipe::Touch::stiffness, inRange(-reach, reach + 1)),
      rc::gen::set(&Recipe::Touch::exponent, inRange(0, 4)),
      rc::gen::set(&Recipe::Touch::stored,
                   family.precompression ? inRange(-1500, 500) : rc::gen::just(0)));
  const auto raw = rc::gen::build<Recipe>(
      rc::gen::set(&Recipe::shape,
                   family.free_bodies
                       ? rc::gen::element(Recipe::Shape::Chain, Recipe::Shape::Cluster)
                       : rc::gen::element(Recipe::Shape::Chain, Recipe::Shape::ChainOnWall,
                                          Recipe::Shape::Cluster, Recipe::Shape::DenseMass)),
      rc::gen::set(&Recipe::bodies,
                   rc::gen::resize(kLength, rc::gen::container<std::vector<Recipe::Body>>(
                                                rc::gen::resize(part, body)))),
      rc::gen::set(&Recipe::touches,
                   rc::gen::resize(kLength, rc::gen::container<std::vector<Recipe::Touch>>(
                                                rc::gen::resize(part, touch)))),
      rc::gen::set(&Recipe::duplicate, rc::gen::arbitrary<bool>()),
      rc::gen::set(&Recipe::tracked_gap, rc::gen::arbitrary<bool>()),
      rc::gen::set(&Recipe::model, inRange(0, family.tri_stiffness && !family.elastic ? 3 : 2)));
  return rc::gen::map(raw, [family](Recipe recipe) {
    while (recipe.bodies.size() < 2) recipe.bodies.push_back({.mass = 0, .speed = 500});
    if (recipe.touches.empty()) recipe.touches.push_back({.restitution = 1001});
    if (family.one_exponent) {
      for (auto& t : recipe.touches) t.exponent = recipe.touches[0].exponent;
    }
    return recipe;
  });
}

double velocity_scale(const ImpactProblem& problem) {
  return scales(problem).velocity;
}

double distance(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace percute::property
