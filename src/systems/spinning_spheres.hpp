// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace percute::systems {

/// A round body that turns as well as moves: its coordinates are (x, y, z, r_x, r_y, r_z), in the
/// plane (x, y, angle).
struct SpinningSphere {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< m
  double mass = 1.0;                                 ///< kg
  double radius = 1.0;                               ///< m
  double inertia = 0.4;                              ///< about any axis through the centre, kg m²
};

/// Where two of them touch, or one of them a fixed obstacle.
struct SphereTouch {
  static constexpr int kObstacle = -1;
  int first = 0;
  int second = kObstacle;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, from first to second, or from the
                                                      ///< obstacle to the sphere
  Material material = {};
};

/// The impact at these contacts. With s = r n from the first sphere, s = −r n from the second one
/// and from a sphere on an obstacle, the sliding velocity is that of the second sphere on the
/// first, or of the sphere on the obstacle; in the plane along n turned by a right angle
/// counter-clockwise.
ImpactProblem spheres_impact(const std::vector<SpinningSphere>& spheres,
                             const std::vector<SphereTouch>& touches, const Vector& velocity,
                             bool planar);

/// I = factor m r², of 0.4 for a solid sphere to 2/3 for a thin shell; a hoop has 1.
void require_inertia_factor(double factor, const std::string& field);

}  // namespace percute::systems
