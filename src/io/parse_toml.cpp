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

/// Dotted keys and inline tables nest without a common limit in TOML, and a parser's own tables
/// nest with them: refuse what would become deeper than kDepth before parsing. Outside strings and
/// comments, each dot of a key and each open bracket is one level.
class DepthGuard {
 public:
  DepthGuard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void check() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        dots_ = 0;
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '.') {
        ++dots_;
      } else if (c == '[' || c == '{') {
        open_.push_back(dots_of_key_ + 1);
        depth_ += open_.back();
        dots_ = dots_of_key_ = 0;
      } else if (c == ']' || c == '}') {
        close();
      } else if (c == '=') {
        dots_of_key_ = dots_;
        dots_ = 0;
      } else if (c == ',' || c == '\n') {
        dots_ = dots_of_key_ = 0;
      }
      if (depth_ + dots_ > DocumentLimits::kDepth) {
        fail(file_, line_of(text_, at_),
             fmt::format("nested deeper than {} levels", DocumentLimits::kDepth));
      }
    }
  }

 private:
  void close() {
    dots_ = dots_of_key_ = 0;
    if (open_.empty()) return;  // not valid TOML: the parser will say so
    depth_ -= open_.back();
    open_.pop_back();
  }

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
  int dots_ = 0;         ///< in the key or number being read
  int dots_of_key_ = 0;  ///< of the key whose value is being read
  int depth_ = 0;        ///< levels opened by brackets and the keys before them
  std::vector<int> open_;
};

Node convert(const toml::node& node, const std::string& file) {
  const auto line = static_cast<int>(node.source().begin.line);
  Node out;
  if (const auto* table = node.as_table()) {
    Node::Object members;
    for (const auto& [key, value] : *table) {
      members.emplace_back(std::string(key.str()), convert(value, file));
    }
    // The parser sorts by key; the file's order is kinder to read.
    std::ranges::stable_sort(members, {}, [](const auto& member) { return member.value.line; });
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
    fail(file, line, "dates and times are not allowed here");
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
  DepthGuard(text, file_name).check();
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
