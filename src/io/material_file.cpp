// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/material_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percute::io {

namespace {

using laws::Compliant;
using Force = Compliant::Force;

/// Those keys that only the law 'compliant' reads.
constexpr std::array<std::string_view, 5> kCompliantKeys{
    "damping", "unloading_stiffness", "effective_modulus", "effective_radius", "yield_pressure"};

/// What a compliant force reads of its contact, and what exponent it prescribes.
struct ForceKeys {
  std::vector<std::string_view> keys;
  std::optional<double> exponent = {};

  bool has(std::string_view key) const { return std::ranges::find(keys, key) != keys.end(); }
};

ForceKeys force_keys(const Compliant* law) {
  if (law == nullptr) return {};
  switch (law->force) {
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

/// Keys of compliant forces that the law, or its force, would not use or lacks, and exponents that
/// the force does not have.
void check_force_keys(const MaterialKeys& find, const Value& owner, const Compliant* law) {
  const ForceKeys used = force_keys(law);
  for (const std::string_view key : kCompliantKeys) {
    const auto value = find(key);
    if (!value) continue;
    if (law == nullptr) value->fail("is used by law 'compliant' only");
    if (!used.has(key)) value->fail(fmt::format("is not used by force '{}'", name_of(law->force)));
  }
  const auto exponent = find("exponent");
  if (exponent && used.exponent && exponent->number() != *used.exponent) {
    exponent->fail(fmt::format("force '{}' has exponent {}, got {}", name_of(law->force),
                               *used.exponent, exponent->number()));
  }
  for (const std::string_view key : used.keys) {
    if (!find(key)) {
      owner.fail(fmt::format("force '{}' needs the key '{}'", name_of(law->force), key));
    }
  }
}

/// Reads a value into a member. What numbers may be validate() knows.
struct MemberReader {
  const Value& value;

  void operator()(const Field& field, double& member) const {
    member = field.range.infinite ? value.number_or_infinite() : value.number();
  }
  void operator()(const Field& /*field*/, std::optional<ContactModel>& member) const {
    member = value.choice(names(ContactModel{}));
  }
  void operator()(const Field& /*field*/, std::optional<TriStiffness>& member) const {
    const Table table(value, field_keys<TriStiffness>());
    fields(member.emplace(), [&table](const Field& slope, double& number) {
      number = table.required(slope.key).number();
    });
  }
};

/// Whether the contact has tri-stiffness slopes, which say all: restitution and exponent, if
/// written, are not used then.
bool has_slopes(const Material& material, const AnyLaw& law) {
  return material.contact_model.value_or(contact_model(law)) == ContactModel::TriStiffness;
}

bool is_tri_stiffness(const Compliant* law) {
  return law != nullptr && law->force == Force::TriStiffness;
}

}  // namespace

ContactModel contact_model(const AnyLaw& law) {
  const auto* lzb = law.as<laws::Lzb>();
  return lzb != nullptr ? lzb->contact_model : laws::Lzb{}.contact_model;
}

Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base) {
  const auto* compliant = law.as<Compliant>();
  check_force_keys(find, owner, compliant);
  Material material = base;
  fields(material, [&find](const Field& field, auto& member) {
    if (const auto value = find(field.key)) MemberReader{*value}(field, member);
  });
  const auto slopes = find("tri_stiffness");
  if (has_slopes(material, law) && !material.tri_stiffness) {
    owner.fail("contact model 'tri_stiffness' needs the key 'tri_stiffness'");
  }
  if (slopes && !has_slopes(material, law) && !is_tri_stiffness(compliant)) {
    slopes->fail("is used by contact model 'tri_stiffness' only");
  }
  return material;
}

Material read_material(const Table& table, const AnyLaw& law) {
  return read_material([&](std::string_view key) { return table.find(key); }, table.value(), law);
}

bool is_written(std::string_view key, const Material& material, const AnyLaw& law) {
  const auto* compliant = law.as<Compliant>();
  const ForceKeys used = force_keys(compliant);
  if (std::ranges::find(kCompliantKeys, key) != kCompliantKeys.end()) return used.has(key);
  if (key == "exponent") return !used.exponent;
  if (key == "friction") return material.friction != 0.0;
  if (key == "contact_model") return material.contact_model.has_value();
  if (key != "tri_stiffness") return true;
  const bool uses = compliant != nullptr ? is_tri_stiffness(compliant) : has_slopes(material, law);
  return uses && material.tri_stiffness;
}

}  // namespace percute::io
