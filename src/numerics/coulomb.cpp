// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/coulomb.hpp>

#include <numerics/coulomb_blocks.hpp>

#include <algorithm>

namespace percute::numerics {

namespace {

constexpr double kSmallError = 1e-10;  ///< Solved promises at least this

}  // namespace

struct CoulombSolver::Memory {
  CoulombBlocks blocks;
};

CoulombSolver::CoulombSolver() : memory_(std::make_unique<Memory>()) {}
CoulombSolver::~CoulombSolver() = default;
CoulombSolver::CoulombSolver(CoulombSolver&&) noexcept = default;
CoulombSolver& CoulombSolver::operator=(CoulombSolver&&) noexcept = default;

void CoulombSolver::solve(const CoulombProblem& problem, const CoulombOptions& options,
                          CoulombSolution& solution) {
  CoulombBlocks& blocks = memory_->blocks;
  blocks.assign(problem, options.scale);
  if (solution.p.size() != blocks.rows() || !solution.p.allFinite()) {
    solution.p = Vector::Zero(blocks.rows());
  }
  solution.iterations = 0;
  solution.multiple_solutions = false;
  const int sweeps = options.max_iterations > 0 ? options.max_iterations : 20000;
  solve_by_sweeps(blocks, options.tolerance, sweeps, solution);
  if (solution.error <= std::max(options.tolerance, kSmallError)) {
    solution.status = CoulombStatus::Solved;
  }
}

CoulombSolution solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options) {
  CoulombSolution solution;
  CoulombSolver().solve(problem, options, solution);
  return solution;
}

}  // namespace percute::numerics
