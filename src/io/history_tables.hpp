// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_history.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace percute::io {

/// A quantity each contact has at each sample: m × samples.
struct ContactQuantity {
  const char* name;
  const char* unit;
  const Matrix* values;
};
std::vector<ContactQuantity> contact_quantities(const ImpactHistory& history);

/// Name of every tangential row: the contact, and the number of the tangent where it has two. Empty
/// without friction.
std::vector<std::string> tangent_names(const ImpactHistory& history, const ProblemFile& file);

/// Name of every coordinate, after its body.
std::vector<std::string> coordinate_names(const ProblemFile& file);
/// Unit of the velocity of every coordinate.
std::vector<std::string> coordinate_units(const ProblemFile& file);

void write_history_csv(const std::filesystem::path& path, const ImpactHistory& history,
                       const ProblemFile& file);
void write_history_hdf5(const std::filesystem::path& path, const ImpactHistory& history,
                        const ProblemFile& file);

}  // namespace percute::io
