// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// The impacting bar of Paoli and Schatzman: the drop at 30° by their two methods, with the error
/// of the energy, and the time of one step for 9 to 1000 segments.
Report run_bar(const Options& options);

}  // namespace percute::bench
