// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// Six seconds of a cradle with gravity by each way of moving it, errors of its largest angles
/// against converged runs.
Report run_simulation(const Options& options);

}  // namespace percute::bench
