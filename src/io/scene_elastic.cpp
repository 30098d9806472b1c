// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_elastic.hpp"

#include "io/scene_balls.hpp"
#include "io/suggest.hpp"

#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace percute::io {

namespace {

ElasticMaterial read_named(const Value& value) {
  std::vector<std::string_view> names;
  for (const NamedElasticMaterial& entry : elastic_materials()) {
    if (entry.name == value.string()) return entry.material;
    names.push_back(entry.name);
  }
  value.fail(fmt::format(
      "unknown material {}{}; available: {}, or {{youngs_modulus, poisson_ratio, density}}",
      value.node().describe(), did_you_mean(value.string(), names), join(names)));
}

std::vector<ElasticMaterial> read_list(const Value& list) {
  std::vector<ElasticMaterial> materials;
  materials.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) materials.push_back(read_elastic(list[i]));
  return materials;
}

}  // namespace

ElasticMaterial read_elastic(const Value& value) {
  if (value.node().as<std::string>() != nullptr) return read_named(value);
  if (value.node().as<Node::Object>() == nullptr) {
    value.fail("must be the name of a material or {youngs_modulus, poisson_ratio, density}, got " +
               value.node().describe());
  }
  const Table table(value,
                    std::array<std::string_view, 3>{"youngs_modulus", "poisson_ratio", "density"});
  ElasticMaterial material{.youngs_modulus = table.required("youngs_modulus").number_or_infinite(),
                           .poisson_ratio = table.required("poisson_ratio").number()};
  if (const auto density = table.find("density")) {
    material.density = density->number();
    if (!(material.density > 0.0)) {
      density->fail("must be a number > 0, got " + density->node().describe());
    }
  }
  try {
    validate(material);
  } catch (const InvalidInput& error) {
    table.fail(error.field(), error.reason());
  }
  return material;
}

std::vector<ElasticMaterial> read_made_of(const Value& value, int balls) {
  if (value.node().as<Node::Array>() != nullptr) {
    require_per_ball(value, balls);
    return read_list(value);
  }
  if (value.node().find("repeat") == nullptr) {
    if (value.node().as<Node::Object>() != nullptr) {
      // All that may stand here, for the message about a key that may not.
      const Table table(value, std::array<std::string_view, 4>{"youngs_modulus", "poisson_ratio",
                                                               "density", "repeat"});
    }
    return {read_elastic(value)};
  }
  const Value cell = Table(value, std::array<std::string_view, 1>{"repeat"}).required("repeat");
  const std::vector<ElasticMaterial> turn = read_list(cell);
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
