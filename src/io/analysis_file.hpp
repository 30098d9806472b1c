// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/chain_waves.hpp>
#include <percute/analysis/identify_icr.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/analysis/termination.hpp>
#include <percute/analysis/uniqueness.hpp>
#include <percute/io/problem_file.hpp>

#include <filesystem>
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

/// An outcome whose impulse ratios are wanted: measured (`percute-icr/1`), or what the law of a
/// problem or a scene makes of it.
struct IcrFile {
  Document document = {};  ///< of the problem
  ProblemFile problem = {};
  std::string measured = {};  ///< "velocity" or "impulse"; empty: computed
  Vector values = {};         ///< of what was measured: v⁺, or p
};

/// Reads whichever the document is. Throws FileError.
IcrFile read_icr(const Document& document);

/// The ratios, and the outcome they were taken from where it was computed.
struct IcrAnswer {
  analysis::IcrIdentification ratios = {};
  std::optional<ImpactResult> result = {};
  /// The law that repeats the outcome; without one, why there is none.
  std::optional<laws::ImpulseRatios> law = {};
  std::string no_law = {};
};

/// Throws FileError where the outcome has no ratios. `document` is that of read_icr().
IcrAnswer identify_icr(const IcrFile& file, const Document& document);

/// A `percute-icr-result/1` object.
Node to_node(const IcrFile& file, const IcrAnswer& answer);

/// A `percute-waves/1` object: `balls` and `contacts` in the order of the row, with the names the
/// file gives them; `space_time` only where instants were asked for.
Node to_node(const analysis::ChainWaves& waves, const ProblemFile& file);

/// Writes velocities and forces over the row and time.
///
/// CSV: one row per instant, one header row with units.
/// HDF5: /space_time (time; velocity and force with one row per instant), /contacts and /balls (one
/// entry each), /meta (names, law, format); each dataset of numbers has an attribute `units`.
/// Throws FileError if the file cannot be written.
void write_waves(const std::filesystem::path& path, const analysis::ChainWaves& waves,
                 const ProblemFile& file);

}  // namespace percute::io
