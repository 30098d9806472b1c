// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/material_keys.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

TriStiffness read_tri_stiffness(const Value& value) {
  constexpr std::array<std::string_view, 3> kKeys{"yield_indentation", "plastic_stiffness",
                                                  "unloading_stiffness"};
  const Table table(value, kKeys);
  return {.yield_indentation = table.required(kKeys[0]).number(),
          .plastic_stiffness = table.required(kKeys[1]).number(),
          .unloading_stiffness = table.required(kKeys[2]).number()};
}

}  // namespace

Material read_material(const Table& table, const Law& law) {
  for (const std::string_view key : kCompliantKeys) {
    if (table.has(key)) table.fail(key, "is used by law 'compliant' only");
  }
  Material material;
  material.restitution = table.number("restitution", material.restitution);
  material.stiffness = table.number("stiffness", material.stiffness);
  material.exponent = table.number("exponent", material.exponent);
  material.friction = table.number("friction", material.friction);
  if (const auto model = table.find("contact_model")) {
    material.contact_model = model->choice(kContactModels);
  }
  if (const auto slopes = table.find("tri_stiffness")) {
    material.tri_stiffness = read_tri_stiffness(*slopes);
  }

  const auto general = std::visit([](const auto& chosen) { return chosen.contact_model; }, law);
  if (material.contact_model.value_or(general) == ContactModel::TriStiffness) {
    // Its slopes say all: restitution and exponent, if written, are not used by this model.
    if (!material.tri_stiffness) {
      table.value().fail("contact model 'tri_stiffness' needs the key 'tri_stiffness'");
    }
  } else if (material.tri_stiffness) {
    table.fail("tri_stiffness", "is used by contact model 'tri_stiffness' only");
  }
  return material;
}

}  // namespace percute::io
