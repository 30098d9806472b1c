// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/options.hpp"
#include "io/suggest.hpp"

#include <percute/io/law_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <span>

namespace percute::io {

namespace {

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

EachOption options_of(AnyLaw& law) {
  return [&law](const OptionVisitor& visit) { law.visit(visit); };
}

/// The direction of the impulses, in one of three forms.
Vector read_direction(const Table& table) {
  const auto direction = table.find("direction");
  const auto next = table.find("p_next_over_p_prev");
  const auto previous = table.find("p_prev_over_p_next");
  const int given = (direction ? 1 : 0) + (next ? 1 : 0) + (previous ? 1 : 0);
  if (given != 1) {
    table.value().fail(
        fmt::format("needs exactly one of direction, p_next_over_p_prev, p_prev_over_p_next; it "
                    "has {}",
                    given == 0 ? "none" : "several"));
  }
  if (direction) return direction->numbers();
  const Value& list = next ? *next : *previous;
  const Vector ratios = list.numbers();
  const std::span<const double> span(ratios.data(), static_cast<std::size_t>(ratios.size()));
  try {
    return next ? laws::from_next_over_previous(span) : laws::from_previous_over_next(span);
  } catch (const InvalidInput& error) {
    list.fail(error.reason());
  }
}

}  // namespace

AnyLaw read_law(const std::optional<Value>& value) {
  if (!value) return make_law("lzb");
  if (value->node().as<Node::Object>() == nullptr) {
    value->fail("must be an object, got " + value->node().describe());
  }
  // Options without a kind are those of the law that applies where a file names none.
  const Node* kind = value->node().find("kind");
  AnyLaw law = kind == nullptr ? make_law("lzb")
                               : find_law(Value(value->document(), *kind, value->path() + ".kind"));
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

void require_law_kind(const Value& named) {
  (void)find_law(named);
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

}  // namespace percute::io
