// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/material_keys.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>

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

using Force = laws::Compliant::Force;

/// Keys of compliant forces that the law, or its force, would not use, and exponents that the force
/// does not have.
void refuse_unused(const MaterialKeys& find, const laws::Compliant* law) {
  const ForceKeys used = law != nullptr ? force_keys(law->force) : ForceKeys{};
  for (const std::string_view key : kCompliantKeys) {
    const auto value = find(key);
    if (!value) continue;
    if (law == nullptr) value->fail("is used by law 'compliant' only");
    if (std::ranges::find(used.keys, key) == used.keys.end()) {
      value->fail(fmt::format("is not used by force '{}'", name_of(law->force)));
    }
  }
  const auto exponent = find("exponent");
  if (exponent && used.exponent && exponent->number() != *used.exponent) {
    exponent->fail(fmt::format("force '{}' has exponent {}, got {}", name_of(law->force),
                               *used.exponent, exponent->number()));
  }
}

}  // namespace

ForceKeys force_keys(Force force) {
  switch (force) {
    case Force::Hertz:
      return {.keys = {}, .exponent = 1.5};
    case Force::Linear:
      return {.keys = {}, .exponent = 1.0};
    case Force::KelvinVoigt:
      return {.keys = {"damping"}, .exponent = 1.0};
    case Force::HuntCrossley:
      return {.keys = {"damping"}};
    case Force::KuwabaraKono:
    case Force::Tsuji:
      return {.keys = {"damping"}, .exponent = 1.5};
    case Force::WaltonBraun:
      return {.keys = {"unloading_stiffness"}, .exponent = 1.0};
    case Force::Elastoplastic:
      return {.keys = {"effective_modulus", "effective_radius", "yield_pressure"}};
    default:
      return {};
  }
}

ContactModel contact_model(const AnyLaw& law) {
  const auto* lzb = law.as<laws::Lzb>();
  return lzb != nullptr ? lzb->contact_model : laws::Lzb{}.contact_model;
}

Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base) {
  const auto* compliant = law.as<laws::Compliant>();
  refuse_unused(find, compliant);
  if (compliant != nullptr) {
    for (const std::string_view key : force_keys(compliant->force).keys) {
      if (!find(key)) {
        owner.fail(fmt::format("force '{}' needs the key '{}'", name_of(compliant->force), key));
      }
    }
  }
  const auto number = [&](std::string_view key, double otherwise) {
    const auto value = find(key);
    return value ? value->number() : otherwise;
  };
  Material material = base;
  material.restitution = number("restitution", material.restitution);
  material.stiffness = number("stiffness", material.stiffness);
  material.exponent = number("exponent", material.exponent);
  if (const auto friction = find("friction")) material.friction = friction->number_or_infinite();
  if (const auto model = find("contact_model")) {
    material.contact_model = model->choice(names(ContactModel{}));
  }
  const auto slopes = find("tri_stiffness");
  if (slopes) material.tri_stiffness = read_tri_stiffness(*slopes);

  const ContactModel general = contact_model(law);
  if (material.contact_model.value_or(general) == ContactModel::TriStiffness) {
    // Its slopes say all: restitution and exponent, if written, are not used by this model.
    if (!material.tri_stiffness) {
      owner.fail("contact model 'tri_stiffness' needs the key 'tri_stiffness'");
    }
  } else if (slopes && (compliant == nullptr || compliant->force != Force::TriStiffness)) {
    slopes->fail("is used by contact model 'tri_stiffness' only");
  }
  material.damping = number("damping", material.damping);
  material.unloading_stiffness = number("unloading_stiffness", material.unloading_stiffness);
  material.effective_modulus = number("effective_modulus", material.effective_modulus);
  material.effective_radius = number("effective_radius", material.effective_radius);
  material.yield_pressure = number("yield_pressure", material.yield_pressure);
  return material;
}

Material read_material(const Table& table, const AnyLaw& law) {
  return read_material([&](std::string_view key) { return table.find(key); }, table.value(), law);
}

}  // namespace percute::io
