// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::testing {

inline double number_of(const io::Node& node) {
  if (const auto* integer = node.as<std::int64_t>()) return static_cast<double>(*integer);
  const auto* number = node.as<double>();
  return number != nullptr ? *number : std::nan("");
}

inline bool has_type(const io::Node& value, const std::string& type) {
  using io::Node;
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.as<bool>() != nullptr;
  if (type == "string") return value.as<std::string>() != nullptr;
  if (type == "array") return value.as<Node::Array>() != nullptr;
  if (type == "object") return value.as<Node::Object>() != nullptr;
  const double number = number_of(value);
  if (type == "integer") return number == std::floor(number);
  EXPECT_EQ(type, "number");
  return !std::isnan(number);
}

/// What a JSON Schema (draft 2020-12) says against a value: the path and the keyword that fails, or
/// nothing. Keywords that it does not know are a failure, too, but for those that only tell.
inline std::string objection(const io::Node& schema, const io::Node& value,
                             const std::string& path) {
  using io::Node;
  for (const auto& [keyword, rule] : *schema.as<Node::Object>()) {
    const std::string here = path + ": " + keyword;
    if (keyword == "type") {
      if (!has_type(value, *rule.as<std::string>())) return here;
    } else if (keyword == "const") {
      if (io::to_json(rule) != io::to_json(value)) return here;
    } else if (keyword == "enum") {
      const std::string text = io::to_json(value);
      const auto& words = *rule.as<Node::Array>();
      const auto same = [&text](const Node& word) { return io::to_json(word) == text; };
      if (std::none_of(words.begin(), words.end(), same)) return here;
    } else if (keyword == "minimum") {
      if (number_of(value) < number_of(rule)) return here;
    } else if (keyword == "exclusiveMinimum") {
      if (number_of(value) <= number_of(rule)) return here;
    } else if (keyword == "maximum") {
      if (number_of(value) > number_of(rule)) return here;
    } else if (keyword == "exclusiveMaximum") {
      if (number_of(value) >= number_of(rule)) return here;
    } else if (keyword == "maxItems") {
      const auto* list = value.as<Node::Array>();
      if (list != nullptr && static_cast<double>(list->size()) > number_of(rule)) return here;
    } else if (keyword == "minProperties" || keyword == "maxProperties") {
      const auto* object = value.as<Node::Object>();
      const double size = object != nullptr ? static_cast<double>(object->size()) : number_of(rule);
      if (keyword[1] == 'i' ? size < number_of(rule) : size > number_of(rule)) return here;
    } else if (keyword == "items") {
      const auto* list = value.as<Node::Array>();
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const std::string found = objection(rule, (*list)[i], path + "[" + std::to_string(i) + "]");
        if (!found.empty()) return found;
      }
    } else if (keyword == "required") {
      for (const Node& key : *rule.as<Node::Array>()) {
        if (value.find(*key.as<std::string>()) == nullptr) {
          return here + " " + *key.as<std::string>();
        }
      }
    } else if (keyword == "properties") {
      for (const auto& [key, of] : *rule.as<Node::Object>()) {
        const Node* entry = value.find(key);
        if (entry == nullptr) continue;
        const std::string found = objection(of, *entry, path + "." + key);
        if (!found.empty()) return found;
      }
    } else if (keyword == "additionalProperties") {
      EXPECT_FALSE(*rule.as<bool>());
      for (const auto& [key, entry] : *value.as<Node::Object>()) {
        if (schema.find("properties")->find(key) == nullptr) return here + " " + key;
      }
    } else if (keyword == "anyOf") {
      std::string all;
      bool any = false;
      for (const Node& one : *rule.as<Node::Array>()) {
        const std::string found = objection(one, value, path);
        any = any || found.empty();
        all += (all.empty() ? "" : " | ") + found;
      }
      if (!any) return here + " (" + all + ")";
    } else if (keyword != "$schema" && keyword != "$id" && keyword != "title" &&
               keyword != "description" && keyword != "unit" && keyword != "default") {
      return here + " is not known";
    }
  }
  return "";
}

}  // namespace percute::testing
