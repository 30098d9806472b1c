// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percute::io {

FileError::FileError(std::string where, const std::string& path, const std::string& reason)
    : InvalidInput(path, reason),
      where_(std::move(where)),
      text_(where_ + ": " + InvalidInput::what()) {}

Node::Node(const Node& other) = default;
Node::Node(Node&& other) noexcept = default;
Node& Node::operator=(const Node& other) = default;
Node& Node::operator=(Node&& other) noexcept = default;
Node::~Node() = default;

Node::Node(const Vector& values) : value_(Array(values.begin(), values.end())) {}

Node::Node(const Matrix& rows) {
  Array list;
  list.reserve(static_cast<std::size_t>(rows.rows()));
  for (Eigen::Index i = 0; i < rows.rows(); ++i) list.emplace_back(Vector(rows.row(i)));
  value_ = std::move(list);
}

const Node* Node::find(std::string_view key) const {
  const auto* object = as<Object>();
  if (object == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(*object, [&](const Member& member) { return member.key == key; });
  return found == object->end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(std::as_const(*this).find(key));  // NOLINT(*-const-cast)
}

Node& Node::add(std::string key, Node value) {
  if (is_null()) value_ = Object{};
  return std::get<Object>(value_).emplace_back(std::move(key), std::move(value)).value;
}

std::string Node::describe() const {
  if (const auto* boolean = as<bool>()) return *boolean ? "true" : "false";
  if (const auto* integer = as<std::int64_t>()) return fmt::format("{}", *integer);
  if (const auto* number = as<double>()) return fmt::format("{}", *number);
  if (const auto* text = as<std::string>()) return fmt::format("\"{}\"", printable(*text));
  if (const auto* array = as<Array>()) return fmt::format("an array of {}", array->size());
  return as<Object>() != nullptr ? "an object" : "null";
}

namespace {

/// Writes one tree as JSON.
class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout) : pretty_(layout == JsonLayout::Pretty) {}

  void write(const Node& node) {
    if (const auto* boolean = node.as<bool>()) {
      out += *boolean ? "true" : "false";
    } else if (const auto* integer = node.as<std::int64_t>()) {
      out += fmt::format("{}", *integer);
    } else if (const auto* number = node.as<double>()) {
      // "-0" would be read as the integer 0, without its sign.
      const bool negative_zero = *number == 0.0 && std::signbit(*number);
      out += !std::isfinite(*number) ? "null" : negative_zero ? "-0.0" : fmt::format("{}", *number);
    } else if (const auto* text = node.as<std::string>()) {
      write(*text);
    } else if (const auto* array = node.as<Node::Array>()) {
      write(*array);
    } else if (const auto* object = node.as<Node::Object>()) {
      write(*object);
    } else {
      out += "null";
    }
  }

  std::string out;

 private:
  void write(const std::string& text) {
    out += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out += fmt::format("\\u{:04x}", c);
      } else {
        out += c;
      }
    }
    out += '"';
  }

  void write(const Node::Array& array) {
    const bool flat = std::ranges::none_of(array, [](const Node& entry) {
      return entry.as<Node::Array>() != nullptr || entry.as<Node::Object>() != nullptr;
    });
    out += '[';
    ++depth_;
    for (const Node& entry : array) {
      if (&entry != array.data()) out += flat && pretty_ ? ", " : ",";
      if (!flat) new_line();
      write(entry);
    }
    --depth_;
    if (!flat) new_line();
    out += ']';
  }

  void write(const Node::Object& object) {
    out += '{';
    ++depth_;
    for (const Node::Member& member : object) {
      if (&member != object.data()) out += ',';
      new_line();
      write(member.key);
      out += pretty_ ? ": " : ":";
      write(member.value);
    }
    --depth_;
    if (!object.empty()) new_line();
    out += '}';
  }

  void new_line() {
    if (!pretty_) return;
    out += '\n';
    out.append(2 * depth_, ' ');
  }

  bool pretty_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_json(const Node& node, JsonLayout layout) {
  JsonWriter writer(layout);
  writer.write(node);
  return std::move(writer.out);
}

}  // namespace percute::io
