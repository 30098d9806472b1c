// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace percute::io {

namespace {

enum class For { Impact, Motion, Both };

struct Kind {
  std::string_view name;
  For use;
  SceneReader read;
};

/// All kinds of system, and what reads them.
constexpr std::array<Kind, 20> kKinds{{
    {"ball_chain", For::Both, read_ball_chain},
    {"ball_cluster", For::Impact, read_ball_cluster},
    {"stacked_balls", For::Impact, read_stacked_balls},
    {"bead_column", For::Both, read_bead_column},
    {"bouncing_ball", For::Motion, read_bouncing_ball},
    {"cradle", For::Both, read_cradle},
    {"planar_body", For::Both, read_planar_body},
    {"rocking_block", For::Both, read_rocking_block},
    {"v_groove", For::Both, read_v_groove},
    {"double_pendulum", For::Both, read_double_pendulum},
    {"multiple_pendulum", For::Both, read_multiple_pendulum},
    {"four_foot_plate", For::Impact, read_four_foot_plate},
    {"spatial_body", For::Impact, read_spatial_body},
    {"sphere_on_plane", For::Impact, read_sphere_on_plane},
    {"two_spheres", For::Impact, read_two_spheres},
    {"rotating_chain", For::Impact, read_rotating_chain},
    {"dimer", For::Both, read_dimer},
    {"three_ball_rod", For::Both, read_three_ball_rod},
    {"block_stack", For::Impact, read_block_stack},
    {"impacting_bar", For::Motion, read_impacting_bar},
}};

std::vector<std::string_view> names_of(bool moves) {
  std::vector<std::string_view> names;
  for (const Kind& kind : kKinds) {
    if (kind.use != (moves ? For::Impact : For::Motion)) names.push_back(kind.name);
  }
  return names;
}

/// [system] and [start]. A start anywhere is what only motion has.
SceneSystem read_touching(SceneReader read, const Scene& scene) {
  try {
    return read(scene);
  } catch (const FileError& error) {
    if (!scene.table.has("simulation") || !error.field().starts_with("start")) throw;
    throw FileError(
        error.where(), error.field(),
        error.reason() + "; this is a scene of motion, with [simulation]: use 'percute simulate'");
  }
}

}  // namespace

SceneReader find_scene_reader(const Value& system, bool moves) {
  const std::vector<std::string_view> names = names_of(moves);
  const std::string available = join(names);
  if (system.node().as<Node::Object>() == nullptr) {
    system.fail("must be a table, got " + system.node().describe());
  }
  const Node* node = system.node().find("kind");
  if (node == nullptr) {
    system.fail(fmt::format("the key 'kind' is missing; {}: {}",
                            moves ? "systems that move" : "available", available));
  }
  const Value kind(system.document(), *node, "system.kind");
  const std::string& word = kind.string();
  const auto* const found = std::ranges::find(kKinds, word, &Kind::name);
  if (found != kKinds.end() && std::ranges::find(names, word) != names.end()) return found->read;
  if (found != kKinds.end() && !moves) {
    kind.fail(
        fmt::format("'{}' is a system that moves in time, not one impact: use 'percute simulate' "
                    "(systems for one impact: {})",
                    word, available));
  }
  const char* form = moves ? "no system {} that moves in time{}; available: {}"
                           : "unknown system {}{}; available: {}";
  kind.fail(
      fmt::format(fmt::runtime(form), node->describe(), did_you_mean(word, names), available));
}

ProblemFile read_scene(const Document& document) {
  constexpr std::array<std::string_view, 7> kKeys{"name",  "system", "material",  "contact",
                                                  "start", "law",    "simulation"};
  // A system that does not exist is the first thing to say; its tables may have other names.
  const Node* node = document.root.find("system");
  const SceneReader read =
      node == nullptr ? nullptr : find_scene_reader(Value(document, *node, "system"), false);
  const Table table(Value(document), kKeys);
  ProblemFile file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));

  const Value system = table.required("system");
  try {
    const SceneSystem scene =
        read_touching(read, {.table = table, .system = system, .moves = false});
    file.bodies = scene.system.bodies();
    file.contact_names = scene.system.contact_names(scene.start);
    file.problem = scene.system.impact(scene.start);
    std::vector<Contact>& contacts = file.problem.contacts;
    std::vector<Material> own;
    own.reserve(contacts.size());
    for (const Contact& contact : contacts) own.push_back(contact.material);
    own = read_materials(table, file.law, file.contact_names, std::move(own), scene.stiffness_from);
    for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i].material = own[i];
    validate(file.problem);
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
  return file;
}

}  // namespace percute::io
