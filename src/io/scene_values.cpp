// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/text.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace percute::io {

void require_size(const Value& list, std::string_view per, std::size_t least, std::size_t most) {
  if (list.size() < least || list.size() > most) {
    list.fail(fmt::format("must have from {} to {} entries, one per {}, got {}", least, most, per,
                          list.size()));
  }
}

void require_at_most(const Table& table, std::string_view key, int count, long most) {
  if (count > most) {
    table.fail(key, fmt::format("must be an integer from 1 to {}, got {}", most, count));
  }
}

void read_base(const Table& table, systems::BaseMotion& base) {
  if (const auto value = table.find("base")) base = read_fields<systems::BaseMotion>(*value);
}

void read_base(const Table& table, systems::PlanarBaseMotion& base) {
  const auto value = table.find("base");
  if (!value) return;
  const Table both(*value, {"horizontal", "vertical"});
  const auto horizontal = both.find("horizontal");
  const auto vertical = both.find("vertical");
  if (!horizontal && !vertical) {
    value->fail("give 'horizontal' or 'vertical' or both, each {acceleration = …, frequency = …}");
  }
  if (horizontal) base.horizontal = read_fields<systems::BaseMotion>(*horizontal);
  if (vertical) base.vertical = read_fields<systems::BaseMotion>(*vertical);
}

Vector read_numbers(const Value& value, Eigen::Index count, std::string_view form) {
  Vector numbers = value.numbers();
  if (numbers.size() != count) {
    value.fail(fmt::format("must have {}, {}, got {}", entries(count), form, numbers.size()));
  }
  return numbers;
}

Vector read_numbers(const Table& table, std::string_view key, Eigen::Index count,
                    std::string_view form) {
  const auto value = table.find(key);
  return value ? read_numbers(*value, count, form) : Vector(Vector::Zero(count));
}

Vector read_rows(const Value& value, std::size_t count, Eigen::Index columns, std::string_view per,
                 std::string_view form) {
  require_per(value, static_cast<int>(count), fmt::format("{}, each {}", per, form));
  Vector rows(static_cast<Eigen::Index>(count) * columns);
  for (std::size_t i = 0; i < count; ++i) {
    rows.segment(static_cast<Eigen::Index>(i) * columns, columns) =
        read_numbers(value[i], columns, form);
  }
  return rows;
}

double read_number(const Value& value, const Range& range, std::string_view why) {
  const double number = value.number();
  const std::string reason = out_of_range(range, number);
  if (!reason.empty()) value.fail(fmt::format("{}{}", reason, why));
  return number;
}

double read_positive(const Value& value) {
  return read_number(value, Range::positive());
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

int read_count(const Table& table, std::string_view thing, long most,
               std::initializer_list<std::string_view> lists) {
  const std::string key = fmt::format("{}s", thing);
  if (const auto count = table.find(key)) return static_cast<int>(count->integer(1, most));
  for (const std::string_view name : lists) {
    const auto list = table.find(name);
    if (!list) continue;
    require_size(*list, thing, 1, static_cast<std::size_t>(most));
    return static_cast<int>(list->size());
  }
  table.value().fail(
      fmt::format("the key '{}' is missing; or give a list with one entry per {}: {}", key, thing,
                  join(std::vector<std::string_view>(lists))));
}

void require_per(const Value& list, int count, std::string_view thing) {
  if (list.size() != static_cast<std::size_t>(count)) {
    list.fail(fmt::format("must have {} entries, one per {}, got {}", count, thing, list.size()));
  }
}

std::vector<double> read_each(const Table& table, std::string_view one, std::string_view list,
                              int count, std::string_view thing, bool needed) {
  const std::string reason =
      fmt::format("give either '{}' (equal {}s) or '{}' (one per {})", one, thing, list, thing);
  const auto given = needed ? std::optional(table.one_of({one, list}, reason))
                            : table.find_one({one, list}, reason);
  if (!given) return {};
  const auto& [key, value] = *given;
  if (key == one) return std::vector<double>(static_cast<std::size_t>(count), value.number());
  require_per(value, count, thing);
  const Vector numbers = value.numbers();
  return {numbers.begin(), numbers.end()};
}

double mass_of_ball(double density, double radius, const std::string& field) {
  const double mass = systems::sphere_mass(density, radius);
  // Radii that are not positive are refused with all that is wrong about a system.
  if (radius > 0.0 && !(mass > 0.0 && std::isfinite(mass))) {
    throw InvalidInput(
        field, fmt::format("the radius {:.6g} with the density {:.6g} gives the mass {:.6g}, which "
                           "is not a finite number > 0",
                           radius, density, mass));
  }
  return mass;
}

std::vector<double> read_masses(const Table& table, const std::vector<double>& radii) {
  const auto [key, value] =
      table.one_of({"mass", "masses", "density"},
                   "give either 'mass' (equal balls), 'masses' (one per ball) or 'density'");
  if (key != "density") {
    return read_each(table, "mass", "masses", static_cast<int>(radii.size()));
  }
  const double density = read_positive(value);
  std::vector<double> result;
  result.reserve(radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    result.push_back(mass_of_ball(density, radii[i], fmt::format("radii[{}]", i)));
  }
  return result;
}

systems::BallChain::Wall read_wall(const Table& table) {
  using Wall = systems::BallChain::Wall;
  const auto value = table.find("wall");
  if (!value) return Wall::None;
  if (const auto* on = value->node().as<bool>()) return *on ? Wall::Right : Wall::None;
  return value->choice(Names<Wall, 4>{
      {{"none", Wall::None}, {"left", Wall::Left}, {"right", Wall::Right}, {"both", Wall::Both}}});
}

std::vector<std::string> read_names(const Table& table, int balls, std::string_view thing) {
  const auto list = table.find("names");
  if (!list) return {};
  require_per(*list, balls, thing);
  return each_of(*list, [](const Value& name) { return name.string(); });
}

ElasticMaterial read_elastic(const Value& value) {
  if (value.node().as<std::string>() != nullptr) {
    std::vector<std::string_view> names;
    for (const NamedElasticMaterial& entry : elastic_materials()) {
      if (entry.name == value.string()) return entry.material;
      names.push_back(entry.name);
    }
    value.fail(fmt::format(
        "unknown material {}{}; available: {}, or {{youngs_modulus, poisson_ratio, density}}",
        value.node().describe(), did_you_mean(value.string(), names), join(names)));
  }
  if (value.node().as<Node::Object>() == nullptr) {
    value.fail("must be the name of a material or {youngs_modulus, poisson_ratio, density}, got " +
               value.node().describe());
  }
  const Table table(value, {"youngs_modulus", "poisson_ratio", "density"});
  ElasticMaterial material{.youngs_modulus = table.required("youngs_modulus").number_or_infinite(),
                           .poisson_ratio = table.required("poisson_ratio").number()};
  if (const auto density = table.find("density")) material.density = read_positive(*density);
  try {
    validate(material);
  } catch (const InvalidInput& error) {
    table.fail(error.field(), error.reason());
  }
  return material;
}

std::vector<ElasticMaterial> read_made_of(const Value& value, int balls) {
  if (value.node().as<Node::Array>() != nullptr) {
    require_per(value, balls);
    return each_of(value, read_elastic);
  }
  if (!value.find("repeat")) {
    if (value.node().as<Node::Object>() != nullptr) {
      // All that may stand here, for the message about a key that may not.
      Table(value, {"youngs_modulus", "poisson_ratio", "density", "repeat"});
    }
    return {read_elastic(value)};
  }
  const Value cell = Table(value, {"repeat"}).required("repeat");
  const std::vector<ElasticMaterial> turn = each_of(cell, read_elastic);
  const auto count = static_cast<std::size_t>(balls);
  if (turn.empty() || turn.size() > count) {
    cell.fail(fmt::format("must have from 1 to {} entries, for as many balls, got {}", balls,
                          turn.size()));
  }
  std::vector<ElasticMaterial> materials(count);
  for (std::size_t i = 0; i < count; ++i) materials[i] = turn[i % turn.size()];
  return materials;
}

void require_density(const Value& value, const std::vector<ElasticMaterial>& materials) {
  if (std::ranges::any_of(materials, [](const auto& m) { return m.density == 0.0; })) {
    value.fail("has no 'density'; give it, or 'mass', 'masses' or 'density' of the balls");
  }
}

// ------------------------------------------------------------------- radii by a pattern

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
  const auto named = radii->find("pattern");
  if (!named) {
    std::vector<std::string_view> names;
    for (const auto& [name, pattern] : kPatterns) names.push_back(name);
    radii->fail(fmt::format("the key 'pattern' is missing; available: {}", join(names)));
  }
  const Pattern pattern = named->choice(kPatterns);
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
