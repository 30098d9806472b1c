// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/scene_reader.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

namespace percute::cli {

namespace {

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

struct SolveOptions : FileCommand {
  std::string history = {};
  bool from_stdin = false;
};

ExitCode solve_file(const SolveOptions& options) {
  // What cannot be written is refused before anything is computed.
  const bool with_history = !options.history.empty();
  if (with_history) (void)io::is_csv(options.history);
  if (!options.figure.empty()) check_figure(options.figure);

  const io::Document document = options.read();
  const io::ProblemFile file = io::read_problem_or_scene(document);
  ImpactResult result;
  std::optional<laws::OtherReengagement> other;
  {
    const Progress progress("solving " + io::printable(file.name), !options.quiet);
    result = with_history ? io::resolve(file, document, Recording{}) : io::resolve(file, document);
    other = io::try_other_reengagement(file, result);
  }

  if (with_history) io::write_history(options.history, result, file);
  const auto text = [&] {
    std::string out = report(file, result, terminal_columns(), other);
    if (result.status == Status::NoImpact && document.root.find("simulation") != nullptr) {
      out += "  motion    this scene has [simulation]: 'percute simulate' moves it in time\n";
    }
    if (with_history) {
      out += fmt::format("  history   {} samples and {} events in {}\n", result.history.time.size(),
                         result.history.events.size(), options.history);
    }
    return out;
  };
  options.answer(options.output, [&] { return io::to_node(result, file); }, text);
  const ExitCode code = result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
  return options.figure.empty()
             ? code
             : std::max(code, draw_document(document, options.figure, {"--impact"}));
}

// ----------------------------------------------------------------------------------- JSON Lines

/// Next line without its newline; false at the end. A line beyond the limit for JSON is read to
/// its end, but kept only as far as needed to be refused.
bool next_line(std::FILE* in, std::string& line) {
  line.clear();
  int c = std::getc(in);
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = std::getc(in)) {
    if (line.size() <= io::DocumentLimits::kJsonBytes) line.push_back(static_cast<char>(c));
  }
  return true;
}

/// The answer to one line, and how it went.
std::pair<io::Node, ExitCode> answer_line(const std::string& line, int number,
                                          const FileCommand& command) {
  std::string message;
  try {
    io::Document document = io::parse_json(line, "standard input", number);
    command.apply(document);
    const io::ProblemFile file = io::read_problem_or_scene(document);
    ImpactResult result = io::resolve(file, document);
    io::try_other_reengagement(file, result);
    return {io::to_node(result, file), result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted};
  } catch (const std::bad_alloc&) {
    message = "not enough memory for this problem";
  } catch (const std::exception& error) {
    message = error.what();
  }
  return {io::Node::Object{{"format", "percute-error/1"}, {"line", number}, {"message", message}},
          ExitCode::BadInput};
}

/// Solves one problem per line of `in` and writes one line for each, in order: its result, or a
/// `percute-error/1` with the number of the line. Blank lines are counted and answered by nothing.
/// Returns the worst outcome of all lines. Ctrl-C ends it between two lines: exit code 1 at least.
ExitCode solve_lines(std::FILE* in, Output& out, const FileCommand& command) {
  ExitCode worst = ExitCode::Accepted;
  std::string line;
  const StopSignal signals;
  int answered = 0;
  for (int number = 1; next_line(in, line) && !StopSignal::wanted(); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto [node, code] = answer_line(line, number, command);
    out.write(io::to_json(node, io::JsonLayout::Line) + "\n");
    worst = std::max(worst, code);
    ++answered;
  }
  if (StopSignal::wanted()) {
    fmt::print(stderr, "percute: stopped by a signal after {}; every line written is complete\n",
               counted(answered, "problem"));
    return std::max(worst, ExitCode::NotAccepted);
  }
  if (std::ferror(in) != 0)
    throw io::FileError("standard input", "", "could not be read completely");
  return worst;
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
  usage(options.figure.empty(), "--plot is for one FILE, not for --stdin");
  usage(options.json, "--stdin answers in JSON Lines: add --json");
  Output out(options.output);
  const ExitCode code = solve_lines(stdin, out, options);
  out.close();
  return code;
}

// --------------------------------------------------------------- percute without arguments

constexpr const char* kCradle = R"(
name = "five-ball cradle"
system = {kind = "ball_chain", balls = 5, mass = 0.1, radius = 0.01}
material = {restitution = 1.0, stiffness = 1.0e9, exponent = 1.5}
start = {speed = 1.0}
law = {kind = "lzb", tolerance = 1e-10}
)";

constexpr const char* kNext = R"(
One ball strikes four at rest. Textbooks let one ball leave at the other end; with elastic contacts
in between all five move, and here is how. Next:

  percute solve --help         a scene to copy, all options, examples
  percute solve cradle.toml    your own scene or problem
  percute reproduce --list     published results, next to ours
  percute --help               all commands
)";

}  // namespace

ExitCode run_default() {
  const io::Document document = io::parse_toml(kCradle, "built-in cradle");
  const io::ProblemFile file = io::read_scene(document);
  const ImpactResult result = io::resolve(file, document);
  Output().write(report(file, result, terminal_columns()) + kNext);
  return result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

void add_solve(CLI::App& app, ExitCode& code) {
  add_command<SolveOptions>(
      app, code, "solve",
      "Resolve one impact: what the bodies do when several contacts are closed at once.",
      kSolveFooter, solve, [](CLI::App& command, SolveOptions& options) {
        add_file(command, options);
        command.get_option("FILE")->required(false);
        add_law(command, options);
        add_changes(command, options, "law.tolerance=1e-8", "law.tolerance");
        add_value(command, "--history", options.history,
                  "write the evolution during the impact: .csv, .h5 or .hdf5", "FILE");
        add_figure(command, options);
        add_printing(command, options, "the result (percute-result/1)");
        command.add_flag("--stdin", options.from_stdin,
                         "read JSON Lines: one problem per line; needs --json");
      });
}

}  // namespace percute::cli
