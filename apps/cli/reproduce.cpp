// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"
#include "reproduction/rows.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace percute::cli {

namespace {

using reproduction::Item;
using reproduction::Reproduction;
using reproduction::Row;

constexpr const char* kReproduceFooter = R"(
LZB cases are solved at tolerance 1e-10 and compared with converged values; the algebraic laws with
closed forms and exhaustive enumeration, to 1e-9; chains and columns of balls by their forces,
instants and velocities, to 1e-7; drops of the impacting bar by their energies and rebounds, to 2e-5
(fig5 of it takes a minute); motions of a cradle, of a particle in a groove and of rocking blocks by
their instants, angles and speeds. What a paper printed stands beside them, with the reason where it
differs:

    ✓  the printed digits agree, or nothing was printed and the converged value is met
    ≈  print differs by its known error (step size of the paper, misprint, other parameters)
    ✗  the converged value is missed, or print differs by more than is known

Examples:
    percute reproduce                        # all of them
    percute reproduce --list                 # their names
    percute reproduce lzb2008.table6.2to8    # one
    percute reproduce table6 table7          # all whose name has this part
    percute reproduce three_balls coverage   # laws on three balls; how much of all outcomes they reach
    percute reproduce fig8a --json           # a figure as data
    percute reproduce chains fig38           # waves in chains; a column that collapses
    percute reproduce bar2007.table5         # energies of an impacting bar
    percute reproduce motion                 # a cradle that swings, a groove, rocking blocks

Exit status: 0 all as it should be; 1 some value is missed, or Ctrl-C ended the list before the last
case; 2 no such case.)";

struct ReproduceOptions : FileCommand {
  std::vector<std::string> ids = {};
  bool list = false;
};

// The items named, each once, in the order of the data.
std::vector<Item> chosen_items(const std::vector<std::string>& words) {
  std::vector<Item> all = reproduction::all_items();
  if (words.empty()) return all;
  std::vector<std::string> wanted;
  for (const std::string& word : words) {
    for (const Item& found : reproduction::select(all, word)) wanted.push_back(found.id);
  }
  std::erase_if(all, [&](const Item& item) {
    return std::find(wanted.begin(), wanted.end(), item.id) == wanted.end();
  });
  return all;
}

io::Node list_as_node(const std::vector<Item>& items) {
  io::Node::Array list;
  for (const Item& item : items) {
    list.emplace_back(io::Node::Object{{"id", item.id}, {"title", item.title}});
  }
  return io::Node::Object{{"items", std::move(list)}};
}

std::string list_as_text(const std::vector<Item>& items) {
  std::size_t width = 0;
  for (const Item& item : items) width = std::max(width, item.id.size());
  std::string text;
  for (const Item& item : items) {
    text += fmt::format("{:<{}}  {}\n", item.id, width, item.title);
  }
  return text;
}

const char* mark(const Row& row) {
  return row.verdict == Row::Verdict::Agrees ? "✓" : row.ok() ? "≈" : "✗";
}

// A number with ten decimals; rounding errors of zero are shown as zero. Numbers of another order
// of magnitude (times in microseconds) have ten digits.
std::string decimals(double value, double scale) {
  const bool usual = scale == 0.0 || (std::abs(scale) >= 1e-3 && std::abs(scale) < 1e5);
  if (!usual) return fmt::format("{:.9e}", value);
  return fmt::format("{:.10f}", std::abs(value) < 5e-11 ? 0.0 : value);
}

std::string line(const Row& row) {
  if (!row.computed) return fmt::format("    {} {}\n", mark(row), row.quantity);
  const double computed = *row.computed;
  const double scale = row.reference.value_or(computed);
  std::string text = fmt::format("    {} {:<20} {:>12} {:>16}", mark(row), row.quantity,
                                 row.published ? fmt::format("{:.10g}", *row.published) : "–",
                                 decimals(computed, scale));
  if (row.reference) {  // else for information
    text += fmt::format(
        " {:>16} {:>12} {:>9.1e}", decimals(*row.reference, scale),
        row.published ? fmt::format("{:.1e}", std::abs(*row.published - computed)) : "–",
        std::abs(computed - *row.reference));
  }
  return text + "\n";
}

// Rows with a line of their own: what was printed, velocities, whatever failed. The others (what
// happened at each contact, energies) are only counted.
bool has_a_line(const Row& row) {
  const bool detail =
      row.quantity == "kinetic_energy" || row.quantity.find('[') != std::string::npos;
  return row.published || !row.ok() || !detail;
}

// Why print and computation differ, under the rows it is about; nothing where print is right.
std::string reason(const std::string& note) {
  return note.empty() || note.starts_with("agrees_to_rounding") ? "" : "      " + note + "\n";
}

std::string report_of(const Reproduction& item) {
  std::string text = fmt::format("{} {}: {}\n", item.ok() ? "✓" : "✗", item.id, item.title);
  text += fmt::format("      {:<20} {:>12} {:>16} {:>16} {:>12} {:>9}\n", "", "published",
                      "computed", "converged", "difference", "error");
  const Row* last = nullptr;
  int counted = 0;
  for (const Row& row : item.rows) {
    if (!has_a_line(row)) {
      ++counted;
      continue;
    }
    if (last != nullptr && row.note != last->note) text += reason(last->note);
    if (last == nullptr || row.label != last->label || row.note != last->note) {
      text += "  " + row.label + "\n";
    }
    text += line(row);
    last = &row;
  }
  if (last != nullptr) text += reason(last->note);
  if (counted > 0) {
    text += fmt::format("  also met: {} impulses, losses, counts and energies\n", counted);
  }
  return text + "\n";
}

std::string summary(const std::vector<Reproduction>& items) {
  const auto good = std::ranges::count_if(items, &Reproduction::ok);
  int agree = 0;
  int explained = 0;
  int failed = 0;
  for (const Reproduction& item : items) {
    for (const Row& row : item.rows) {
      failed += row.ok() ? 0 : 1;
      agree += row.published && row.verdict == Row::Verdict::Agrees ? 1 : 0;
      explained += row.verdict == Row::Verdict::Explained ? 1 : 0;
    }
  }
  std::string text = fmt::format("{} of {} {} the converged values", good, items.size(),
                                 items.size() == 1 ? "case meets" : "cases meet");
  if (agree + explained > 0) {
    text += fmt::format("; {} published numbers agree to the last digit, {} differ as explained",
                        agree, explained);
  }
  return text + (failed == 0 ? "\n" : fmt::format("; {} comparisons fail\n", failed));
}

ExitCode reproduce(const ReproduceOptions& options) {
  const std::vector<Item> chosen = chosen_items(options.ids);
  Output out(options.output);
  const bool json = options.json || !options.output.empty();
  if (options.list) {
    out.write(json ? to_json(list_as_node(chosen)) + "\n" : list_as_text(chosen));
    out.close();
    return ExitCode::Accepted;
  }
  std::vector<Reproduction> items;
  const StopSignal signals(
      "\npercute: stops after this case, which may take a minute; Ctrl-C again ends it at once\n");
  {
    const Progress progress("reproducing published results", !options.quiet && json);
    for (const Item& item : chosen) {
      items.push_back(reproduction::reproduce(item));
      if (!options.json && !options.quiet) Output().write(report_of(items.back()));
      if (StopSignal::wanted()) break;
    }
  }
  const bool whole = items.size() == chosen.size();
  if (!whole) {
    fmt::print(stderr, "percute: stopped by a signal after {} of {} cases\n", items.size(),
               chosen.size());
  }
  if (json) out.write(to_json(reproduction::to_node(items)) + "\n");
  out.close();
  if (!options.json) Output().write(summary(items));
  return whole && std::ranges::all_of(items, &Reproduction::ok) ? ExitCode::Accepted
                                                                : ExitCode::NotAccepted;
}

}  // namespace

void add_reproduce(CLI::App& app, ExitCode& code) {
  add_command<ReproduceOptions>(
      app, code, "reproduce",
      "Compute published results again: what was printed, what we compute, what is right.",
      kReproduceFooter, reproduce, [](CLI::App& command, ReproduceOptions& options) {
        command.add_option("ID", options.ids, "cases, or parts of their names; default: all");
        command.add_flag("--list", options.list, "show the names and stop");
        add_printing(command, options, "the comparison");
        command.get_option("--quiet")->description("print the summary only");
      });
}

}  // namespace percute::cli
