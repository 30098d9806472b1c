// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

namespace percute::bench {

/// Algebraic laws on ten contacts, errors against exact outcomes; their solvers beside those of
/// Siconos numerics; a pile of 1000 frictional contacts.
Report run_laws(const Options& options);

}  // namespace percute::bench
