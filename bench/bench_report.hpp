// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

#include <percute/io/document.hpp>

#include <string>

namespace percute::cli {

/// A benchmark and what came out of it.
struct BenchOutcome {
  const bench::Benchmark* benchmark = nullptr;
  bench::Report report = {};
};

/// Processor, compiler, and whether this build is one to measure with.
io::Node machine_node();

/// Tables for people: every time with its error, and the goals.
std::string bench_text(const BenchOutcome& outcome);

/// A `percute-bench/1` object.
io::Node bench_node(const std::vector<BenchOutcome>& outcomes);

/// One line per measurement, for spreadsheets.
std::string bench_csv(const std::vector<BenchOutcome>& outcomes);

}  // namespace percute::cli
