// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/normal_space.hpp"
#include "numerics/lcp.hpp"

#include <percute/laws/algebraic.hpp>

#include <vector>

namespace percute::laws {

/// All memory of an algebraic law; one per thread, reused from problem to problem.
struct AlgebraicWorkspace::Memory {
  NormalSpace space;
  numerics::LcpSolver lcp;
  numerics::LcpSolution solution;

  // Of one stage: contacts that take part, and their share of the problem.
  std::vector<int> contacts;
  Matrix A;
  Vector U;
  Vector p;
  Vector scratch;
};

}  // namespace percute::laws
