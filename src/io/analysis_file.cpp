// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/analysis_file.hpp"

#include "io/schema.hpp"

#include <percute/laws/binary.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

namespace percute::io {

namespace {

/// What friction can do at a contact.
Node friction_node(const analysis::LocalFriction& local) {
  return Node::Object{{"contact", local.contact},
                      {"friction", infinite_or_number(local.friction)},
                      {"sliding_velocity", local.sliding_velocity},
                      {"A_nn", local.A_nn},
                      {"A_tn", local.A_tn},
                      {"A_tt", local.A_tt},
                      {"stick_coefficient", local.stick_coefficient},
                      {"sticks", local.sticks},
                      {"jam_coefficient", local.jam_coefficient},
                      {"may_jam", local.may_jam},
                      {"jams", local.jams}};
}

Node distinct_node(const analysis::DistinctOutcomes& outcomes) {
  return Node::Object{{"velocities", outcomes.velocities}, {"counts", outcomes.counts},
                      {"spread", outcomes.spread},         {"tried", outcomes.tried},
                      {"failed", outcomes.failed},         {"complete", outcomes.complete}};
}

}  // namespace

OpenChoices open_choices(const ImpactProblem& problem, const laws::Coulomb& friction) {
  OpenChoices out;
  out.orders = analysis::over_orders(problem);
  out.sequence = analysis::termination(resolve(problem, laws::Binary{}));
  out.collapse_threshold = analysis::collapse_threshold(problem);
  const bool rubs = std::ranges::any_of(problem.contacts, friction_acts);
  if (!rubs) return out;
  try {
    out.modes = analysis::over_modes(problem, friction);
  } catch (const InvalidInput& error) {
    out.no_modes = error.reason();
  }
  out.starting_points = analysis::over_starting_points(problem, friction);
  return out;
}

Node to_node(const OpenChoices& choices) {
  Node node;
  node.add("orders", distinct_node(choices.orders));
  Node& sequence = node.add("sequence", {});
  sequence.add("end", name(choices.sequence.diagnosis));
  sequence.add("collisions", choices.sequence.collisions);
  sequence.add("contraction", choices.sequence.contraction);
  node.add("collapse_threshold", choices.collapse_threshold);
  if (!choices.starting_points) return node;
  node.add("modes", choices.modes ? distinct_node(*choices.modes) : Node());
  node.add("starting_points", distinct_node(*choices.starting_points));
  return node;
}

Node to_node(const analysis::ProblemAnalysis& analysis) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  // The angle of a contact with itself means nothing: NaN is written as null.
  Matrix angles = kDegrees * analysis.kinetic_angles;
  angles.diagonal().setConstant(std::numeric_limits<double>::quiet_NaN());
  Node node;
  node.add("format", "percute-analysis/1");
  node.add("delassus", analysis.delassus);
  node.add("rank", analysis.rank);
  node.add("kinetic_angles_deg", angles);
  node.add("gap_rates", analysis.gap_rates);
  node.add("active", analysis.active);
  node.add("reachable_energy", analysis.reachable_energy);
  node.add("kinetic_energy", analysis.kinetic_energy);
  node.add("redundant", analysis.redundant);
  if (analysis.friction.empty()) return node;
  Node::Array friction;
  for (const analysis::LocalFriction& local : analysis.friction) {
    friction.push_back(friction_node(local));
  }
  node.add("redundant_sticking", analysis.redundant_sticking);
  node.add("friction", std::move(friction));
  return node;
}

}  // namespace percute::io
