// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/laws/algebraic.hpp>

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace percute::io {

/// Keys of an algebraic law: its own and those all of them share.
std::vector<std::string_view> algebraic_keys(std::initializer_list<std::string_view> own);
laws::AlgebraicOptions read_options(const Table& table);
void add_options(Node& node, const laws::AlgebraicOptions& options);

/// A `law` object with its kind.
Node law_start(std::string_view kind);

std::optional<double> optional_number(const Table& table, std::string_view key);

/// A matrix as a list of rows, all as long as the first.
Matrix read_matrix(const Value& value);
Node matrix_node(const Matrix& matrix);

/// A number, or "inf".
Node infinite_or_number(double value);

}  // namespace percute::io
