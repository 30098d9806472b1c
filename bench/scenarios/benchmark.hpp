// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace percute::bench {

struct Options {
  bool quick = false;  ///< few repeats, cheap comparisons: for tests
  bool full = false;   ///< measure also what takes minutes instead of extrapolating it
  std::filesystem::path drivers = {};  ///< folder with the drivers of other software
};

/// One measurement: a problem solved to a target error by one method.
struct Row {
  std::string problem = {};
  int contacts = 0;
  std::string method = {};           ///< "percute", "euler_impulse", "siconos"
  double target = 0.0;               ///< error asked for
  std::string knob = {};             ///< what was tuned: "tolerance", "steps", "impulse_step"
  double setting = 0.0;              ///< and the value it took
  double error = 0.0;                ///< max |v⁺ − v_converged| / max |v_converged|
  double seconds = 0.0;              ///< fastest repeat
  double median = 0.0;               ///< of the repeats; equal to `seconds` if there was only one
  long repeats = 0;                  ///< 0: nothing was run at this setting
  bool extrapolated = false;         ///< error and time follow from a coarser run by first order
  bool reached = true;               ///< false: no setting met the target
  long evaluations = 0;              ///< of the right-hand side, where known
  long steps = 0;                    ///< where known
  long events = 0;                   ///< where known
  std::optional<double> ratio = {};  ///< seconds / seconds of percute at the same target, same run
};

/// How well the value errors are measured against is known: two methods that share no code.
struct Reference {
  std::string problem = {};
  double difference = 0.0;  ///< relative, in the same norm as Row::error
};

/// What the benchmark should reach. Bare times depend on the machine, so they only inform; ratios
/// within one run are judged.
struct Goal {
  std::string what = {};
  double value = 0.0;
  double limit = 0.0;
  bool at_least = false;  ///< value ≥ limit is wanted, else value ≤ limit
  bool judged = false;    ///< decides about the exit code
  std::string unit = {};

  bool met() const { return at_least ? value >= limit : value <= limit; }
};

struct Report {
  std::vector<Row> rows = {};
  std::vector<Reference> references = {};
  std::vector<Goal> goals = {};
  std::vector<std::string> notes = {};  ///< what was left out, and why

  /// Every target was reached by percute, and every judged goal is met.
  bool ok() const;
};

struct Benchmark {
  std::string name;
  std::string title;
  Report (*run)(const Options& options);
};

/// All benchmarks, in the order they are run.
const std::vector<Benchmark>& benchmarks();

}  // namespace percute::bench
