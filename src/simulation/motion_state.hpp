// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::simulation {

/// Where bodies are at an instant, and how they move.
struct MotionState {
  double time = 0.0;  ///< s
  Vector q = {};
  Vector v = {};

  /// From numbers (q, v, …) of an integrator.
  void read(double t, const double* y) {
    time = t;
    q = Eigen::Map<const Vector>(y, q.size());
    v = Eigen::Map<const Vector>(y + q.size(), q.size());
  }
};

}  // namespace percute::simulation
