// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_motion.hpp"

#include <percute/io/suggest.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace percute::io {

namespace {

/// Kinds of system that move, and what reads them.
constexpr std::array kReaders{
    std::pair<std::string_view, MotionReader>{"bouncing_ball", read_moving_bouncing_ball},
    std::pair<std::string_view, MotionReader>{"cradle", read_moving_cradle},
};

constexpr std::array<std::string_view, 8> kKeys{"name",  "system", "material", "contact",
                                                "start", "law",    "impact",   "simulation"};

}  // namespace

std::vector<std::string_view> moving_kinds() {
  std::vector<std::string_view> names;
  names.reserve(kReaders.size());
  for (const auto& [name, reader] : kReaders) names.push_back(name);
  return names;
}

std::span<const std::string_view> motion_keys() {
  return kKeys;
}

MotionReader find_motion_reader(const Value& system) {
  const std::vector<std::string_view> names = moving_kinds();
  if (system.node().as<Node::Object>() == nullptr) {
    system.fail("must be a table, got " + system.node().describe());
  }
  const Node* node = system.node().find("kind");
  if (node == nullptr) {
    system.fail(fmt::format("the key 'kind' is missing; systems that move: {}", join(names)));
  }
  const Value kind(system.document(), *node, "system.kind");
  const std::string& word = kind.string();
  for (const auto& [name, reader] : kReaders) {
    if (name == word) return reader;
  }
  kind.fail(fmt::format("no system {} that moves in time{}; available: {}", node->describe(),
                        did_you_mean(word, names), join(names)));
}

void require_gravity(const Value& system) {
  if (system.node().find("gravity") == nullptr) {
    system.fail(
        "the key 'gravity' is missing: a scene in motion says what it is, in m/s² (9.81 on earth; "
        "0 for none)");
  }
}

double read_gravity(const Table& system) {
  require_gravity(system.value());
  return system.required("gravity").number();
}

}  // namespace percute::io
