// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction/case.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/io/document.hpp>
#include <percute/io/motion_file.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percute::reproduction {

/// How closely a case must be watched for a number.
enum class Watch {
  Rest,    ///< the system says it without moving
  Result,  ///< what comes out says it
  Chain,   ///< what comes out, ball by ball of a row
  Events,  ///< and what happens on the way
  Waves,   ///< and the velocities at all times
};

/// An impact in a row of balls.
struct InChain {
  analysis::Chain chain;
  Vector velocity = {};  ///< v⁺ of the balls
  analysis::ChainOutcome outcome = {};
  std::optional<analysis::ChainWaves> waves = {};  ///< watched as waves only
};

/// A motion; states and events only where they were watched.
struct Moved {
  struct State {
    double time = 0.0;
    Vector position;
    int impacts = 0;  ///< before it
  };

  io::MotionFile file;
  simulation::Run run = {};
  std::vector<State> states = {};
  std::vector<simulation::Event> events = {};
};

/// Cells of a Coverage.
struct Covered {
  int admissible = 0;
  int reached = 0;       ///< of these
  int inconsistent = 0;  ///< samples whose outcome is not admissible
};

/// A solved case: whatever its numbers are made of.
struct Outcome {
  const Case& of;
  std::string status = "ok";
  ImpactResult result = {};  ///< of an impact
  std::optional<InChain> chain = {};
  std::optional<Moved> motion = {};
  std::optional<Covered> coverage = {};
};

/// Solves a case, as closely watched as its numbers need.
Outcome solve(const Case& which);

/// Solves the problem with all combinations of the values that vary.
Covered cover(const Coverage& coverage);

/// The number of that name. Throws InvalidInput where the case has none.
double quantity(const std::string& name, const Outcome& outcome);
/// What it needs.
Watch watch_for(const std::string& name);

/// One number next to its published and its converged value.
struct Row {
  enum class Verdict {
    Agrees,     ///< the printed digits are those computed, or nothing was printed
    Explained,  ///< print differs by no more than its known error, or the row is for information
    Differs,    ///< the converged value is missed, or print differs beyond its known error
  };

  std::string label;     ///< where it was printed, or which case of several it is
  std::string quantity;  ///< "v1", "impulse[0]"; indices count from 0
  std::optional<double> published = {};
  std::optional<double> computed = {};   ///< absent in a row about the status
  std::optional<double> tolerance = {};  ///< of |published − computed|; absent: none holds
  std::optional<double> reference = {};  ///< converged value
  std::optional<double> reference_tolerance = {};  ///< of |computed − reference|
  Verdict verdict = Verdict::Agrees;
  std::string note = {};

  bool ok() const { return verdict != Verdict::Differs; }
};

/// A published table, figure or case with all its rows.
struct Reproduction {
  std::string id;
  std::string title;
  std::vector<Row> rows;

  bool ok() const;
};

/// Solves all cases of an item and compares.
Reproduction reproduce(const Item& item);

/// The `percute reproduce --json` object.
io::Node to_node(std::span<const Reproduction> items);

}  // namespace percute::reproduction
