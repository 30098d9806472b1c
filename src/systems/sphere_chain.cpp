// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace percute::systems {

namespace {

void require_radius(double radius) {
  require(radius > 0.0, "radius", radius, "a number > 0");
}

void require_count(int balls, const std::string& field) {
  if (balls < 1) throw InvalidInput(field, std::to_string(balls) + " is below 1");
}

/// SplitMix64 (Steele, Lea, Flood 2014): integer arithmetic only, so that every machine draws the
/// same numbers; the distributions of the standard library do not promise that.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    x ^= x >> 31U;
    return std::ldexp(static_cast<double>(x >> 11U), -53);
  }

 private:
  std::uint64_t state_;
};

constexpr double kPlane = std::numeric_limits<double>::infinity();

/// One entry for all, or one for each.
template <class T>
const T& entry(const std::vector<T>& list, std::size_t i) {
  return list.size() == 1 ? list[0] : list[i];
}

void require_valid(const ElasticMaterial& material, const std::string& path) {
  try {
    validate(material);
  } catch (const InvalidInput& error) {
    throw InvalidInput(path + error.field(), error.reason());
  }
}

void validate(const SphereChain& spheres) {
  const std::size_t balls = spheres.radii.size();
  if (balls == 0) throw InvalidInput("radii", "is empty; a chain has at least one ball");
  require_positive(spheres.radii, "radii");
  if (spheres.made_of.size() != 1) require_size(spheres.made_of.size(), balls, "made_of", "ball");
  for (std::size_t i = 0; i < spheres.made_of.size(); ++i) {
    const std::string path = "made_of[" + std::to_string(i) + "].";
    require_valid(spheres.made_of[i], path);
    if (spheres.masses.empty()) require_positive(spheres.made_of[i].density, path + "density");
  }
  if (spheres.wall_made_of) require_valid(*spheres.wall_made_of, "wall_made_of.");
}

/// Cubes of radii that are numbers may be none.
double mass_of(const SphereChain& spheres, std::size_t i) {
  const double radius = spheres.radii[i];
  const double density = entry(spheres.made_of, i).density;
  const double mass = sphere_mass(density, radius);
  if (!(mass > 0.0 && std::isfinite(mass))) {
    throw InvalidInput("radii[" + std::to_string(i) + "]",
                       "the radius " + text(radius) + " with the density " + text(density) +
                           " gives the mass " + text(mass) + ", which is not a finite number > 0");
  }
  return mass;
}

/// Two rigid bodies have no stiffness; `pair` says which they are.
void require_elastic(const ElasticMaterial& first, const ElasticMaterial& second,
                     const std::string& field, const std::string& pair) {
  if (std::isinf(first.youngs_modulus) && std::isinf(second.youngs_modulus)) {
    throw InvalidInput(field, pair +
                                  " are rigid (youngs_modulus is infinite); one of two bodies "
                                  "that touch must be elastic");
  }
}

}  // namespace

double sphere_mass(double density, double radius) {
  return 4.0 / 3.0 * std::numbers::pi * density * radius * radius * radius;
}

double inflated_stiffness(double pressure, double radius) {
  return 2.0 * std::numbers::pi * pressure * radius;
}

double stiffness_in_series(double first, double second) {
  return 1.0 / (1.0 / first + 1.0 / second);
}

double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second) {
  validate(first);
  validate(second);
  const auto compliance = [](const ElasticMaterial& material) {
    return (1.0 - material.poisson_ratio * material.poisson_ratio) / material.youngs_modulus;
  };
  const double sum = compliance(first) + compliance(second);
  if (sum == 0.0) {
    throw InvalidInput("youngs_modulus",
                       "both bodies of a contact are rigid (infinite); one of the two must be "
                       "elastic");
  }
  return 1.0 / sum;
}

double effective_radius(double first, double second) {
  require_radius(first);
  require_radius(second);
  return 1.0 / (1.0 / first + 1.0 / second);
}

double hertz_stiffness(const ElasticMaterial& first, double first_radius,
                       const ElasticMaterial& second, double second_radius) {
  return 4.0 / 3.0 * effective_modulus(first, second) *
         std::sqrt(effective_radius(first_radius, second_radius));
}

std::vector<double> stepped_radii(const std::vector<int>& counts,
                                  const std::vector<double>& values) {
  if (counts.empty()) throw InvalidInput("counts", "is empty; a chain has at least one ball");
  require_size(values.size(), counts.size(), "values", "count");
  require_positive(values, "values");
  std::vector<double> radii;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    require_count(counts[k], "counts[" + std::to_string(k) + "]");
    radii.insert(radii.end(), static_cast<std::size_t>(counts[k]), values[k]);
  }
  return radii;
}

std::vector<double> tapered_radii(int balls, double first, double taper) {
  require_count(balls, "balls");
  require_positive(first, "first");
  require(std::isfinite(taper) && taper < 1.0, "taper", taper, "a finite number < 1");
  std::vector<double> radii(static_cast<std::size_t>(balls), first);
  for (std::size_t i = 1; i < radii.size(); ++i) radii[i] = radii[i - 1] * (1.0 - taper);
  if (!(std::isnormal(radii.back()) && radii.back() > 0.0)) {
    throw InvalidInput("taper", text(taper) + " gives the last of " + std::to_string(balls) +
                                    " balls the radius " + text(radii.back()));
  }
  return radii;
}

std::vector<double> decorated_radii(const std::vector<double>& large, double small) {
  if (large.empty()) throw InvalidInput("large", "is empty; a chain has at least one ball");
  require_positive(large, "large");
  require_positive(small, "small");
  std::vector<double> radii(2 * large.size() - 1, small);
  for (std::size_t i = 0; i < large.size(); ++i) radii[2 * i] = large[i];
  return radii;
}

std::vector<double> dimer_radii(int balls, double first, double second) {
  require_count(balls, "balls");
  require_positive(first, "first");
  require_positive(second, "second");
  std::vector<double> radii(static_cast<std::size_t>(balls), first);
  for (std::size_t i = 1; i < radii.size(); i += 2) radii[i] = second;
  return radii;
}

std::vector<double> disordered_radii(int balls, double smallest, double largest,
                                     std::uint64_t seed) {
  require_count(balls, "balls");
  require_positive(smallest, "smallest");
  require_positive(largest, "largest");
  if (largest < smallest) {
    throw InvalidInput("largest", text(largest) + " is below smallest, " + text(smallest));
  }
  SplitMix64 random(seed);
  std::vector<double> radii(static_cast<std::size_t>(balls));
  for (double& radius : radii) radius = smallest + (largest - smallest) * random.uniform();
  return radii;
}

std::vector<double> big_ball_radii(int balls, double radius, double big, int place) {
  require_count(balls, "balls");
  require_positive(radius, "radius");
  require_positive(big, "big");
  if (place < 1 || place > balls) {
    throw InvalidInput("place", std::to_string(place) + " is not from 1 to " +
                                    std::to_string(balls) + ", the number of balls");
  }
  std::vector<double> radii(static_cast<std::size_t>(balls), radius);
  radii[static_cast<std::size_t>(place - 1)] = big;
  return radii;
}

std::vector<double> reversed_radii(std::vector<double> radii) {
  std::reverse(radii.begin(), radii.end());
  return radii;
}

BallChain SphereChain::chain() const {
  validate(*this);
  BallChain chain{.balls = static_cast<int>(radii.size()), .wall = wall, .radii = radii};
  if (masses.empty()) {
    chain.masses.reserve(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
      chain.masses.push_back(mass_of(*this, i));
    }
  } else {
    chain.masses = masses;
  }

  const auto contacts = static_cast<std::size_t>(chain.contacts());
  if (restitution.size() != 1) {
    require_size(restitution.size(), contacts, "restitution", "contact");
  }
  const auto wall_stiffness = [this](std::size_t ball) {
    const ElasticMaterial& own = entry(made_of, ball);
    const ElasticMaterial other = wall_made_of.value_or(own);
    require_elastic(own, other, wall_made_of ? "wall_made_of" : "made_of",
                    "the wall and ball " + std::to_string(ball + 1));
    return hertz_stiffness(own, radii[ball], other, kPlane);
  };
  chain.materials.reserve(contacts);
  const auto add = [&](double stiffness) {
    chain.materials.push_back({.restitution = entry(restitution, chain.materials.size()),
                               .stiffness = stiffness,
                               .exponent = 1.5});
  };
  if (chain.wall_on_left()) add(wall_stiffness(0));
  for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
    require_elastic(entry(made_of, i), entry(made_of, i + 1), "made_of",
                    "balls " + std::to_string(i + 1) + " and " + std::to_string(i + 2));
    add(hertz_stiffness(entry(made_of, i), radii[i], entry(made_of, i + 1), radii[i + 1]));
  }
  if (chain.wall_on_right()) add(wall_stiffness(radii.size() - 1));
  systems::validate(chain);
  return chain;
}

}  // namespace percute::systems
