// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace percute::cli {

/// A coordinate of the bodies of a file.
struct Coordinate {
  std::string name;
  std::string unit;  ///< of its velocity, "" if unknown
  int index = 0;
};
/// All of them, in the order of the bodies.
std::vector<Coordinate> coordinates_of(const std::vector<Body>& bodies);
/// The unit of all velocities; nothing if they differ.
std::optional<std::string> common_unit(const std::vector<Coordinate>& coordinates);

/// One impact for people: velocities, contacts, energy, verdicts, cost. `other` is what law lzb
/// gives by its other rule of re-engagement, if that was tried.
std::string report(const io::ProblemFile& file, const ImpactResult& result, std::size_t columns,
                   const std::optional<laws::OtherReengagement>& other = {});

/// How far zero_gap and tracked_gap are apart, for people: "zero_gap and tracked_gap differ by 0.43
/// of the largest speed, most for ball 2: -0.166476 and +0.268023 m/s", the rule of `result` first.
/// Empty where they differ by less than the law resolves or a table shows.
std::string reengagement_note(const io::ProblemFile& file, const ImpactResult& result,
                              const laws::OtherReengagement& other);

}  // namespace percute::cli
