// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"
#include "text_table.hpp"

#include <percute/io/problem_file.hpp>

#include <cstdio>

namespace percute::cli {

void FileCommand::apply(io::Document& document) const {
  for (const std::string& key : removals) io::remove_value(document, key, "--unset " + key);
  if (law) io::override_law(document, *law, "--law " + *law);
  for (const std::string& setting : settings) {
    const std::string origin = "--set " + setting;
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      throw io::FileError(origin, "", "must be KEY=VALUE, for example law.tolerance=1e-8");
    }
    io::override_value(document, setting.substr(0, equals), setting.substr(equals + 1), origin);
  }
}

io::Document FileCommand::read() const {
  const std::string input = "standard input";
  const int first = file == "-" ? std::ungetc(std::getc(stdin), stdin) : 0;
  if (first == EOF && std::ferror(stdin) == 0) {
    throw io::FileError(input, "", "is empty; '-' reads the file from there: … - < FILE");
  }
  io::Document document = file == "-" ? io::read_document(stdin, input) : io::read_document(file);
  apply(document);
  return document;
}

void FileCommand::answer(const std::string& into, const std::function<io::Node()>& node,
                         const std::function<std::string()>& text) const {
  if (json || !into.empty()) {
    Output out(into);
    out.write(io::to_json(node()) + "\n");
    out.close();
  }
  if (!json && !quiet) Output().write(text());
}

void add_file(CLI::App& command, FileCommand& options, const char* name, const char* help) {
  add_value(command, name, options.file, help, "").required();
}

void add_law(CLI::App& command, FileCommand& options) {
  add_value(command, "--law", options.law, "use this law instead of the file's", "KIND");
}

void add_changes(CLI::App& command, FileCommand& options, const std::string& setting,
                 const std::string& key) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const std::string& help,
                       const char* type) {
    add_value(command, name, values, help + "; repeatable", type)
        .allow_extra_args(false)
        ->take_all();
  };
  add("--set", options.settings, "change one value of the file, e.g. " + setting, "KEY=VALUE");
  add("--unset", options.removals, "leave one key of the file out, e.g. " + key, "KEY");
}

void add_printing(CLI::App& command, FileCommand& options, const std::string& what) {
  if (command.get_option_no_throw("--output") == nullptr) {
    add_value(command, "-o,--output", options.output,
              "write " + what.substr(0, what.find(" (")) + " as JSON to FILE", "FILE");
  }
  command.add_flag("--json", options.json, "print as JSON " + what);
  command.add_flag("--quiet", options.quiet, "print no table and no progress");
  command.add_flag_callback("--all", show_all_rows,
                            "show all rows of long tables on a terminal too");
}

}  // namespace percute::cli
