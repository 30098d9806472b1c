// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "overrides.hpp"

#include <percute/io/law_file.hpp>

namespace percute::cli {

void Overrides::apply(io::Document& document) const {
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

io::Document Overrides::read(const std::string& file) const {
  io::Document document =
      file == "-" ? io::read_document(stdin, "standard input") : io::read_document(file);
  apply(document);
  return document;
}

}  // namespace percute::cli
