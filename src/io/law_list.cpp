// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_list.hpp"

#include "io/printable.hpp"

#include <percute/io/law_file.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

/// Splits at a letter that stands outside of brackets, braces and quotes.
std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == separator && depth <= 0) {
      parts.push_back(text.substr(start, k - start));
      start = k + 1;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

LawChoice parse_choice(std::string_view text, const std::string& origin) {
  const std::vector<std::string_view> parts = split_outside(text, ':');
  LawChoice choice{.text = std::string(text), .kind = std::string(trimmed(parts.front()))};
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto equals = parts[k].find('=');
    const std::string_view key = trimmed(parts[k].substr(0, equals));
    if (equals == std::string_view::npos || key.empty()) {
      throw FileError(origin, "",
                      fmt::format("'{}' must be an option of {}, KEY=VALUE; for example "
                                  "coulomb:tangential=0",
                                  printable(parts[k]), printable(choice.kind)));
    }
    choice.options.emplace_back(key, trimmed(parts[k].substr(equals + 1)));
  }
  return choice;
}

}  // namespace

std::vector<LawChoice> parse_law_list(std::string_view list, const std::string& origin) {
  std::vector<LawChoice> choices;
  for (const std::string_view part : split_outside(list, ',')) {
    LawChoice choice = parse_choice(trimmed(part), origin);
    if (choice.kind.empty()) {
      const std::vector<std::string_view> kinds = law_kinds();
      throw FileError(origin, "",
                      fmt::format("'{}' has an entry without a law; laws: {}", printable(list),
                                  fmt::join(kinds, ", ")));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

void override_law(Document& document, const LawChoice& choice, const std::string& origin) {
  const std::string place = origin + " " + choice.text;
  override_law(document, choice.kind, place);
  for (const auto& [key, value] : choice.options) {
    override_value(document, "law." + key, value, place);
  }
}

}  // namespace percute::io
