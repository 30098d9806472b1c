// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"

#include <percute/laws/any_law.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

// Scripts with which a shell completes what is typed, made from the tree of commands: whatever has
// an option has it here.
namespace percute::cli {

namespace {

constexpr const char* kCompletionDescription =
    "Print a script with which a shell completes commands, options, laws and files.";

constexpr const char* kCompletionFooter = R"(
Examples:
    source <(percute completion bash)                          # in ~/.bashrc
    percute completion zsh > ~/.zfunc/_percute                 # in a folder of $fpath
    percute completion fish > ~/.config/fish/completions/percute.fish

The Debian package brings all three.)";

using Words = std::vector<std::string>;

/// What can follow an option, or stand for a file.
enum class Operand { None, Flag, Anything, File, Scene, Law, LawList, Command, Shell, Schema };

Operand operand_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return Operand::Flag;
  const std::string name = option.nonpositional() ? option.get_type_name() : option.get_name(true);
  if (name == "KIND") return Operand::Law;
  if (name == "A,B,...") return Operand::LawList;
  if (name == "COMMAND") return Operand::Command;
  if (name == "SHELL") return Operand::Shell;
  if (name == "NAME") return Operand::Schema;
  if (name == "FILE") return option.nonpositional() ? Operand::File : Operand::Scene;
  return name == "SCENE" ? Operand::Scene : Operand::Anything;
}

/// Options that help shows, or the one operand without a name.
std::vector<const CLI::Option*> shown_options(const CLI::App& command, bool positional) {
  return command.get_options([positional](const CLI::Option* option) {
    return !option->get_group().empty() && option->nonpositional() != positional;
  });
}

Operand positional_of(const CLI::App& command) {
  const auto options = shown_options(command, true);
  return options.empty() ? Operand::None : operand_of(*options.front());
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

const char* bash_kind(Operand operand) {
  switch (operand) {
    case Operand::File:
      return "file";
    case Operand::Scene:
      return "scene";
    case Operand::Law:
      return "law";
    case Operand::LawList:
      return "laws";
    case Operand::Command:
      return "command";
    case Operand::Shell:
      return "shell";
    case Operand::Schema:
      return "schema";
    default:
      return "nothing";
  }
}

std::string bash_case(const CLI::App& command, const std::string& name) {
  Words words;
  std::string values;
  for (const CLI::Option* option : shown_options(command, false)) {
    const Words names = names_of(*option);
    words.insert(words.end(), names.begin(), names.end());
    if (operand_of(*option) == Operand::Flag) continue;
    values += fmt::format("        {}) kind='{}' ;;\n", fmt::join(names, " | "),
                          bash_kind(operand_of(*option)));
  }
  std::string out = fmt::format("    {})\n      options={}\n      kind='{}'\n", name,
                                quoted(fmt::format("{}", fmt::join(words, " "))),
                                bash_kind(positional_of(command)));
  if (!values.empty()) {
    out += "      valued=$kind\n      kind=\n      case $before in\n" + values +
           "      esac\n      [[ -n $kind ]] && options= || kind=$valued\n";
  }
  return out + "      ;;\n";
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    cases += bash_case(*command, command->get_name());
  }
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

std::string zsh_action(Operand operand, const CLI::App& app) {
  switch (operand) {
    case Operand::File:
      return "_files";
    case Operand::Scene:
      return R"zsh(_files -g "*.(toml|json)(-.)")zsh";
    case Operand::Law:
      return "(" + law_words() + ")";
    case Operand::LawList:
      return "_values -s , law " + law_words();
    case Operand::Command:
      return fmt::format("({})", fmt::join(commands_of(app), " "));
    case Operand::Shell:
      return "(bash zsh fish)";
    case Operand::Schema:
      return "(problem result run)";
    default:
      return " ";
  }
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
      const Operand operand = operand_of(*option);
      const bool repeatable = option->get_items_expected_max() > 1;
      for (const std::string& name : names) {
        std::string entry = (repeatable ? "*" : "(" + all + ")") + name + "[" +
                            zsh_text(option->get_description()) + "]";
        if (operand != Operand::Flag) {
          entry += ":" + zsh_text(option->get_type_name()) + ":" + zsh_action(operand, app);
        }
        cases += " \\\n        " + quoted(entry);
      }
    }
    const Operand positional = positional_of(*command);
    if (positional != Operand::None) {
      cases += " \\\n        " + quoted("1: :" + zsh_action(positional, app));
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

std::string fish_operand(Operand operand, const CLI::App& app) {
  switch (operand) {
    case Operand::Flag:
      return "";
    case Operand::File:
      return " -r -F";
    case Operand::Scene:
      return " -k -a '(__fish_complete_suffix .toml; __fish_complete_suffix .json)'";
    case Operand::Law:
    case Operand::LawList:
      return " -x -a " + quoted(law_words());
    case Operand::Command:
      return fmt::format(" -a '{}'", fmt::join(commands_of(app), " "));
    case Operand::Shell:
      return " -a 'bash zsh fish'";
    case Operand::Schema:
      return " -a 'problem result run'";
    default:
      return " -x";
  }
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
      out += fish_operand(operand_of(*option), app) + " -d " + quoted(option->get_description()) +
             "\n";
    }
    const Operand positional = positional_of(*command);
    const bool known = positional == Operand::Scene || positional == Operand::Command ||
                       positional == Operand::Shell || positional == Operand::Schema;
    if (known) out += begin + fish_operand(positional, app) + "\n";
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", kCompletionDescription);
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
