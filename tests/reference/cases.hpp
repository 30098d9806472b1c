// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reference_cases.hpp>
#include <percute/laws/lzb.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percute::io {

inline void PrintTo(const ReferenceCase& reference, std::ostream* out) {
  *out << reference.id;
}

/// The cases, read once per process.
inline const std::vector<ReferenceCase>& all_cases() {
  static const std::vector<ReferenceCase> cases = reference_cases();
  return cases;
}

inline const ReferenceCase& case_called(std::string_view id) {
  const auto found = std::find_if(all_cases().begin(), all_cases().end(),
                                  [&](const ReferenceCase& c) { return c.id == id; });
  return found != all_cases().end() ? *found : throw std::out_of_range(std::string(id));
}

template <class Predicate>
std::vector<ReferenceCase> cases_where(Predicate keep) {
  std::vector<ReferenceCase> result = all_cases();
  std::erase_if(result, [&](const ReferenceCase& c) { return !keep(c); });
  return result;
}

/// Name of a parametrised test: the id, with letters, digits and underscores only.
inline std::string test_name(const ::testing::TestParamInfo<ReferenceCase>& info) {
  std::string name = info.param.id;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

inline laws::Lzb law_of(const ReferenceCase& reference) {
  return *reference.problem.law.as<laws::Lzb>();
}

/// max |v⁺ − converged v⁺| over the compared coordinates.
inline double velocity_error(const ReferenceCase& reference, const ImpactResult& result) {
  double error = 0.0;
  for (std::size_t k = 0; k < reference.components.size(); ++k) {
    const double v = result.velocity[static_cast<Eigen::Index>(reference.components[k])];
    const double difference =
        std::abs(v - reference.converged.velocity[static_cast<Eigen::Index>(k)]);
    if (!(difference <= error)) error = difference;  // keeps NaN
  }
  return error;
}

}  // namespace percute::io
