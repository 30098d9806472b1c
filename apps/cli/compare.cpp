// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/comparison.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/analysis/termination.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace percute::cli {

namespace {

using io::LawOutcome;

constexpr const char* kCompareFooter = R"(
FILE is a problem or a scene, as for 'percute solve'. A law is its kind, with options after colons:

    percute compare cradle.toml --laws moreau,poisson,binary,lzb
    percute compare cradle.toml --laws binary:order=left_right,binary:order=right_left
    percute compare cradle.toml --laws 'icr:p_next_over_p_prev=[0.75],coulomb:tangential=0'
    percute compare cradle.toml                # every law that needs no parameters and applies
    percute compare cradle.toml --set material.restitution=0.5 --json
    percute compare cradle.toml --laws moreau,poisson,lzb --outcome-plane plane.csv

Kinds are lzb, moreau, newton, poisson, restitution_matrix, fremond_quadratic, fremond_cone, icr,
binary, simultaneous_set, scalar_restitution, cradle_sort, coulomb, darboux_keller_single and
compliant. The law of the file keeps the options it has there; --set changes the file.

Columns:
    KER         kinetic energy after over before the impact; depends on the observer
    KER_rel     1 − energy lost/energy the contacts could have taken: the same for every observer
    C_KE        spread of the energy: 0 shared equally among N bodies, √(N − 1) all in one
    D_t         with friction: energy that sliding took
    cone        with friction: ✓ inside where friction stayed below μ times the normal impulse, ✓ edge
                where a contact slid one way throughout; – of laws without friction
    verdicts    ✓, or ✗ and what is violated: energetic (energy is created), kinematic (a contact
                still approaches), kinetic (a contact pulls), friction cone, momentum, identity
    time        one run of the law, the shortest of a few

Notes below the table name laws that leave something out, and say where lzb depends on its rule of
re-engagement (law.reengagement = zero_gap or tracked_gap), and by how much.

--outcome-plane is for two contacts without friction. It varies what each law leaves to choose
(restitution coefficients, ratios, stiffnesses) over its whole range, and writes where that takes
the gap rates after the impact: x, y = U⁺/V with V the largest gap rate before, KER, and whether the
outcome is admissible (nothing approaches, contacts push, no energy is created). The summary says
how much of all admissible outcomes a law can reach; a law that reaches a line covers a row of cells.

--transfer asks whether a law's parameters are worth anything in a part of the system. They are
fitted to what the law of the file makes of the whole impact, and then used where only the contacts
named are there. Misfits and errors are |v⁺ − wanted| over the largest gap rate before.

--endings tells how each law came to its end: in finitely many steps, by summing up infinitely many
collisions (and by what their impulses shrink from one visit of a contact to the next), in a cycle,
at a limit, or without an answer.

    percute compare examples/scenes/cradle.toml --laws poisson,lzb --transfer 1-2,2-3
    percute compare examples/scenes/inelastic_collapse.toml --endings

Exit status: 0 accepted; 1 a law did not reach an answer (its status says why), or Ctrl-C ended the
comparison before the last law; 2 bad input, with one message on stderr.)";

struct CompareOptions : FileCommand {
  std::string laws = {};
  bool chosen = false;  ///< --laws was given, be it empty
  std::string plane = {};
  std::string transfer = {};  ///< contacts, by name or number
  bool endings = false;
  long samples = analysis::CoverageOptions{}.samples;
};

// ------------------------------------------------------------------------------ the table of laws

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

/// One law per row; the state before the impact comes first.
TextTable law_table(const io::Comparison& comparison) {
  const auto& outcomes = comparison.outcomes;
  const io::ProblemFile& file = outcomes.front().file;
  std::vector<std::string> laws{"(before)"};
  std::vector<analysis::Indices> indices;
  double largest = file.problem.velocity.cwiseAbs().maxCoeff();
  bool friction = false;
  bool any_status = false;
  for (const LawOutcome& one : outcomes) {
    laws.push_back(io::printable(one.name));
    indices.push_back(analysis::indices(one.file.problem, one.result, one.file.bodies));
    largest = std::max(largest, one.result.velocity.cwiseAbs().maxCoeff());
    friction = friction || std::ranges::any_of(one.file.problem.contacts, friction_acts);
    any_status = any_status || one.result.status != Status::Ok;
  }
  TextTable table;
  table.text("law", laws);
  using Result = const ImpactResult&;
  using Indices = const analysis::Indices&;
  const auto add = [&](const std::string& heading, const std::string& before, const auto& cell,
                       bool left = false) {
    std::vector<std::string> cells{before};
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      cells.push_back(cell(outcomes[k].result, indices[k]));
    }
    left ? table.text(heading, cells) : table.right(heading, cells);
  };
  const std::vector<Coordinate> coordinates = coordinates_of(file.bodies);
  const bool mixed = !common_unit(coordinates);
  for (const Coordinate& one : coordinates) {
    const std::string name = io::printable(one.name);
    const auto velocity = [&](const Vector& v) { return number_text(v[one.index], largest, true); };
    add(mixed ? fmt::format("{} [{}]", name, one.unit) : name, velocity(file.problem.velocity),
        [&](Result result, Indices) { return velocity(result.velocity); });
  }
  add("KER", "", [](Result, Indices i) { return optional_text(i.energy_ratio); });
  add("KER_rel", "", [](Result, Indices i) { return optional_text(i.relative_energy_ratio); });
  add("C_KE",
      optional_text(analysis::dispersion(file.problem.mass, file.problem.velocity, file.bodies)),
      [](Result, Indices i) { return optional_text(i.dispersion); });
  constexpr bool kLeft = true;
  if (friction) {
    add("D_t [J]", "",
        [](Result result, Indices i) { return number_text(i.sliding_loss, result.energy.before); });
    add("cone", "", [](Result result, Indices) { return cone_text(result); }, kLeft);
  }
  const auto verdict = [](Result result, Indices) { return verdict_text(result.consistency); };
  add("verdicts", "", verdict, kLeft);
  if (any_status) {
    add("status", "", [](Result result, Indices) { return status_text(result.status); }, kLeft);
  }
  std::vector<std::string> times{""};
  for (const LawOutcome& one : outcomes) times.push_back(fmt::format("{:.1f}", 1e6 * one.time));
  return table.right("time [µs]", times);
}

/// One law per column; as many tables, one below the other, as the width asks for.
std::string by_columns(const TextTable& laws, std::size_t columns) {
  using Column = TextTable::Column;
  const Column& names = laws.columns().front();
  const std::vector<Column> rows(laws.columns().begin() + 1, laws.columns().end());
  TextTable head;
  head.text(names.heading, rows, &Column::heading);
  std::string out;
  TextTable table = head;
  for (std::size_t k = 0; k < names.cells.size(); ++k) {
    const auto add = [&](TextTable wider) {
      return wider.right(names.cells[k], rows, [k](const Column& row) { return row.cells[k]; });
    };
    TextTable wider = add(table);
    if (2 + wider.width() > columns && table.width() > head.width()) {
      out += indented(table) + "\n";
      wider = add(head);
    }
    table = std::move(wider);
  }
  return out + indented(table);
}

std::string title(const io::ProblemFile& file) {
  const std::string unit = common_unit(coordinates_of(file.bodies)).value_or("");
  return fmt::format("{} · {} · {}{}\n\n", io::printable(file.name, 200),
                     counted(file.bodies.size(), "body", "bodies"),
                     counted(file.problem.contacts.size(), "closed contact"),
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

/// Laws side by side, for people: velocities, energy, verdicts, time. One law per row, or per
/// column where rows would not fit into `columns`.
std::string comparison_text(const io::Comparison& comparison, std::size_t columns) {
  std::string remarks = notes(comparison);
  if (comparison.outcomes.empty()) return remarks;
  const TextTable laws = law_table(comparison);
  const std::string table =
      2 + laws.width() <= columns ? indented(laws) : by_columns(laws, columns);
  return title(comparison.outcomes.front().file) + table + (remarks.empty() ? "" : "\n") + remarks;
}

// -------------------------------------------------------------------------- what else can be asked

std::string parameter_names(const analysis::LawFamily& family) {
  std::vector<std::string> words;
  words.reserve(family.parameters.size());
  for (const analysis::Parameter& parameter : family.parameters) words.push_back(parameter.name);
  return words.empty() ? "–" : fmt::format("{}", fmt::join(words, ", "));
}

/// Writes the plane of outcomes; the summary says what each law covers.
std::string plane_text(const CompareOptions& options, const io::Comparison& comparison) {
  const std::vector<io::PlaneLaw> laws = [&] {
    const Progress progress("varying parameters", !options.quiet);
    try {
      return io::outcome_plane(comparison, {.samples = options.samples});
    } catch (const InvalidInput& error) {
      throw io::FileError("--outcome-plane " + options.plane, error.field(), error.reason());
    }
  }();
  io::write_outcome_plane(options.plane, laws);

  TextTable table;
  table.text("law", laws, [](const auto& law) { return law.family.name; });
  table.text("varied", laws, [](const auto& law) { return parameter_names(law.family); });
  table.right("outcomes", laws, [](const auto& law) { return law.coverage.samples.size(); });
  table.right("admissible", laws, [](const auto& law) {
    return std::ranges::count(law.coverage.samples, true, &analysis::OutcomeSample::admissible);
  });
  table.right("covered", laws, [](const auto& law) {
    return fmt::format("{:.1f} %", 100.0 * law.coverage.fraction());
  });
  return fmt::format("\n  plane of outcomes in {}; covered: part of all admissible outcomes\n\n{}",
                     options.plane, indented(table));
}

/// Contacts of a part, by the names they have in tables or by their numbers from 0.
std::vector<int> contacts_of(const std::string& list, const io::ProblemFile& file) {
  std::vector<std::string> names;
  names.reserve(file.contact_names.size());
  for (const std::string& name : file.contact_names) names.push_back(io::plain_name(name));
  std::vector<int> contacts;
  for (const std::string& word : CLI::detail::split(list, ',')) {
    auto at = std::ranges::find(names, io::plain_name(word));
    for (std::size_t k = 0; k < names.size() && at == names.end(); ++k) {
      if (word == std::to_string(k)) at = names.begin() + static_cast<std::ptrdiff_t>(k);
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    if (at == names.end()) {
      throw InvalidInput(
          "", fmt::format("--transfer {}: there is no contact '{}'{}; contacts: {}", list, word,
                          io::did_you_mean(word, known), io::join(known)));
    }
    const int contact = static_cast<int>(at - names.begin());
    if (std::ranges::find(contacts, contact) != contacts.end()) {
      throw InvalidInput("", fmt::format("--transfer {}: contact '{}' twice", list, word));
    }
    contacts.push_back(contact);
  }
  return contacts;
}

/// A search that finds the parameters of the file's own law misses its outcome by less.
constexpr double kFitsItself = 1e-4;

std::string transfer_text(const CompareOptions& options, const io::ProblemFile& reference,
                          const std::vector<io::LawTransfer>& laws) {
  TextTable table;
  table.text("law", laws, [](const auto& law) { return law.family.name; });
  table.text("fitted", laws, [](const auto& law) { return parameter_names(law.family); });
  const auto add = [&](const char* heading, double (*value)(const analysis::Transfer&)) {
    table.right(heading, laws, [value](const io::LawTransfer& law) {
      return law.found ? fmt::format("{:.6f}", value(*law.found)) : "–";
    });
  };
  add("misfit, whole", [](const analysis::Transfer& t) { return t.whole.misfit; });
  add("misfit, part", [](const analysis::Transfer& t) { return t.part.misfit; });
  add("error, carried", [](const analysis::Transfer& t) { return t.error; });
  add("change", [](const analysis::Transfer& t) { return t.change; });
  std::string out = fmt::format(
      "\n  parameters fitted to {} on the whole, used for {} alone; change: the largest between "
      "the "
      "two fits, of its range\n\n{}",
      reference.law.title(), options.transfer, indented(table));
  for (const io::LawTransfer& law : laws) {
    if (!law.found) out += fmt::format("  · {}: {}\n", law.family.name, law.reason);
    const bool own = law.found && law.family.name == reference.law.kind();
    if (own && law.found->whole.misfit > kFitsItself) {
      out += fmt::format(
          "  · {}: the law of the file does not fit itself: the search ended in a local minimum, "
          "or "
          "its parameters are out of range\n",
          law.family.name);
    }
  }
  return out;
}

/// How each law came to its end, by its name.
using Endings = std::vector<std::pair<std::string, analysis::Termination>>;

Endings endings_of(const io::Comparison& comparison) {
  Endings ends;
  for (const io::LawOutcome& outcome : comparison.outcomes) {
    ends.emplace_back(outcome.name, analysis::termination(outcome.result));
  }
  return ends;
}

std::string endings_text(const Endings& ends) {
  TextTable table;
  table.text("law", ends, &Endings::value_type::first);
  table.text("end", ends, [](const auto& end) { return name(end.second.diagnosis); });
  table.right("collisions", ends, [](const auto& end) { return end.second.collisions; });
  table.right("steps", ends, [](const auto& end) { return end.second.iterations; });
  table.right("shrink by", ends, [](const auto& end) {
    return end.second.contraction ? fmt::format("{:.6f}", *end.second.contraction) : "";
  });
  table.right("left over [m/s]", ends, [](const auto& end) {
    return end.second.residual ? fmt::format("{:.1e}", *end.second.residual) : "";
  });
  return "\n" + indented(table);
}

io::Node endings_node(const Endings& ends) {
  io::Node::Array list;
  for (const auto& [law, end] : ends) {
    list.emplace_back(io::Node::Object{{"law", law},
                                       {"end", name(end.diagnosis)},
                                       {"collisions", end.collisions},
                                       {"stages", end.stages},
                                       {"iterations", end.iterations},
                                       {"contraction", end.contraction},
                                       {"residual", end.residual}});
  }
  return list;
}

ExitCode compare_file(const CompareOptions& options) {
  const io::Document document = options.read();
  const io::Comparison comparison = [&] {
    const StopSignal signals;
    const Progress progress("comparing laws", !options.quiet);
    const std::string origin = "--laws";
    std::optional<std::vector<io::LawChoice>> laws;
    if (options.chosen) laws = io::parse_law_list(options.laws, origin);
    return io::compare(document, laws, origin, StopSignal::wanted);
  }();
  if (comparison.stopped) {
    fmt::print(stderr, "percute: stopped by a signal after {}\n",
               counted(comparison.outcomes.size(), "law"));
  }

  const bool whole = !comparison.stopped;
  std::string more = options.plane.empty() || !whole ? "" : plane_text(options, comparison);
  io::Node node = io::to_node(comparison);
  if (options.endings) {
    const Endings ends = endings_of(comparison);
    more += endings_text(ends);
    node.add("endings", endings_node(ends));
  }
  if (!options.transfer.empty() && whole) {
    const io::ProblemFile reference = io::read_problem_or_scene(document);
    const std::vector<int> contacts = contacts_of(options.transfer, reference);
    const Progress progress("fitting parameters", !options.quiet);
    const std::vector<io::LawTransfer> laws = io::transfer_to(contacts, comparison, reference);
    more += transfer_text(options, reference, laws);
    node.add("transfer", io::to_node(laws));
  }
  options.answer(
      options.output, [&] { return node; },
      [&] { return comparison_text(comparison, terminal_columns()) + more; });
  const bool fine = std::ranges::all_of(
      comparison.outcomes, [](const io::LawOutcome& outcome) { return outcome.result.ok(); });
  return fine && !comparison.stopped ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_compare(CLI::App& app, ExitCode& code) {
  add_command<CompareOptions>(
      app, code, "compare", "Resolve one impact by several laws, and judge each outcome.",
      kCompareFooter, compare_file, [](CLI::App& command, CompareOptions& options) {
        add_file(command, options);
        add_value(command, "--laws", options.laws,
                  "laws to compare; default: all that need no parameters", "A,B,...")
            .each([&options](const std::string&) { options.chosen = true; });
        add_changes(command, options, "material.restitution=0.5", "material.stiffness");
        add_value(command, "--outcome-plane", options.plane,
                  "write as CSV what each law can reach by its parameters; two contacts", "FILE")
            .check(not_empty);
        add_value(command, "--samples", options.samples, "outcomes per law for --outcome-plane",
                  "N")
            .check(CLI::Range(1L, 10'000'000L))
            ->capture_default_str();
        add_value(command, "--transfer", options.transfer,
                  "fit parameters to the whole, use them for these contacts alone, e.g. 1-2,2-3",
                  "CONTACTS")
            .check(not_empty);
        command.add_flag("--endings", options.endings, "also how each law came to its end");
        add_printing(command, options, "the results (percute-comparison/1)");
      });
}

}  // namespace percute::cli
