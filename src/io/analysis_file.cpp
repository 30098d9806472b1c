// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/analysis_file.hpp>

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
  return node;
}

}  // namespace percute::io
