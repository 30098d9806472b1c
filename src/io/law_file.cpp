// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/suggest.hpp"

#include <percute/io/law_file.hpp>
#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace percute::io {

namespace {

struct Kind {
  std::string_view name;
  Law (*read)(const Value&);
};

/// In the order of the alternatives of Law.
constexpr std::array<Kind, std::variant_size_v<Law>> kKinds{{
    {.name = "lzb", .read = read_lzb},
    {.name = "moreau", .read = read_moreau},
    {.name = "newton", .read = read_newton},
    {.name = "poisson", .read = read_poisson},
    {.name = "restitution_matrix", .read = read_restitution_matrix},
    {.name = "fremond_quadratic", .read = read_fremond_quadratic},
    {.name = "fremond_cone", .read = read_fremond_cone},
    {.name = "icr", .read = read_icr},
    {.name = "binary", .read = read_binary},
    {.name = "simultaneous_set", .read = read_simultaneous_set},
    {.name = "scalar_restitution", .read = read_scalar_restitution},
    {.name = "cradle_sort", .read = read_cradle_sort},
    {.name = "coulomb", .read = read_coulomb},
    {.name = "darboux_keller_single", .read = read_darboux_keller_single},
    {.name = "compliant", .read = read_compliant},
}};

std::vector<std::string_view> available() {
  std::vector<std::string_view> names;
  names.reserve(kKinds.size());
  for (const Kind& kind : kKinds) names.push_back(kind.name);
  return names;
}

const Kind& find_kind(const Value& named) {
  const std::string& word = named.string();
  for (const Kind& candidate : kKinds) {
    if (candidate.name == word) return candidate;
  }
  const std::vector<std::string_view> names = available();
  named.fail(fmt::format("unknown law {}{}; available: {}", named.node().describe(),
                         did_you_mean(word, names), join(names)));
}

template <class L>
constexpr bool kHasCommonRestitution =
    std::is_same_v<L, laws::Moreau> || std::is_same_v<L, laws::FremondCone> ||
    std::is_same_v<L, laws::ImpulseRatios>;

}  // namespace

Law read_law(const std::optional<Value>& value) {
  if (!value) return laws::Lzb{};
  if (value->node().as<Node::Object>() == nullptr) {
    value->fail("must be an object, got " + value->node().describe());
  }
  // Options without a kind are those of the law that applies where a file names none.
  const Node* kind = value->node().find("kind");
  if (kind == nullptr) return read_lzb(*value);
  return find_kind(Value(value->document(), *kind, value->path() + ".kind")).read(*value);
}

void require_law_kind(const Value& named) {
  (void)find_kind(named);
}

void override_law(Document& document, const std::string& kind, const std::string& origin) {
  if (Node* law = document.root.find("law"); law != nullptr) {
    const Node* old = law->find("kind");
    const auto* word = old != nullptr ? old->as<std::string>() : nullptr;
    const std::string_view before = word != nullptr ? std::string_view(*word) : "lzb";
    // Options of another law would only be unknown keys.
    if (auto* members = law->as<Node::Object>(); members != nullptr && before != kind) {
      members->clear();
    }
  }
  override_value(document, "law.kind", kind, origin);
}

Law filled_in(const Law& law, const ImpactProblem& problem) {
  return std::visit(
      [&](auto chosen) -> Law {
        if constexpr (kHasCommonRestitution<decltype(chosen)>) {
          if (!chosen.restitution && !problem.contacts.empty()) {
            chosen.restitution = problem.contacts.front().material.restitution;
          }
        }
        return chosen;
      },
      law);
}

Node to_node(const Law& law) {
  return std::visit([](const auto& chosen) { return law_node(chosen); }, law);
}

std::string_view kind(const Law& law) {
  return kKinds[law.index()].name;
}

std::vector<std::string_view> law_kinds() {
  return available();
}

std::string title(const Law& law) {
  if (const auto* lzb = std::get_if<laws::Lzb>(&law)) return law_title(*lzb);
  if (const auto* compliant = std::get_if<laws::Compliant>(&law)) {
    return fmt::format("compliant ({}, tol {})", force_name(compliant->force),
                       tolerance_text(compliant->tolerance));
  }
  return std::string(kind(law));
}

ImpactResult resolve(const ImpactProblem& problem, const Law& law) {
  return std::visit([&](const auto& chosen) { return percute::resolve(problem, chosen); }, law);
}

ImpactResult resolve(const ImpactProblem& problem, const Law& law, const Recording& recording) {
  return std::visit(
      [&](const auto& chosen) -> ImpactResult {
        if constexpr (RecordingLaw<std::remove_cvref_t<decltype(chosen)>>) {
          return percute::resolve(problem, chosen, recording);
        } else {
          throw InvalidInput("law.kind", fmt::format("'{}' has no inner time, hence no history; "
                                                     "laws with one: lzb, compliant",
                                                     kind(law)));
        }
      },
      law);
}

}  // namespace percute::io
