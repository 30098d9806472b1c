// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/model/fields.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percute::io {

/// A value of a document together with its path. Each accessor checks the type and throws a
/// FileError that names file, line, path, the value found and what is allowed.
class Value {
 public:
  explicit Value(const Document& document) : Value(document, document.root, "") {}
  Value(const Document& document, const Node& node, std::string path)
      : document_(&document), node_(&node), path_(std::move(path)) {}

  const Document& document() const { return *document_; }
  const Node& node() const { return *node_; }
  const std::string& path() const { return path_; }

  double number() const;              ///< finite
  double number_or_infinite() const;  ///< finite, or +infinity: inf in TOML, "inf" in both formats
  bool boolean() const;
  long integer(long lowest, long highest) const;  ///< 3 and 3.0 are the same integer
  const std::string& string() const;
  const Node::Object& object() const;
  /// Member of an object that is there.
  std::optional<Value> find(std::string_view key) const;

  std::size_t size() const;               ///< of an array
  Value operator[](std::size_t i) const;  ///< entry of an array
  Vector numbers() const;                 ///< array of finite numbers
  std::vector<long> integers(long lowest, long highest) const;

  /// Place of the string among these words.
  std::size_t choice(std::span<const std::string_view> words) const;
  template <class Enum, std::size_t n>
  Enum choice(const Names<Enum, n>& names) const {
    std::array<std::string_view, n> words;
    for (std::size_t k = 0; k < n; ++k) words[k] = names[k].first;
    return names[choice(words)].second;
  }

  [[noreturn]] void fail(const std::string& reason) const;

 private:
  const Document* document_;
  const Node* node_;
  std::string path_;
};

/// An object whose keys are all known: construction refuses any other key, with the closest known
/// one as a suggestion.
class Table {
 public:
  Table(Value value, std::span<const std::string_view> known);
  Table(Value value, std::initializer_list<std::string_view> known)
      : Table(std::move(value), std::span(known.begin(), known.size())) {}

  const Value& value() const { return value_; }
  bool has(std::string_view key) const { return value_.node().find(key) != nullptr; }
  std::optional<Value> find(std::string_view key) const { return value_.find(key); }
  Value required(std::string_view key) const;
  std::string path(std::string_view key) const;
  /// The one of several keys that is there; all others exclude it. Nothing where none is.
  using Member = std::pair<std::string_view, Value>;
  std::optional<Member> find_one(std::initializer_list<std::string_view> keys,
                                 const std::string& reason) const;
  Member one_of(std::initializer_list<std::string_view> keys, const std::string& reason) const;

  double number(std::string_view key, double otherwise) const {
    return has(key) ? find(key)->number() : otherwise;
  }
  bool boolean(std::string_view key, bool otherwise) const {
    return has(key) ? find(key)->boolean() : otherwise;
  }
  long integer(std::string_view key, long otherwise, long lowest, long highest) const {
    return has(key) ? find(key)->integer(lowest, highest) : otherwise;
  }

  template <class Enum, std::size_t n>
  Enum choice(std::string_view key, Enum otherwise, const Names<Enum, n>& names) const {
    const auto found = find(key);
    return found ? found->choice(names) : otherwise;
  }

  /// Error about a member, there or missing.
  [[noreturn]] void fail(std::string_view key, const std::string& reason) const;
  /// Error about a member if it is there.
  void refuse(std::string_view key, const std::string& reason) const {
    if (has(key)) fail(key, reason);
  }

 private:
  Value value_;
};

}  // namespace percute::io
