// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction_testing.hpp"

#include <percute/laws/lzb.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percute::reproduction {

/// Error of the papers' first-order scheme with N steps, for comparison.
struct EulerError {
  long N = 0;
  long steps = 0;
  double velocity_error = 0.0;
};

/// An impact of the papers on the LZB law, with what its data say beside the numbers that are
/// reproduced.
struct ReferenceCase {
  Item item;
  std::string id;
  ImpactProblem problem;
  std::vector<long> components = {};  ///< the coordinates that are compared
  Vector velocity = {};               ///< converged, of these
  std::string status;
  double match_tolerance = 0.0;  ///< absolute error allowed at law tolerance 1e-10
  double uncertainty = 0.0;      ///< of the values themselves
  double energy_before = 0.0;
  double energy_after = 0.0;
  Vector impulse = {};                        ///< empty if unknown (zeno)
  Vector dissipated = {};                     ///< one per contact; empty if unknown
  std::vector<EulerError> euler_errors = {};  ///< empty for most cases
};

inline void PrintTo(const ReferenceCase& reference, std::ostream* out) {
  *out << reference.id;
}

/// "v1", "v2", …
inline bool is_velocity(const Expected& number) {
  return number.name.size() > 1 && number.name[0] == 'v' && std::isdigit(number.name[1]) != 0;
}

inline std::vector<ReferenceCase> read_reference_cases() {
  const auto document = io::read_document(PERCUTE_SOURCE_DIR "/data/reference/lzb.json");
  const auto at = [&](const io::Value& object, const char* key) {
    return io::Value(document, *object.node().find(key), key);
  };
  const io::Value euler = at(at(io::Value(document), "euler_impulse"), "cases");
  const io::Value accuracy = at(at(io::Value(document), "accuracy"), "cases");
  std::vector<ReferenceCase> result;
  for (const Item& item : items_of("lzb")) {
    const Case& one = item.cases.at(0);
    const io::Value own = at(accuracy, item.id.c_str());
    ReferenceCase& c = result.emplace_back(
        ReferenceCase{.item = item,
                      .id = item.id,
                      .problem = problem_of(one),
                      .status = one.status,
                      .energy_before = at(own, "kinetic_energy_before").number()});
    // Velocities were printed in one place at least, or are given apart.
    const auto first = std::ranges::find_if(one.expected, is_velocity);
    std::vector<Expected> rows;
    if (first != one.expected.end()) {
      std::ranges::copy_if(one.expected, std::back_inserter(rows), [&](const Expected& row) {
        return row.label == first->label && is_velocity(row);
      });
    } else {
      const io::Value apart = at(own, "velocity");
      for (std::size_t k = 0; k < apart.size(); ++k) {
        rows.push_back({.name = apart[k][0].string(),
                        .value = apart[k][1].number(),
                        .tolerance = apart[k][2].number()});
      }
    }
    c.velocity.resize(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      c.components.push_back(std::stol(rows[k].name.substr(1)) - 1);
      c.velocity[static_cast<Eigen::Index>(k)] = *rows[k].value;
    }
    c.match_tolerance = rows.at(0).tolerance;
    for (const Expected& row : one.expected) {
      if (row.label == "converged" && row.name == "kinetic_energy") c.energy_after = *row.value;
    }
    const auto contacts = static_cast<Eigen::Index>(c.problem.contacts.size());
    c.impulse = given(one, "impulse", contacts, false);
    c.dissipated = given(one, "dissipated", contacts, false);
    if (!c.impulse.allFinite()) c.impulse.resize(0);
    if (!c.dissipated.allFinite()) c.dissipated.resize(0);
    if (own.node().find("uncertainty") != nullptr) c.uncertainty = at(own, "uncertainty").number();
    if (euler.node().find(c.id) == nullptr) continue;
    const io::Value errors = at(euler, c.id.c_str());
    for (std::size_t k = 0; k < errors.size(); ++k) {
      c.euler_errors.push_back({.N = at(errors[k], "N").integer(1, 1'000'000'000),
                                .steps = at(errors[k], "steps").integer(1, 1'000'000'000),
                                .velocity_error = at(errors[k], "velocity_error").number()});
    }
  }
  return result;
}

/// The cases, read once per process.
inline const std::vector<ReferenceCase>& all_cases() {
  static const std::vector<ReferenceCase> cases = read_reference_cases();
  return cases;
}

inline const ReferenceCase& case_called(std::string_view id) {
  const auto found = std::ranges::find(all_cases(), id, &ReferenceCase::id);
  return found != all_cases().end() ? *found : throw std::out_of_range(std::string(id));
}

template <class Predicate>
std::vector<ReferenceCase> cases_where(Predicate keep) {
  std::vector<ReferenceCase> result = all_cases();
  std::erase_if(result, [&](const ReferenceCase& c) { return !keep(c); });
  return result;
}

inline laws::Lzb law_of(const ReferenceCase& reference) {
  return *std::get<Impact>(reference.item.cases[0].subject).file.law.as<laws::Lzb>();
}

/// max |v⁺ − converged v⁺| over the compared coordinates.
inline double velocity_error(const ReferenceCase& reference, const ImpactResult& result) {
  double error = 0.0;
  for (std::size_t k = 0; k < reference.components.size(); ++k) {
    const double v = result.velocity[static_cast<Eigen::Index>(reference.components[k])];
    const double difference = std::abs(v - reference.velocity[static_cast<Eigen::Index>(k)]);
    if (!(difference <= error)) error = difference;  // keeps NaN
  }
  return error;
}

}  // namespace percute::reproduction
