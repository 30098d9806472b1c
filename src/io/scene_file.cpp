// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"

#include <percute/io/scene_file.hpp>
#include <percute/io/suggest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace percute::io {

namespace {

/// A kind of system and what reads it; nullptr: the name is taken, the system is yet to come.
struct Kind {
  std::string_view name;
  SystemAtContact (*read)(const Value& system, const Value& start) = nullptr;
};
constexpr std::array<Kind, 13> kKinds{{{"ball_chain", read_ball_chain},
                                       {"ball_cluster", read_ball_cluster},
                                       {"stacked_balls", read_stacked_balls},
                                       {"bead_column"},
                                       {"cradle"},
                                       {"bouncing_ball"},
                                       {"v_groove"},
                                       {"double_pendulum"},
                                       {"rocking_block"},
                                       {"four_foot_plate"},
                                       {"planar_body"},
                                       {"dimer"},
                                       {"impacting_bar"}}};

std::string available() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kKinds) {
    if (kind.read != nullptr) names.push_back(kind.name);
  }
  return join(names);
}

const Kind& read_kind(const Value& system) {
  if (system.node().as<Node::Object>() == nullptr) {
    system.fail("must be a table, got " + system.node().describe());
  }
  const Node* node = system.node().find("kind");
  if (node == nullptr) {
    system.fail(fmt::format("the key 'kind' is missing; available: {}", available()));
  }
  const Value value(system.document(), *node, "system.kind");
  const std::string& word = value.string();
  const auto* const found = std::ranges::find(kKinds, word, &Kind::name);
  if (found == kKinds.end()) {
    std::vector<std::string_view> names;
    for (const Kind& kind : kKinds) names.push_back(kind.name);
    value.fail(fmt::format("unknown system {}{}; available: {}", node->describe(),
                           did_you_mean(word, names), available()));
  }
  if (found->read == nullptr) {
    value.fail(fmt::format("system '{}' is not available in this version (available: {})", word,
                           available()));
  }
  return *found;
}

}  // namespace

ProblemFile read_scene(const Document& document) {
  constexpr std::array<std::string_view, 7> kKeys{"name",  "system", "material",  "contact",
                                                  "start", "law",    "simulation"};
  // A system that does not exist is the first thing to say; its tables may have other names.
  const Node* node = document.root.find("system");
  const Kind* kind = node == nullptr ? nullptr : &read_kind(Value(document, *node, "system"));
  const Table table(Value(document), kKeys);
  ProblemFile file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));

  const Value system = table.required("system");
  try {
    SystemAtContact touching = kind->read(system, table.required("start"));
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
