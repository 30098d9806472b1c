// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/printable.hpp"
#include "json_lines.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "text_table.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/io/result_file.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace percute::cli {

namespace {

constexpr const char* kSolveDescription =
    "Resolve one impact: what the bodies do when several contacts are closed at once.";

constexpr const char* kSolveFooter =
    R"(FILE is a problem (format = "percute-problem/1": mass matrix, velocity, contacts) in JSON or TOML,
or a scene, which names a system. A complete scene, in SI units:

    [system]
    kind = "ball_chain"           # balls in a row, each touching the next
    balls = 3
    mass = 0.1                    # kg; or masses = [0.1, 0.2, 0.1]
    wall = "none"                 # fixed walls at the ends: none, left, right, both

    [material]                    # of every contact
    restitution = 1.0             # energetic, 0 to 1; or one per contact: [1.0, 0.9]
    stiffness = 1.0e9             # N / m^exponent
    exponent = 1.5                # 1: linear spring, 1.5: Hertz

    [start]
    velocity = [1.0, 0.0, 0.0]    # m/s; or speed = 1.0, of the first ball
                                  # (or of the first two: strikers = 2)

    [law]                         # optional
    kind = "lzb"
    tolerance = 1e-10

Other systems: ball_cluster (balls and walls in the plane; a rack of billiard balls),
stacked_balls (a tennis ball on a basketball), bead_column (beads that fall on a wall), planar_body
(a rigid body with any contact points), rocking_block, v_groove (a particle between two walls),
double_pendulum (its tip strikes a floor), multiple_pendulum, cradle (balls on strings),
four_foot_plate; and bodies that slide and spin: spatial_body, sphere_on_plane, two_spheres,
rotating_chain, dimer, three_ball_rod, block_stack. Balls may be made_of "steel" and have radii by a
pattern, {pattern = "tapered", ...}. Every key is in docs/reference/scenes.md, scenes to copy are in
examples/scenes.

Examples:
    percute solve cradle.toml
    percute solve cradle.toml --set material.restitution=0.9 --set law.tolerance=1e-8
    percute solve problem.json --set 'contacts[0].restitution=0.5' --json
    percute solve cradle.toml --history run.csv      # writes run.csv and run.events.csv
    percute solve cradle.toml --history run.h5       # groups /state, /events, /meta
    percute solve - < problem.json                   # the file comes from standard input
    percute solve --stdin --json < problems.jsonl    # one problem per line, one result per line

Exit status: 0 accepted; 1 the law did not reach an answer (the output says how far it got), or
Ctrl-C ended a stream, between two lines; 2 bad input, with one message on stderr.)";

struct SolveOptions {
  std::string file = {};
  Overrides overrides = {};
  std::string history = {};
  std::string output = {};
  bool from_stdin = false;
  bool json = false;
  bool quiet = false;
};

ExitCode solve_file(const SolveOptions& options) {
  // What cannot be written is refused before anything is computed.
  const bool with_history = !options.history.empty();
  if (with_history) io::history_format(options.history);

  const io::Document document = options.overrides.read(options.file);
  const io::ProblemFile file = io::read_problem_or_scene(document);
  ImpactResult result;
  std::optional<laws::OtherReengagement> other;
  {
    const Progress progress("solving " + io::printable(file.name), !options.quiet);
    result = with_history ? io::resolve(file, document, Recording{}) : io::resolve(file, document);
    other = io::try_other_reengagement(file, result);
  }

  if (with_history) io::write_history(options.history, result, file);
  if (options.json || !options.output.empty()) {
    Output out(options.output);
    out.write(io::to_json(result, file) + "\n");
    out.close();
  }
  if (!options.json && !options.quiet) {
    std::string text = report(file, result, terminal_columns(), other);
    if (result.status == Status::NoImpact && document.root.find("simulation") != nullptr) {
      text += "  motion    this scene has [simulation]: 'percute simulate' moves it in time\n";
    }
    if (with_history) {
      text +=
          fmt::format("  history   {} samples and {} events in {}\n", result.history.time.size(),
                      result.history.events.size(), options.history);
    }
    Output().write(text);
  }
  return result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

ExitCode solve(const SolveOptions& options) {
  const auto usage = [](bool fine, const char* reason) {
    if (!fine) throw CLI::ValidationError(reason);
  };
  if (!options.from_stdin) {
    usage(!options.file.empty(), "solve needs a FILE, or --stdin");
    return solve_file(options);
  }
  usage(options.file.empty(), "solve takes a FILE or --stdin, not both");
  usage(options.history.empty(), "--history is for one FILE, not for --stdin");
  usage(options.json, "--stdin answers in JSON Lines: add --json");
  Output out(options.output);
  const ExitCode code = solve_lines(stdin, out, options.overrides);
  out.close();
  return code;
}

}  // namespace

void add_solve(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app.add_subcommand("solve", kSolveDescription);
  command->footer(kSolveFooter);
  command
      ->add_option("FILE", options->file, "problem or scene, .json or .toml; - is standard input")
      ->type_name("");
  command->add_option("--law", options->overrides.law, "use this law instead of the file's")
      ->type_name("KIND");
  add_override_options(*command, options->overrides, "law.tolerance=1e-8", "law.tolerance");
  command
      ->add_option("--history", options->history,
                   "write the evolution during the impact: .csv, .h5 or .hdf5")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "write the result as JSON to FILE instead of standard output")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON (percute-result/1)");
  command->add_flag("--quiet", options->quiet, "print no table and no progress");
  add_table_option(*command);
  command->add_flag("--stdin", options->from_stdin,
                    "read JSON Lines: one problem per line; needs --json");
  command->callback([options, &code] { code = solve(*options); });
}

}  // namespace percute::cli
