// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_file.hpp"

#include "io/scene_motion.hpp"
#include "io/scene_systems.hpp"
#include "io/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace percute::io {

namespace {

using Reader = SystemAtContact (*)(const Value& system, const Value& start);

/// Kinds of system, and what reads them.
constexpr std::array<std::pair<std::string_view, Reader>, 18> kReaders{{
    {"ball_chain", read_ball_chain},
    {"ball_cluster", read_ball_cluster},
    {"stacked_balls", read_stacked_balls},
    {"bead_column", read_bead_column},
    {"cradle", read_cradle},
    {"planar_body", read_planar_body},
    {"rocking_block", read_rocking_block},
    {"v_groove", read_v_groove},
    {"double_pendulum", read_double_pendulum},
    {"multiple_pendulum", read_multiple_pendulum},
    {"four_foot_plate", read_four_foot_plate},
    {"spatial_body", read_spatial_body},
    {"sphere_on_plane", read_sphere_on_plane},
    {"two_spheres", read_two_spheres},
    {"rotating_chain", read_rotating_chain},
    {"dimer", read_dimer},
    {"three_ball_rod", read_three_ball_rod},
    {"block_stack", read_block_stack},
}};

Reader find_reader(const Value& system) {
  std::vector<std::string_view> names;
  names.reserve(kReaders.size());
  for (const auto& [name, reader] : kReaders) names.push_back(name);
  const std::string available = join(names);

  if (system.node().as<Node::Object>() == nullptr) {
    system.fail("must be a table, got " + system.node().describe());
  }
  const Node* node = system.node().find("kind");
  if (node == nullptr) {
    system.fail(fmt::format("the key 'kind' is missing; available: {}", available));
  }
  const Value kind(system.document(), *node, "system.kind");
  const std::string& word = kind.string();
  for (const auto& [name, reader] : kReaders) {
    if (name == word) return reader;
  }
  const std::vector<std::string_view> moving = moving_kinds();
  if (std::ranges::find(moving, word) != moving.end()) {
    kind.fail(
        fmt::format("'{}' is a system that moves in time, not one impact: use 'percute simulate' "
                    "(systems for one impact: {})",
                    word, available));
  }
  kind.fail(fmt::format("unknown system {}{}; available: {}", node->describe(),
                        did_you_mean(word, names), available));
}

/// [system] and [start]. A start anywhere is what only motion has.
SystemAtContact read_touching(Reader read, const Value& system, const Table& scene) {
  try {
    return read(system, scene.required("start"));
  } catch (const FileError& error) {
    if (!scene.has("simulation") || !error.field().starts_with("start")) throw;
    throw FileError(
        error.where(), error.field(),
        error.reason() + "; this is a scene of motion, with [simulation]: use 'percute simulate'");
  }
}

}  // namespace

ProblemFile read_scene(const Document& document) {
  constexpr std::array<std::string_view, 7> kKeys{"name",  "system", "material",  "contact",
                                                  "start", "law",    "simulation"};
  // A system that does not exist is the first thing to say; its tables may have other names.
  const Node* node = document.root.find("system");
  const Reader read = node == nullptr ? nullptr : find_reader(Value(document, *node, "system"));
  const Table table(Value(document), kKeys);
  ProblemFile file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));

  const Value system = table.required("system");
  try {
    SystemAtContact touching = read_touching(read, system, table);
    file.bodies = std::move(touching.bodies);
    file.contact_names = touching.contact_names;
    read_materials(table, file.law, touching);
    file.problem = std::move(touching.problem);
    validate(file.problem);
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
  return file;
}

}  // namespace percute::io
