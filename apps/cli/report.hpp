// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_result.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace percute::cli {

/// One impact for people: velocities, contacts, energy, verdicts, cost. `other` is what law lzb
/// gives by its other rule of re-engagement, if that was tried.
std::string report(const io::ProblemFile& file, const ImpactResult& result, std::size_t columns,
                   const std::optional<laws::OtherReengagement>& other = {});

}  // namespace percute::cli
