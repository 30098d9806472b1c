// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percute::io {

/// One number next to its published and its converged value.
struct ReferenceRow {
  enum class Verdict {
    Agrees,     ///< the printed digits are those computed, or nothing was printed
    Explained,  ///< print differs by no more than its known error
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

/// The row with its verdict: the converged value wins; print, rounded to so many decimals, is
/// judged against what was computed. A number that is absent or NaN agrees with nothing.
ReferenceRow judged(ReferenceRow row, int decimals = 0);

/// A published table, figure or case with all its rows.
struct Reproduction {
  std::string id;
  std::string title;
  std::vector<ReferenceRow> rows;

  bool ok() const;
};

/// The `percute reproduce --json` object.
Node to_node(std::span<const Reproduction> items);

}  // namespace percute::io
