// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <iterator>
#include <utility>

// JSON and TOML as trees whose values know their lines.

namespace percute::io {

namespace {

[[noreturn]] void fail(const std::string& file, int line, const std::string& reason) {
  throw FileError(fmt::format("{}:{}", file, line), "", reason);
}

[[noreturn]] void fail_depth(const std::string& file, int line) {
  fail(file, line, fmt::format("nested deeper than {} levels", DocumentLimits::kDepth));
}

/// Iterator that leaves its position behind, so that the handler knows how far parsing has come.
struct TracedIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** reached = nullptr;

  const char& operator*() const { return *at; }
  TracedIterator& operator++() {
    *reached = ++at;
    return *this;
  }
  bool operator==(const TracedIterator& other) const { return at == other.at; }
  bool operator!=(const TracedIterator& other) const { return at != other.at; }
};

/// Builds the tree from the parser's events. Values are appended to the innermost open container;
/// a container does not grow while one of its entries is open, so pointers to open ones hold.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, int first_line, const std::string& file)
      : reached(text.data()),
        counted_(text.data()),
        end_(text.data() + text.size()),
        line_(first_line),
        file_(file) {}

  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override {
    const bool fits = std::in_range<std::int64_t>(value);
    return fits ? put(static_cast<std::int64_t>(value)) : put(static_cast<double>(value));
  }
  bool number_float(double value, const std::string& /*text*/) override { return put(value); }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool key(std::string& value) override {
    key_ = std::move(value);
    return true;
  }
  bool start_object(std::size_t /*size*/) override { return open(Node::Object{}); }
  bool start_array(std::size_t /*size*/) override { return open(Node::Array{}); }
  bool end_object() override {
    refuse_repeated_keys(*open_.back()->as<Node::Object>());
    return end_array();
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                   const nlohmann::json::exception& error) override {
    const std::string_view rest(reached - 1, static_cast<std::size_t>(end_ - reached) + 1);
    if (rest.starts_with("NaN") || rest.starts_with("Inf")) {
      fail(file_, line(),
           "not valid JSON: numbers must be finite, NaN and Infinity are not allowed");
    }
    fail(file_, line(), "not valid JSON: " + plain_words(error.what()));
  }

  Node root;
  const char* reached;

 private:
  /// Line of the token just read. The parser reads one character beyond a number.
  int line() {
    while (counted_ + 1 < reached) line_ += *counted_++ == '\n' ? 1 : 0;
    return line_;
  }

  bool put(Node value) {
    if (++values_ > DocumentLimits::kValues) {
      fail(file_, line(), fmt::format("more than {} values", DocumentLimits::kValues));
    }
    value.line = line();
    if (open_.empty()) {
      last_ = &(root = std::move(value));
    } else if (auto* array = open_.back()->as<Node::Array>()) {
      last_ = &array->emplace_back(std::move(value));
    } else {
      last_ = &open_.back()->add(std::move(key_), std::move(value));
    }
    return true;
  }

  bool open(Node container) {
    if (open_.size() == DocumentLimits::kDepth) fail_depth(file_, line());
    put(std::move(container));
    open_.push_back(last_);
    return true;
  }

  void refuse_repeated_keys(const Node::Object& object) const {
    std::vector<const Node::Member*> members;
    members.reserve(object.size());
    for (const Node::Member& member : object) members.push_back(&member);
    std::ranges::sort(members, [](const auto* a, const auto* b) {
      return a->key != b->key ? a->key < b->key : a < b;
    });
    const auto twin = std::ranges::adjacent_find(
        members, [](const auto* a, const auto* b) { return a->key == b->key; });
    if (twin == members.end()) return;
    fail(file_, (*(twin + 1))->value.line,
         fmt::format("key '{}' appears twice (first on line {})", printable((*twin)->key),
                     (*twin)->value.line));
  }

  /// The parser's message without its own numbering and place.
  static std::string plain_words(std::string_view message) {
    for (const std::string_view lead : {"] ", "column ", ": ", " - "}) {
      const auto at = message.find(lead);
      if (at != std::string_view::npos) message.remove_prefix(at + lead.size());
    }
    return printable(message, 200);
  }

  const char* counted_;
  const char* end_;
  int line_;
  const std::string& file_;
  std::string key_;
  std::vector<Node*> open_;
  Node* last_ = nullptr;  ///< value put in
  std::size_t values_ = 0;
};

/// Where a TOML string ends that starts with a quote at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool multiline = text.substr(at, 3) == triple;
  for (at += multiline ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (multiline ? text.substr(at, 3) == triple : text[at] == quote || text[at] == '\n') {
      return at + (multiline ? 2 : 0);
    }
  }
  return at;
}

/// Dotted keys and inline tables nest without a common limit in TOML, and a parser's own tables
/// nest with them: refuse what would become deeper than kDepth before parsing. Outside strings and
/// comments, each dot of a key and each open bracket is one level.
void refuse_depth(std::string_view text, const std::string& file) {
  int dots = 0;           // in the key or number being read
  int dots_of_key = 0;    // of the key whose value is being read
  int depth = 0;          // levels opened by brackets and the keys before them
  std::vector<int> open;  // of each bracket
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      dots = 0;
    } else if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (c == '.') {
      ++dots;
    } else if (c == '=') {
      dots_of_key = std::exchange(dots, 0);
    } else if (std::string_view("[]{},\n").find(c) != std::string_view::npos) {
      if (c == '[' || c == '{') depth += open.emplace_back(dots_of_key + 1);
      // One that was not open is not valid TOML: the parser will say so.
      if ((c == ']' || c == '}') && !open.empty()) {
        depth -= open.back();
        open.pop_back();
      }
      dots = dots_of_key = 0;
    }
    if (depth + dots > DocumentLimits::kDepth) fail_depth(file, line_of(text, at));
  }
}

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

Document parse_json(std::string_view text, std::string file_name, int first_line) {
  if (text.size() > DocumentLimits::kJsonBytes) {
    throw FileError(file_name, "",
                    fmt::format("larger than {} MiB", DocumentLimits::kJsonBytes >> 20U));
  }
  if (const auto bad = first_invalid_utf8(text); bad != text.size()) {
    fail(file_name, first_line - 1 + line_of(text, bad), "not UTF-8 text");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw FileError(file_name, "", "is empty");
  }

  TreeBuilder builder(text, first_line, file_name);
  const TracedIterator first{.at = builder.reached, .reached = &builder.reached};
  const TracedIterator last{.at = builder.reached + text.size(), .reached = &builder.reached};
  nlohmann::json::sax_parse(first, last, &builder);
  if (builder.root.as<Node::Object>() == nullptr) {
    fail(file_name, builder.root.line,
         "must hold an object {…} at the top, got " + builder.root.describe());
  }
  return {.file = std::move(file_name), .root = std::move(builder.root)};
}

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
  refuse_depth(text, file_name);
  try {
    Node root = convert(toml::parse(text, file_name), file_name);
    return {.file = std::move(file_name), .root = std::move(root), .toml = true};
  } catch (const toml::parse_error& error) {
    fail(file_name, static_cast<int>(error.source().begin.line),
         "not valid TOML: " + printable(error.description(), 200));
  }
}

}  // namespace percute::io
