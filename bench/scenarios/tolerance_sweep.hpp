// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

#include <percute/laws/lzb.hpp>

namespace percute::bench {

/// A run of the law lzb at one tolerance.
struct Trial {
  double tolerance = 0.0;
  double error = 0.0;
  Diagnostics cost = {};
};

/// One run at each tolerance, from the loosest to the tightest, four per decade.
std::vector<Trial> sweep_tolerance(const ImpactProblem& problem, const Vector& reference,
                                   laws::LzbWorkspace& workspace);

/// The fastest run that meets the target, as do all at tighter tolerances.
Row measure_percute(const ImpactProblem& problem, const std::vector<Trial>& trials, double target,
                    double budget, laws::LzbWorkspace& workspace);

}  // namespace percute::bench
