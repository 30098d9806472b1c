// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "overrides.hpp"

#include <percute/io/law_file.hpp>

namespace percute::cli {

void Overrides::apply(io::Document& document) const {
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

}  // namespace percute::cli
