// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

namespace percute::io {

namespace {

[[noreturn]] void fail(const std::string& file, int line, const std::string& reason) {
  throw FileError(fmt::format("{}:{}", file, line), "", reason);
}

/// Dotted keys nest without limit in TOML, and a parser's tables nest with them: refuse chains of
/// more than kDepth parts before parsing. Outside strings and comments a chain is a run of key
/// characters, quoted parts, blanks and dots.
class DottedKeyGuard {
 public:
  DottedKeyGuard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void check() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        dots_ = 0;
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '.') {
        if (++dots_ > DocumentLimits::kDepth) {
          fail(file_, line_of(text_, at_),
               fmt::format("nested deeper than {} levels", DocumentLimits::kDepth));
        }
      } else if (std::string_view("=[]{},\n").find(c) != std::string_view::npos) {
        dots_ = 0;
      }
    }
  }

 private:
  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool multiline = text_.substr(at_, 3) == triple;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (multiline ? text_.substr(at_, 3) == triple
                           : text_[at_] == quote || text_[at_] == '\n') {
        at_ += multiline ? 2 : 0;
        return;
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int dots_ = 0;
};

Node convert(const toml::node& node, const std::string& file) {
  const auto line = static_cast<int>(node.source().begin.line);
  Node out;
  if (const auto* table = node.as_table()) {
    Node::Object members;
    for (const auto& [key, value] : *table) {
      members.push_back({std::string(key.str()), convert(value, file)});
    }
    // The parser sorts by key; the file's order is kinder to read.
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.value.line < b.value.line; });
    out = std::move(members);
  } else if (const auto* array = node.as_array()) {
    Node::Array entries;
    entries.reserve(array->size());
    for (const toml::node& entry : *array) entries.push_back(convert(entry, file));
    out = std::move(entries);
  } else if (const auto* text = node.as_string()) {
    out = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out = std::int64_t{integer->get()};
  } else if (const auto* number = node.as_floating_point()) {
    out = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out = boolean->get();
  } else {
    fail(file, line, "dates and times have no use here");
  }
  out.line = line;
  return out;
}

}  // namespace

Document parse_toml(std::string_view text, std::string file_name) {
  if (text.size() > DocumentLimits::kTomlBytes) {
    throw FileError(
        file_name, "",
        fmt::format("larger than {} MiB, the limit for TOML; JSON may have {} MiB",
                    DocumentLimits::kTomlBytes >> 20U, DocumentLimits::kJsonBytes >> 20U));
  }
  if (const auto bad = first_invalid_utf8(text); bad != text.size()) {
    fail(file_name, line_of(text, bad), "not UTF-8 text");
  }
  DottedKeyGuard(text, file_name).check();
  try {
    const toml::table table = toml::parse(text, file_name);
    Node root = convert(table, file_name);
    return {.file = std::move(file_name), .root = std::move(root)};
  } catch (const toml::parse_error& error) {
    fail(file_name, static_cast<int>(error.source().begin.line),
         "not valid TOML: " + printable(error.description(), 200));
  }
}

}  // namespace percute::io
