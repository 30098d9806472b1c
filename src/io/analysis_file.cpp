// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/analysis_file.hpp"

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

}  // namespace

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
  node.add("friction", std::move(friction));
  return node;
}

}  // namespace percute::io
