// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>
#include <percute/io/law_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

namespace percute::io {

namespace {

using Point = Eigen::Vector2d;
using Cell = std::pair<int, int>;

constexpr double kOnTheLine = 1e-8;  ///< of |U⁻|_∞: rounding must not move an outcome to a cell

// Outcomes of an impact with two contacts that mechanics allows: U⁺ ≥ 0, p = G⁻¹(U⁺ − U⁻) ≥ 0 and
// U⁺ᵀG⁻¹U⁺ ≤ U⁻ᵀG⁻¹U⁻ (handbook chapter 2024, Fig. 6a). In units of |U⁻|_∞.
struct OutcomeSet {
  Eigen::Matrix2d inverse;  ///< G⁻¹
  Point before;             ///< U⁻

  bool holds(const Point& after, double slack) const {
    const Point p = inverse * (after - before);
    const double gained = after.dot(inverse * after) - before.dot(inverse * before);
    return after.minCoeff() >= -slack && p.minCoeff() >= -slack * inverse.diagonal().minCoeff() &&
           gained <= slack * inverse.trace();
  }
};

// The problem with the k-th combination of the values that vary; the first parameter runs fastest.
ProblemFile sample(const LawCoverage& coverage, std::size_t k) {
  Document document = coverage.problem;
  for (const LawCoverage::Parameter& parameter : coverage.vary) {
    const double value = parameter.values[k % parameter.values.size()];
    k /= parameter.values.size();
    for (const std::string& key : parameter.keys) {
      override_value(document, key, fmt::format("{:.17g}", value), key);
    }
  }
  return read_problem(document);
}

}  // namespace

std::vector<Quantity> cover(const LawCoverage& coverage) {
  const analysis::ProblemAnalysis problem =
      analysis::analyze(read_problem(coverage.problem).problem);
  if (problem.gap_rates.size() != 2) {
    throw InvalidInput("problem.contacts", "coverage needs two contacts");
  }
  const double scale = problem.gap_rates.cwiseAbs().maxCoeff();
  const OutcomeSet outcomes{.inverse = Eigen::Matrix2d(problem.delassus).inverse(),
                            .before = problem.gap_rates / scale};

  std::size_t samples = 1;
  for (const LawCoverage::Parameter& parameter : coverage.vary) samples *= parameter.values.size();
  std::set<Cell> reached;
  int inconsistent = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const ProblemFile file = sample(coverage, k);
    const ImpactResult result = resolve(file.problem, file.law);
    const Point after = result.gap_rate / scale;
    if (!result.ok() || !outcomes.holds(after, kOnTheLine)) {
      ++inconsistent;
      continue;
    }
    const auto index = [&](double x) {
      return static_cast<int>(std::floor((x + kOnTheLine) * coverage.cells));
    };
    reached.emplace(index(after[0]), index(after[1]));
  }

  // No outcome lies beyond the circle of the energy, √(λ_max(G) U⁻ᵀG⁻¹U⁻).
  const double energy = outcomes.before.dot(outcomes.inverse * outcomes.before);
  const int last =
      static_cast<int>(std::ceil(coverage.cells * std::sqrt(energy * problem.delassus.trace())));
  int admissible = 0;
  int covered = 0;
  for (int i = 0; i <= last; ++i) {
    for (int j = 0; j <= last; ++j) {
      const Point centre((i + 0.5) / coverage.cells, (j + 0.5) / coverage.cells);
      if (!outcomes.holds(centre, 0.0)) continue;
      ++admissible;
      covered += reached.contains({i, j}) ? 1 : 0;
    }
  }
  return {{.name = "coverage", .value = admissible > 0 ? double(covered) / admissible : 0.0},
          {.name = "admissible_cells", .value = double(admissible)},
          {.name = "inconsistent", .value = double(inconsistent)}};
}

}  // namespace percute::io
