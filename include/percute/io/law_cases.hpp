// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/io/reproduction.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::io {

/// A number of an outcome: "v1" (velocity of coordinate 1), "impulse[0]", "gap_rate[1]",
/// "tangential_impulse[0][0]", "energy_ratio", "collisions", "kinematic" (1: the verdict holds) …
struct Quantity {
  std::string name;
  double value = 0.0;
};

/// What a law must make of one problem.
struct LawCase {
  std::string id;     ///< "laws.three_balls.moreau.e0.5"
  std::string label;  ///< "e = 0.5"
  ProblemFile problem;
  std::string status = "ok";
  std::vector<Quantity> expected = {};
  /// Where several outcomes are right: the numbers of each.
  std::vector<std::vector<Quantity>> one_of = {};
  double tolerance = 1e-9;  ///< of |computed − expected|, absolute; counts and verdicts: exact
  std::vector<Quantity> published = {};
  double published_tolerance = 0.0;  ///< of |printed − computed|
  std::string note = {};
};

/// How much of the admissible outcomes of an impact with two contacts a law can reach by varying
/// its parameters (handbook chapter 2024, Figs 6 and 7). Outcomes U⁺ = (x, y) |U⁻|_∞ with x, y ≥ 0,
/// p ≥ 0 and no energy gained are sorted into square cells of width 1/cells; those count whose
/// centre is admissible.
struct LawCoverage {
  /// Keys of the problem that take the same values together.
  struct Parameter {
    std::vector<std::string> keys;  ///< "contacts[0].restitution"
    std::vector<double> values;
  };

  std::string id;
  std::string label;
  Document problem;  ///< `percute-problem/1`, with its law
  std::vector<Parameter> vary;
  int cells = 20;
  std::vector<Quantity> expected = {};
  std::string note = {};
};

/// A table or figure of laws: cases that belong together.
struct LawItem {
  std::string id;  ///< "laws.three_balls.moreau"
  std::string title;
  std::string source;  ///< "Moreau 1988"; the data give the full citation
  std::string note = {};
  std::vector<LawCase> cases = {};
  std::vector<LawCoverage> coverage = {};
};

/// The items that come with the library.
std::vector<LawItem> law_items();

/// The number of that name; throws InvalidInput where the result has none.
double quantity(const std::string& name, const ProblemFile& file, const ImpactResult& result);

/// Numbers of a coverage: "coverage" (fraction of admissible cells reached), "admissible_cells",
/// "inconsistent" (samples whose outcome is not admissible).
std::vector<Quantity> cover(const LawCoverage& coverage);

/// Solves all cases and compares.
Reproduction reproduce(const LawItem& item);

}  // namespace percute::io
