// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"

#include <percute/io/document.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace percute::io {

namespace {

using Radii = std::vector<double>;

/// Makes radii of the keys of a pattern, for so many balls.
using Maker = Radii (*)(const Table& table, int balls);

double number(const Table& table, std::string_view key) {
  return table.required(key).number();
}

Radii stepped(const Table& table, int /*balls*/) {
  const std::vector<long> counts = table.required("counts").integers(1, kMaxBalls);
  const Vector values = table.required("values").numbers();
  return systems::stepped_radii({counts.begin(), counts.end()}, {values.begin(), values.end()});
}

Radii decorated(const Table& table, int balls) {
  if (balls % 2 == 0) {
    throw InvalidInput("balls", fmt::format("{} is even; small balls between n large ones make "
                                            "2 n - 1 balls",
                                            balls));
  }
  const double taper = table.number("taper", 0.0);
  return systems::decorated_radii(
      systems::tapered_radii((balls + 1) / 2, number(table, "first"), taper),
      number(table, "small"));
}

struct Pattern {
  Maker make;
  std::array<std::string_view, 3> keys;  ///< its own; empty where there are fewer
};

constexpr Names<Pattern, 6> kPatterns{{
    {"stepped", {stepped, {"counts", "values", ""}}},
    {"tapered",
     {[](const Table& t, int balls) {
        return systems::tapered_radii(balls, number(t, "first"), number(t, "taper"));
      },
      {"first", "taper", ""}}},
    {"decorated", {decorated, {"first", "taper", "small"}}},
    {"dimer",
     {[](const Table& t, int balls) {
        return systems::dimer_radii(balls, number(t, "first"), number(t, "second"));
      },
      {"first", "second", ""}}},
    {"disordered",
     {[](const Table& t, int balls) {
        const long seed = t.required("seed").integer(0, std::numeric_limits<long>::max());
        return systems::disordered_radii(balls, number(t, "smallest"), number(t, "largest"),
                                         static_cast<std::uint64_t>(seed));
      },
      {"smallest", "largest", "seed"}}},
    {"big_ball",
     {[](const Table& t, int balls) {
        return systems::big_ball_radii(balls, number(t, "radius"), number(t, "big"),
                                       static_cast<int>(t.required("place").integer(1, balls)));
      },
      {"radius", "big", "place"}}},
}};

/// The pattern, whose keys are not known before.
Pattern read_pattern(const Value& radii) {
  const Node* node = radii.node().find("pattern");
  if (node == nullptr) {
    std::vector<std::string_view> names;
    names.reserve(kPatterns.size());
    for (const auto& [name, pattern] : kPatterns) names.push_back(name);
    radii.fail(fmt::format("the key 'pattern' is missing; available: {}", join(names)));
  }
  return Value(radii.document(), *node, radii.path() + ".pattern").choice(kPatterns);
}

std::vector<std::string_view> keys_of(const Pattern& pattern) {
  std::vector<std::string_view> keys{"pattern"};
  for (const std::string_view key : pattern.keys) {
    if (!key.empty()) keys.push_back(key);
  }
  keys.emplace_back("reversed");
  return keys;
}

/// Balls of a stepped chain: the sum of its counts, which 'balls' may repeat.
int count_steps(const Table& system, const Table& table) {
  const Value counts = table.required("counts");
  const std::vector<long> list = counts.integers(1, kMaxBalls);
  const long sum = std::accumulate(list.begin(), list.end(), 0L);
  if (sum < 1 || sum > kMaxBalls) {
    counts.fail(fmt::format("must add up to 1 to {} balls, got {}", kMaxBalls, sum));
  }
  if (const auto balls = system.find("balls"); balls && balls->integer(1, kMaxBalls) != sum) {
    balls->fail(
        fmt::format("must be {}, the sum of radii.counts, got {}", sum, balls->node().describe()));
  }
  return static_cast<int>(sum);
}

}  // namespace

std::optional<std::vector<double>> read_radii_pattern(const Table& system) {
  const auto radii = system.find("radii");
  if (!radii || radii->node().as<Node::Object>() == nullptr) return {};
  if (system.has("radius")) {
    radii->fail("give either 'radius' (equal balls) or 'radii' (one per ball, or a pattern)");
  }
  const Pattern pattern = read_pattern(*radii);
  const Table table(*radii, keys_of(pattern));
  const int balls = pattern.make == stepped
                        ? count_steps(system, table)
                        : read_count(system, "ball", kMaxBalls, {"masses", "names"});
  try {
    Radii result = pattern.make(table, balls);
    return table.boolean("reversed", false) ? systems::reversed_radii(std::move(result)) : result;
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    if (error.field() == "balls") system.fail("balls", error.reason());
    const std::string path = radii->path() + "." + error.field();
    const Document& document = radii->document();
    throw FileError(document.where(document.nearest(path)), path, error.reason());
  }
}

}  // namespace percute::io
