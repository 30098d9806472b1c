// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/io/reproduction.hpp>
#include <percute/model/impact_result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::io {

/// A named number besides the velocities: "kinetic_energy" (J, after the impact),
/// "energy_share_forward" and "energy_share_last" (percent of it in the balls that move forward,
/// and in the last coordinate), "opening_time[i]" (s, contact i counted from 0).
struct NamedNumber {
  std::string quantity;
  double value = 0.0;
  int decimals = 0;        ///< printed after the point
  double tolerance = 0.0;  ///< published: accepted |printed − computed|;
                           ///< converged: what |computed − value| must keep
};

/// Numbers as a paper prints them, and why they differ from the truth where they do.
struct PublishedValues {
  std::string id;
  std::string where;           ///< "LZB 2008, Table 3"; the sources give the full citation
  std::string classification;  ///< "agrees_to_rounding", "unconverged_euler", "misprint" …
  std::string reason;
  std::string statement = {};       ///< what the paper says in words
  Vector velocity = {};             ///< in the order of ReferenceCase::components; may be empty
  int decimals = 0;                 ///< of `velocity`
  std::vector<bool> compared = {};  ///< one per velocity: false where print is beyond repair
  std::optional<double> tolerance = {};  ///< accepted |printed − computed| of a velocity
  std::vector<NamedNumber> quantities = {};
};

/// What an implementation must get: order-8 integration at tolerance 1e-12.
struct ConvergedValues {
  std::string status;            ///< "ok" or "zeno"
  Vector velocity;               ///< in the order of ReferenceCase::components
  double match_tolerance = 0.0;  ///< absolute error allowed at law tolerance 1e-10
  double uncertainty = 0.0;      ///< of the values themselves
  double kinetic_energy_before = 0.0;
  double kinetic_energy_after = 0.0;
  Vector impulse = {};                  ///< one per contact; empty if unknown (zeno)
  Vector dissipated = {};               ///< one per contact; empty if unknown
  std::vector<long> compressions = {};  ///< one per contact; empty if unknown
  long compressions_tolerance = 0;      ///< where the count itself is ill-conditioned
  std::vector<long> impacts = {};       ///< one per contact; empty if unknown
  std::vector<long> exactly_zero = {};  ///< contacts that must receive no impulse at all
  std::vector<NamedNumber> quantities = {};
};

/// Error of the papers' first-order scheme with N steps, for comparison.
struct EulerError {
  long N = 0;
  long steps = 0;
  double velocity_error = 0.0;
  double energy_error = 0.0;  ///< T⁺/T⁺_converged − 1
};

/// One published impact.
struct ReferenceCase {
  std::string id;  ///< "lzb2008.table6.2to8"
  std::string title;
  ProblemFile problem;              ///< its law has tolerance 1e-10
  std::vector<long> components;     ///< the coordinates that are compared
  std::vector<std::string> labels;  ///< their names, "v1", "x2"
  ConvergedValues converged;
  Vector closed_form_velocity = {};                       ///< empty if there is none
  std::optional<double> closed_form_kinetic_energy = {};  ///< J, after the impact
  std::vector<PublishedValues> published = {};
  std::vector<EulerError> euler_errors = {};  ///< empty for most cases
};

/// The cases of the papers on the LZB law.
std::vector<ReferenceCase> reference_cases();

/// Solves the case and compares.
Reproduction reproduce(const ReferenceCase& reference);

}  // namespace percute::io
