// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <Eigen/Core>

namespace percute::laws {

/// One contact seen from itself: U_n = U_n⁻ + a p + b·p_t, U_t = U_t⁻ + b p + C p_t. A planar
/// contact has nothing in its second tangential row.
struct ContactRows {
  double a = 0.0;
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  Eigen::Matrix2d C = Eigen::Matrix2d::Zero();
  int tangents = 0;
  double friction = 0.0;  ///< μ; 0 where there are no tangents
  double restitution = 1.0;
  double U_n = 0.0;  ///< before the impact
  Eigen::Vector2d U_t = Eigen::Vector2d::Zero();
  double speed = 0.0;  ///< vs, scale of velocities
};

}  // namespace percute::laws
