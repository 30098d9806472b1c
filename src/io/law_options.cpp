// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_options.hpp"

#include "io/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace percute::io {

namespace {

using laws::ImpulseSelection;
using laws::Separating;

constexpr Names<Separating, 3> kSeparating{{
    {"exclude_and_repeat", Separating::ExcludeAndRepeat},
    {"include", Separating::Include},
    {"include_raw", Separating::IncludeRaw},
}};
constexpr Names<ImpulseSelection, 2> kSelections{{
    {"least_norm", ImpulseSelection::LeastNorm},
    {"raw", ImpulseSelection::Raw},
}};

}  // namespace

std::vector<std::string_view> algebraic_keys(std::initializer_list<std::string_view> own) {
  std::vector<std::string_view> keys{"kind"};
  keys.insert(keys.end(), own.begin(), own.end());
  keys.insert(keys.end(), {"separating", "impulse_selection", "max_stages"});
  return keys;
}

laws::AlgebraicOptions read_options(const Table& table) {
  laws::AlgebraicOptions options;
  options.separating = table.choice("separating", options.separating, kSeparating);
  options.impulse_selection =
      table.choice("impulse_selection", options.impulse_selection, kSelections);
  options.max_stages =
      table.integer("max_stages", options.max_stages, 1, std::numeric_limits<long>::max());
  return options;
}

void add_options(Node& node, const laws::AlgebraicOptions& options) {
  node.add("separating", name_of(options.separating, kSeparating));
  node.add("impulse_selection", name_of(options.impulse_selection, kSelections));
  node.add("max_stages", options.max_stages);
}

Node law_start(std::string_view kind) {
  Node node;
  node.add("kind", kind);
  return node;
}

std::optional<double> optional_number(const Table& table, std::string_view key) {
  const auto value = table.find(key);
  return value ? std::optional(value->number()) : std::nullopt;
}

Matrix read_matrix(const Value& value) {
  Matrix matrix;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Vector row = value[i].numbers();
    if (i == 0) matrix.resize(static_cast<Eigen::Index>(value.size()), row.size());
    if (row.size() != matrix.cols()) {
      value[i].fail(fmt::format("must have {} like the first row, got {}", entries(matrix.cols()),
                                row.size()));
    }
    matrix.row(static_cast<Eigen::Index>(i)) = row.transpose();
  }
  return matrix;
}

Node matrix_node(const Matrix& matrix) {
  Node::Array rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Node::Array row;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.emplace_back(matrix(i, j));
    rows.emplace_back(std::move(row));
  }
  return rows;
}

Node infinite_or_number(double value) {
  return std::isinf(value) ? Node("inf") : Node(value);
}

}  // namespace percute::io
