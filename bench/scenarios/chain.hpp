// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// Rows of 10 to 100 000 balls, the first of which strikes: time per ball beside the error.
Report run_chain(const Options& options);

}  // namespace percute::bench
