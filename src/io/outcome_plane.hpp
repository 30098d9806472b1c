// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/comparison.hpp"

#include <percute/analysis/law_family.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace percute::io {

/// Where a law can take an impact with two contacts.
struct PlaneLaw {
  analysis::LawFamily family;
  analysis::Coverage coverage;
};

/// Varies the parameters of every law of a comparison, each kind once. Throws InvalidInput unless
/// there are exactly two contacts, without friction and independent.
std::vector<PlaneLaw> outcome_plane(const Comparison& comparison,
                                    const analysis::CoverageOptions& options);

/// What parameters that a law was given by the whole of an impact are worth in a part of it.
struct LawTransfer {
  analysis::LawFamily family = {};               ///< of the whole
  std::optional<analysis::Transfer> found = {};  ///< empty: see the next
  std::string reason = {};                       ///< why they cannot be carried to that part
};

/// Fits every law of a comparison that has parameters, each kind once, to what `reference` makes of
/// the impact, and uses these parameters for some of its contacts alone.
std::vector<LawTransfer> transfer_to(const std::vector<int>& contacts, const Comparison& comparison,
                                     const ProblemFile& reference);

/// What `percute-comparison/1` has under "transfer".
Node to_node(const std::vector<LawTransfer>& laws);

/// CSV with the columns law, parameters, x, y, KER, admissible; (x, y) = U⁺/V, V the largest gap
/// rate before the impact. Throws FileError.
void write_outcome_plane(const std::filesystem::path& path, const std::vector<PlaneLaw>& laws);

}  // namespace percute::io
