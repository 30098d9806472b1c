// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/problem_analysis.hpp>
#include <percute/analysis/termination.hpp>
#include <percute/analysis/uniqueness.hpp>
#include <percute/io/document.hpp>

#include <optional>
#include <string>

namespace percute::io {

/// A `percute-analysis/1` object. Contacts count from 0, angles are in degrees.
Node to_node(const analysis::ProblemAnalysis& analysis);

/// What laws leave open in an impact.
struct OpenChoices {
  // Collisions one after another, each contact with its own restitution and without friction.
  analysis::DistinctOutcomes orders = {};  ///< over all orders
  analysis::Termination sequence = {};     ///< most approaching contact first
  /// One restitution of all contacts below which such a sequence never ends; 0: it always ends.
  double collapse_threshold = 0.0;
  // Coulomb's law, where a contact has friction.
  std::optional<analysis::DistinctOutcomes> modes = {};  ///< over open, stick and slip
  std::string no_modes = {};                             ///< why they are not known
  std::optional<analysis::DistinctOutcomes> starting_points = {};
};

/// Throws InvalidInput like the laws do.
OpenChoices open_choices(const ImpactProblem& problem, const laws::Coulomb& friction = {});

/// What `percute-analysis/1` has under "choices".
Node to_node(const OpenChoices& choices);

}  // namespace percute::io
