// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"

#include <percute/laws/any_law.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

// Scripts with which a shell completes what is typed, made from the tree of commands: whatever has
// an option has it here.
namespace percute::cli {

namespace {

constexpr const char* kCompletionFooter = R"(
Examples:
    source <(percute completion bash)                          # in ~/.bashrc
    percute completion zsh > ~/.zfunc/_percute                 # in a folder of $fpath
    percute completion fish > ~/.config/fish/completions/percute.fish

The Debian package brings all three.)";

using Words = std::vector<std::string>;

/// Options that help shows, or the one operand without a name.
std::vector<const CLI::Option*> shown_options(const CLI::App& command, bool positional) {
  return command.get_options([positional](const CLI::Option* option) {
    return !option->get_group().empty() && option->nonpositional() != positional;
  });
}

/// "-o", "--output".
Words names_of(const CLI::Option& option) {
  Words names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string law_words() {
  return fmt::format("{}", fmt::join(law_kinds(), " "));
}

/// Text between single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) {
    text.replace(at, 1, "'\\''");
  }
  return "'" + text + "'";
}

/// What can follow an option or stand for a file, as each shell says it.
struct Operand {
  const char* bash = "";  ///< what `kind` is in the script; "": nothing follows
  std::string zsh = {};   ///< action of _arguments
  std::string fish = {};  ///< options of complete
};

Operand operand_of(const CLI::Option& option, const CLI::App& app) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string name = option.nonpositional() ? option.get_type_name() : option.get_name(true);
  const auto words = [](const char* kind, const std::string& list) {
    return Operand{.bash = kind, .zsh = "(" + list + ")", .fish = " -a " + quoted(list)};
  };
  if (name == "COMMAND")
    return words("command", fmt::format("{}", fmt::join(commands_of(app), " ")));
  if (name == "SHELL") return words("shell", "bash zsh fish");
  if (name == "NAME") return words("schema", "problem result run");
  if (name == "KIND" || name == "A,B,...") {
    Operand law = words("law", law_words());
    law.fish.insert(0, " -x");
    if (name != "KIND") law = {"laws", "_values -s , law " + law_words(), law.fish};
    return law;
  }
  if (name == "FILE" && option.nonpositional()) return {"file", "_files", " -r -F"};
  if (name == "FILE" || name == "SCENE") {
    return {"scene", R"zsh(_files -g "*.(toml|json)(-.)")zsh",
            " -k -a '(__fish_complete_suffix .toml; __fish_complete_suffix .json)'"};
  }
  return {"nothing", " ", " -x"};
}

/// Of the first word that is no option.
std::optional<Operand> positional_of(const CLI::App& command, const CLI::App& app) {
  const auto options = shown_options(command, true);
  if (options.empty()) return {};
  return operand_of(*options.front(), app);
}

std::string bash_case(const CLI::App& command, const CLI::App& app) {
  Words words;
  std::string values;
  for (const CLI::Option* option : shown_options(command, false)) {
    const Words names = names_of(*option);
    words.insert(words.end(), names.begin(), names.end());
    const std::string kind = operand_of(*option, app).bash;
    if (!kind.empty()) {
      values += fmt::format("        {}) kind='{}' ;;\n", fmt::join(names, " | "), kind);
    }
  }
  const auto positional = positional_of(command, app);
  std::string out = fmt::format("    {})\n      options={}\n      kind='{}'\n", command.get_name(),
                                quoted(fmt::format("{}", fmt::join(words, " "))),
                                positional ? positional->bash : "nothing");
  if (!values.empty()) {
    out += "      valued=$kind\n      kind=\n      case $before in\n" + values +
           "      esac\n      [[ -n $kind ]] && options= || kind=$valued\n";
  }
  return out + "      ;;\n";
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) cases += bash_case(*command, app);
  return fmt::format(
      R"(# Completion of percute for bash, made by 'percute completion bash'.
# shellcheck shell=bash
_percute() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' options='--help --version' kind='command' valued i
  local commands={} laws={}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -* ]] || {{ command=${{COMP_WORDS[i]}} && break; }}
  done
  # bash takes --law=lzb for three words.
  [[ $before == '=' ]] && before=${{COMP_WORDS[COMP_CWORD - 2]}}
  [[ $word == '=' ]] && word=
  case $command in
    '') ;;
{}    *) kind=nothing ;;
  esac
  [[ -n $options && $word == -* ]] && kind=options
  case $kind in
    options) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    command) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
    shell) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$word") ;;
    schema) mapfile -t COMPREPLY < <(compgen -W 'problem result run' -- "$word") ;;
    law) mapfile -t COMPREPLY < <(compgen -W "$laws" -- "$word") ;;
    laws)
      local done=
      [[ $word == *,* ]] && done=${{word%,*}},
      mapfile -t COMPREPLY < <(compgen -P "$done" -W "$laws" -- "${{word##*,}}")
      compopt -o nospace
      ;;
    file)
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      compopt -o filenames
      ;;
    scene)
      mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$word"; compgen -f -X '!*.json' -- "$word"; compgen -d -- "$word")
      compopt -o filenames
      ;;
    *) COMPREPLY=() ;;
  esac
}}
complete -F _percute percute
)",
      quoted(fmt::format("{}", fmt::join(commands_of(app), " "))), quoted(law_words()), cases);
}

/// A description inside an option of _arguments, or behind the name in _describe.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_script(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands +=
        "    " + quoted(command->get_name() + ":" + zsh_text(command->get_description())) + "\n";
    cases += fmt::format("    {})\n      _arguments -s -S", command->get_name());
    for (const CLI::Option* option : shown_options(*command, false)) {
      const Words names = names_of(*option);
      const std::string all = fmt::format("{}", fmt::join(names, " "));
      const Operand operand = operand_of(*option, app);
      const bool repeatable = option->get_items_expected_max() > 1;
      for (const std::string& name : names) {
        std::string entry = (repeatable ? "*" : "(" + all + ")") + name + "[" +
                            zsh_text(option->get_description()) + "]";
        if (!operand.zsh.empty()) {
          entry += ":" + zsh_text(option->get_type_name()) + ":" + operand.zsh;
        }
        cases += " \\\n        " + quoted(entry);
      }
    }
    if (const auto positional = positional_of(*command, app)) {
      cases += " \\\n        " + quoted("1: :" + positional->zsh);
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef percute
# Completion of percute for zsh, made by 'percute completion zsh'.
_percute() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '(-h --help)'{{-h,--help}}'[show the help]' '(-V --version)'{{-V,--version}}'[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [[ $funcstack[1] == _percute ]]; then
  _percute "$@"
else
  compdef _percute percute
fi
)",
                     commands, cases);
}

std::string fish_script(const CLI::App& app) {
  std::string out =
      "# Completion of percute for fish, made by 'percute completion fish'.\n"
      "complete -c percute -f\n"
      "complete -c percute -n __fish_use_subcommand -s h -l help -d 'show the help'\n"
      "complete -c percute -n __fish_use_subcommand -s V -l version -d 'show the version'\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    out += fmt::format("complete -c percute -n __fish_use_subcommand -a {} -d {}\n", name,
                       quoted(command->get_description()));
    const std::string begin =
        fmt::format("complete -c percute -n '__fish_seen_subcommand_from {}'", name);
    for (const CLI::Option* option : shown_options(*command, false)) {
      out += begin;
      for (const std::string& word : option->get_snames()) out += " -s " + word;
      for (const std::string& word : option->get_lnames()) out += " -l " + word;
      out += operand_of(*option, app).fish + " -d " + quoted(option->get_description()) + "\n";
    }
    const auto positional = positional_of(*command, app);
    if (positional && positional->bash != std::string_view("nothing")) {
      out += begin + positional->fish + "\n";
    }
  }
  return out;
}

}  // namespace

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
  command->callback([&app, shell] {
    Output().write(*shell == "bash"  ? bash_script(app)
                   : *shell == "zsh" ? zsh_script(app)
                                     : fish_script(app));
  });
}

}  // namespace percute::cli
