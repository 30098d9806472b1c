// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/material_keys.hpp"

#include <percute/io/scene_file.hpp>
#include <percute/io/suggest.hpp>
#include <percute/systems/ball_chain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace percute::io {

namespace {

/// Kinds of system that exist by name; this version has the first one.
constexpr std::array<std::string_view, 13> kKinds{
    "ball_chain",    "ball_cluster", "stacked_balls",   "bead_column",   "cradle",
    "bouncing_ball", "v_groove",     "double_pendulum", "rocking_block", "four_foot_plate",
    "planar_body",   "dimer",        "impacting_bar"};
constexpr std::span<const std::string_view> kAvailable{kKinds.data(), 1};

constexpr long kMaxBalls = 1'000'000;

void check_kind(const Value& system) {
  if (system.node().as<Node::Object>() == nullptr) {
    system.fail("must be a table, got " + system.node().describe());
  }
  const Node* node = system.node().find("kind");
  if (node == nullptr) {
    system.fail(fmt::format("the key 'kind' is missing; available: {}", join(kAvailable)));
  }
  const Value kind(system.document(), *node, "system.kind");
  const std::string& word = kind.string();
  if (word == kAvailable[0]) return;
  if (std::ranges::find(kKinds, word) != kKinds.end()) {
    kind.fail(fmt::format("system '{}' is not available in this version (available: {})", word,
                          join(kAvailable)));
  }
  kind.fail(fmt::format("unknown system {}{}; available: {}", node->describe(),
                        did_you_mean(word, kKinds), join(kAvailable)));
}

std::vector<double> list_of(const Value& value, int balls) {
  const Vector numbers = value.numbers();
  if (numbers.size() != balls) {
    value.fail(fmt::format("must have {} entries, one per ball, got {}", balls, numbers.size()));
  }
  return {numbers.begin(), numbers.end()};
}

systems::BallChain read_ball_chain(const Value& value) {
  constexpr std::array<std::string_view, 6> kKeys{"kind",   "balls",  "mass",
                                                  "masses", "radius", "wall"};
  const Table table(value, kKeys);
  systems::BallChain chain;
  chain.balls = static_cast<int>(table.required("balls").integer(1, kMaxBalls));
  if (table.has("mass") == table.has("masses")) {
    table.fail("masses", "give either 'mass' (equal balls) or 'masses' (one per ball)");
  }
  chain.mass = table.number("mass", chain.mass);
  if (const auto masses = table.find("masses")) chain.masses = list_of(*masses, chain.balls);
  chain.radius = table.number("radius", chain.radius);
  chain.wall = table.boolean("wall", chain.wall);
  return chain;
}

/// [start]: the velocities of all balls, or the speed of the first one.
State read_start(const Value& value, const systems::BallChain& chain) {
  const Table table(value, std::array<std::string_view, 2>{"velocity", "speed"});
  if (table.has("velocity") == table.has("speed")) {
    table.fail("speed", "give either 'velocity' (one per ball) or 'speed' (of the first ball)");
  }
  if (const auto speed = table.find("speed")) return chain.at_contact(speed->number());
  const auto list = list_of(table.required("velocity"), chain.balls);
  const Vector velocity = Vector::Map(list.data(), static_cast<Eigen::Index>(list.size()));
  return chain.at_contact(velocity);
}

}  // namespace

ProblemFile read_scene(const Document& document) {
  constexpr std::array<std::string_view, 6> kKeys{"name",  "system", "material",
                                                  "start", "law",    "simulation"};
  const Value root(document);
  if (const Node* system = document.root.find("system")) {
    check_kind(Value(document, *system, "system"));
  }
  const Table table(root, kKeys);
  ProblemFile file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));

  systems::BallChain chain = read_ball_chain(table.required("system"));
  if (const auto material = table.find("material")) {
    chain.material = read_material(Table(*material, kMaterialKeys), file.law);
  } else {
    chain.material =
        read_material(Table(Value(document, Node(Node::Object{}), "material"), {}), file.law);
  }
  try {
    file.problem = chain.impact(read_start(table.required("start"), chain));
    validate(file.problem);
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw located(error, document);
  }
  for (int k = 0; k < chain.balls; ++k) {
    file.bodies.push_back({.name = fmt::format("ball {}", k + 1), .coordinates = {k}});
  }
  file.contact_names = name_contacts(file.problem.gradients, file.bodies);
  return file;
}

std::string scene_path(const std::string& problem_path, const Document& document) {
  if (problem_path.starts_with("contacts[") || problem_path.starts_with("materials[")) {
    const auto dot = problem_path.find('.');
    return dot == std::string::npos ? "material" : "material" + problem_path.substr(dot);
  }
  const auto given = [&](std::string_view table, std::string_view key) {
    const Node* node = document.root.find(table);
    return node != nullptr && node->find(key) != nullptr;
  };
  if (problem_path.starts_with("velocity")) {
    return given("start", "velocity") ? "start." + problem_path : "start.speed";
  }
  if (problem_path.starts_with("mass")) {
    if (!given("system", "masses")) return "system.mass";
    return problem_path.starts_with("masses") ? "system." + problem_path : "system.masses";
  }
  const std::string key = problem_path.substr(0, problem_path.find_first_of(".["));
  return given("system", key) ? "system." + problem_path : problem_path;
}

}  // namespace percute::io
