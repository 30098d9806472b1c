// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reproduction.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// Anything `percute reproduce` can do again: a published impact, a table, a figure.
struct ReferenceItem {
  std::string id;  ///< "lzb2008.table6.2to8", "laws.three_balls.moreau"
  std::string title;
  std::vector<std::string> other_ids = {};  ///< of its cases, or under which values were printed
  std::function<Reproduction()> reproduce;
};

/// All items that come with the library.
std::vector<ReferenceItem> reference_items();

/// The items a word means, in order: one with exactly this id; else all whose id, or a part of it
/// between dots, starts with it ("lzb2008.table6", "table6"); else all with such another id
/// ("lzb2009.table6", "laws.three_balls.moreau.e1"). Throws InvalidInput if there is none.
std::vector<ReferenceItem> select(std::span<const ReferenceItem> items, std::string_view word);

}  // namespace percute::io
