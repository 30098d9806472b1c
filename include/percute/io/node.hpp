// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace percute::io {

/// A key and its value. A template, so that it can be named before Node is complete.
template <class Value>
struct NodeMember {
  std::string key;
  Value value;
};

/// One value of a file, whatever its syntax: null, boolean, integer, number, string, array or
/// object. Objects keep the order of their members. What is written (results) and what is read
/// (problems, scenes) is this one tree.
class Node {
 public:
  using Member = NodeMember<Node>;
  using Array = std::vector<Node>;
  using Object = std::vector<Member>;

  Node() = default;  ///< null
  // Defined in one place: every file that makes a tree would compile them again.
  Node(const Node& other);
  Node(Node&& other) noexcept;
  Node& operator=(const Node& other);
  Node& operator=(Node&& other) noexcept;
  ~Node();

  Node(bool value) : value_(value) {}  // NOLINT(*-explicit-*)
  template <std::integral Integer>
  Node(Integer value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT(*-explicit-*)
  Node(double value) : value_(value) {}                              // NOLINT(*-explicit-*)
  Node(std::string value) : value_(std::move(value)) {}              // NOLINT(*-explicit-*)
  Node(std::string_view value) : value_(std::string(value)) {}       // NOLINT(*-explicit-*)
  Node(const char* value) : value_(std::string(value)) {}            // NOLINT(*-explicit-*)
  Node(Array value) : value_(std::move(value)) {}                    // NOLINT(*-explicit-*)
  Node(Object value) : value_(std::move(value)) {}                   // NOLINT(*-explicit-*)

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

  /// The value if it is of that type, else nullptr: bool, std::int64_t, double, std::string,
  /// Array or Object.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&value_);
  }

  /// Member of an object; nullptr if this is no object or has no such key.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  /// Appends a member, turning null into an object. Returns the new value.
  Node& add(std::string key, Node value);

  /// Short text for messages: `0.5`, `"abc"`, `an array of 3`, `an object`.
  std::string describe() const;

  /// Where it was read: a line (from 1) of the file, 0 if not from a file, −k if it was brought by
  /// override number k−1 of the document.
  int line = 0;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

enum class JsonLayout {
  Pretty,  ///< one member per line, arrays of numbers on one line
  Line,    ///< everything on one line, for JSON Lines
};

/// JSON text without a final newline. Numbers have the shortest form that reads back to the same
/// bits; NaN and infinities become null.
std::string to_json(const Node& node, JsonLayout layout = JsonLayout::Pretty);

}  // namespace percute::io
