// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/text.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

// Laws, and the materials of contacts, of which each law uses what it needs.

namespace percute::io {

namespace {

EachOption options_of(AnyLaw& law) {
  return [&law](const OptionVisitor& visit) { law.visit(visit); };
}

/// The direction of the impulses, in one of three forms.
Vector read_direction(const Table& table) {
  const auto [key, list] =
      table.one_of({"direction", "p_next_over_p_prev", "p_prev_over_p_next"},
                   "needs exactly one of direction, p_next_over_p_prev, p_prev_over_p_next");
  if (key == "direction") return list.numbers();
  const Vector ratios = list.numbers();
  const std::span<const double> span(ratios.data(), static_cast<std::size_t>(ratios.size()));
  try {
    return key == "p_next_over_p_prev" ? laws::from_next_over_previous(span)
                                       : laws::from_previous_over_next(span);
  } catch (const InvalidInput& error) {
    list.fail(error.reason());
  }
}

using laws::Compliant;
using Force = Compliant::Force;

/// Those keys that only the law 'compliant' reads.
constexpr std::array<std::string_view, 5> kCompliantKeys{
    "damping", "unloading_stiffness", "effective_modulus", "effective_radius", "yield_pressure"};

/// What a compliant force reads of its contact, and what exponent it prescribes.
struct ForceKeys {
  Force force = Force::TriStiffness;
  std::optional<double> exponent = {};
  std::array<std::string_view, 3> keys = {};  ///< empty where there are fewer

  bool has(std::string_view key) const { return std::ranges::find(keys, key) != keys.end(); }
};
constexpr std::array<ForceKeys, 8> kForces{{
    {Force::Hertz, 1.5, {}},
    {Force::Linear, 1.0, {}},
    {Force::KelvinVoigt, 1.0, {"damping"}},
    {Force::HuntCrossley, {}, {"damping"}},
    {Force::KuwabaraKono, 1.5, {"damping"}},
    {Force::Tsuji, 1.5, {"damping"}},
    {Force::WaltonBraun, 1.0, {"unloading_stiffness"}},
    {Force::Elastoplastic, {}, {"effective_modulus", "effective_radius", "yield_pressure"}},
}};

ForceKeys force_keys(const Compliant* law) {
  if (law == nullptr) return {};
  const auto* const found = std::ranges::find(kForces, law->force, &ForceKeys::force);
  return found == kForces.end() ? ForceKeys{} : *found;
}

/// Refuses keys of compliant forces that the law, or its force, would not use or lacks, and
/// exponents that the force does not have.
void check_force_key(std::string_view key, const std::optional<Value>& value, const Value& owner,
                     const Compliant* law) {
  const ForceKeys used = force_keys(law);
  const std::string_view force = law == nullptr ? "" : name_of(law->force);
  if (key == "exponent" && value && used.exponent && value->number() != *used.exponent) {
    value->fail(
        fmt::format("force '{}' has exponent {}, got {}", force, *used.exponent, value->number()));
  }
  if (!value && used.has(key)) owner.fail(fmt::format("force '{}' needs the key '{}'", force, key));
  if (!value || used.has(key) || std::ranges::find(kCompliantKeys, key) == kCompliantKeys.end()) {
    return;
  }
  value->fail(law == nullptr ? "is used by law 'compliant' only"
                             : fmt::format("is not used by force '{}'", force));
}

/// Reads a value into a member. What numbers may be validate() knows.
void read_member(const Value& value, const Field& field, double& member) {
  member = field.range.infinite ? value.number_or_infinite() : value.number();
}
void read_member(const Value& value, const Field&, std::optional<ContactModel>& member) {
  member = value.choice(names(ContactModel{}));
}
void read_member(const Value& value, const Field&, std::optional<TriStiffness>& member) {
  member = read_fields<TriStiffness>(value);
}

/// Whether the contact has tri-stiffness slopes, which say all: restitution and exponent, if
/// written, are not used then.
bool has_slopes(const Material& material, const AnyLaw& law) {
  return material.contact_model.value_or(contact_model(law)) == ContactModel::TriStiffness;
}

bool is_tri_stiffness(const Compliant* law) {
  return law != nullptr && law->force == Force::TriStiffness;
}

}  // namespace

AnyLaw find_law(const Value& named) {
  const std::string& word = named.string();
  AnyLaw law = make_law(word);
  if (!law) {
    const std::vector<std::string_view> kinds = law_kinds();
    named.fail(fmt::format("unknown law {}{}; available: {}", named.node().describe(),
                           did_you_mean(word, kinds), join(kinds)));
  }
  return law;
}

AnyLaw read_law(const std::optional<Value>& value, AnyLaw law) {
  if (!value) return law;
  (void)value->object();
  if (const auto kind = value->find("kind")) law = find_law(*kind);
  const Table table(*value, option_keys({"kind"}, options_of(law)));
  read_options(table, options_of(law));
  if (const auto* ratios = law.as<laws::ImpulseRatios>()) {
    laws::ImpulseRatios changed = *ratios;
    changed.direction = read_direction(table);
    law = changed;
  }
  try {
    law.check();
  } catch (const InvalidInput& error) {
    // The field is the option, with "law." in front.
    table.fail(error.field().substr(error.field().rfind('.') + 1), error.reason());
  }
  return law;
}

void override_law(Document& document, const std::string& kind, const std::string& origin) {
  if (Node* law = document.root.find("law"); law != nullptr) {
    const std::string_view named = law->word("kind");
    const std::string_view before = named.empty() ? "lzb" : named;
    // Options of another law would only be unknown keys.
    if (auto* members = law->as<Node::Object>(); members != nullptr && before != kind) {
      members->clear();
    }
  }
  override_value(document, "law.kind", kind, origin);
}

AnyLaw filled_in(AnyLaw law, const ImpactProblem& problem) {
  law.visit([&problem](const Field& field, const Option& option) {
    if (field.key != "restitution" || problem.contacts.empty()) return;
    auto* const* own = std::get_if<std::optional<double>*>(&option);
    if (own != nullptr && !**own) **own = problem.contacts.front().material.restitution;
  });
  return law;
}

Node to_node(AnyLaw law) {
  Node node;
  node.add("kind", law.kind());
  AnyLaw usual = make_law(law.kind());
  add_options(node, options_of(law), Absent::Nothing, options_of(usual));
  return node;
}

ContactModel contact_model(const AnyLaw& law) {
  const auto* lzb = law.as<laws::Lzb>();
  return lzb != nullptr ? lzb->contact_model : laws::Lzb{}.contact_model;
}

Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base) {
  const auto* compliant = law.as<Compliant>();
  Material material = base;
  fields(material, [&](const Field& field, auto& member) {
    const auto value = find(field.key);
    check_force_key(field.key, value, owner, compliant);
    if (value) read_member(*value, field, member);
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
