// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace percute::io {

Table table_of(const Value& value, std::initializer_list<std::string_view> keys) {
  return {value, std::span(keys.begin(), keys.size())};
}

void require_few(const Value& list, std::string_view per, std::size_t least) {
  if (list.size() < least || list.size() > kMaxPoints) {
    list.fail(fmt::format("must have from {} to {} entries, one per {}, got {}", least, kMaxPoints,
                          per, list.size()));
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
  const Table both = table_of(*value, {"horizontal", "vertical"});
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
  if (value.size() != count) {
    value.fail(fmt::format("must have {}, one {} per {}, got {}", entries(count), form, per,
                           value.size()));
  }
  Vector rows(static_cast<Eigen::Index>(count) * columns);
  for (std::size_t i = 0; i < count; ++i) {
    rows.segment(static_cast<Eigen::Index>(i) * columns, columns) =
        read_numbers(value[i], columns, form);
  }
  return rows;
}

systems::Point read_point(const Value& value) {
  const Vector numbers = value.numbers();
  if (numbers.size() != 2) {
    value.fail("must be two numbers, [x, y], got " + value.node().describe());
  }
  return numbers;
}

std::vector<systems::Point> read_points(const Value& value) {
  std::vector<systems::Point> points;
  points.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) points.push_back(read_point(value[i]));
  return points;
}

Eigen::Vector3d read_vector(const Value& value) {
  const Vector numbers = value.numbers();
  if (numbers.size() != 3) {
    value.fail("must be three numbers, [x, y, z], got " + value.node().describe());
  }
  return numbers;
}

double read_not_negative(const Value& value, std::string_view why) {
  const double number = value.number();
  if (number < 0.0) {
    value.fail(fmt::format("must be a number >= 0{}, got {}", why, value.node().describe()));
  }
  return number;
}

double read_positive(const Value& value) {
  if (!(value.number() > 0.0)) value.fail("must be a number > 0, got " + value.node().describe());
  return value.number();
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
    const std::size_t size = list->size();
    if (size < 1 || size > static_cast<std::size_t>(most)) {
      list->fail(
          fmt::format("must have from 1 to {} entries, one per {}, got {}", most, thing, size));
    }
    return static_cast<int>(size);
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

std::optional<std::vector<double>> read_each(const Table& table, std::string_view one,
                                             std::string_view list, int count,
                                             std::string_view thing) {
  const auto single = table.find(one);
  const auto several = table.find(list);
  if (!single && !several) return {};
  if (single && several) return required_each(table, one, list, count, thing);
  if (single) return std::vector<double>(static_cast<std::size_t>(count), single->number());
  require_per(*several, count, thing);
  const Vector numbers = several->numbers();
  return std::vector<double>(numbers.begin(), numbers.end());
}

std::vector<double> required_each(const Table& table, std::string_view one, std::string_view list,
                                  int count, std::string_view thing) {
  if (table.has(one) == table.has(list)) {
    table.fail(list, fmt::format("give either '{}' (equal {}s) or '{}' (one per {})", one, thing,
                                 list, thing));
  }
  return *read_each(table, one, list, count, thing);
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
  const bool by_density = table.has("density");
  const auto masses = read_each(table, "mass", "masses", static_cast<int>(radii.size()));
  if (by_density == masses.has_value()) {
    table.fail(by_density ? "density" : "masses",
               "give either 'mass' (equal balls), 'masses' (one per ball) or 'density'");
  }
  if (masses) return *masses;
  const double density = read_positive(table.required("density"));
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
  if (value->node().as<std::string>() == nullptr) {
    value->fail(R"(must be "none", "left", "right" or "both" (or true: right, false: none), got )" +
                value->node().describe());
  }
  return value->choice(Names<Wall, 4>{
      {{"none", Wall::None}, {"left", Wall::Left}, {"right", Wall::Right}, {"both", Wall::Both}}});
}

std::vector<std::string> read_names(const Table& table, int balls) {
  const auto list = table.find("names");
  if (!list) return {};
  require_per(*list, balls);
  std::vector<std::string> names;
  names.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) names.push_back((*list)[i].string());
  return names;
}

namespace {

ElasticMaterial read_named_material(const Value& value) {
  std::vector<std::string_view> names;
  for (const NamedElasticMaterial& entry : elastic_materials()) {
    if (entry.name == value.string()) return entry.material;
    names.push_back(entry.name);
  }
  value.fail(fmt::format(
      "unknown material {}{}; available: {}, or {{youngs_modulus, poisson_ratio, density}}",
      value.node().describe(), did_you_mean(value.string(), names), join(names)));
}

std::vector<ElasticMaterial> read_materials_list(const Value& list) {
  std::vector<ElasticMaterial> materials;
  materials.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) materials.push_back(read_elastic(list[i]));
  return materials;
}

}  // namespace

ElasticMaterial read_elastic(const Value& value) {
  if (value.node().as<std::string>() != nullptr) return read_named_material(value);
  if (value.node().as<Node::Object>() == nullptr) {
    value.fail("must be the name of a material or {youngs_modulus, poisson_ratio, density}, got " +
               value.node().describe());
  }
  const Table table = table_of(value, {"youngs_modulus", "poisson_ratio", "density"});
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
    return read_materials_list(value);
  }
  if (value.node().find("repeat") == nullptr) {
    if (value.node().as<Node::Object>() != nullptr) {
      // All that may stand here, for the message about a key that may not.
      table_of(value, {"youngs_modulus", "poisson_ratio", "density", "repeat"});
    }
    return {read_elastic(value)};
  }
  const Value cell = table_of(value, {"repeat"}).required("repeat");
  const std::vector<ElasticMaterial> turn = read_materials_list(cell);
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

}  // namespace percute::io
