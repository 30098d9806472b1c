// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/schema.hpp"
#include "io/text.hpp"
#include "model/text.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <span>
#include <utility>

// Scenes that move: how they move ([simulation]), and all else that a motion needs.

namespace percute::io {

namespace {

using simulation::CompliantMotion;
using simulation::EventDriven;
using simulation::Moment;
using simulation::MoreauJean;
using simulation::Newmark;
using simulation::Observer;
using simulation::PaoliSchatzman;
using simulation::Run;
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
  for (const Node::Member& member : table.object()) {
    if (has(known_keys(method), member.key)) continue;
    std::vector<std::string_view> owners;
    for (const auto& [name, other] : methods()) {
      if (has(own_keys(other), member.key)) owners.push_back(name);
    }
    if (owners.empty()) continue;
    table.find(member.key)
        ->fail(fmt::format("is not for method '{}' but for {}; its own keys: {}", kind(method),
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

/// Reads [simulation]: with law 'compliant' the adaptive method moves its contacts.
Method read_method(const Value& simulation, const AnyLaw& law) {
  (void)simulation.object();
  const auto named = simulation.find("method");
  Method method = named ? named->choice(methods()) : methods().front().second;
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

/// [simulation] with every key of its method, defaults filled in; read_method() accepts it.
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

/// What the command line says about `law` where the file names its law in [impact]: --law and
/// --set law.… go before the file, as everywhere, but not before --set impact.law.
void refuse_contradiction(const Value& law, const std::optional<Value>& named) {
  if (law.node().line >= 0) {
    law.fail("an impacting_bar takes its law from [impact]: law = \"newton\"");
  }
  if (const auto restitution = law.find("restitution")) {
    restitution->fail("an impacting_bar has its restitution in [impact]: set impact.restitution");
  }
  const auto kind = law.find("kind");
  if (kind && named && named->node().line < 0 && named->string() != law.node().word("kind")) {
    named->fail(fmt::format("{} contradicts {}: name one law", named->node().describe(),
                            law.document().where(kind->node())));
  }
}

/// The bar names its law in [impact], by kind alone, and without one strikes by Newton's.
AnyLaw read_impact_law(const Table& scene) {
  const auto impact = scene.find("impact");
  const auto named = impact ? Table(*impact, {"restitution", "law"}).find("law") : std::nullopt;
  const auto given = scene.find("law");
  if (given) refuse_contradiction(*given, named);
  AnyLaw law = read_law(given, named ? find_law(*named) : laws::Newton{});
  if (law.as<laws::Compliant>() != nullptr) {
    constexpr const char* kReason =
        "'compliant' needs a stiffness, which the tip of an impacting_bar does not have: give a "
        "law of impacts, for example \"newton\"";
    if (given && given->find("kind")) given->fail(kReason);
    if (named) named->fail(kReason);
  }
  return law;
}

bool is_bar(const Value& system) {
  return system.node().word("kind") == "impacting_bar";
}

AnyLaw read_law_of(const Table& scene, bool bar) {
  if (bar) return read_impact_law(scene);
  if (const auto impact = scene.find("impact")) {
    impact->fail(
        "is for impacting_bar; other systems have [material] (restitution) and [law] (kind)");
  }
  return read_law(scene.find("law"));
}

/// [system] of the file, followed by what it leaves out.
Node filled_in(const Node& written, const Node& defaults) {
  Node node = written;
  if (const auto* members = defaults.as<Node::Object>()) {
    for (const Node::Member& member : *members) {
      if (node.find(member.key) == nullptr) node.add(member.key, member.value);
    }
  }
  return node;
}

/// The law by name and the restitution of the contacts at the start, one number if they agree.
Node impact_node(const MotionFile& file) {
  std::vector<double> all;
  for (int i = 0; i < file.system.contacts(); ++i) {
    all.push_back(file.system.contact(i, file.start.state.position).material.restitution);
  }
  const bool agree = std::ranges::adjacent_find(all, std::ranges::not_equal_to()) == all.end();
  Node node;
  node.add("restitution", all.empty() ? Node() : agree ? Node(all.front()) : Node(all));
  node.add("law", file.law.kind());
  node.add("options", to_node(file.law));
  return node;
}

/// Methods ask laws about impacts of their own making, with friction: contacts say whether they
/// have any.
std::string why_without_friction(const MotionFile& file) {
  std::vector<Contact> contacts;
  contacts.reserve(static_cast<std::size_t>(file.system.contacts()));
  for (int i = 0; i < file.system.contacts(); ++i) {
    contacts.push_back(file.system.contact(i, file.start.state.position));
  }
  return friction_left_out(file.law, contacts, file.contact_names);
}

/// Told once, also where a run goes on in parts.
void warn_of_what_is_left_out(const MotionFile& file, bool friction_ignored, Run& run) {
  const auto warn = [&run](std::string warning) {
    if (std::ranges::find(run.warnings, warning) == run.warnings.end()) {
      run.warnings.push_back(std::move(warning));
    }
  };
  if (friction_ignored) {
    const std::string why = why_without_friction(file);
    if (!why.empty()) warn("friction is ignored: " + why);
  }
  if (std::holds_alternative<simulation::PaoliSchatzman>(file.method) &&
      file.law.as<laws::Newton>() == nullptr) {
    warn(
        fmt::format("paoli_schatzman does not use the law {}: contacts rebound with the "
                    "restitution of their materials",
                    file.law.kind()));
  }
}

}  // namespace

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

SceneSystem read_in_motion(const Table& table, const AnyLaw& law) {
  const Value system = table.required("system");
  const SceneReader read = find_scene_reader(system, true);
  SceneSystem scene = read({.table = table, .system = system, .moves = true});
  if (!system.find("gravity")) {
    system.fail(
        "the key 'gravity' is missing: a scene in motion must give it, in m/s² (9.81 on earth; "
        "0 for none)");
  }
  const std::vector<std::string> names = scene.system.contact_names();
  std::vector<Material> materials;
  materials.reserve(names.size());
  for (int i = 0; i < scene.system.contacts(); ++i) {
    materials.push_back(scene.system.contact(i, scene.start.position).material);
  }
  materials = read_materials(table, law, names, std::move(materials), scene.stiffness_from);
  check_materials(table, law, names, materials, scene.stiffness_from);
  scene.system = scene.system.with_materials(std::move(materials));
  return scene;
}

MotionFile read_motion(const Document& document) {
  // A system that does not exist is the first thing to say.
  const auto named = Value(document).find("system");
  if (!named) {
    throw FileError(document.file, "",
                    document.root.find("mass") != nullptr
                        ? "is a problem, which describes one instant; 'simulate' needs a scene, "
                          "with [system] and [simulation]"
                        : "the table [system] is missing");
  }
  (void)find_scene_reader(*named, true);
  const Table scene(Value(document), {"name", "system", "material", "contact", "start", "law",
                                      "impact", "simulation"});
  const auto simulation = scene.find("simulation");
  if (!simulation) {
    throw FileError(document.file, "",
                    "the table [simulation] is missing; it needs at least duration = 1.0 (s)");
  }
  AnyLaw law = read_law_of(scene, is_bar(*named));
  std::vector<std::string> contact_names;
  try {
    SceneSystem moving = read_in_motion(scene, law);
    contact_names = moving.system.contact_names();
    Method method = read_method(*simulation, law);
    if (is_bar(*named)) {
      simulation::RunOptions& run = run_options(method);
      if (!run.bounce) run.bounce.emplace();
      auto& micro_bounce = run.micro_bounce_velocity;
      if (!micro_bounce.given()) micro_bounce = systems::ImpactingBar::kMicroBounce;
    }
    MotionFile file{.name = std::filesystem::path(document.file).stem().string(),
                    .system = std::move(moving.system),
                    .start = {.state = std::move(moving.start)},
                    .law = std::move(law),
                    .method = std::move(method),
                    .bodies = {},
                    .contact_names = contact_names,
                    .first_bending_hz = moving.first_bending_hz,
                    .system_keys = filled_in(named->node(), moving.defaults),
                    .impact_keys = {},
                    .simulation_keys = {}};
    if (const auto name = scene.find("name")) file.name = name->string();
    file.bodies = file.system.bodies();
    if (file.bodies.empty()) file.bodies = one_body_per_coordinate(file.system.coordinates());
    file.impact_keys = impact_node(file);
    file.simulation_keys = method_node(file.method);
    return file;
  } catch (const InvalidInput& error) {
    throw located(error, document, contact_names);
  }
}

Run simulate(const MotionFile& file, const Document& document, const Observer& observer) {
  return simulate(file, document, file.start, observer);
}

Run simulate(const MotionFile& file, const Document& document, const Moment& from,
             const Observer& observer) {
  bool friction_ignored = false;
  const AnyLaw law = [&](const ImpactProblem& problem) {
    ImpactResult result = resolve(problem, file.law);
    friction_ignored = friction_ignored || result.consistency.friction_ignored;
    return result;
  };
  Method method = file.method;
  run_options(method).resume = from.totals.has_value();
  try {
    Run run = std::visit(
        [&](const auto& chosen) {
          if constexpr (requires { chosen(file.system, from, law, observer); }) {
            return chosen(file.system, from, law, observer);
          } else {
            return chosen(file.system, from, observer);
          }
        },
        method);
    warn_of_what_is_left_out(file, friction_ignored, run);
    return run;
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
}

}  // namespace percute::io
