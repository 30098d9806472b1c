// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/simulation_keys.hpp"

#include "io/law_kinds.hpp"

#include <percute/io/suggest.hpp>

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

constexpr Names<Newmark::Event, 2> kNewmarkEvents{
    {{"resolve", Newmark::Event::Resolve}, {"literal", Newmark::Event::Literal}}};

/// Keys that every method takes.
constexpr std::array<std::string_view, 9> kCommonKeys{"method",
                                                      "duration",
                                                      "stop_after_quiet",
                                                      "output_interval",
                                                      "cluster_gap",
                                                      "restitution_window",
                                                      "micro_bounce_velocity",
                                                      "max_events",
                                                      "allow_unstable_step"};

/// Keys of one method, by kind.
std::span<const std::string_view> own_keys(Kind kind) {
  static constexpr std::array<std::string_view, 2> kAdaptive{"tolerance", "grouping"};
  static constexpr std::array<std::string_view, 3> kNewmark{"step", "newmark_event", "grouping"};
  static constexpr std::array<std::string_view, 1> kPaoliSchatzman{"step"};
  static constexpr std::array<std::string_view, 2> kMoreauJean{"step", "theta"};
  switch (kind) {
    case Kind::Adaptive:
      return kAdaptive;
    case Kind::Newmark:
      return kNewmark;
    case Kind::PaoliSchatzman:
      return kPaoliSchatzman;
    case Kind::MoreauJean:
      return kMoreauJean;
  }
  return {};
}

/// A key that only other methods take is worth a better message than an unknown one.
void refuse_keys_of_others(const Value& table, Kind kind) {
  const auto has = [](std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (const Node::Member& member : *table.node().as<Node::Object>()) {
    if (has(kCommonKeys, member.key) || has(own_keys(kind), member.key)) continue;
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

double positive(const Value& value) {
  const double number = value.number();
  if (!(number > 0.0)) value.fail("must be above 0, got " + value.node().describe());
  return number;
}

double not_negative(const Table& table, std::string_view key, double otherwise) {
  const auto value = table.find(key);
  if (!value) return otherwise;
  const double number = value->number();
  if (!(number >= 0.0)) value->fail("must be 0 or above, got " + value->node().describe());
  return number;
}

double positive(const Table& table, std::string_view key, double otherwise) {
  const auto value = table.find(key);
  return value ? positive(*value) : otherwise;
}

RunOptions read_run(const Table& table) {
  constexpr long kMostEvents = 1'000'000'000'000;
  RunOptions run;
  if (const auto value = table.find("duration")) run.duration = positive(*value);
  if (const auto value = table.find("stop_after_quiet")) run.stop_after_quiet = positive(*value);
  if (!run.duration && !run.stop_after_quiet) {
    table.value().fail(
        "does not say when the run ends: give duration (s), stop_after_quiet (s without contact "
        "after the last one) or both");
  }
  run.output_interval = not_negative(table, "output_interval", run.output_interval);
  if (table.has("restitution_window") || table.has("cluster_gap")) {
    const simulation::BounceOptions usual;
    run.bounce = {
        .restitution_window = positive(table, "restitution_window", usual.restitution_window),
        .cluster_gap = not_negative(table, "cluster_gap", usual.cluster_gap)};
  }
  if (table.has("micro_bounce_velocity")) {
    run.micro_bounce_velocity = not_negative(table, "micro_bounce_velocity", 0.0);
  }
  run.max_events = table.integer("max_events", run.max_events, 1, kMostEvents);
  return run;
}

double read_step(const Table& table) {
  if (!table.has("step")) {
    table.value().fail("the key 'step' is missing: the length of a step, s");
  }
  return positive(table.required("step"));
}

/// m; none where the run is to find what is simultaneous.
std::optional<double> read_grouping(const Table& table) {
  if (!table.has("grouping")) return {};
  return not_negative(table, "grouping", 0.0);
}

/// null where the run chooses.
Node known(const std::optional<double>& value) {
  return value ? Node(*value) : Node();
}

void add_own(Node& node, const EventDriven& method) {
  node.add("tolerance", method.tolerance);
  node.add("grouping", known(method.grouping));
}

void add_own(Node& node, const CompliantMotion& method) {
  node.add("tolerance", method.tolerance);
}

void add_own(Node& node, const Newmark& method) {
  node.add("step", method.step);
  node.add("newmark_event", name_of(method.event, kNewmarkEvents));
  node.add("grouping", known(method.grouping));
}

void add_own(Node& node, const PaoliSchatzman& method) {
  node.add("step", method.step);
  node.add("allow_unstable_step", method.allow_unstable_step);
}

void add_own(Node& node, const MoreauJean& method) {
  node.add("step", method.step);
  node.add("theta", method.theta);
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

Method read_method(const Value& simulation, const Law& law) {
  const Kind kind = read_kind(simulation);
  refuse_keys_of_others(simulation, kind);
  std::vector<std::string_view> keys(kCommonKeys.begin(), kCommonKeys.end());
  keys.insert(keys.end(), own_keys(kind).begin(), own_keys(kind).end());
  const Table table(simulation, keys);
  const RunOptions run = read_run(table);
  const bool allow_unstable_step = table.boolean("allow_unstable_step", false);

  switch (kind) {
    case Kind::Adaptive:
      break;
    case Kind::Newmark:
      return Newmark{.step = read_step(table),
                     .event = table.choice("newmark_event", Newmark{}.event, kNewmarkEvents),
                     .grouping = read_grouping(table),
                     .run = run};
    case Kind::PaoliSchatzman:
      return PaoliSchatzman{
          .step = read_step(table), .allow_unstable_step = allow_unstable_step, .run = run};
    case Kind::MoreauJean:
      return MoreauJean{
          .step = read_step(table), .theta = table.number("theta", MoreauJean{}.theta), .run = run};
  }
  if (const auto* compliant = std::get_if<laws::Compliant>(&law)) {
    // Contacts with a duration have nothing to group; the key may stay when the law is changed.
    not_negative(table, "grouping", 0.0);
    return CompliantMotion{.law = *compliant,
                           .tolerance = positive(table, "tolerance", CompliantMotion{}.tolerance),
                           .run = run};
  }
  return EventDriven{.tolerance = positive(table, "tolerance", EventDriven{}.tolerance),
                     .grouping = read_grouping(table),
                     .run = run};
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
  std::visit([&node](const auto& chosen) { add_own(node, chosen); }, method);
  const RunOptions& run = run_options(method);
  node.add("duration", known(run.duration));
  node.add("stop_after_quiet", known(run.stop_after_quiet));
  node.add("output_interval", run.output_interval);
  node.add("micro_bounce_velocity", known(run.micro_bounce_velocity.given()));
  node.add("restitution_window", run.bounce ? Node(run.bounce->restitution_window) : Node());
  node.add("cluster_gap", run.bounce ? Node(run.bounce->cluster_gap) : Node());
  node.add("max_events", run.max_events);
  return node;
}

}  // namespace percute::io
