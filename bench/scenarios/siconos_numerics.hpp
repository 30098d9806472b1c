// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace percute::bench {

/// What a solver of Siconos numerics made of a problem.
struct PeerSolution {
  Vector z = {};
  double seconds = 0.0;  ///< of the solver alone, fastest repeat
  long repeats = 0;
  long iterations = 0;
};

/// Runs `solver` ("lcp_lemke", "lcp_enum", "fc2d_nsgs") on 0 ≤ A z + b ⟂ z ≥ 0, or with Coulomb
/// friction; nothing if its driver was not built or it gave no answer.
std::optional<PeerSolution> siconos_numerics(const std::filesystem::path& drivers,
                                             const std::string& solver, double tolerance,
                                             const SparseMatrix& A, const Vector& b,
                                             const Vector& friction = {});

}  // namespace percute::bench
