// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace percute::systems {

namespace {

/// A cell of one of a family of square grids: cells of level L have side 2^L. Indices stay floating
/// point, so that no position is too far out.
struct Cell {
  int level;
  double column;
  double row;

  auto key() const { return std::tie(level, column, row); }
};

struct Entry {
  Cell cell;
  int disc;
};

/// The level whose cells are just large enough for a disc within reach.
int level_of(double radius, double reach) {
  return std::ilogb(2.0 * (1.0 + reach) * radius) + 1;
}

Cell cell_of(const Vector& position, int disc, int level) {
  const double side = std::ldexp(1.0, level);
  return {.level = level,
          .column = std::floor(position[2 * disc] / side),
          .row = std::floor(position[2 * disc + 1] / side)};
}

/// Columns next to this one, without repetition where they are too far out to differ.
std::vector<double> beside(double column) {
  std::vector<double> result{column - 1.0, column, column + 1.0};
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

void for_each_near_pair(const Vector& position, const std::vector<double>& radii, double reach,
                        const std::function<void(int, int)>& visit) {
  // Each disc is entered once, on the grid of its own size.
  const int discs = static_cast<int>(radii.size());
  std::vector<Entry> entries;
  entries.reserve(radii.size());
  std::vector<int> levels;
  for (int i = 0; i < discs; ++i) {
    const int level = level_of(radii[static_cast<std::size_t>(i)], reach);
    entries.push_back({.cell = cell_of(position, i, level), .disc = i});
    levels.push_back(level);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.cell.key() != b.cell.key() ? a.cell.key() < b.cell.key() : a.disc < b.disc;
  });
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());

  // Partners of the same size or larger are in the cell of the disc on their grid, or beside it.
  for (const Entry& entry : entries) {
    const auto coarser = std::lower_bound(levels.begin(), levels.end(), entry.cell.level);
    for (auto level = coarser; level != levels.end(); ++level) {
      const Cell own = cell_of(position, entry.disc, *level);
      for (const double column : beside(own.column)) {
        const Cell lowest{.level = *level, .column = column, .row = own.row - 1.0};
        auto other = std::lower_bound(
            entries.begin(), entries.end(), lowest,
            [](const Entry& e, const Cell& cell) { return e.cell.key() < cell.key(); });
        for (; other != entries.end() && other->cell.level == *level &&
               other->cell.column == column && other->cell.row <= own.row + 1.0;
             ++other) {
          // Partners on the same grid find each other twice.
          const bool again = *level == entry.cell.level && other->disc <= entry.disc;
          if (!again) visit(std::min(entry.disc, other->disc), std::max(entry.disc, other->disc));
        }
      }
    }
  }
}

}  // namespace percute::systems
