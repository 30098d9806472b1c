// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/identify_icr.hpp>
#include <percute/io/problem_file.hpp>

#include <optional>
#include <string>

namespace percute::io {

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

}  // namespace percute::io
