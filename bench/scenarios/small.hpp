// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// Single small impacts, as they occur inside a simulation loop: the fastest setting that reaches
/// an error of 1e-3, 1e-6 and 1e-9, beside the papers' first-order scheme and Siconos.
Report run_small(const Options& options);

}  // namespace percute::bench
