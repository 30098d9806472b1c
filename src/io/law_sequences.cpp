// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/law_options.hpp"

#include <fmt/format.h>

#include <limits>

namespace percute::io {

namespace {

using laws::Binary;
using laws::ImpulseRatios;

constexpr Names<ImpulseRatios::Closure, 2> kClosures{{
    {"ray_energetic", ImpulseRatios::Closure::RayEnergetic},
    {"total_energy", ImpulseRatios::Closure::TotalEnergy},
}};
constexpr Names<ImpulseRatios::Terminate, 2> kTerminations{{
    {"all_contacts", ImpulseRatios::Terminate::AllContacts},
    {"primary", ImpulseRatios::Terminate::Primary},
}};
constexpr Names<Binary::Order, 4> kOrders{{
    {"largest_approach", Binary::Order::LargestApproach},
    {"left_right", Binary::Order::LeftRight},
    {"right_left", Binary::Order::RightLeft},
    {"random", Binary::Order::Random},
}};
constexpr Names<Binary::Finish, 2> kFinishes{{
    {"moreau0", Binary::Finish::Moreau0},
    {"none", Binary::Finish::None},
}};
constexpr long kMany = std::numeric_limits<long>::max();

/// The direction of the impulses, in one of three forms.
Vector read_direction(const Table& table) {
  const auto direction = table.find("direction");
  const auto next = table.find("p_next_over_p_prev");
  const auto previous = table.find("p_prev_over_p_next");
  const int given = (direction ? 1 : 0) + (next ? 1 : 0) + (previous ? 1 : 0);
  if (given != 1) {
    table.value().fail(
        fmt::format("needs exactly one of direction, p_next_over_p_prev, p_prev_over_p_next; it "
                    "has {}",
                    given == 0 ? "none" : "several"));
  }
  if (direction) return direction->numbers();
  const Value list = table.required(next ? "p_next_over_p_prev" : "p_prev_over_p_next");
  const Vector ratios = list.numbers();
  const std::span<const double> span(ratios.data(), static_cast<std::size_t>(ratios.size()));
  try {
    return next ? laws::from_next_over_previous(span) : laws::from_previous_over_next(span);
  } catch (const InvalidInput& error) {
    list.fail(error.reason());
  }
}

}  // namespace

Law read_icr(const Value& value) {
  const Table table(value, algebraic_keys({"direction", "p_next_over_p_prev", "p_prev_over_p_next",
                                           "closure", "restitution", "energy_ratio", "terminate"}));
  ImpulseRatios law{.direction = read_direction(table), .options = read_options(table)};
  law.closure = table.choice("closure", law.closure, kClosures);
  law.terminate = table.choice("terminate", law.terminate, kTerminations);
  if (law.closure == ImpulseRatios::Closure::TotalEnergy) {
    law.energy_ratio = table.required("energy_ratio").number();
    if (table.has("restitution")) {
      table.fail("restitution", "is used by closure 'ray_energetic' only");
    }
  } else {
    law.restitution = optional_number(table, "restitution");
    if (table.has("energy_ratio")) {
      table.fail("energy_ratio", "is used by closure 'total_energy' only");
    }
  }
  validate_options(table, law);
  return law;
}

Node law_node(const ImpulseRatios& law) {
  Node node = law_start("icr");
  node.add("direction", Node::Array(law.direction.begin(), law.direction.end()));
  node.add("closure", name_of(law.closure, kClosures));
  if (law.closure == ImpulseRatios::Closure::TotalEnergy) {
    node.add("energy_ratio", law.energy_ratio);
  } else {
    if (law.restitution) node.add("restitution", *law.restitution);
  }
  node.add("terminate", name_of(law.terminate, kTerminations));
  add_options(node, law.options);
  return node;
}

Law read_binary(const Value& value) {
  const Table table(value, algebraic_keys({"order", "seed", "finish", "max_collisions"}));
  Binary law{.options = read_options(table)};
  law.order = table.choice("order", law.order, kOrders);
  law.seed = static_cast<std::uint64_t>(table.integer("seed", 0, 0, kMany));
  if (table.has("seed") && law.order != Binary::Order::Random && law.seed != 0) {
    table.fail("seed", "is used by order 'random' only");
  }
  law.finish = table.choice("finish", law.finish, kFinishes);
  law.max_collisions = table.integer("max_collisions", law.max_collisions, 1, kMany);
  return law;
}

Node law_node(const Binary& law) {
  Node node = law_start("binary");
  node.add("order", name_of(law.order, kOrders));
  // Other orders refuse one.
  node.add("seed", law.order == Binary::Order::Random ? static_cast<long>(law.seed) : 0L);
  node.add("finish", name_of(law.finish, kFinishes));
  node.add("max_collisions", law.max_collisions);
  add_options(node, law.options);
  return node;
}

Law read_simultaneous_set(const Value& value) {
  const Table table(value, algebraic_keys({"max_collisions"}));
  laws::SimultaneousSet law{.options = read_options(table)};
  law.max_collisions = table.integer("max_collisions", law.max_collisions, 1, kMany);
  return law;
}

Node law_node(const laws::SimultaneousSet& law) {
  Node node = law_start("simultaneous_set");
  node.add("max_collisions", law.max_collisions);
  add_options(node, law.options);
  return node;
}

}  // namespace percute::io
