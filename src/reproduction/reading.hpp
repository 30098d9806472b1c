// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction/case.hpp"

#include <percute/io/reader.hpp>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// What the readers of data/reference have in common.

namespace percute::reproduction {

using io::Node;
using io::Table;
using io::Value;

/// The items of a file, each read by `read`; `common` is the whole file.
std::vector<Item> read_items(
    std::string_view text, const std::string& file, std::string_view list,
    const std::function<Item(const Value& item, const Table& common)>& read);

/// An object with no other keys than these.
Table table_of(const Value& value, std::initializer_list<std::string_view> keys);

/// Id, title, source and note.
Item head_of(const Table& table);

/// The text of a key, "" where it is not there.
std::string text(const Table& table, std::string_view key);
/// Its numbers, none where it is not there.
Vector numbers(const Table& table, std::string_view key);

std::vector<double> list(const Vector& numbers);

/// Entries of an array, none where it is not there.
std::vector<Value> entries(const std::optional<Value>& array);
/// Members of an object.
std::vector<std::pair<std::string, Value>> members(const Value& object);
/// A member that must be there.
Value member(const Value& object, std::string_view key);

/// Objects whose members are looked for in one after the other: those of a case, of its item …
class Layers {
 public:
  void add(const std::optional<Value>& object) {
    if (object) objects_.push_back(*object);
  }
  std::optional<Value> find(std::string_view key) const;
  double number(std::string_view key, double otherwise) const;

 private:
  std::vector<Value> objects_;
};

/// A name and its number.
struct Named {
  std::string name;
  double value = 0.0;
};

/// "impulse[1]": 0.5 from "impulse": [0, 0.5]; true is 1.
std::vector<Named> flat_numbers(const std::string& name, const Value& value);
/// The same with indices from 1: "angle_2", "v2".
std::vector<Named> flat_from_one(const std::string& name, const Value& value,
                                 const std::string& joint);

/// Decimals of a number as it is printed.
int decimals_of(double printed);

}  // namespace percute::reproduction
