// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
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

std::string_view Node::word(std::string_view key) const {
  const Node* member = find(key);
  const auto* text = member == nullptr ? nullptr : member->as<std::string>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
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
      write_text(*text);
    } else if (const auto* array = node.as<Node::Array>()) {
      const bool flat = std::ranges::none_of(*array, [](const Node& entry) {
        return entry.as<Node::Array>() != nullptr || entry.as<Node::Object>() != nullptr;
      });
      write_list("[]", *array, !flat, [this](const Node& entry) { write(entry); });
    } else if (const auto* object = node.as<Node::Object>()) {
      write_list("{}", *object, true, [this](const Node::Member& member) {
        write_text(member.key);
        out += pretty_ ? ": " : ":";
        write(member.value);
      });
    } else {
      out += "null";
    }
  }

  std::string out;

 private:
  void write_text(const std::string& text) {
    out += '"';
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20) {
        out += fmt::format("\\u{:04x}", c);
        continue;
      }
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }

  /// One entry per line, or all on one.
  template <class List, class WriteOne>
  void write_list(const char* brackets, const List& list, bool lines, const WriteOne& write_one) {
    const auto new_line = [&] {
      if (lines && pretty_ && !list.empty()) out.append("\n").append(2 * depth_, ' ');
    };
    out += brackets[0];
    ++depth_;
    for (const auto& entry : list) {
      if (&entry != list.data()) out += !lines && pretty_ ? ", " : ",";
      new_line();
      write_one(entry);
    }
    --depth_;
    new_line();
    out += brackets[1];
  }

  bool pretty_;
  std::size_t depth_ = 0;
};

/// One step of a path: a key, or an index into an array.
struct Step {
  std::string_view key;
  std::optional<std::size_t> index = {};
};

/// Splits "contacts[1].restitution"; nothing if it is not a path.
std::optional<std::vector<Step>> split(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc{} || end == path.data() + path.size() || *end != ']') return {};
      steps.push_back({.key = {}, .index = index});
      path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
    } else {
      if (!steps.empty() && path.front() != '.') return {};
      if (!steps.empty()) path.remove_prefix(1);
      const std::string_view key = path.substr(0, path.find_first_of(".[]"));
      if (key.empty()) return {};
      steps.push_back({.key = key});
      path.remove_prefix(key.size());
    }
  }
  return steps;
}

Node* follow(Node& node, const Step& step) {
  if (!step.index) return node.find(step.key);
  auto* array = node.as<Node::Array>();
  return array != nullptr && *step.index < array->size() ? &(*array)[*step.index] : nullptr;
}

/// Splits the path of an option, or says that it is none.
std::vector<Step> steps_of(const std::string& path, const std::string& origin) {
  auto steps = split(path);
  if (steps && !steps->empty()) return *std::move(steps);
  throw FileError(origin, "",
                  fmt::format("'{}' is not a path such as law.tolerance or "
                              "contacts[0].restitution",
                              printable(path)));
}

/// The step leads nowhere: the key was mistyped, or the file has no such thing.
[[noreturn]] void refuse_step(const Node& node, const Step& step, std::string_view what,
                              const std::string& origin) {
  const auto* object = node.as<Node::Object>();
  std::string reason;
  if (step.index) {
    reason = fmt::format("there is no entry [{}] in {}", *step.index, node.describe());
  } else if (object == nullptr && !node.is_null()) {
    reason =
        fmt::format("'{}' is a key, but what holds it is {}", printable(step.key), node.describe());
  } else {
    std::vector<std::string_view> keys;
    if (object != nullptr) {
      for (const Node::Member& member : *object) keys.emplace_back(member.key);
    }
    reason = fmt::format("the file has no {} '{}'{}", what, printable(step.key),
                         did_you_mean(step.key, keys));
  }
  throw FileError(origin, "", reason);
}

std::string read_text(std::FILE* in, const std::string& name) {
  // Read at most one byte more than allowed, whatever the file claims to be.
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16U;
  while (text.size() <= DocumentLimits::kJsonBytes) {
    const std::size_t size = text.size();
    text.resize(size + kChunk);
    const std::size_t got = std::fread(text.data() + size, 1, kChunk, in);
    text.resize(size + got);
    if (got < kChunk) break;
  }
  if (std::ferror(in) != 0) {
    throw FileError(name, "", fmt::format("cannot read: {}", std::strerror(errno)));
  }
  if (text.size() > DocumentLimits::kJsonBytes) {
    throw FileError(name, "", fmt::format("larger than {} MiB", DocumentLimits::kJsonBytes >> 20U));
  }
  return text;
}

/// A value as JSON or TOML write it; anything else is a plain text.
Node value_of(const std::string& text, const std::string& origin) {
  const auto only_value = [](const Document& wrapped) {
    const bool one = wrapped.root.as<Node::Object>()->size() == 1;
    const Node* value = wrapped.root.find("value");
    return one && value != nullptr ? std::optional<Node>(*value) : std::nullopt;
  };
  try {
    return only_value(parse_json("{\"value\":" + text + "}", origin)).value_or(Node(text));
  } catch (const FileError&) {
  }
  // JSON writes numbers in one way only.
  if (const auto number = number_of(text)) return {*number};
  // What begins like a list, a table or a quoted text was meant to be one.
  if (text.empty() || std::string_view("[{\"").find(text[0]) == std::string_view::npos) {
    return {text};
  }
  try {
    if (const auto value = only_value(parse_toml("value = " + text, origin))) return *value;
  } catch (const FileError&) {
  }
  throw FileError(origin, "",
                  fmt::format("'{}' is neither JSON nor TOML; a list is [1, 2], a table "
                              "{{\"key\": 1}}, a text \"words\"",
                              printable(text)));
}

std::optional<double> as_number(const Node& node) {
  if (const auto* integer = node.as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* number = node.as<double>()) return *number;
  return {};
}

/// The integer a node holds, also when written as 3.0 or 1e6.
std::optional<long> as_integer(const Node& node) {
  if (const auto* integer = node.as<std::int64_t>()) return *integer;
  constexpr double kExact = 9007199254740992.0;  // 2^53, up to which doubles hold every integer
  const auto* number = node.as<double>();
  if (number == nullptr || std::abs(*number) > kExact || *number != std::floor(*number)) return {};
  return static_cast<long>(*number);
}

std::string member_path(const std::string& owner, std::string_view key) {
  return owner.empty() ? std::string(key) : fmt::format("{}.{}", owner, key);
}

/// Where --set met keys of the file that exclude its own ("give either 'mass' or 'masses'"): the
/// option that takes them out.
std::string way_out(const Value& value, const std::string& reason) {
  if (value.document().overrides.empty() || !reason.starts_with("give ")) return "";
  const bool is_owner = value.node().as<Node::Object>() != nullptr;
  const std::string& path = value.path();
  const std::string owner = is_owner ? path : path.substr(0, path.rfind('.'));
  const auto* object = value.document().nearest(owner).as<Node::Object>();
  if (object == nullptr) return "";
  for (const Node::Member& member : *object) {
    if (member.value.line > 0 && reason.find("'" + member.key + "'") != std::string::npos) {
      return fmt::format("; --unset {}.{} leaves out the one of the file", owner, member.key);
    }
  }
  return "";
}

}  // namespace

std::string to_json(const Node& node, JsonLayout layout) {
  JsonWriter writer(layout);
  writer.write(node);
  return std::move(writer.out);
}

std::string Document::where(const Node& node) const {
  if (node.line < 0) return overrides[static_cast<std::size_t>(-node.line - 1)];
  return node.line == 0 ? file : fmt::format("{}:{}", file, node.line);
}

const std::string* Document::typed_text(const Node& node) const {
  const bool compound = node.as<Node::Array>() != nullptr || node.as<Node::Object>() != nullptr;
  if (node.line >= 0 || compound || node.as<std::string>() != nullptr) return nullptr;
  const std::string& text = override_texts[static_cast<std::size_t>(-node.line - 1)];
  // Inside an array or an object strings have their quotes.
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool whole = first != std::string::npos && text[first] != '[' && text[first] != '{';
  return whole ? &text : nullptr;
}

const Node& Document::nearest(std::string_view path) const {
  const Node* node = &root;
  for (const Step& step : split(path).value_or(std::vector<Step>{})) {
    const Node* next = follow(const_cast<Node&>(*node), step);  // NOLINT(*-const-cast)
    if (next == nullptr) break;
    node = next;
  }
  return *node;
}

Document read_document(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw FileError(name, "", "is a directory, not a file");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw FileError(name, "", fmt::format("cannot open: {}", std::strerror(errno)));
  return read_document(file.get(), name);
}

Document read_document(std::FILE* in, const std::string& name) {
  const std::string text = read_text(in, name);
  if (text.empty()) throw FileError(name, "", "is empty");
  if (text.find('\0') != std::string::npos) throw FileError(name, "", "is binary, not text");

  const auto suffix = std::filesystem::path(name).extension();
  if (suffix == ".json") return parse_json(text, name);
  if (suffix == ".toml") return parse_toml(text, name);
  std::string_view start = text;
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  const auto first = start.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && start[first] == '{';
  return json ? parse_json(text, name) : parse_toml(text, name);
}

void override_value(Document& document, const std::string& path, const std::string& text,
                    const std::string& origin) {
  const std::vector<Step> steps = steps_of(path, origin);
  document.overrides.push_back(origin);
  document.override_texts.push_back(text);
  const int mark = -static_cast<int>(document.overrides.size());

  Node* node = &document.root;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    Node* next = follow(*node, step);
    // An array is not made up.
    const bool array_wanted = k + 1 < steps.size() && steps[k + 1].index;
    const bool is_object = node->is_null() || node->as<Node::Object>() != nullptr;
    if (next == nullptr && !step.index && !array_wanted && is_object) {
      next = &node->add(std::string(step.key), {});
      next->line = mark;
    }
    if (next == nullptr) refuse_step(*node, step, array_wanted ? "array" : "key", origin);
    node = next;
  }

  *node = value_of(text, origin);
  const auto mark_all = [mark](Node& tree, const auto& self) -> void {
    tree.line = mark;
    if (auto* array = tree.as<Node::Array>()) {
      for (Node& entry : *array) self(entry, self);
    } else if (auto* object = tree.as<Node::Object>()) {
      for (Node::Member& member : *object) self(member.value, self);
    }
  };
  mark_all(*node, mark_all);
}

void remove_value(Document& document, const std::string& path, const std::string& origin) {
  const std::vector<Step> steps = steps_of(path, origin);
  if (steps.back().index) {
    throw FileError(origin, "", "is an entry of an array; only keys can be taken out");
  }
  Node* owner = &document.root;
  for (const Step& step : steps) {
    Node* next = follow(*owner, step);
    if (next == nullptr) refuse_step(*owner, step, "key", origin);
    if (&step != &steps.back()) owner = next;
  }
  std::erase_if(*owner->as<Node::Object>(),
                [&](const Node::Member& member) { return member.key == steps.back().key; });
}

void Value::fail(const std::string& reason) const {
  throw FileError(document_->where(*node_), path_, reason + way_out(*this, reason));
}

double Value::number() const {
  const auto number = as_number(*node_);
  if (!number) fail("must be a number, got " + node_->describe());
  if (!std::isfinite(*number)) fail("must be a finite number, got " + node_->describe());
  return *number;
}

double Value::number_or_infinite() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (const auto* word = node_->as<std::string>(); word != nullptr && *word == "inf") {
    return kInfinity;
  }
  const auto number = as_number(*node_);
  if (number && *number == kInfinity) return kInfinity;
  if (!number) fail("must be a number or \"inf\", got " + node_->describe());
  return this->number();
}

bool Value::boolean() const {
  const auto* boolean = node_->as<bool>();
  if (boolean == nullptr) fail("must be true or false, got " + node_->describe());
  return *boolean;
}

long Value::integer(long lowest, long highest) const {
  const auto integer = as_integer(*node_);
  if (!integer) fail("must be an integer, got " + node_->describe());
  if (*integer < lowest || *integer > highest) {
    fail(fmt::format("must be an integer from {} to {}, got {}", lowest, highest, *integer));
  }
  return *integer;
}

const std::string& Value::string() const {
  const auto* text = node_->as<std::string>();
  if (text == nullptr) text = document_->typed_text(*node_);
  if (text == nullptr) fail("must be a string, got " + node_->describe());
  return *text;
}

const Node::Object& Value::object() const {
  const auto* object = node_->as<Node::Object>();
  if (object == nullptr) {
    fail(fmt::format("must be {}, got {}", document_->toml ? "a table" : "an object",
                     node_->describe()));
  }
  return *object;
}

std::optional<Value> Value::find(std::string_view key) const {
  const Node* node = node_->find(key);
  if (node == nullptr) return {};
  return Value(*document_, *node, member_path(path_, key));
}

std::size_t Value::size() const {
  const auto* array = node_->as<Node::Array>();
  if (array == nullptr) fail("must be an array, got " + node_->describe());
  return array->size();
}

Value Value::operator[](std::size_t i) const {
  return {*document_, (*node_->as<Node::Array>())[i], fmt::format("{}[{}]", path_, i)};
}

Vector Value::numbers() const {
  Vector out(static_cast<Eigen::Index>(size()));
  const auto& entries = *node_->as<Node::Array>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto number = as_number(entries[i]);
    // The checked path is slower, and only taken to produce the message.
    out[static_cast<Eigen::Index>(i)] =
        number && std::isfinite(*number) ? *number : (*this)[i].number();
  }
  return out;
}

std::vector<long> Value::integers(long lowest, long highest) const {
  std::vector<long> out(size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (*this)[i].integer(lowest, highest);
  return out;
}

std::size_t Value::choice(std::span<const std::string_view> words) const {
  if (node_->as<std::string>() == nullptr && document_->typed_text(*node_) == nullptr) {
    fail(fmt::format("must be a string, one of {}; got {}", join(words), node_->describe()));
  }
  const std::string& word = string();
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    fail(fmt::format("unknown value {}{}; allowed: {}", node_->describe(),
                     did_you_mean(word, words), join(words)));
  }
  return static_cast<std::size_t>(found - words.begin());
}

Table::Table(Value value, std::span<const std::string_view> known) : value_(std::move(value)) {
  for (const Node::Member& member : value_.object()) {
    if (std::ranges::find(known, member.key) != known.end()) continue;
    Value(value_.document(), member.value, member_path(value_.path(), printable(member.key)))
        .fail(fmt::format("unknown key{}; allowed: {}", did_you_mean(member.key, known),
                          join(known)));
  }
}

Value Table::required(std::string_view key) const {
  auto found = find(key);
  if (!found) value_.fail(fmt::format("the key '{}' is missing", key));
  return *std::move(found);
}

std::optional<Table::Member> Table::find_one(std::initializer_list<std::string_view> keys,
                                             const std::string& reason) const {
  std::optional<Member> given;
  for (const std::string_view key : keys) {
    const auto value = find(key);
    if (!value) continue;
    if (given) {
      // To blame is what the command line brought, else the later one.
      const int before = given->second.node().line;
      const int now = value->node().line;
      (before < 0 || (now >= 0 && before > now) ? given->second : *value).fail(reason);
    }
    given.emplace(key, *value);
  }
  return given;
}

Table::Member Table::one_of(std::initializer_list<std::string_view> keys,
                            const std::string& reason) const {
  auto given = find_one(keys, reason);
  if (!given) value_.fail(reason);
  return *std::move(given);
}

std::string Table::path(std::string_view key) const {
  return member_path(value_.path(), key);
}

void Table::fail(std::string_view key, const std::string& reason) const {
  if (const auto found = find(key)) found->fail(reason);
  throw FileError(value_.document().where(value_.node()), path(key),
                  reason + way_out(value_, reason));
}

void refuse_other_format(const Value& at, std::string_view format) {
  const auto given = at.find("format");
  if (given && given->string() != format) {
    given->fail(fmt::format("must be \"{}\", got {}", format, given->node().describe()));
  }
}

Document read_named_problem(const Value& value) {
  if (value.node().as<Node::Object>() != nullptr) {
    return {.file = value.document().file, .root = value.node(), .toml = value.document().toml};
  }
  const std::filesystem::path file =
      std::filesystem::path(value.document().file).parent_path() / value.string();
  try {
    return read_document(file);
  } catch (const FileError& error) {
    // Where the file as a whole is no good, its name here may be the mistake.
    if (error.where() == file.string()) value.fail(error.what());
    throw;
  }
}

}  // namespace percute::io
