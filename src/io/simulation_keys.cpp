// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/simulation_keys.hpp"

#include "io/schema.hpp"
#include "io/suggest.hpp"
#include "model/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace percute::io {

namespace {

using simulation::CompliantMotion;
using simulation::EventDriven;
using simulation::MoreauJean;
using simulation::Newmark;
using simulation::PaoliSchatzman;
using simulation::RunOptions;

/// The methods by name, with their defaults. Compliant contacts move by another one of the first
/// name.
const std::array<std::pair<std::string_view, Method>, 4>& methods() {
  static const std::array<std::pair<std::string_view, Method>, 4> kMethods{
      {{"event_driven_adaptive", EventDriven{}},
       {"event_driven", Newmark{}},
       {"paoli_schatzman", PaoliSchatzman{}},
       {"moreau_jean", MoreauJean{}}}};
  return kMethods;
}

/// Keys that are of one method.
std::vector<std::string_view> own_keys(Method method) {
  return std::visit([](auto& chosen) { return option_keys({}, options_of(chosen)); }, method);
}

bool has(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

/// Those, and keys that every method takes: a step that is too long for one method may stay allowed
/// when the method is changed.
std::vector<std::string_view> known_keys(const Method& method) {
  RunOptions run;
  std::vector<std::string_view> keys = option_keys({"method"}, options_of(run));
  keys.emplace_back("allow_unstable_step");
  for (const std::string_view key : own_keys(method)) {
    if (!has(keys, key)) keys.push_back(key);
  }
  return keys;
}

/// A key that only other methods take is worth a better message than an unknown one.
void refuse_keys_of_others(const Value& table, const Method& method) {
  for (const Node::Member& member : *table.node().as<Node::Object>()) {
    if (has(known_keys(method), member.key)) continue;
    std::vector<std::string_view> owners;
    for (const auto& [name, other] : methods()) {
      if (has(own_keys(other), member.key)) owners.push_back(name);
    }
    if (owners.empty()) continue;
    Value(table.document(), member.value, fmt::format("{}.{}", table.path(), member.key))
        .fail(fmt::format("is not for method '{}' but for {}; its own keys: {}", kind(method),
                          join(owners), join(own_keys(method))));
  }
}

RunOptions read_run(const Table& table) {
  RunOptions run;
  read_options(table, options_of(run));
  if (!run.duration && !run.stop_after_quiet) {
    table.value().fail(
        "does not say when the run ends: give duration (s), stop_after_quiet (s without contact "
        "after the last one) or both");
  }
  return run;
}

Method default_method(const Value& simulation) {
  if (simulation.node().as<Node::Object>() == nullptr) {
    simulation.fail("must be a table, got " + simulation.node().describe());
  }
  const Node* node = simulation.node().find("method");
  if (node == nullptr) return methods().front().second;
  std::vector<std::string_view> names;
  for (const auto& [name, method] : methods()) names.push_back(name);
  const Value named(simulation.document(), *node, simulation.path() + ".method");
  return methods()[named.choice(names)].second;
}

}  // namespace

Method read_method(const Value& simulation, const AnyLaw& law) {
  Method method = default_method(simulation);
  refuse_keys_of_others(simulation, method);
  const Table table(simulation, known_keys(method));
  const auto read_own = [&table](auto& chosen) {
    read_options(table, options_of(chosen));
    // Methods that have no use for it may keep it, as long as it is what it should be.
    (void)table.boolean("allow_unstable_step", false);
    chosen.run = read_run(table);
  };
  std::visit(read_own, method);
  const auto* compliant = law.as<laws::Compliant>();
  if (compliant == nullptr || method.index() != 0) return method;
  // Contacts with a duration have nothing to group; the key may stay when the law is changed.
  CompliantMotion motion{.law = *compliant};
  read_own(motion);
  return motion;
}

std::string_view kind(const Method& method) {
  const bool compliant = std::holds_alternative<CompliantMotion>(method);
  return methods()[compliant ? 0 : method.index()].first;
}

std::string title(const Method& method) {
  return std::visit(
      [&](const auto& chosen) {
        if constexpr (requires { chosen.tolerance; }) {
          return fmt::format("{} (tol {})", kind(method), tolerance_text(chosen.tolerance));
        } else {
          return fmt::format("{} (step {} s)", kind(method), tolerance_text(chosen.step));
        }
      },
      method);
}

const RunOptions& run_options(const Method& method) {
  return std::visit([](const auto& chosen) -> const RunOptions& { return chosen.run; }, method);
}

RunOptions& run_options(Method& method) {
  return std::visit([](auto& chosen) -> RunOptions& { return chosen.run; }, method);
}

Node method_node(const Method& method) {
  Node node;
  node.add("method", kind(method));
  // null where the run chooses.
  std::visit(
      [&node](auto chosen) {
        add_options(node, options_of(chosen), Absent::Null);
        add_options(node, options_of(chosen.run), Absent::Null);
      },
      method);
  return node;
}

Node MethodSchema::schema() {
  Node::Array schemas;
  const auto add = [&schemas](auto method) {
    ObjectSchema object;
    object.add({"method", ""}, constant(kind(Method(method))), true);
    const OptionVisitor add_one = [&object](const Field& field, const Option& option) {
      add_option(object, field, option, Writer::Percute);
    };
    visit_options(method, add_one);
    visit_options(method.run, add_one);
    schemas.push_back(std::move(object).node());
  };
  for (const auto& [name, method] : methods()) std::visit(add, method);
  add(CompliantMotion{});
  return one_of(std::move(schemas));
}

}  // namespace percute::io
