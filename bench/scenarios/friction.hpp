// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// Friction inside the impact, law lzb: one planar and one spatial contact in closed form, blocks
/// on two corners integrated in time.
Report run_friction(const Options& options);

}  // namespace percute::bench
