// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <span>

namespace percute::analysis {

/// Restitution of a ball that bounces on a floor, from one long measurement.
struct BounceRestitution {
  double restitution = 0.0;     ///< that of the geometric decay fitted to all values
  double standard_error = 0.0;  ///< from the scatter about it; NaN with fewer than three values
  Vector each = {};             ///< of each bounce by itself; a trend means e depends on speed
};

/// From the height of release and those of the successive rebounds: h_{i+1} = e² h_i, air drag and
/// spin neglected. ln h is fitted by a straight line in i, so that a height read too low in the
/// middle counts once, not twice. At least two heights, each > 0, otherwise InvalidInput.
BounceRestitution restitution_from_heights(std::span<const double> heights);

/// From the instants of successive impacts on the floor, ascending, at least three: flights last
/// 2v/g, so that t_{i+2} − t_{i+1} = e (t_{i+1} − t_i). A microphone is all it takes.
BounceRestitution restitution_from_impact_times(std::span<const double> times);

}  // namespace percute::analysis
