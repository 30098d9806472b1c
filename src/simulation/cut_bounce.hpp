// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::simulation {

/// Takes away the gap rate with which a contact leaves that is to stay closed, where the gap is
/// itself a coordinate: this coordinate stops, the others go on as they were. False where it is
/// not: then rates are taken away in the kinetic metric.
///
/// Both rules are errors of the order of the bounce that is cut off. The kinetic one is that of the
/// bounces to come; the curves the impacting bar is checked against were computed with this one,
/// and their digits depend on it (35°, e = 1/4: 3e-4 at the default cut of 1e-5 m/s).
inline bool stop_coordinate(const Vector& gradient, Vector& v) {
  Eigen::Index only = -1;
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    if (gradient[k] == 0.0) continue;
    if (only >= 0) return false;
    only = k;
  }
  if (only < 0) return false;
  v[only] = 0.0;
  return true;
}

}  // namespace percute::simulation
