// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "comparison_table.hpp"

#include "io/printable.hpp"
#include "reengagement_note.hpp"
#include "text_table.hpp"

#include <percute/analysis/indices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace percute::cli {

namespace {

using analysis::Indices;
using io::LawOutcome;

/// Text of every cell, made once for both layouts. Names and units run over the coordinates.
struct Cells {
  struct Row {
    std::string law = {};
    std::vector<std::string> velocities = {};
    std::string energy_ratio = {};
    std::string relative = {};
    std::string dispersion = {};
    std::string slip_loss = {};
    std::string cone = {};
    std::string verdicts = {};
    std::string status = {};
    std::string time = {};
  };

  std::vector<std::string> coordinates = {};
  std::vector<Row> rows = {};  ///< the first one is the state before the impact
  bool any_status = false;
  bool friction = false;
};

std::string optional_text(const std::optional<double>& value) {
  return value ? number_text(*value, std::abs(*value)) : "–";
}

std::string verdict_text(const Consistency& verdict) {
  if (verdict.admissible()) return "✓";
  std::string violated;
  const auto name = [&violated](bool good, const char* word) {
    if (!good) violated += violated.empty() ? word : std::string(", ") + word;
  };
  name(verdict.energetic, "energetic");
  name(verdict.kinematic, "kinematic");
  name(verdict.kinetic, "kinetic");
  name(verdict.friction_cone, "friction cone");
  name(verdict.momentum, "momentum");
  name(verdict.identity, "identity");
  return "✗ " + violated;
}

bool has_friction(const io::ProblemFile& file) {
  return std::ranges::any_of(file.problem.contacts, friction_acts);
}

/// Where the tangential impulses are: inside Coulomb's cone, on its edge (a contact slid all the
/// time), or outside.
std::string cone_text(const ImpactResult& result) {
  if (result.consistency.friction_ignored) return "–";
  if (!result.consistency.friction_cone) return "✗ outside";
  double largest = 0.0;
  for (const Vector& p : result.tangential_impulse) {
    if (p.size() > 0) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  // Nothing rubbed: no cone to speak of.
  if (largest == 0.0) return "✓";
  const double slack = result.consistency.margins.friction_cone;
  return slack <= 1e-9 * largest ? "✓ edge" : "✓ inside";
}

std::string status_text(Status status) {
  if (status == Status::Ok) return "";
  return std::string(accepted(status) ? "" : "✗ ") + name(status);
}

/// The unit of all velocities, which then goes to the title, "" if unknown; nothing if they differ.
std::optional<std::string> common_unit(const io::ProblemFile& file) {
  std::optional<std::string> unit;
  for (const Body& body : file.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      if (unit && body.unit(k) != *unit) return {};
      unit = body.unit(k);
    }
  }
  return unit;
}

std::vector<std::string> coordinate_names(const io::ProblemFile& file, std::vector<int>& order) {
  const bool mixed = !common_unit(file);
  std::vector<std::string> names;
  for (const Body& body : file.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      const std::string name = io::printable(body.coordinate_name(k));
      names.push_back(mixed ? fmt::format("{} [{}]", name, body.unit(k)) : name);
      order.push_back(body.coordinates[k]);
    }
  }
  return names;
}

Cells cells_of(const io::Comparison& comparison) {
  Cells cells;
  std::vector<int> order;
  const io::ProblemFile& file = comparison.outcomes.front().file;
  cells.coordinates = coordinate_names(file, order);
  double largest = file.problem.velocity.cwiseAbs().maxCoeff();
  for (const LawOutcome& outcome : comparison.outcomes) {
    largest = std::max(largest, outcome.result.velocity.cwiseAbs().maxCoeff());
  }
  const auto velocities = [&](const Vector& v) {
    std::vector<std::string> texts;
    texts.reserve(order.size());
    for (const int i : order) texts.push_back(number_text(v[i], largest, true));
    return texts;
  };

  const auto before = analysis::dispersion(file.problem.mass, file.problem.velocity, file.bodies);
  cells.rows.push_back({.law = "(before)",
                        .velocities = velocities(file.problem.velocity),
                        .dispersion = optional_text(before)});
  for (const LawOutcome& outcome : comparison.outcomes) {
    const ImpactResult& result = outcome.result;
    const Indices indices = analysis::indices(outcome.file.problem, result, outcome.file.bodies);
    cells.friction = cells.friction || has_friction(outcome.file);
    cells.rows.push_back({.law = io::printable(outcome.name),
                          .velocities = velocities(result.velocity),
                          .energy_ratio = optional_text(indices.energy_ratio),
                          .relative = optional_text(indices.relative_energy_ratio),
                          .dispersion = optional_text(indices.dispersion),
                          .slip_loss = number_text(indices.sliding_loss, result.energy.before),
                          .cone = cone_text(result),
                          .verdicts = verdict_text(result.consistency),
                          .status = status_text(result.status),
                          .time = fmt::format("{:.1f}", 1e6 * outcome.time)});
    cells.any_status = cells.any_status || result.status != Status::Ok;
  }
  return cells;
}

/// One law per row.
TextTable by_rows(const Cells& cells) {
  const auto column = [&cells](const std::function<std::string(const Cells::Row&)>& cell) {
    std::vector<std::string> texts;
    texts.reserve(cells.rows.size());
    for (const Cells::Row& row : cells.rows) texts.push_back(cell(row));
    return texts;
  };
  TextTable table;
  table.text("law", column([](const auto& row) { return row.law; }));
  for (std::size_t k = 0; k < cells.coordinates.size(); ++k) {
    table.right(cells.coordinates[k], column([k](const auto& row) { return row.velocities[k]; }));
  }
  table.right("KER", column([](const auto& row) { return row.energy_ratio; }));
  table.right("KER_rel", column([](const auto& row) { return row.relative; }));
  table.right("C_KE", column([](const auto& row) { return row.dispersion; }));
  if (cells.friction) {
    table.right("D_t [J]", column([](const auto& row) { return row.slip_loss; }));
    table.text("cone", column([](const auto& row) { return row.cone; }));
  }
  table.text("verdicts", column([](const auto& row) { return row.verdicts; }));
  if (cells.any_status) table.text("status", column([](const auto& row) { return row.status; }));
  table.right("time [µs]", column([](const auto& row) { return row.time; }));
  return table;
}

/// One law per column; as many tables, one below the other, as the width asks for.
std::string by_columns(const Cells& cells, std::size_t columns) {
  std::vector<std::string> names = cells.coordinates;
  for (const char* name : {"KER", "KER_rel", "C_KE"}) names.emplace_back(name);
  if (cells.friction) names.insert(names.end(), {"D_t [J]", "cone"});
  names.emplace_back("verdicts");
  if (cells.any_status) names.emplace_back("status");
  names.emplace_back("time [µs]");

  std::string out;
  TextTable table;
  bool empty = true;
  const auto start = [&] {
    table = TextTable{};
    table.text("law", names);
    empty = true;
  };
  start();
  for (const Cells::Row& row : cells.rows) {
    std::vector<std::string> texts = row.velocities;
    texts.insert(texts.end(), {row.energy_ratio, row.relative, row.dispersion});
    if (cells.friction) texts.insert(texts.end(), {row.slip_loss, row.cone});
    texts.push_back(row.verdicts);
    if (cells.any_status) texts.push_back(row.status);
    texts.push_back(row.time);
    TextTable wider = table;
    wider.right(row.law, texts);
    if (2 + wider.width() > columns && !empty) {
      out += indented(table) + "\n";
      start();
      wider = table;
      wider.right(row.law, texts);
    }
    table = std::move(wider);
    empty = false;
  }
  return out + indented(table);
}

std::string title(const io::ProblemFile& file) {
  const std::size_t bodies = file.bodies.size();
  const std::size_t contacts = file.problem.contacts.size();
  const std::string unit = common_unit(file).value_or("");
  return fmt::format("{} · {} {} · {} closed contact{}{}\n\n", io::printable(file.name, 200),
                     bodies, bodies == 1 ? "body" : "bodies", contacts, contacts == 1 ? "" : "s",
                     unit.empty() ? "" : fmt::format(" · velocities in {}", unit));
}

/// Where the rules of re-engagement differ. A row whose other rule is a row above it has been
/// spoken of there: the same run gives the same bits.
std::string reengagement_notes(const io::Comparison& comparison) {
  std::string out;
  const auto& outcomes = comparison.outcomes;
  for (const LawOutcome& outcome : outcomes) {
    const auto& other = outcome.other_rule;
    if (!other) continue;
    const bool told = std::any_of(outcomes.data(), &outcome, [&](const LawOutcome& above) {
      return above.other_rule && above.result.velocity == other->velocity;
    });
    if (told) continue;
    const std::string note = reengagement_note(outcome.file, outcome.result, *other);
    if (!note.empty()) out += fmt::format("  · {}: {}\n", io::printable(outcome.name), note);
  }
  if (out.empty()) return out;
  return out +
         "    An open contact is driven together again: zero_gap loads it at once, tracked_gap "
         "when "
         "its gap has closed.\n"
         "    Both: --laws lzb:reengagement=zero_gap,lzb:reengagement=tracked_gap; which to take: "
         "docs/howto/which_law.md\n";
}

/// What the table alone would hide.
std::string notes(const io::Comparison& comparison) {
  std::string out;
  const auto list = [&](const char* meaning,
                        const std::function<bool(const ImpactResult&)>& holds) {
    std::vector<std::string> laws;
    for (const LawOutcome& outcome : comparison.outcomes) {
      if (holds(outcome.result)) laws.push_back(io::printable(outcome.name));
    }
    if (!laws.empty()) out += fmt::format("  · {}: {}\n", meaning, fmt::join(laws, ", "));
  };
  list("friction is ignored by",
       [](const ImpactResult& result) { return result.consistency.friction_ignored; });
  list("restitution is ignored by",
       [](const ImpactResult& result) { return result.consistency.restitution_ignored; });
  list("another outcome satisfies the law too", [](const ImpactResult& result) {
    return result.diagnostics.algebraic && result.diagnostics.algebraic->multiple_solutions;
  });
  out += reengagement_notes(comparison);
  for (const io::Comparison::LeftOut& law : comparison.left_out) {
    out += fmt::format("  · without {}: {}\n", law.law, law.reason);
  }
  return out;
}

}  // namespace

std::string comparison_text(const io::Comparison& comparison, std::size_t columns) {
  std::string remarks = notes(comparison);
  if (comparison.outcomes.empty()) return remarks;
  const Cells cells = cells_of(comparison);
  const TextTable rows = by_rows(cells);
  const std::string table =
      2 + rows.width() <= columns ? indented(rows) : by_columns(cells, columns);
  return title(comparison.outcomes.front().file) + table + (remarks.empty() ? "" : "\n") + remarks;
}

}  // namespace percute::cli
