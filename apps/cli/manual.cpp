// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"

#include <percute/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace percute::cli {

namespace {

/// Text as roff takes it literally.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
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
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("\\fB\\-" + name + "\\fR");
    for (const std::string& name : option->get_lnames()) {
      names.push_back(R"(\fB\-\-)" + roff(name) + "\\fR");
    }
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

}  // namespace percute::cli
