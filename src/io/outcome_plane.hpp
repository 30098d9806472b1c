// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/comparison.hpp"

#include <percute/analysis/law_family.hpp>

#include <filesystem>
#include <vector>

namespace percute::io {

/// Where a law can take an impact with two contacts.
struct PlaneLaw {
  analysis::LawFamily family;
  analysis::Coverage coverage;
};

/// The free parameters of the law of a file, for its problem; Poisson's law comes twice, with
/// coefficients up to 1 and up to 2. A law that has none to vary is itself.
std::vector<analysis::LawFamily> families_of(const ProblemFile& file);

/// Varies the parameters of every law of a comparison, each kind once. Throws InvalidInput unless
/// there are exactly two contacts, without friction and independent.
std::vector<PlaneLaw> outcome_plane(const Comparison& comparison,
                                    const analysis::CoverageOptions& options);

/// CSV with the columns law, parameters, x, y, KER, admissible; (x, y) = U⁺/V, V the largest gap
/// rate before the impact. Throws FileError.
void write_outcome_plane(const std::filesystem::path& path, const std::vector<PlaneLaw>& laws);

}  // namespace percute::io
