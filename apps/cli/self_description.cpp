// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/schema.hpp"
#include "output.hpp"

#include <percute/laws/any_law.hpp>
#include <percute/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What the program says of itself to others: to a shell that completes what is typed, to man, and
// to editors that check files. The first two come from the tree of commands: whatever has an option
// has it here.
namespace percute::cli {

namespace {

/// Options that help shows, or operands, which have no name.
std::vector<const CLI::Option*> shown_options(const CLI::App& command, bool positional) {
  return command.get_options([positional](const CLI::Option* option) {
    return !option->get_group().empty() && option->nonpositional() != positional;
  });
}

/// "-o", "--output".
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// -------------------------------------------------------------------------------- completion

constexpr const char* kCompletionFooter = R"(
Examples:
    source <(percute completion bash)                          # in ~/.bashrc
    percute completion zsh > ~/.zfunc/_percute                 # in a folder of $fpath
    percute completion fish > ~/.config/fish/completions/percute.fish

The Debian package brings all three.)";

// The scripts ask the program itself, 'percute completion --offer WORDS…', and know no command.
// Each word that is offered has what help says of it behind a tab. ":file" and ":scene" are offers
// the shell can make itself, ":list" says that more may follow behind a comma.

constexpr const char* kBash =
    R"(# Completion of percute for bash, made by 'percute completion bash'.
# shellcheck shell=bash
_percute() {
  local word=${COMP_WORDS[COMP_CWORD]} line
  [[ $word == '=' ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames
        ;;
      :scene)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$word"; compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
        compopt -o filenames
        ;;
      :list) compopt -o nospace ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion --offer "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _percute percute
)";

constexpr const char* kZsh =
    R"zsh(#compdef percute
# Completion of percute for zsh, made by 'percute completion zsh'.
_percute() {
  local line
  local -a offers more
  for line in "${(@f)$("$words[1]" completion --offer "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :file) compset -P '--*='; _files; return ;;
      :scene) _files -g "*.(toml|json)(-.)"; return ;;
      :list) more=(-S '') ;;
      *$'\t'*) offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      ?*) offers+=("$line") ;;
    esac
  done
  _describe percute offers "${(@)more}"
}
if [[ $funcstack[1] == _percute ]]; then
  _percute "$@"
else
  compdef _percute percute
fi
)zsh";

constexpr const char* kFish =
    R"(# Completion of percute for fish, made by 'percute completion fish'.
function __percute_offers
  set -l before (commandline -opc)
  set -l word (commandline -ct)
  for line in ($before[1] completion --offer $before[2..] "$word" 2>/dev/null)
    switch $line
      case :file
        set -l option (string match -r -- '^--[^=]*=' $word)
        string replace -r -- '^' "$option" (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
      case :scene
        __fish_complete_suffix .toml
        __fish_complete_suffix .json
      case :list
      case '*'
        echo $line
    end
  end
end
complete -c percute -f -a '(__percute_offers)'
)";

}  // namespace

std::string offers(const CLI::App& app, std::vector<std::string> words) {
  std::string word = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  // bash takes --law=lzb for three words, others for one.
  std::string kept;  // in front of what is offered
  if (word == "=") word.clear();
  if (!words.empty() && words.back() == "=") words.pop_back();
  if (const auto equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
    words.push_back(word.substr(0, equals));
    kept = word.substr(0, equals + 1);
    word.erase(0, equals + 1);
  }

  std::string out;
  const auto offer = [&](std::string_view text, const std::string& meaning = "") {
    if (!text.starts_with(word)) return;
    out.append(kept).append(text).append(meaning.empty() ? "" : "\t" + meaning) += '\n';
  };
  const auto offer_commands = [&] {
    for (const CLI::App* each : app.get_subcommands({})) {
      offer(each->get_name(), each->get_description());
    }
  };
  const CLI::App* command = &app;
  const auto named =
      std::ranges::find_if(words, [](const std::string& one) { return !one.starts_with('-'); });
  if (named != words.end()) {
    const auto all =
        app.get_subcommands([&named](const CLI::App* one) { return one->get_name() == *named; });
    if (all.empty()) return "";
    command = all.front();
  }
  const CLI::Option* asked = words.empty() ? nullptr : command->get_option_no_throw(words.back());
  if (asked == nullptr || !asked->nonpositional() || asked->get_items_expected_max() == 0) {
    if (word.starts_with('-')) {
      for (const CLI::Option* option : shown_options(*command, false)) {
        for (const std::string& name : names_of(*option)) offer(name, option->get_description());
      }
      return out;
    }
    if (command == &app) {
      offer_commands();
      return out;
    }
    const auto operands = shown_options(*command, true);
    if (operands.empty()) return "";
    asked = operands.front();
  }

  const bool operand = !asked->nonpositional();
  const std::string kind = operand ? asked->get_name(true) : asked->get_type_name();
  if (kind == "COMMAND") offer_commands();
  if (kind == "SHELL") {
    for (const char* shell : {"bash", "zsh", "fish"}) offer(shell);
  }
  if (kind == "NAME") {
    for (const io::NamedSchema& schema : io::schemas()) {
      offer(schema.name, std::string(schema.title));
    }
  }
  if (kind == "PICTURE") {
    for (const std::string_view picture : kPictures) offer(picture);
  }
  if (kind == "FILE" || kind == "SCENE") {
    return operand && command->get_name() != "plot" ? ":scene\n" : ":file\n";
  }
  if (kind == "A,B,...") {
    const std::size_t done = word.find_last_of(',') + 1;
    kept += word.substr(0, done);
    word.erase(0, done);
    out = ":list\n";
  }
  if (kind == "KIND" || kind == "A,B,...") {
    for (const std::string_view law : law_kinds()) offer(law);
  }
  return out;
}

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "completion",
      "Print a script with which a shell completes commands, options, laws and files.");
  command->footer(kCompletionFooter);
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->type_name("")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell] {
    Output().write(*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish);
  });
}

// -------------------------------------------------------------------------------- the manual

namespace {

/// Text as roff takes it literally.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return text;
}

/// The words below the options of a help text. Indented lines stay as they are; "Examples:" and
/// "Exit status: 0 …" become sections, any other line that ends in a colon alone a heading.
std::string body_of(std::string_view footer) {
  std::string out;
  bool literal = false;
  while (!footer.empty()) {
    const std::string_view line = footer.substr(0, footer.find('\n'));
    footer.remove_prefix(std::min(line.size() + 1, footer.size()));
    if (const bool indented = line.starts_with("  "); !line.empty() && indented != literal) {
      out += indented ? ".RS 4\n.nf\n" : ".fi\n.RE\n";
      literal = indented;
    }
    constexpr std::string_view kExit = "Exit status: ";
    if (line.empty()) {
      out += literal ? "\\&\n" : ".PP\n";
    } else if (line.starts_with(kExit)) {
      out += ".SH EXIT STATUS\n" + roff(line.substr(kExit.size())) + "\n";
    } else if (line == "Examples:") {
      out += ".SH EXAMPLES\n";
    } else if (line.ends_with(':') && line.find(' ') == std::string_view::npos) {
      out += ".SS " + roff(line.substr(0, line.size() - 1)) + "\n";
    } else {
      out += roff(line) + "\n";
    }
  }
  if (literal) out += ".fi\n.RE\n";
  // A heading begins a paragraph of its own.
  for (const char* heading : {".SH", ".SS"}) {
    const std::string doubled = std::string(".PP\n") + heading;
    for (auto at = out.find(doubled); at != std::string::npos; at = out.find(doubled)) {
      out.erase(at, 4);
    }
  }
  return out.starts_with(".PP\n") ? out.substr(4) : out;
}

std::string option_list(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    std::vector<std::string> names = names_of(*option);
    for (std::string& name : names) name = "\\fB" + roff(name) + "\\fR";
    if (names.empty()) names.push_back("\\fI" + option->get_name(true) + "\\fR");
    out += fmt::format(".TP\n{}", fmt::join(names, ", "));
    if (option->nonpositional() && option->get_items_expected_max() > 0) {
      out += " \\fI" + roff(option->get_type_name()) + "\\fR";
    }
    out += "\n" + roff(option->get_description()) + "\n";
  }
  return out;
}

/// What holds for all commands.
constexpr const char* kCommonSections = R"(.SH EXIT STATUS
.TP
.B 0
accepted
.TP
.B 1
a numerical outcome that is not an answer; the output says how far it got
.TP
.B 2
bad input, with one message on standard error
.SH FILES
.TP
.I share/percute/examples
scenes, motions and fits to start from, below the prefix of the installation
)";

/// "percute solve [OPTIONS] FILE".
std::string synopsis(const CLI::App& command, const std::string& name) {
  const std::string out = ".B " + name + "\n";
  std::string operands = "[\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) continue;
    const std::string word = "\\fI" + option->get_name(true) + "\\fR";
    operands += option->get_required() ? " " + word : " [" + word + "]";
    if (option->get_items_expected_max() > 1) operands += "...";
  }
  return out + operands + "\n";
}

}  // namespace

std::string manual(const CLI::App& app, const std::string& name) {
  const CLI::App& command = name.empty() ? app : *app.get_subcommand(name);
  const std::string page = name.empty() ? app.get_name() : app.get_name() + "-" + name;
  std::string summary = command.get_description();
  const std::string own = app.get_name() + ": ";
  if (summary.starts_with(own)) summary.erase(0, own.size());
  std::string out = fmt::format(
      ".TH {} 1 \"\" \"percute {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
      roff(upper(page)), kVersion, roff(page), roff(summary.substr(0, summary.find('.'))));
  if (name.empty()) {
    out += ".B percute\n[\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIFILE\\fR]]\n.SH COMMANDS\n";
    for (const CLI::App* each : app.get_subcommands({})) {
      out += fmt::format(".TP\n.B {}\n{}\n", roff(each->get_name()), roff(each->get_description()));
    }
  } else {
    out += synopsis(command, app.get_name() + " " + name);
  }
  // What explains goes before the options, examples and exit status behind them.
  // Commands without words of their own have those of the program.
  const bool own_words = name.empty() || command.get_footer() != app.get_footer();
  const std::string text = own_words ? body_of(command.get_footer()) : "";
  const auto sections = std::min(text.find(".SH"), text.size());
  if (sections > 0) out += ".SH DESCRIPTION\n" + text.substr(0, sections);
  out += ".SH OPTIONS\n" + option_list(command) + text.substr(sections);
  out += (name.empty() ? kCommonSections : "") + std::string(".SH SEE ALSO\n");
  if (!name.empty()) return out + ".BR percute (1)\n";
  const auto all = app.get_subcommands({});
  for (const CLI::App* each : all) {
    out += fmt::format(".BR percute\\-{} (1){}\n", roff(each->get_name()),
                       each == all.back() ? "" : ",");
  }
  return out;
}

void write_manuals(const CLI::App& app, const std::string& folder) {
  const auto write = [&](const std::string& name) {
    Output out(folder + "/percute" + (name.empty() ? "" : "-" + name) + ".1");
    out.write(manual(app, name));
    out.close();
  };
  write("");
  for (const CLI::App* command : app.get_subcommands({})) write(command->get_name());
}

// ----------------------------------------------------------------------------------- schemas

namespace {

constexpr const char* kSchemaDescription = "Print the JSON Schema of a file format.";

constexpr const char* kSchemaFooter = R"(
NAME is one of

    problem    percute-problem/1, which 'percute solve' reads: docs/reference/problems.md
    result     percute-result/1, which 'percute solve --json' prints
    run        percute-run/1, which 'percute simulate --json' prints

The schemas (draft 2020-12) have every key with its type, range, unit, default and words, so that an
editor can complete and check a problem as it is written, and a program can check what it reads. TOML
has the same keys. Installed they are in share/percute/schema.

Examples:
    percute schema                                # lists them
    percute schema problem -o problem.schema.json

Exit status: 0; 2 no such schema, or a file that cannot be written.)";

std::string list_of_schemas() {
  std::string out;
  for (const io::NamedSchema& schema : io::schemas()) {
    out += fmt::format("{:<10} {:<18} {}\n", schema.name, schema.format, schema.title);
  }
  return out;
}

void print_schema(const std::string& name, const std::string& path) {
  std::string text;
  for (const io::NamedSchema& schema : io::schemas()) {
    if (schema.name == name) text = io::to_json(io::schema_document(schema)) + "\n";
  }
  Output out(path);
  out.write(name.empty() ? list_of_schemas() : text);
  out.close();
}

}  // namespace

void add_schema(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", kSchemaDescription);
  command->footer(kSchemaFooter);
  const auto name = std::make_shared<std::string>();
  const auto path = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const io::NamedSchema& schema : io::schemas()) names.emplace_back(schema.name);
  command->add_option("NAME", *name, "format; without one the names are listed")
      ->type_name("")
      ->check(CLI::IsMember(names));
  command->add_option("-o,--output", *path, "write to FILE")->type_name("FILE");
  command->callback([name, path] { print_schema(*name, *path); });
}

}  // namespace percute::cli
