// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

namespace percute::io {

namespace {

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

  bool null() override { return put({}) != nullptr; }
  bool boolean(bool value) override { return put(value) != nullptr; }
  bool number_integer(std::int64_t value) override { return put(value) != nullptr; }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return put(static_cast<double>(value)) != nullptr;
    }
    return put(static_cast<std::int64_t>(value)) != nullptr;
  }
  bool number_float(double value, const std::string& /*text*/) override {
    return put(value) != nullptr;
  }
  bool string(std::string& value) override { return put(std::move(value)) != nullptr; }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool key(std::string& value) override {
    key_ = std::move(value);
    return true;
  }
  bool start_object(std::size_t /*size*/) override { return open(Node::Object{}); }
  bool start_array(std::size_t /*size*/) override { return open(Node::Array{}); }
  bool end_object() override {
    refuse_repeated_keys(*open_.back()->as<Node::Object>());
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                   const nlohmann::json::exception& error) override {
    const std::string_view rest(reached - 1, static_cast<std::size_t>(end_ - reached) + 1);
    if (rest.starts_with("NaN") || rest.starts_with("Inf")) {
      fail(line(), "not valid JSON: numbers must be finite, NaN and Infinity are not allowed");
    }
    fail(line(), "not valid JSON: " + plain_words(error.what()));
  }

  Node root;
  const char* reached;

 private:
  [[noreturn]] void fail(int at, const std::string& reason) const {
    throw FileError(fmt::format("{}:{}", file_, at), "", reason);
  }

  /// Line of the token just read. The parser reads one character beyond a number.
  int line() {
    while (counted_ + 1 < reached) line_ += *counted_++ == '\n' ? 1 : 0;
    return line_;
  }

  Node* put(Node value) {
    if (++values_ > DocumentLimits::kValues) {
      fail(line(), fmt::format("more than {} values", DocumentLimits::kValues));
    }
    value.line = line();
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    if (auto* array = open_.back()->as<Node::Array>()) {
      return &array->emplace_back(std::move(value));
    }
    return &open_.back()->add(std::move(key_), std::move(value));
  }

  bool open(Node container) {
    if (open_.size() == DocumentLimits::kDepth) {
      fail(line(), fmt::format("nested deeper than {} levels", DocumentLimits::kDepth));
    }
    open_.push_back(put(std::move(container)));
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
    fail((*(twin + 1))->value.line, fmt::format("key '{}' appears twice (first on line {})",
                                                printable((*twin)->key), (*twin)->value.line));
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
  std::size_t values_ = 0;
};

}  // namespace

Document parse_json(std::string_view text, std::string file_name, int first_line) {
  if (text.size() > DocumentLimits::kJsonBytes) {
    throw FileError(file_name, "",
                    fmt::format("larger than {} MiB", DocumentLimits::kJsonBytes >> 20U));
  }
  if (const auto bad = first_invalid_utf8(text); bad != text.size()) {
    throw FileError(fmt::format("{}:{}", file_name, first_line - 1 + line_of(text, bad)), "",
                    "not UTF-8 text");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw FileError(file_name, "", "is empty");
  }

  TreeBuilder builder(text, first_line, file_name);
  const TracedIterator first{.at = builder.reached, .reached = &builder.reached};
  const TracedIterator last{.at = builder.reached + text.size(), .reached = &builder.reached};
  nlohmann::json::sax_parse(first, last, &builder);

  Document document{.file = std::move(file_name), .root = std::move(builder.root)};
  if (document.root.as<Node::Object>() == nullptr) {
    throw FileError(document.where(document.root), "",
                    "must hold an object {…} at the top, got " + document.root.describe());
  }
  return document;
}

}  // namespace percute::io
