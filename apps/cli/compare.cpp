// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "comparison_table.hpp"
#include "io/comparison.hpp"
#include "io/outcome_plane.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"
#include "text_table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

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

Exit status: 0 accepted; 1 a law did not reach an answer (its status says why), or Ctrl-C ended the
comparison before the last law; 2 bad input, with one message on stderr.)";

struct CompareOptions {
  std::string file = {};
  std::string laws = {};
  bool chosen = false;  ///< --laws was given, be it empty
  Overrides overrides = {};
  std::string plane = {};
  long samples = analysis::CoverageOptions{}.samples;
  std::string output = {};
  bool json = false;
  bool quiet = false;
};

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
    std::vector<std::string> words;
    words.reserve(law.family.parameters.size());
    for (const analysis::Parameter& parameter : law.family.parameters) {
      words.push_back(parameter.name);
    }
    parameters.push_back(words.empty() ? "–" : fmt::format("{}", fmt::join(words, ", ")));
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

  const std::string plane =
      options.plane.empty() || comparison.stopped ? "" : plane_text(options, comparison);
  if (options.json || !options.output.empty()) {
    Output out(options.output);
    out.write(io::to_json(io::to_node(comparison)) + "\n");
    out.close();
  }
  if (!options.json && !options.quiet) {
    Output().write(comparison_text(comparison, terminal_columns()) + plane);
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
