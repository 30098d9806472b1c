// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/block_stack.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

using systems::BlockStack;

// More blocks than this are refused: each contact is written out over all coordinates on its way.
constexpr long kMaxBlocks = 500;

/// Number of blocks: the key 'blocks', or else the length of the first list.
std::size_t read_count(const Table& table) {
  if (const auto blocks = table.find("blocks")) {
    return static_cast<std::size_t>(blocks->integer(1, kMaxBlocks));
  }
  for (const std::string_view key : {"widths", "heights", "masses", "offsets", "names"}) {
    const auto list = table.find(key);
    if (!list) continue;
    if (list->size() < 1 || list->size() > static_cast<std::size_t>(kMaxBlocks)) {
      list->fail(fmt::format("must have from 1 to {} entries, one per block, got {}", kMaxBlocks,
                             list->size()));
    }
    return list->size();
  }
  table.value().fail(
      "the key 'blocks' is missing; or give a list with one entry per block: widths, heights, "
      "masses, offsets, names");
}

/// One number for all blocks, or one per block.
std::vector<double> read_per_block(const Table& table, std::string_view one, std::string_view list,
                                   std::size_t blocks) {
  const auto single = table.find(one);
  const auto several = table.find(list);
  if (single.has_value() == several.has_value()) {
    table.fail(list,
               fmt::format("give either '{}' (equal blocks) or '{}' (one per block)", one, list));
  }
  if (single) return std::vector<double>(blocks, single->number());
  const Vector numbers =
      read_numbers(*several, static_cast<Eigen::Index>(blocks), "one per block, from below");
  return {numbers.begin(), numbers.end()};
}

BlockStack read_system(const Value& value) {
  constexpr std::array<std::string_view, 10> kKeys{"kind",    "blocks",  "width", "widths",
                                                   "height",  "heights", "mass",  "masses",
                                                   "offsets", "names"};
  const Table table(value, kKeys);
  const std::size_t blocks = read_count(table);
  BlockStack stack;
  stack.widths = read_per_block(table, "width", "widths", blocks);
  stack.heights = read_per_block(table, "height", "heights", blocks);
  stack.masses = read_per_block(table, "mass", "masses", blocks);
  if (const auto offsets = table.find("offsets")) {
    const Vector numbers =
        read_numbers(*offsets, static_cast<Eigen::Index>(blocks), "one per block, from below");
    stack.offsets.assign(numbers.begin(), numbers.end());
  }
  if (const auto names = table.find("names")) {
    for (std::size_t i = 0; i < names->size(); ++i) stack.names.push_back((*names)[i].string());
  }
  return stack;
}

/// All velocities, or the speed at which the stack falls.
State read_start(const Value& value, const BlockStack& stack) {
  const Table table(value, std::array<std::string_view, 2>{"velocity", "speed"});
  if (table.has("velocity") == table.has("speed")) {
    value.fail(
        "give either 'velocity' ([vx, vy, omega] of every block, from below) or 'speed' "
        "(downwards, of all blocks)");
  }
  if (const auto speed = table.find("speed")) return stack.falling(speed->number());
  return stack.at_contact(
      read_rows(table.required("velocity"), stack.widths.size(), 3, "block", "[vx, vy, omega]"));
}

}  // namespace

SystemAtContact read_block_stack(const Value& system, const Value& start) {
  const BlockStack stack = read_system(system);
  validate(stack);
  return touching(stack, read_start(start, stack));
}

}  // namespace percute::io
