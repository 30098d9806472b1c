// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reproduction.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace percute::io {

/// A number a drop of the bar must give: "apparent_restitution", "clusters", "impacts",
/// "first_cluster_us" (µs), "first_impact_time", "first_impact_velocity", "expected_energy",
/// "energy_max", "energy_min", "d_rel", "s_rel", "seconds" (of computing); without a drop,
/// "omega_max", "step_limit", "first_bending_hz".
struct BarNumber {
  std::string name;
  std::optional<double> value = {};  ///< none: for information
  double tolerance = 0.0;            ///< of |computed − value|, absolute
  std::optional<double> published = {};
  std::optional<double> published_tolerance = {};  ///< of |printed − computed|
};

/// One drop with all its numbers.
struct BarCase {
  using Method =
      std::variant<simulation::EventDriven, simulation::Newmark, simulation::PaoliSchatzman>;

  std::string id;     ///< "a30", within its item
  std::string label;  ///< "30°"
  systems::ImpactingBar bar;
  Method method;
  std::vector<BarNumber> expected = {};
  std::string note = {};
};

/// A table or figure about the bar.
struct BarItem {
  std::string id;  ///< "bar2007.table2"
  std::string title;
  std::string source;
  std::string note = {};
  std::vector<BarCase> cases = {};
};

/// The items that come with the library.
std::vector<BarItem> bar_items();

/// Drops the bar of a case.
simulation::Run drop(const BarCase& reference);

/// Numbers of a case, in the order of `expected`; NaN where the drop did not come to its end.
std::vector<double> numbers_of(const BarCase& reference);

/// Runs all cases and compares.
Reproduction reproduce(const BarItem& item);

}  // namespace percute::io
