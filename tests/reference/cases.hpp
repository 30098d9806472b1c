// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction_testing.hpp"

#include <percute/laws/lzb.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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
  std::vector<long> components;  ///< the coordinates that are compared
  Vector velocity;               ///< converged, of these
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

inline std::vector<ReferenceCase> read_reference_cases() {
  const auto document = io::read_document(PERCUTE_SOURCE_DIR "/data/reference/lzb.json");
  const auto at = [&](const io::Value& object, const char* key) {
    return io::Value(document, *object.node().find(key), key);
  };
  const auto numbers = [&](const io::Value& object, const char* key) {
    return object.node().find(key) != nullptr ? at(object, key).numbers() : Vector();
  };
  const io::Value cases = at(io::Value(document), "cases");
  const io::Value euler = at(at(io::Value(document), "euler_impulse"), "cases");
  const std::vector<Item> items = lzb_items();
  std::vector<ReferenceCase> result;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const io::Value converged = at(cases[i], "converged");
    ReferenceCase& c = result.emplace_back(
        ReferenceCase{.item = items.at(i),
                      .id = at(cases[i], "id").string(),
                      .problem = problem_of(items.at(i).cases.at(0)),
                      .components = at(at(cases[i], "output"), "components").integers(0, 1000),
                      .velocity = numbers(converged, "velocity"),
                      .status = at(converged, "status").string(),
                      .match_tolerance = at(converged, "match_tolerance").number(),
                      .energy_before = at(converged, "kinetic_energy_before").number(),
                      .energy_after = at(converged, "kinetic_energy_after").number(),
                      .impulse = numbers(converged, "impulse"),
                      .dissipated = numbers(converged, "dissipated")});
    if (converged.node().find("uncertainty") != nullptr) {
      c.uncertainty = at(converged, "uncertainty").number();
    }
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
