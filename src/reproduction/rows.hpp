// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "reproduction/outcome.hpp"

#include <percute/io/document.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percute::reproduction {

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
