// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/outcome.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/impact_law.hpp>
#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

namespace percute::reproduction {

namespace {

constexpr double kOnTheLine = 1e-8;  ///< of |U⁻|_∞: rounding must not move an outcome to a cell

// The problem with the k-th combination of the values that vary; the first parameter runs fastest.
io::ProblemFile sample(const Coverage& coverage, std::size_t k) {
  io::Document document = coverage.problem;
  for (const Coverage::Parameter& parameter : coverage.vary) {
    const double value = parameter.values[k % parameter.values.size()];
    k /= parameter.values.size();
    for (const std::string& key : parameter.keys) {
      io::override_value(document, key, fmt::format("{:.17g}", value), key);
    }
  }
  return io::read_problem(document);
}

}  // namespace

Covered cover(const Coverage& coverage) {
  const analysis::OutcomeSet outcomes =
      analysis::outcome_set(io::read_problem(coverage.problem).problem);
  if (outcomes.before.size() != 2) {
    throw InvalidInput("problem.contacts", "coverage needs two contacts");
  }
  std::size_t samples = 1;
  for (const Coverage::Parameter& parameter : coverage.vary) samples *= parameter.values.size();
  std::set<std::pair<int, int>> reached;
  Covered cells;
  for (std::size_t k = 0; k < samples; ++k) {
    const io::ProblemFile file = sample(coverage, k);
    const ImpactResult result = percute::resolve(file.problem, file.law);
    if (!result.ok() || !outcomes.contains(result.gap_rate, kOnTheLine)) {
      ++cells.inconsistent;
      continue;
    }
    const auto index = [&](Eigen::Index i) {
      const double x = result.gap_rate[i] / outcomes.speed;
      return static_cast<int>(std::floor((x + kOnTheLine) * coverage.cells));
    };
    reached.emplace(index(0), index(1));
  }
  const double width = outcomes.speed / coverage.cells;
  const auto last = static_cast<int>(std::ceil(outcomes.largest.maxCoeff() / width));
  for (int i = 0; i <= last; ++i) {
    for (int j = 0; j <= last; ++j) {
      if (!outcomes.contains(Eigen::Vector2d((i + 0.5) * width, (j + 0.5) * width), 0.0)) continue;
      ++cells.admissible;
      cells.reached += reached.contains({i, j}) ? 1 : 0;
    }
  }
  return cells;
}

}  // namespace percute::reproduction
