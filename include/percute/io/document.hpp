// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace percute::io {

/// A file that cannot be used: what() reads "cradle.toml:12: contacts[1].restitution: reason".
/// `where` is a file with its line, or the command-line option that brought the value.
class FileError : public InvalidInput {
 public:
  FileError(std::string where, const std::string& path, const std::string& reason);

  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::string text_;
};

/// A key and its value. A template, so that it can be named before Node is complete.
template <class Value>
struct NodeMember {
  NodeMember(std::string name, Value held) : key(std::move(name)), value(std::move(held)) {}

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
  Node(const Vector& values);                                        // NOLINT(*-explicit-*)
  Node(const Matrix& rows);                                          // NOLINT(*-explicit-*)
  template <class T>
    requires(!std::same_as<T, Node>)
  Node(const std::vector<T>& list) : value_(Array(list.begin(), list.end())) {}  // NOLINT
  /// null without a value.
  template <class T>
  Node(const std::optional<T>& value) {  // NOLINT(*-explicit-*)
    if (value) *this = Node(*value);
  }

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
  /// Member of an object if it is a string, else nothing.
  std::string_view word(std::string_view key) const;

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

/// What a file may be at most; beyond, it is refused with a message.
struct DocumentLimits {
  static constexpr std::size_t kJsonBytes = std::size_t{64} << 20U;
  static constexpr std::size_t kTomlBytes = std::size_t{8} << 20U;
  static constexpr std::size_t kValues = 5'000'000;
  static constexpr int kDepth = 64;
};

/// A file as a tree, with what is needed to say where a value came from.
struct Document {
  std::string file;                              ///< name used in messages
  Node root;                                     ///< an object
  std::vector<std::string> overrides = {};       ///< "--set law.tolerance=1e-8", in order
  std::vector<std::string> override_texts = {};  ///< their values as typed, "1e-8"
  bool toml = false;                             ///< which calls an object a table

  /// "cradle.toml:12", or the override that brought the value.
  std::string where(const Node& node) const;

  /// What was typed for a number, a truth value or null that an override brought, as where a string
  /// is wanted "5" needs no quotes; nullptr for any other node.
  const std::string* typed_text(const Node& node) const;

  /// The value at "contacts[1].restitution", or the last one met on the way to it.
  const Node& nearest(std::string_view path) const;
};

/// Parses JSON (RFC 8259; a byte order mark is tolerated) whose top level is an object. Repeated
/// keys, invalid UTF-8 and anything after the object are errors. Throws FileError.
/// `first_line` is the line of `file_name` at which the text starts.
Document parse_json(std::string_view text, std::string file_name, int first_line = 1);

/// Parses TOML 1.0. Dates and times have no use here and are errors. Throws FileError.
Document parse_toml(std::string_view text, std::string file_name);

/// Reads a file; its suffix (.json, .toml) says which syntax, otherwise a leading brace means JSON.
/// Throws FileError.
Document read_document(const std::filesystem::path& path);

/// The same for what is left of an open file, such as stdin.
Document read_document(std::FILE* in, const std::string& name);

/// Sets the value at a path such as "law.tolerance" or "contacts[0].restitution", making the
/// objects on the way that are missing. `text` is JSON or TOML, or else a plain string; where a
/// string is wanted, a number is taken as it was typed. `origin` is how messages about this value
/// will begin. Throws FileError.
void override_value(Document& document, const std::string& path, const std::string& text,
                    const std::string& origin);

/// Takes out the key at a path such as "law.tolerance", as if the file did not have it. `origin` is
/// how messages begin. Throws FileError, also if there is no such key.
void remove_value(Document& document, const std::string& path, const std::string& origin);

// ------------------------------------------------------------------- values with their types
// checked

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
    const auto found = find(key);
    return found ? found->number() : otherwise;
  }
  bool boolean(std::string_view key, bool otherwise) const {
    const auto found = find(key);
    return found ? found->boolean() : otherwise;
  }
  long integer(std::string_view key, long otherwise, long lowest, long highest) const {
    const auto found = find(key);
    return found ? found->integer(lowest, highest) : otherwise;
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

/// Refuses a file of another format. This comes before its keys are looked at, which would only be
/// unknown; a missing key 'format' is left to them.
void refuse_other_format(const Value& at, std::string_view format);

/// A problem or a scene that a file of another format names: in a file beside it (a string), or
/// right there (an object).
Document read_named_problem(const Value& value);

}  // namespace percute::io
