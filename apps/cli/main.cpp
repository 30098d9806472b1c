// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "text_table.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percute::cli {

namespace {

constexpr const char* kProgramDescription =
    "percute: multiple impacts in mechanics. What do bodies do when several contacts close at "
    "once?";

constexpr const char* kProgramFooter = R"(Without arguments percute resolves a five-ball cradle.
'percute COMMAND --help' explains a command with examples.)";

// -------------------------------------------------------------------- programs of their own

struct Helper {
  const char* command;
  const char* programs;  ///< what it is called in messages
  const char* description;
};

constexpr Helper kHelpers[] = {
    {.command = "bench",
     .programs = "benchmarks",
     .description =
         "Measure how long impacts take, each time beside the error it was reached with."},
    {.command = "selftest",
     .programs = "selftests",
     .description = "Solve random impacts and check each against the laws of mechanics."},
};

/// Their names alone.
void add_helpers(CLI::App& app) {
  for (const Helper& helper : kHelpers) app.add_subcommand(helper.command, helper.description);
}

/// If the command is a program of its own, percute-<command>, goes over to it with these arguments
/// and does not come back; throws InvalidInput where that program is not there.
void run_helper(const std::string& command, const std::vector<std::string>& arguments) {
  for (const Helper& helper : kHelpers) {
    if (command != helper.command) continue;
    const std::string name = "percute-" + command;
    std::vector<std::string> words{name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers(words.size() + 1, nullptr);
    std::ranges::transform(words, pointers.begin(), [](std::string& word) { return word.data(); });
    const std::filesystem::path here = own_folder();
    // In a build folder it lies beside this program, where installed in the folder for helpers.
    for (const auto& path : {here / name, here / PERCUTE_TO_HELPERS / name}) {
      if (here.empty() || access(path.c_str(), F_OK) != 0) continue;
      execv(path.c_str(), pointers.data());
      throw InvalidInput("", path.string() + " cannot be started: " + std::strerror(errno));
    }
    throw InvalidInput("", fmt::format("the {} are a program of their own, {}, which is not here; "
                                       "'./run {}' in the source folder builds and runs it, and an "
                                       "installation has it where the target {} was built before",
                                       helper.programs, name, command, name));
  }
}

// ------------------------------------------------------------------------------- help

/// Why a word is no command, empty if it is one: a file without 'solve', or a slip of the pen.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, word) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  std::error_code ignored;
  const std::string hint = std::filesystem::exists(word, ignored)
                               ? fmt::format(" (did you mean 'percute solve {}'?)", word)
                               : io::did_you_mean(word, words);
  return fmt::format("unknown command '{}'{}; commands: {}", word, hint, io::join(words));
}

/// What a file may give for an option: "> 0", "zero_gap, tracked_gap".
std::string allowed(const Field& field, const Option& option) {
  if (const auto* choice = std::get_if<ChoiceOption>(&option)) return io::join(choice->words);
  if (std::holds_alternative<bool*>(option)) return "true, false";
  if (std::holds_alternative<std::string*>(option)) return "text";
  if (std::holds_alternative<std::vector<double>*>(option) ||
      std::holds_alternative<Vector*>(option) || std::holds_alternative<OtherForm*>(option)) {
    return "[number, ...]";
  }
  if (const auto* numbers = std::get_if<NumbersOption>(&option)) {
    return fmt::format("{} numbers", numbers->count);
  }
  if (std::holds_alternative<Matrix*>(option)) return "[[number, ...], ...]";
  const bool integer = std::holds_alternative<IntegerOption>(option);
  const bool number = integer || std::holds_alternative<double*>(option) ||
                      std::holds_alternative<std::optional<double>*>(option);
  if (!number) return "";
  constexpr std::string_view kIsNot = " is not ";
  const std::string refusal = out_of_range(field.range, std::nan(""), integer);
  return (integer ? "integer " : "") + refusal.substr(refusal.find(kIsNot) + kIsNot.size());
}

/// The options of a law, with their defaults, as its list of fields has them.
std::string law_help(const std::string& kind) {
  struct Row {
    std::string key, usual, values, meaning;
  };
  AnyLaw law = make_law(kind);
  const io::Node defaults = io::to_node(law);
  std::vector<Row> rows;
  law.visit([&](const Field& field, const Option& option) {
    const io::Node* usual = defaults.find(field.key);
    const std::string unit = field.unit.empty() ? "" : fmt::format(", {}", field.unit);
    const std::string owner = field.of.empty() ? "" : fmt::format("; of {} only", field.of);
    rows.push_back({.key = std::string(field.key),
                    .usual = field.required     ? "required"
                             : usual == nullptr ? "–"
                             : usual->as<std::string>() != nullptr
                                 ? *usual->as<std::string>()
                                 : to_json(*usual, io::JsonLayout::Line),
                    .values = allowed(field, option),
                    .meaning = std::string(field.doc) + unit + owner});
  });
  TextTable table;
  table.text("law.", rows, &Row::key).text("default", rows, &Row::usual);
  table.text("values", rows, &Row::values).text("meaning", rows, &Row::meaning);
  return fmt::format("law.kind = \"{}\" takes, in files and by --set law.KEY=VALUE\n\n{}", kind,
                     indented(table));
}

/// 'percute help solve' for 'percute solve --help'.
void add_help(CLI::App& app) {
  CLI::App* help =
      app.add_subcommand("help", "Show this help, that of a command, or the options of a law.");
  const auto name = std::make_shared<std::string>();
  help->add_option("COMMAND", *name, "command to explain, or law")->type_name("");
  // For packages: what man shows.
  const auto folder = std::make_shared<std::string>();
  const auto man = std::make_shared<bool>(false);
  help->add_flag("--man", *man, "print the page of the manual instead")->group("");
  help->add_option("--manuals", *folder, "write all pages of the manual into FOLDER")->group("");
  help->callback([&app, name, man, folder] {
    if (make_law(*name)) return Output().write(law_help(*name));
    const std::string problem = name->empty() ? "" : unknown_command(app, *name);
    if (!problem.empty()) throw InvalidInput("", problem);
    if (!folder->empty()) return write_manuals(app, *folder);
    if (*man) return Output().write(manual(app, *name));
    run_helper(*name, {"--help"});
    // app.help() would be that of 'help', the command that was chosen.
    Output().write(name->empty() ? app.get_formatter()->make_help(&app, app.get_name(), {})
                                 : app.get_subcommand(*name)->help(app.get_name()));
  });
}

int run(int argc, char** argv) {
  ExitCode code = ExitCode::Accepted;
  CLI::App app(kProgramDescription, "percute");
  app.footer(kProgramFooter);
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("-V,--version", std::string("percute ") + kVersion)
      ->description("show the version");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(30);
  add_solve(app, code);
  add_reproduce(app, code);
  add_compare(app, code);
  add_analyze(app, code);
  add_simulate(app, code);
#ifdef PERCUTE_HAS_FIT
  add_fit(app, code);
#endif
  add_identify_icr(app, code);
  add_waves(app, code);
  add_plot(app, code);
  add_helpers(app);
  add_schema(app);
  add_completion(app);
  add_help(app);

  const std::string first = argc > 1 ? argv[1] : "";
  if (argc > 2 && first == "completion" && argv[2] == std::string_view("--offer")) {
    Output().write(offers(app, {argv + 3, argv + argc}));
    return 0;
  }
  if (argc > 1) run_helper(first, {argv + 2, argv + argc});
  if (!first.empty() && first.front() != '-') {
    const std::string problem = unknown_command(app, first);
    if (!problem.empty()) throw InvalidInput("", problem);
  }
  if (const std::optional<int> ended = parse(app, argc, argv)) return *ended;
  if (app.get_subcommands().empty()) code = run_default();
  return static_cast<int>(code);
}

}  // namespace

}  // namespace percute::cli

int main(int argc, char** argv) {
  return percute::cli::guarded([&] { return percute::cli::run(argc, argv); });
}
