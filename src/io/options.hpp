// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/model/options.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

// Structs of options in files, by their list of fields.

namespace percute::io {

/// Calls a visitor for each option of something.
using EachOption = std::function<void(const OptionVisitor&)>;

template <class Options>
EachOption options_of(Options& options) {
  return [&options](const OptionVisitor& visit) { visit_options(options, visit); };
}

/// `first` and the keys of all options.
std::vector<std::string_view> option_keys(std::vector<std::string_view> first,
                                          const EachOption& each);

/// Sets the options that the table names. Throws FileError for values that are of another type or
/// out of range, for options that are required and missing, and for those that would have no
/// effect, unless they have their default.
void read_options(const Table& table, const EachOption& each);

/// What is written for an option without a value.
enum class Absent { Nothing, Null };

/// Adds every option. Those that have no effect are written as they are in `defaults`.
void add_options(Node& node, const EachOption& each, Absent absent = Absent::Nothing,
                 const EachOption& defaults = {});

/// The value of an option as a file has it; nothing where it has none.
std::optional<Node> option_node(const Field& field, const Option& option);

/// A number, or "inf".
Node infinite_or_number(double value);

}  // namespace percute::io
