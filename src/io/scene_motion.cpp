// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_motion.hpp"

#include "io/suggest.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace percute::io {

namespace {

/// Kinds of system that move, and what reads them.
constexpr std::array<std::pair<std::string_view, MotionReader>, 12> kReaders{{
    {"ball_chain", read_moving_ball_chain},
    {"bead_column", read_moving_bead_column},
    {"bouncing_ball", read_moving_bouncing_ball},
    {"cradle", read_moving_cradle},
    {"rocking_block", read_moving_rocking_block},
    {"planar_body", read_moving_planar_body},
    {"dimer", read_moving_dimer},
    {"three_ball_rod", read_moving_three_ball_rod},
    {"v_groove", read_moving_v_groove},
    {"double_pendulum", read_moving_double_pendulum},
    {"multiple_pendulum", read_moving_multiple_pendulum},
    {"impacting_bar", read_moving_impacting_bar},
}};

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
        "the key 'gravity' is missing: a scene in motion must give it, in m/s² (9.81 on earth; "
        "0 for none)");
  }
}

void require_moderate(const Value& system, int bodies, std::string_view key) {
  constexpr int kMost = 1000;
  if (bodies > kMost) {
    system.fail(fmt::format("{} {} are too many to move in time; up to {}", bodies, key, kMost));
  }
}

double read_gravity(const Table& system) {
  require_gravity(system.value());
  return system.required("gravity").number();
}

}  // namespace percute::io
