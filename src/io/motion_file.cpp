// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/material_keys.hpp"
#include "io/scene_reader.hpp"
#include "io/simulation_keys.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/laws/newton.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

namespace percute::io {

namespace {

using simulation::Moment;
using simulation::Observer;
using simulation::Run;

/// What the command line says about `law` where the file names its law in [impact]: --law and
/// --set law.… go before the file, as everywhere, but not before --set impact.law.
void refuse_contradiction(const Value& law, const std::optional<Value>& named) {
  if (law.node().line >= 0) {
    law.fail("an impacting_bar takes its law from [impact]: law = \"newton\"");
  }
  if (const Node* restitution = law.node().find("restitution")) {
    Value(law.document(), *restitution, "law.restitution")
        .fail("an impacting_bar has its restitution in [impact]: set impact.restitution");
  }
  const Node* kind = law.node().find("kind");
  const auto* word = kind == nullptr ? nullptr : kind->as<std::string>();
  if (word != nullptr && named && named->node().line < 0 && named->string() != *word) {
    named->fail(fmt::format("{} contradicts {}: name one law", named->node().describe(),
                            law.document().where(*kind)));
  }
}

/// The bar names its law in [impact], by kind alone, and without one strikes by Newton's.
AnyLaw read_impact_law(const Table& scene) {
  constexpr std::array<std::string_view, 2> kKeys{"restitution", "law"};
  const auto impact = scene.find("impact");
  const auto named = impact ? Table(*impact, kKeys).find("law") : std::nullopt;
  const auto given = scene.find("law");
  if (given) refuse_contradiction(*given, named);

  const Document& file = scene.value().document();
  Document document{.file = file.file,
                    .root = given ? given->node() : Node(Node::Object{}),
                    .overrides = file.overrides,
                    .override_texts = file.override_texts};
  const bool is_table = document.root.as<Node::Object>() != nullptr;
  if (is_table && document.root.find("kind") == nullptr) {
    Node& kind = document.root.add("kind", named ? named->string() : "newton");
    if (named) {
      require_law_kind(*named);
      kind.line = named->node().line;
    }
  }
  AnyLaw law = read_law(Value(document, document.root, "law"));
  if (law.as<laws::Compliant>() != nullptr) {
    constexpr const char* kReason =
        "'compliant' needs a stiffness, which the tip of an impacting_bar does not have: give a "
        "law of impacts, for example \"newton\"";
    if (given && given->node().find("kind") != nullptr) given->fail(kReason);
    if (named) named->fail(kReason);
  }
  return law;
}

bool is_bar(const Value& system) {
  const Node* kind = system.node().find("kind");
  const auto* word = kind == nullptr ? nullptr : kind->as<std::string>();
  return word != nullptr && *word == "impacting_bar";
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

constexpr std::array<std::string_view, 8> kMotionKeys{"name",  "system", "material", "contact",
                                                      "start", "law",    "impact",   "simulation"};

/// Restitution of every contact at the start.
std::vector<double> restitutions(const systems::AnySystem& system, const Vector& q) {
  std::vector<double> list;
  list.reserve(static_cast<std::size_t>(system.contacts()));
  for (int i = 0; i < system.contacts(); ++i) {
    list.push_back(system.contact(i, q).material.restitution);
  }
  return list;
}

bool agree(const std::vector<double>& list) {
  return std::ranges::adjacent_find(list, std::ranges::not_equal_to()) == list.end();
}

/// The law by name and the restitution of the contacts, one number if they agree.
Node impact_node(const MotionFile& file, const std::vector<double>& restitution) {
  Node node;
  if (restitution.empty()) {
    node.add("restitution", {});
  } else {
    node.add("restitution", agree(restitution)
                                ? Node(restitution.front())
                                : Node(Node::Array(restitution.begin(), restitution.end())));
  }
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

SceneSystem read_in_motion(const Table& table, const AnyLaw& law) {
  const Value system = table.required("system");
  const SceneReader read = find_scene_reader(system, true);
  if (system.node().find("gravity") == nullptr) {
    system.fail(
        "the key 'gravity' is missing: a scene in motion must give it, in m/s² (9.81 on earth; "
        "0 for none)");
  }
  SceneSystem scene = read({.table = table, .system = system, .moves = true});
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
  const Node* node = document.root.find("system");
  if (node == nullptr) {
    throw FileError(document.file, "",
                    document.root.find("mass") != nullptr
                        ? "is a problem, which describes one instant; 'simulate' needs a scene, "
                          "with [system] and [simulation]"
                        : "the table [system] is missing");
  }
  const Value named(document, *node, "system");
  (void)find_scene_reader(named, true);
  const Table scene(Value(document), kMotionKeys);
  const auto simulation = scene.find("simulation");
  if (!simulation) {
    throw FileError(document.file, "",
                    "the table [simulation] is missing; it needs at least duration = 1.0 (s)");
  }
  AnyLaw law = read_law_of(scene, is_bar(named));
  std::vector<std::string> contact_names;
  try {
    SceneSystem moving = read_in_motion(scene, law);
    contact_names = moving.system.contact_names();
    Method method = read_method(*simulation, law);
    if (is_bar(named)) {
      simulation::RunOptions& run = run_options(method);
      if (!run.bounce) run.bounce.emplace();
      auto& micro_bounce = run.micro_bounce_velocity;
      if (!micro_bounce.given()) micro_bounce = systems::ImpactingBar::kMicroBounce;
    }
    const std::vector<double> restitution = restitutions(moving.system, moving.start.position);

    MotionFile file{.name = std::filesystem::path(document.file).stem().string(),
                    .system = std::move(moving.system),
                    .start = {.state = std::move(moving.start)},
                    .law = std::move(law),
                    .method = std::move(method),
                    .bodies = {},
                    .contact_names = contact_names,
                    .first_bending_hz = moving.first_bending_hz,
                    .system_keys = filled_in(*node, moving.defaults),
                    .impact_keys = {},
                    .simulation_keys = {}};
    if (const auto name = scene.find("name")) file.name = name->string();
    file.bodies = file.system.bodies();
    if (file.bodies.empty()) file.bodies = one_body_per_coordinate(file.system.coordinates());
    file.impact_keys = impact_node(file, restitution);
    file.simulation_keys = method_node(file.method);
    return file;
  } catch (const FileError&) {
    throw;
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
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
}

}  // namespace percute::io
