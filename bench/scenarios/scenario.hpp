// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <string>
#include <vector>

namespace percute::bench {

/// Round bodies that touch, described so that both percute and other software can be given them.
struct Scenario {
  struct Touch {
    int first = 0;
    int second = 0;
    Vector normal = {};  ///< unit, from the first to the second body
    Material material = {};
  };

  std::string name = {};
  int dimension = 1;                    ///< coordinates per body
  std::vector<double> masses = {};      ///< kg
  std::vector<Vector> velocities = {};  ///< m/s
  std::vector<Touch> touches = {};

  ImpactProblem problem() const;
};

/// Balls in a row, the first one strikes at 1 m/s; contact j joins balls j and j+1.
Scenario chain(std::string name, const std::vector<double>& masses,
               const std::vector<Material>& materials);

/// One disk with six around it, all in contact (12 contacts), masses slightly different; one of the
/// outer disks moves towards the centre at 1 m/s.
Scenario hexagon(std::string name);

}  // namespace percute::bench
