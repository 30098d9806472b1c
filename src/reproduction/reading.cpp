// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/reading.hpp"

#include <cmath>

namespace percute::reproduction {

namespace {

template <class NameOf>
void flatten(const std::string& name, const Value& value, NameOf name_of,
             std::vector<Named>& result) {
  if (const bool* truth = value.node().as<bool>()) {
    result.push_back({.name = name, .value = *truth ? 1.0 : 0.0});
  } else if (value.node().as<Node::Array>() == nullptr) {
    result.push_back({.name = name, .value = value.number()});
  } else {
    for (std::size_t i = 0; i < value.size(); ++i) {
      flatten(name_of(name, i), value[i], name_of, result);
    }
  }
}

}  // namespace

std::vector<Item> read_items(
    std::string_view text, const std::string& file, std::string_view list,
    const std::function<Item(const Value& item, const Table& common)>& read) {
  const io::Document document = io::parse_json(text, "data/reference/" + file);
  const Table common = table_of(Value(document), {"format", "sources", "conventions", "tolerances",
                                                  "classifications", "euler_impulse", list});
  std::vector<Item> items;
  for (const Value& value : entries(common.required(list))) {
    Item item = read(value, common);
    for (const Case& c : item.cases) {
      if (!c.id.empty()) item.other_ids.push_back(item.id + "." + c.id);
    }
    for (const Relation& r : item.relations) item.other_ids.push_back(item.id + "." + r.id);
    items.push_back(std::move(item));
  }
  return items;
}

Table table_of(const Value& value, std::initializer_list<std::string_view> keys) {
  return Table(value, std::span(keys.begin(), keys.size()));
}

Item head_of(const Table& table) {
  const std::string& title = table.required("title").string();
  return {.id = table.required("id").string(),
          .title = title,
          .heading = title,
          .source = table.required("source").string(),
          .note = text(table, "note")};
}

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

Vector numbers(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->numbers() : Vector();
}

std::vector<double> list(const Vector& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<Value> entries(const std::optional<Value>& array) {
  std::vector<Value> result;
  for (std::size_t i = 0; array && i < array->size(); ++i) result.push_back((*array)[i]);
  return result;
}

std::vector<std::pair<std::string, Value>> members(const Value& object) {
  const auto* list = object.node().as<Node::Object>();
  if (list == nullptr) object.fail("must be an object, got " + object.node().describe());
  std::vector<std::pair<std::string, Value>> result;
  for (const auto& [key, node] : *list) {
    result.emplace_back(key, Value(object.document(), node, object.path() + "." + key));
  }
  return result;
}

Value member(const Value& object, std::string_view key) {
  const Node* found = object.node().find(key);
  if (found == nullptr) object.fail("has no '" + std::string(key) + "'");
  return {object.document(), *found, object.path() + "." + std::string(key)};
}

std::optional<Value> Layers::find(std::string_view key) const {
  for (const Value& object : objects_) {
    if (object.node().find(key) != nullptr) return member(object, key);
  }
  return {};
}

double Layers::number(std::string_view key, double otherwise) const {
  const auto found = find(key);
  return found ? found->number() : otherwise;
}

std::vector<Named> flat_numbers(const std::string& name, const Value& value) {
  std::vector<Named> result;
  const auto name_of = [](const std::string& all, std::size_t i) {
    return all + "[" + std::to_string(i) + "]";
  };
  flatten(name, value, name_of, result);
  return result;
}

std::vector<Named> flat_from_one(const std::string& name, const Value& value,
                                 const std::string& joint) {
  std::vector<Named> result;
  const auto name_of = [&joint](const std::string& all, std::size_t i) {
    return all + joint + std::to_string(i + 1);
  };
  flatten(name, value, name_of, result);
  return result;
}

int decimals_of(double printed) {
  int decimals = 0;
  double scaled = std::abs(printed);
  while (decimals < 17 && std::abs(scaled - std::round(scaled)) > 1e-9 * scaled) {
    scaled *= 10.0;
    ++decimals;
  }
  return decimals;
}

}  // namespace percute::reproduction
