// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <string>

namespace percute::cli {

/// How far zero_gap and tracked_gap are apart, for people: "zero_gap and tracked_gap differ by 0.43
/// of the largest speed, most for ball 2: -0.166476 and +0.268023 m/s", the rule of `result` first.
/// Empty where they differ by less than the law resolves or a table shows.
std::string reengagement_note(const io::ProblemFile& file, const ImpactResult& result,
                              const laws::OtherReengagement& other);

}  // namespace percute::cli
