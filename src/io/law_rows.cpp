// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/law_cases.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percute::io {

namespace {

// Whether a quantity is a count or a verdict, which nothing but equality meets.
bool exact(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kWords{
      "collisions", "sequence",     "energetic",          "kinematic",        "rank",
      "solutions",  "inconsistent", "non_unique_impulse", "admissible_cells", "phases"};
  const std::string_view word = name.substr(0, name.find('['));
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

const Quantity* find(const std::vector<Quantity>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Quantity& entry) { return entry.name == name; });
  return found != list.end() ? &*found : nullptr;
}

// The numbers to compare with: of several right outcomes, those of the nearest.
std::vector<Quantity> expected_of(const LawCase& c, const ImpactResult& result) {
  std::vector<Quantity> all = c.expected;
  const std::vector<Quantity>* nearest = nullptr;
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::vector<Quantity>& outcome : c.one_of) {
    double error = 0.0;
    for (const auto& [name, value] : outcome) {
      error = std::max(error, std::abs(quantity(name, c.problem, result) - value));
    }
    if (nearest == nullptr || error < smallest) {
      nearest = &outcome;
      smallest = error;
    }
  }
  if (nearest != nullptr) all.insert(all.end(), nearest->begin(), nearest->end());
  return all;
}

void compare(const LawCase& c, std::vector<ReferenceRow>& rows) {
  const ImpactResult result = resolve(c.problem.problem, c.problem.law);
  if (const std::string status = name(result.status); status != c.status) {
    rows.push_back({.label = c.label,
                    .quantity = "status",
                    .verdict = ReferenceRow::Verdict::Differs,
                    .note = "status is " + status + ", not " + c.status});
  }
  for (const auto& [name, value] : expected_of(c, result)) {
    const Quantity* printed = find(c.published, name);
    ReferenceRow row{.label = c.label,
                     .quantity = name,
                     .computed = quantity(name, c.problem, result),
                     .reference = value,
                     .reference_tolerance = exact(name) ? 0.0 : c.tolerance,
                     .note = c.note};
    if (printed != nullptr) {
      row.published = printed->value;
      row.tolerance = c.published_tolerance;
    }
    rows.push_back(judged(std::move(row)));
  }
}

void compare(const LawCoverage& c, std::vector<ReferenceRow>& rows) {
  const std::vector<Quantity> computed = cover(c);
  for (const auto& [name, value] : c.expected) {
    const Quantity* found = find(computed, name);
    ReferenceRow row{.label = c.label,
                     .quantity = name,
                     .reference = value,
                     .reference_tolerance = exact(name) ? 0.0 : 1e-9,
                     .note = c.note};
    if (found != nullptr) row.computed = found->value;
    rows.push_back(judged(std::move(row)));
  }
}

}  // namespace

Reproduction reproduce(const LawItem& item) {
  Reproduction result{.id = item.id, .title = item.title + " (" + item.source + ")", .rows = {}};
  for (const LawCase& c : item.cases) compare(c, result.rows);
  for (const LawCoverage& c : item.coverage) compare(c, result.rows);
  for (ReferenceRow& row : result.rows) {
    if (row.note.empty()) row.note = item.note;
  }
  return result;
}

}  // namespace percute::io
