// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace percute::io {

namespace {

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

/// The key of a step was mistyped, or the file has no such thing.
[[noreturn]] void refuse_missing(const Node& node, const Step& step, std::string_view what,
                                 const std::string& origin) {
  std::vector<std::string_view> keys;
  if (const auto* object = node.as<Node::Object>()) {
    for (const Node::Member& member : *object) keys.emplace_back(member.key);
  }
  throw FileError(origin, "",
                  fmt::format("the file has no {} '{}'{}", what, printable(step.key),
                              did_you_mean(step.key, keys)));
}

[[noreturn]] void refuse_missing_entry(const Node& node, std::size_t index,
                                       const std::string& origin) {
  throw FileError(origin, "", fmt::format("there is no entry [{}] in {}", index, node.describe()));
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

}  // namespace

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

namespace {

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
  // JSON writes numbers in one way only: not .95, 1. or +2.
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(
      text.data() + (text.starts_with("+") && !text.starts_with("+-") ? 1 : 0), end, number);
  if (parsed.ec == std::errc{} && parsed.ptr == end && std::isfinite(number)) return {number};
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

}  // namespace

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
    if (next == nullptr && !step.index && array_wanted) {
      refuse_missing(*node, step, "array", origin);
    }
    if (next == nullptr && !step.index && (node->is_null() || node->as<Node::Object>())) {
      next = &node->add(std::string(step.key), {});
      next->line = mark;
    }
    if (next == nullptr && step.index) refuse_missing_entry(*node, *step.index, origin);
    if (next == nullptr) {
      throw FileError(origin, "",
                      fmt::format("'{}' is a key, but what holds it is {}", printable(step.key),
                                  node->describe()));
    }
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
    if (next == nullptr && step.index) refuse_missing_entry(*owner, *step.index, origin);
    if (next == nullptr) refuse_missing(*owner, step, "key", origin);
    if (&step != &steps.back()) owner = next;
  }
  std::erase_if(*owner->as<Node::Object>(),
                [&](const Node::Member& member) { return member.key == steps.back().key; });
}

}  // namespace percute::io
