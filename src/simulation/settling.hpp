// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::simulation {

/// The complementarity problem of accelerations, in rows of all contacts, each normal first:
/// A = Rᵀ M⁻¹ R, b = Rᵀ a_free + c, acceleration = A force + b.
struct Settling {
  std::vector<int> start = {};                  ///< rows of contact j: start[j] … start[j+1]
  std::vector<Eigen::Vector2d> direction = {};  ///< of sliding; 0 where nothing slides
  Vector friction = {};                         ///< μ; 0 where it is not used
  Matrix A = {};
  Vector b = {};
  Vector force = {};  ///< solution

  std::size_t contacts() const { return start.size() - 1; }
  bool slides(std::size_t j) const { return direction[j].squaredNorm() > 0.0; }
  Eigen::Index normal(std::size_t j) const { return start[j]; }
  Eigen::Index tangents(std::size_t j) const { return start[j + 1] - start[j] - 1; }
};

/// Tries every combination of open, sticking and sliding contacts: at most 6 of them, with one
/// tangent each at most. False if none fits.
bool solve_by_modes(Settling& problem);

}  // namespace percute::simulation
