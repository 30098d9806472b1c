// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/chain_waves.hpp>
#include <percute/io/law_file.hpp>
#include <percute/io/reproduction.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::io {

/// A number an impact in a chain must give. Balls and contacts count from 0 in the order of the
/// row. "velocity[i]", "v_first", "v_last", "impulse[j]", "impulse_ratio[j]", "force[j]" (largest),
/// "force_time[j]", "last_force", "F_max" and "t_F_max" (at the wall), "release", "wall_contacts",
/// "e_eff", "v_top", "peak_force[k]", "train_time[k]", "opening[j][k]", "profile[k][i]" (velocity
/// of ball i at instant k), "wave_speed", "theory_force", "curve" (largest distance from a force
/// history at the wall, over its largest force) …
struct ChainNumber {
  std::string name;
  double value = 0.0;
  double tolerance = 0.0;  ///< of |computed − value|, absolute
  std::optional<double> published = {};
  std::optional<double> published_tolerance = {};  ///< of |printed − computed|
};

/// One impact in a chain with all its numbers.
struct ChainCase {
  std::string id;     ///< "N8", within its item
  std::string label;  ///< "N = 8"
  ImpactProblem problem;
  AnyLaw law;
  std::string status = "ok";
  std::vector<double> instants = {};  ///< of "profile", s
  double curve_step = 0.0;            ///< s between the entries of `curve`
  Vector curve = {};                  ///< force at the wall from first touch on, N
  std::vector<ChainNumber> expected = {};
  std::string note = {};
};

/// A number made from several cases of an item.
struct ChainRelation {
  enum class Kind {
    Least,
    Greatest,
    ArgMax,         ///< number of balls of the case where it is largest
    Slope,          ///< of the straight line fitted over the number of balls,
    Intercept,      ///< its value at 0,
    Deviation,      ///< the largest distance from it
    ChangePercent,  ///< from the first case to the second
    Exponent,       ///< of the power law in the speed, from the first case to the second
  };

  std::string id;
  std::string label;
  Kind kind = Kind::Least;
  std::string of;                 ///< name of the number
  std::vector<std::string> over;  ///< ids of cases; empty: all that have the number
  ChainNumber expected;
};

/// A figure or table about chains.
struct ChainItem {
  std::string id;  ///< "lzb2008.fig31"
  std::string title;
  std::string source;  ///< "LZB 2008"; the data give the full citation
  std::string note = {};
  std::vector<ChainCase> cases = {};
  std::vector<ChainRelation> relations = {};
};

/// The items that come with the library.
std::vector<ChainItem> chain_items();

/// Solves a case, as closely watched as its numbers need, and says what they are, in the order of
/// `expected`. `status` becomes that of the result.
std::vector<double> numbers_of(const ChainCase& reference, std::string& status);

/// The number of a relation, given those of the cases of its item.
double number_of(const ChainRelation& relation, const ChainItem& item,
                 const std::vector<std::vector<double>>& numbers);

/// Solves all cases and compares.
Reproduction reproduce(const ChainItem& item);

}  // namespace percute::io
