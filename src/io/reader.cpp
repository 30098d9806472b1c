// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <percute/io/reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::io {

namespace {

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

}  // namespace percute::io
