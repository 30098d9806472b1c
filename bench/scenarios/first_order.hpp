// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace percute::bench {

/// max |v − reference| / max |reference|.
double relative_error(const Vector& v, const Vector& reference);

struct Run {
  Vector velocity = {};
  double seconds = 0.0;
  double median = 0.0;
  long repeats = 1;
  long evaluations = 0;
  long steps = 0;
  long events = 0;
};

/// A method whose error falls like 1/n with its number of steps n.
struct FirstOrderMethod {
  std::string name = {};
  std::string knob = {};
  std::function<double(long n)> setting = {};          ///< value of the knob for n
  std::function<std::optional<Run>(long n)> run = {};  ///< nothing: it gave no answer
};

/// What the method needs for an error of 1e-3 (the first n on the ladder 1, 2, 5, 10, … from which
/// two in a row meet it) and for 1e-6: measured if a run takes less than `budget` seconds, else
/// extrapolated by first order from the finest run made.
std::vector<Row> measure(const FirstOrderMethod& method, const Vector& reference, double budget);

}  // namespace percute::bench
