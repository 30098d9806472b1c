// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/simulation_keys.hpp"

#include "io/schema.hpp"
#include "io/suggest.hpp"
#include "model/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace percute::io {

namespace {

using simulation::CompliantMotion;
using simulation::EventDriven;
using simulation::MoreauJean;
using simulation::Newmark;
using simulation::PaoliSchatzman;
using simulation::RunOptions;

enum class Kind { Adaptive, Newmark, PaoliSchatzman, MoreauJean };

constexpr Names<Kind, 4> kKinds{{{"event_driven_adaptive", Kind::Adaptive},
                                 {"event_driven", Kind::Newmark},
                                 {"paoli_schatzman", Kind::PaoliSchatzman},
                                 {"moreau_jean", Kind::MoreauJean}}};

/// Keys of one method, by kind.
std::vector<std::string_view> own_keys(Kind kind) {
  const auto keys_of = [](auto method) { return option_keys({}, options_of(method)); };
  switch (kind) {
    case Kind::Adaptive:
      return keys_of(EventDriven{});
    case Kind::Newmark:
      return keys_of(Newmark{});
    case Kind::PaoliSchatzman:
      return keys_of(PaoliSchatzman{});
    case Kind::MoreauJean:
      return keys_of(MoreauJean{});
  }
  return {};
}

/// Those, and keys that every method takes: a step that is too long for one method may stay allowed
/// when the method is changed.
std::vector<std::string_view> known_keys(Kind kind) {
  RunOptions run;
  std::vector<std::string_view> keys = option_keys({"method"}, options_of(run));
  keys.emplace_back("allow_unstable_step");
  for (const std::string_view key : own_keys(kind)) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

/// A key that only other methods take is worth a better message than an unknown one.
void refuse_keys_of_others(const Value& table, Kind kind) {
  const auto has = [](std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (const Node::Member& member : *table.node().as<Node::Object>()) {
    if (has(known_keys(kind), member.key)) continue;
    std::vector<std::string_view> owners;
    for (const auto& [name, other] : kKinds) {
      if (has(own_keys(other), member.key)) owners.push_back(name);
    }
    if (owners.empty()) continue;
    Value(table.document(), member.value, fmt::format("{}.{}", table.path(), member.key))
        .fail(fmt::format("is not for method '{}' but for {}; its own keys: {}",
                          name_of(kind, kKinds), join(owners), join(own_keys(kind))));
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

/// Methods that have no use for it may keep it, as long as it is what it should be.
void look_at_unused(const Table& table) {
  (void)table.boolean("allow_unstable_step", false);
}

template <class Chosen>
Chosen read_own(const Table& table, Chosen method = {}) {
  read_options(table, options_of(method));
  look_at_unused(table);
  method.run = read_run(table);
  return method;
}

Kind read_kind(const Value& simulation) {
  if (simulation.node().as<Node::Object>() == nullptr) {
    simulation.fail("must be a table, got " + simulation.node().describe());
  }
  const Node* node = simulation.node().find("method");
  if (node == nullptr) return Kind::Adaptive;
  return Value(simulation.document(), *node, simulation.path() + ".method").choice(kKinds);
}

}  // namespace

Method read_method(const Value& simulation, const AnyLaw& law) {
  const Kind kind = read_kind(simulation);
  refuse_keys_of_others(simulation, kind);
  const Table table(simulation, known_keys(kind));
  switch (kind) {
    case Kind::Adaptive:
      break;
    case Kind::Newmark:
      return read_own<Newmark>(table);
    case Kind::PaoliSchatzman:
      return read_own<PaoliSchatzman>(table);
    case Kind::MoreauJean:
      return read_own<MoreauJean>(table);
  }
  // Contacts with a duration have nothing to group; the key may stay when the law is changed.
  auto method = read_own<EventDriven>(table);
  const auto* compliant = law.as<laws::Compliant>();
  if (compliant == nullptr) return method;
  return read_own(table, CompliantMotion{.law = *compliant});
}

std::string_view kind(const Method& method) {
  constexpr std::array<Kind, std::variant_size_v<Method>> kByIndex{
      Kind::Adaptive, Kind::Newmark, Kind::PaoliSchatzman, Kind::MoreauJean, Kind::Adaptive};
  return name_of(kByIndex[method.index()], kKinds);
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
  Node::Array methods;
  const auto add = [&methods](auto method) {
    ObjectSchema object;
    object.add({"method", ""}, constant(kind(Method(method))), true);
    const OptionVisitor add_one = [&object](const Field& field, const Option& option) {
      add_option(object, field, option, Writer::Percute);
    };
    visit_options(method, add_one);
    visit_options(method.run, add_one);
    methods.push_back(std::move(object).node());
  };
  add(EventDriven{});
  add(CompliantMotion{});
  add(Newmark{});
  add(PaoliSchatzman{});
  add(MoreauJean{});
  return one_of(std::move(methods));
}

}  // namespace percute::io
