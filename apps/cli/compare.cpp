// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "comparison_table.hpp"
#include "io/comparison.hpp"
#include "io/suggest.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"
#include "text_table.hpp"

#include <percute/analysis/termination.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace percute::cli {

namespace {

constexpr const char* kCompareDescription =
    "Resolve one impact by several laws, and judge each outcome.";

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

struct CompareOptions {
  std::string file = {};
  std::string laws = {};
  bool chosen = false;  ///< --laws was given, be it empty
  Overrides overrides = {};
  std::string plane = {};
  std::string transfer = {};  ///< contacts, by name or number
  bool endings = false;
  long samples = analysis::CoverageOptions{}.samples;
  std::string output = {};
  bool json = false;
  bool quiet = false;
};

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

  std::vector<std::string> names;
  std::vector<std::string> parameters;
  std::vector<std::string> samples;
  std::vector<std::string> admissible;
  std::vector<std::string> covered;
  for (const io::PlaneLaw& law : laws) {
    names.push_back(law.family.name);
    parameters.push_back(parameter_names(law.family));
    const auto& all = law.coverage.samples;
    samples.push_back(fmt::format("{}", all.size()));
    admissible.push_back(fmt::format(
        "{}", std::ranges::count_if(all, [](const auto& sample) { return sample.admissible; })));
    covered.push_back(fmt::format("{:.1f} %", 100.0 * law.coverage.fraction()));
  }
  TextTable table;
  table.text("law", names).text("varied", parameters).right("outcomes", samples);
  table.right("admissible", admissible).right("covered", covered);
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

std::string transfer_text(const CompareOptions& options, const io::ProblemFile& reference,
                          const std::vector<io::LawTransfer>& laws) {
  const auto column = [&](const std::function<double(const analysis::Transfer&)>& value) {
    std::vector<std::string> cells;
    cells.reserve(laws.size());
    for (const io::LawTransfer& law : laws) {
      cells.push_back(law.found ? fmt::format("{:.6f}", value(*law.found)) : "–");
    }
    return cells;
  };
  std::vector<std::string> names;
  std::vector<std::string> parameters;
  for (const io::LawTransfer& law : laws) {
    names.push_back(law.family.name);
    parameters.push_back(parameter_names(law.family));
  }
  TextTable table;
  table.text("law", names).text("fitted", parameters);
  table.right("misfit, whole", column([](const auto& t) { return t.whole.misfit; }));
  table.right("misfit, part", column([](const auto& t) { return t.part.misfit; }));
  table.right("error, carried", column([](const auto& t) { return t.error; }));
  table.right("change", column([](const auto& t) { return t.change; }));
  std::string out = fmt::format(
      "\n  parameters fitted to {} on the whole, used for {} alone; change: the largest between "
      "the "
      "two fits, of its range\n\n{}",
      reference.law.title(), options.transfer, indented(table));
  for (const io::LawTransfer& law : laws) {
    if (!law.found) out += fmt::format("  · {}: {}\n", law.family.name, law.reason);
  }
  return out;
}

std::string endings_text(const io::Comparison& comparison) {
  std::vector<std::string> names;
  std::vector<std::string> ends;
  std::vector<std::string> collisions;
  std::vector<std::string> iterations;
  std::vector<std::string> contractions;
  std::vector<std::string> residuals;
  for (const io::LawOutcome& outcome : comparison.outcomes) {
    const analysis::Termination end = analysis::termination(outcome.result);
    names.push_back(outcome.name);
    ends.emplace_back(name(end.diagnosis));
    collisions.push_back(fmt::format("{}", end.collisions));
    iterations.push_back(fmt::format("{}", end.iterations));
    contractions.push_back(end.contraction ? fmt::format("{:.6f}", *end.contraction) : "");
    residuals.push_back(end.residual ? fmt::format("{:.1e}", *end.residual) : "");
  }
  TextTable table;
  table.text("law", names).text("end", ends).right("collisions", collisions);
  table.right("steps", iterations).right("shrink by", contractions);
  table.right("left over [m/s]", residuals);
  return "\n" + indented(table);
}

io::Node endings_node(const io::Comparison& comparison) {
  io::Node::Array list;
  for (const io::LawOutcome& outcome : comparison.outcomes) {
    const analysis::Termination end = analysis::termination(outcome.result);
    const auto optional = [](const std::optional<double>& value) {
      return value ? io::Node(*value) : io::Node();
    };
    io::Node node;
    node.add("law", outcome.name);
    node.add("end", name(end.diagnosis));
    node.add("collisions", end.collisions);
    node.add("stages", end.stages);
    node.add("iterations", end.iterations);
    node.add("contraction", optional(end.contraction));
    node.add("residual", optional(end.residual));
    list.push_back(std::move(node));
  }
  return list;
}

ExitCode compare_file(const CompareOptions& options) {
  const io::Document document = options.overrides.read(options.file);
  const io::Comparison comparison = [&] {
    const StopSignal signals;
    const Progress progress("comparing laws", !options.quiet);
    const std::string origin = "--laws";
    return options.chosen ? io::compare(document, io::parse_law_list(options.laws, origin), origin,
                                        StopSignal::wanted)
                          : io::compare_all(document, StopSignal::wanted);
  }();
  if (comparison.stopped) {
    fmt::print(stderr, "percute: stopped by a signal after {} law{}\n", comparison.outcomes.size(),
               comparison.outcomes.size() == 1 ? "" : "s");
  }

  const bool whole = !comparison.stopped;
  std::string more = options.plane.empty() || !whole ? "" : plane_text(options, comparison);
  io::Node node = io::to_node(comparison);
  if (options.endings) {
    more += endings_text(comparison);
    node.add("endings", endings_node(comparison));
  }
  if (!options.transfer.empty() && whole) {
    const io::ProblemFile reference = io::read_problem_or_scene(document);
    const std::vector<int> contacts = contacts_of(options.transfer, reference);
    const Progress progress("fitting parameters", !options.quiet);
    const std::vector<io::LawTransfer> laws = io::transfer_to(contacts, comparison, reference);
    more += transfer_text(options, reference, laws);
    node.add("transfer", io::to_node(laws));
  }
  if (options.json || !options.output.empty()) {
    Output out(options.output);
    out.write(io::to_json(node) + "\n");
    out.close();
  }
  if (!options.json && !options.quiet) {
    Output().write(comparison_text(comparison, terminal_columns()) + more);
  }
  const bool fine = std::ranges::all_of(
      comparison.outcomes, [](const io::LawOutcome& outcome) { return outcome.result.ok(); });
  return fine && !comparison.stopped ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_compare(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", kCompareDescription);
  command->footer(kCompareFooter);
  command
      ->add_option("FILE", options->file, "problem or scene, .json or .toml; - is standard input")
      ->type_name("")
      ->required();
  const CLI::Option* laws =
      command
          ->add_option("--laws", options->laws,
                       "laws to compare; default: all that need no parameters")
          ->type_name("A,B,...");
  add_override_options(*command, options->overrides, "material.restitution=0.5",
                       "material.stiffness");
  command
      ->add_option("--outcome-plane", options->plane,
                   "write as CSV what each law can reach by its parameters; two contacts")
      ->type_name("FILE");
  command->add_option("--samples", options->samples, "outcomes per law for --outcome-plane")
      ->type_name("N")
      ->check(CLI::Range(1L, 10'000'000L))
      ->capture_default_str();
  command
      ->add_option("--transfer", options->transfer,
                   "fit parameters to the whole, use them for these contacts alone, e.g. 1-2,2-3")
      ->type_name("CONTACTS");
  command->add_flag("--endings", options->endings, "also how each law came to its end");
  command
      ->add_option("-o,--output", options->output,
                   "write the results as JSON to FILE instead of standard output")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the results as JSON (percute-comparison/1)");
  command->add_flag("--quiet", options->quiet, "print no table and no progress");
  add_table_option(*command);
  command->callback([options, laws, &code] {
    options->chosen = laws->count() > 0;
    code = compare_file(*options);
  });
}

}  // namespace percute::cli
