// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/schema.hpp"

#include "commands.hpp"
#include "output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace percute::cli {

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
