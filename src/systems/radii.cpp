// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::systems {

namespace {

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

}  // namespace

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
  if (!(std::isfinite(taper) && taper < 1.0)) {
    throw InvalidInput("taper", text(taper) + " is not a finite number < 1");
  }
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

}  // namespace percute::systems
