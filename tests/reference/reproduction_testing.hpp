// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace percute::reproduction {

inline void PrintTo(const Item& item, std::ostream* out) {
  *out << item.id;
}

/// Ids as names of tests.
template <class Item>
std::string test_name(const ::testing::TestParamInfo<Item>& info) {
  std::string name = info.param.id;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

inline void expect_reproduced(const Item& item) {
  const Reproduction result = reproduce(item);
  EXPECT_FALSE(result.rows.empty());
  for (const Row& row : result.rows) {
    EXPECT_TRUE(row.ok()) << row.label << ": " << row.quantity << " computed "
                          << row.computed.value_or(NAN) << " expected "
                          << row.reference.value_or(NAN) << " published "
                          << row.published.value_or(NAN) << "; " << row.note;
  }
}

inline const Item& item_called(const std::vector<Item>& items, std::string_view id) {
  const auto found = std::ranges::find(items, id, &Item::id);
  return found != items.end() ? *found : throw std::out_of_range(std::string(id));
}

/// An item with one of its cases only.
inline Item one_case(Item item, std::string_view id) {
  std::erase_if(item.cases, [&](const Case& c) { return c.id != id; });
  item.relations.clear();
  return item;
}

/// Every case as an item of its own.
inline std::vector<Item> one_by_one(const std::vector<Item>& items) {
  std::vector<Item> result;
  for (const Item& item : items) {
    for (const Case& c : item.cases) {
      Item& alone = result.emplace_back(item);
      alone.id += "." + c.id;
      alone.relations.clear();
      alone.cases = {c};
    }
  }
  return result;
}

/// All have a source, and no two cases the same id. Returns how many there are.
inline std::size_t count_cases(const std::vector<Item>& items) {
  std::set<std::string> ids;
  std::size_t cases = 0;
  for (const Item& item : items) {
    EXPECT_FALSE(item.source.empty()) << item.id;
    cases += item.cases.size();
    for (const Case& c : item.cases) ids.insert(item.id + "." + c.id);
  }
  EXPECT_EQ(ids.size(), cases);
  return cases;
}

inline const ImpactProblem& problem_of(const Case& c) {
  return std::get<Impact>(c.subject).file.problem;
}

inline Expected& number_of(Case& c, std::string_view name) {
  const auto found = std::ranges::find(c.expected, name, &Expected::name);
  return found != c.expected.end() ? *found : throw std::out_of_range(std::string(name));
}

/// Values given under one word with indices, NAN where there is none: "impulse[0]" …, "v1" ….
inline Vector given(const Case& c, const std::string& word, Eigen::Index size, bool from_one) {
  Vector values = Vector::Constant(size, NAN);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::string name =
        from_one ? word + std::to_string(i + 1) : word + "[" + std::to_string(i) + "]";
    const auto found = std::ranges::find(c.expected, name, &Expected::name);
    if (found != c.expected.end()) values[i] = *found->value;
  }
  return values;
}

/// The data tie impulses to velocities, M (v⁺ − v⁻) = W p, wherever both are given and nothing
/// rubs: signs and order of every ball, contact and wall show without any law. Returns how many
/// cases could be checked.
inline int expect_impulses_give_velocities(const std::vector<Item>& items, const std::string& word,
                                           bool from_one, double tolerance) {
  int checked = 0;
  for (const Item& item : items) {
    for (const Case& c : item.cases) {
      if (!std::holds_alternative<Impact>(c.subject)) continue;
      const ImpactProblem& problem = problem_of(c);
      const Vector p =
          given(c, "impulse", static_cast<Eigen::Index>(problem.contacts.size()), false);
      const Vector v = given(c, word, problem.velocity.size(), from_one);
      const bool rubs = std::ranges::any_of(
          problem.contacts, [](const Contact& k) { return k.material.friction > 0.0; });
      if (rubs || !p.allFinite() || !v.allFinite()) continue;
      const Vector expected = problem.velocity + problem.mass.solve(Vector(problem.gradients * p));
      EXPECT_LE((v - expected).cwiseAbs().maxCoeff(), tolerance) << item.id << "." << c.id;
      ++checked;
    }
  }
  return checked;
}

}  // namespace percute::reproduction
