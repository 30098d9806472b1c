// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percute::cli {

/// What the process returns.
enum class ExitCode {
  Accepted = 0,     ///< every result is an answer
  NotAccepted = 1,  ///< a numerical outcome that is not acceptable
  BadInput = 2,     ///< files or arguments that cannot be used
};

/// Each subcommand lives in a file of its own. add_<name>() declares it with its options and help;
/// when it was chosen it runs while the command line is parsed, leaves its verdict in `code`, and
/// throws InvalidInput (FileError) on bad input: main() turns that into the one message on stderr.
/// Options that several commands have are below, results go through Output (output.hpp),
/// tables through TextTable (text_table.hpp).
void add_solve(CLI::App& app, ExitCode& code);
void add_reproduce(CLI::App& app, ExitCode& code);
void add_compare(CLI::App& app, ExitCode& code);
void add_analyze(CLI::App& app, ExitCode& code);
void add_identify_icr(CLI::App& app, ExitCode& code);
void add_fit(CLI::App& app, ExitCode& code);  ///< only where built with PERCUTE_FIT
void add_simulate(CLI::App& app, ExitCode& code);
void add_waves(CLI::App& app, ExitCode& code);
void add_plot(CLI::App& app, ExitCode& code);
void add_completion(CLI::App& app);
void add_schema(CLI::App& app);

/// What may stand for the last of the words that were typed behind "percute": a line for each.
std::string offers(const CLI::App& app, std::vector<std::string> words);

/// What `percute` does without arguments: the five-ball cradle, and what to type next.
ExitCode run_default();

/// The manual page of a command, or where `name` is empty of the program, in the man macros of
/// roff, made from what its help shows.
std::string manual(const CLI::App& app, const std::string& name);

/// Writes percute.1 and a page for every command, percute-solve.1, into a folder.
void write_manuals(const CLI::App& app, const std::string& folder);

// What this program, percute-bench and percute-selftest have in common.

/// Parses the arguments, which runs what was chosen. Says what is wrong with them, or shows the
/// help asked for, and returns the exit code then; else nothing.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// Runs the program; every exception becomes the one message on stderr, and exit code 2.
int guarded(const std::function<int()>& run);

/// Where this program lies, and others that belong to it.
std::filesystem::path own_folder();

// Options that several commands have, and what becomes of them.

/// What a command takes that reads one file and answers with a table or as JSON.
struct FileCommand {
  std::string file = {};
  std::optional<std::string> law = {};
  std::vector<std::string> settings = {};
  std::vector<std::string> removals = {};
  std::string output = {};
  std::string figure = {};  ///< --plot
  bool json = false;
  bool quiet = false;

  /// Makes the changes of --unset KEY, --law KIND and --set KEY=VALUE, in that order, wherever they
  /// stand. Throws FileError that begins with the option.
  void apply(io::Document& document) const;

  /// Reads the file, or standard input where its name is "-", and applies the changes to it.
  io::Document read() const;

  /// The answer: as JSON with --json or into a file of that name, else as text but for --quiet.
  void answer(const std::string& into, const std::function<io::Node()>& node,
              const std::function<std::string()>& text) const;
};

/// Declares a command that runs `run` with its options, which `declare` adds to it.
template <class Options>
void add_command(CLI::App& app, ExitCode& code, const char* name, const char* description,
                 const char* footer, ExitCode (*run)(const Options&),
                 const std::function<void(CLI::App&, Options&)>& declare) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(footer);
  declare(*command, *options);
  command->callback([options, &code, run] { code = run(*options); });
}

/// An option with a value: "--samples N".
template <class Value>
CLI::Option& add_value(CLI::App& command, const char* names, Value& value, const std::string& help,
                       const char* type) {
  return *command.add_option(names, value, help)->type_name(type);
}

/// Refuses what a script makes of a variable that is not set.
inline std::string not_empty(const std::string& value) {
  return value.empty() ? "needs a value, got ''" : "";
}

// In the order in which help shows them.
void add_file(CLI::App& command, FileCommand& options, const char* name = "FILE",
              const char* help = "problem or scene, .json or .toml; - is standard input");
void add_law(CLI::App& command, FileCommand& options);
/// --set and --unset, with something to set and a key to take out as examples.
void add_changes(CLI::App& command, FileCommand& options, const std::string& setting,
                 const std::string& key);
/// --json and --quiet, --all, which leaves nothing out of long tables, and -o where that is not
/// declared yet. `what` is printed as JSON of a format: "the ratios (percute-icr-result/1)".
void add_printing(CLI::App& command, FileCommand& options, const std::string& what);

// Pictures (plot.cpp).

/// What 'percute plot --what' can be.
inline constexpr std::string_view kPictures[] = {
    "auto", "animation", "energies",      "energy_drift", "forces",     "gaps", "impulses",
    "laws", "motion",    "outcome_plane", "phases",       "velocities", "wave"};

/// --plot.
void add_figure(CLI::App& command, FileCommand& options);

/// Refuses a picture that cannot be drawn, before anything is computed: its format, or Python or a
/// package is missing.
void check_figure(const std::string& figure);

/// Draws what is in a file, or a scene or problem as options have changed it; `more` goes to
/// percute.plot. Failures are told on stderr.
ExitCode draw_figure(const std::string& file, const std::string& figure,
                     const std::vector<std::string>& more = {});
ExitCode draw_document(const io::Document& document, const std::string& figure,
                       const std::vector<std::string>& more);

/// An empty file that is gone when this object is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view suffix);
  ~TemporaryFile();
  TemporaryFile& operator=(TemporaryFile&&) = delete;  // neither copied nor moved
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace percute::cli
