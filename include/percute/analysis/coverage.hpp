// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/law_family.hpp>
#include <percute/analysis/outcome_set.hpp>

#include <vector>

namespace percute::analysis {

/// A law with one choice of its parameters.
struct OutcomeSample {
  Vector parameters = {};
  Vector outcome = {};        ///< U⁺/V
  double energy_ratio = 0.0;  ///< KER
  bool admissible = false;    ///< accepted by the law, and in the set of outcomes
};

/// How much of all admissible outcomes a law can reach by its parameters. A measure of the tool as
/// much as of the law: a law that reaches a line covers 1/N of N² cells.
struct Coverage {
  std::vector<OutcomeSample> samples = {};
  long cells = 0;    ///< of the box around the set, those whose centre is in it
  long covered = 0;  ///< of these, hit by an admissible sample

  double fraction() const {
    return cells > 0 ? static_cast<double>(covered) / static_cast<double>(cells) : 0.0;
  }
};

struct CoverageOptions {
  long samples = 10'000;    ///< besides the corners of the parameter box
  int cells_per_axis = 20;  ///< fewer samples than cells could not cover all
  double tolerance = 1e-6;  ///< of the test whether a sample is admissible: that of numerical laws
};

/// Samples the parameter box of a law at random (the same points every time) and at its corners,
/// and bins the outcomes. At most 6 contacts; throws InvalidInput like outcome_set().
Coverage coverage(const ImpactProblem& problem, const LawFamily& family,
                  const CoverageOptions& options = {});

/// The corners of the parameter box if there are at most 2^10, then random points, the same every
/// time.
std::vector<Vector> sample_box(const std::vector<Parameter>& parameters, long samples);

}  // namespace percute::analysis
