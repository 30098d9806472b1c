// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/analysis_file.hpp"

#include <percute/laws/binary.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percute::io {

namespace {

/// Rows of numbers; the diagonal as null if it means nothing.
Node rows_of(const Matrix& matrix, bool diagonal) {
  Node::Array rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Node::Array row;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      row.push_back(i == j && !diagonal ? Node() : Node(matrix(i, j)));
    }
    rows.emplace_back(std::move(row));
  }
  return rows;
}

Node list_of(const Vector& numbers) {
  return Node::Array(numbers.begin(), numbers.end());
}

/// What friction can do at a contact.
Node friction_node(const analysis::LocalFriction& local) {
  Node node;
  node.add("contact", local.contact);
  node.add("friction", std::isinf(local.friction) ? Node("inf") : Node(local.friction));
  node.add("sliding_velocity", list_of(local.sliding_velocity));
  node.add("A_nn", local.A_nn);
  node.add("A_tn", list_of(local.A_tn));
  node.add("A_tt", rows_of(local.A_tt, true));
  node.add("stick_coefficient", local.stick_coefficient);
  node.add("sticks", local.sticks);
  node.add("jam_coefficient", local.jam_coefficient ? Node(*local.jam_coefficient) : Node());
  node.add("may_jam", local.may_jam);
  node.add("jams", local.jams);
  return node;
}

Node distinct_node(const analysis::DistinctOutcomes& outcomes) {
  Node node;
  Node::Array velocities;
  for (const Vector& velocity : outcomes.velocities) velocities.emplace_back(list_of(velocity));
  node.add("velocities", std::move(velocities));
  node.add("counts", Node::Array(outcomes.counts.begin(), outcomes.counts.end()));
  node.add("spread", outcomes.spread);
  node.add("tried", outcomes.tried);
  node.add("failed", outcomes.failed);
  node.add("complete", outcomes.complete);
  return node;
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
  const auto& contraction = choices.sequence.contraction;
  sequence.add("contraction", contraction ? Node(*contraction) : Node());
  node.add("collapse_threshold", choices.collapse_threshold);
  if (!choices.starting_points) return node;
  node.add("modes", choices.modes ? distinct_node(*choices.modes) : Node());
  node.add("starting_points", distinct_node(*choices.starting_points));
  return node;
}

Node to_node(const analysis::ProblemAnalysis& analysis) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  Node node;
  node.add("format", "percute-analysis/1");
  node.add("delassus", rows_of(analysis.delassus, true));
  node.add("rank", analysis.rank);
  node.add("kinetic_angles_deg", rows_of(kDegrees * analysis.kinetic_angles, false));
  node.add("gap_rates", Node::Array(analysis.gap_rates.begin(), analysis.gap_rates.end()));
  node.add("active", Node::Array(analysis.active.begin(), analysis.active.end()));
  node.add("reachable_energy", analysis.reachable_energy);
  node.add("kinetic_energy", analysis.kinetic_energy);
  node.add("redundant", analysis.redundant);
  if (analysis.friction.empty()) return node;
  Node::Array friction;
  friction.reserve(analysis.friction.size());
  for (const analysis::LocalFriction& local : analysis.friction) {
    friction.push_back(friction_node(local));
  }
  node.add("redundant_sticking", analysis.redundant_sticking);
  node.add("friction", std::move(friction));
  return node;
}

}  // namespace percute::io
