// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb.hpp"

#include "numerics/cone_projection.hpp"
#include "numerics/coulomb_blocks.hpp"
#include "numerics/coulomb_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace percute::numerics {

namespace {

constexpr double kSmallError = 1e-10;  ///< Solved promises at least this
constexpr int kSmallProblem = 240;     ///< rows up to which Newton's method is cheap

/// Starting points that are the same on every machine.
class Numbers {
 public:
  /// In [−1, 1].
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

struct CoulombSolver::Memory {
  CoulombBlocks blocks;
  NewtonMemory newton;
  CoulombSolution trial;
  CoulombSolution best;

  void solve_automatically(const CoulombProblem& problem, double tolerance, int max_sweeps,
                           CoulombSolution& solution);
  void random_start(Numbers& numbers, double size, Vector& p) const;
  void clean(double tolerance, CoulombSolution& solution);
};

/// Puts impulses that rounding left outside their cones inside, so that μ = 0 means p_t = 0.
void CoulombSolver::Memory::clean(double tolerance, CoulombSolution& solution) {
  trial.p = solution.p;
  trial.z.resize(blocks.rows());
  for (int i = 0; i < blocks.contacts(); ++i) {
    const CoulombContact& contact = blocks.contact(i);
    project_on_friction_cone(trial.p.data() + blocks.start(i), contact.size(), contact.friction(),
                             contact.floor());
  }
  trial.error = blocks.evaluate(trial.p.data(), trial.z.data());
  if (!(trial.error <= std::max(tolerance, solution.error))) return;
  solution.p = trial.p;
  solution.z = trial.z;
  solution.error = trial.error;
}

/// Impulses inside the cones; size 1 stops the approach of a contact alone.
void CoulombSolver::Memory::random_start(Numbers& numbers, double size, Vector& p) const {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const CoulombContact& contact = blocks.contact(i);
    double* own = p.data() + blocks.start(i);
    own[0] = contact.floor() + size * contact.mass() * blocks.scale() * (1.0 + numbers.next());
    const double radius = std::min(contact.friction(), 1.0) * own[0];
    for (int r = 1; r < contact.size(); ++r) own[r] = 0.7 * radius * numbers.next();
  }
}

/// Sweeps find the modes, Newton the digits. Where they do not: more sweeps, other starting points,
/// the smoothed equations, enumeration, and in the end sweeps again.
void CoulombSolver::Memory::solve_automatically(const CoulombProblem& problem, double tolerance,
                                                int max_sweeps, CoulombSolution& solution) {
  const bool small = blocks.rows() <= kSmallProblem;
  trial.p = solution.p;
  trial.iterations = 0;
  best.error = std::numeric_limits<double>::infinity();
  const auto done = [&] {
    if (trial.error < best.error) {
      best.p = trial.p;
      best.z = trial.z;
      best.error = trial.error;
      best.status = trial.status;
    }
    return best.error <= tolerance;
  };
  const auto sweep_and_newton = [&](int sweeps, int steps) {
    solve_by_sweeps(blocks, tolerance, sweeps, trial);
    best.multiple_solutions = trial.multiple_solutions;
    if (done()) return true;
    const CoulombStatus status = trial.status;
    solve_alart_curnier(blocks, tolerance, steps, newton, trial);
    if (status == CoulombStatus::NoSlipSolution && trial.status != CoulombStatus::Solved) {
      trial.status = status;
    }
    return done();
  };
  const auto search = [&] {
    if (sweep_and_newton(small ? 15 : 500, 50)) return;
    if (sweep_and_newton(small ? 300 : max_sweeps, 50)) return;
    if (!small || best.error <= kSmallError) return;
    Numbers numbers;
    const auto restart = [&](int times) {
      for (int k = 0; k < times && !(best.error <= kSmallError); ++k) {
        // By turns with sweeps, near the solution, and without, further away.
        const bool near = k % 2 == 0;
        random_start(numbers, near ? 1.0 : 4.0, trial.p);
        sweep_and_newton(near ? 100 : 0, 50);
      }
      return best.error <= kSmallError;
    };
    if (restart(5)) return;
    trial.p.setZero();
    solve_fischer_burmeister(blocks, tolerance, 200, newton, trial);
    if (done() || sweep_and_newton(0, 20)) return;
    if (enumerable(blocks)) {
      const std::vector<CoulombSolution> all = enumerate_modes(problem, blocks);
      if (all.empty()) {
        best.status = CoulombStatus::Infeasible;
        return;
      }
      const int iterations = trial.iterations + 1;
      trial = *std::min_element(all.begin(), all.end(),
                                [](const auto& a, const auto& b) { return a.error < b.error; });
      trial.iterations = iterations;
      best.multiple_solutions = trial.multiple_solutions;
      if (done()) return;
    }
    if (restart(20)) return;
    trial.p = best.p;
    sweep_and_newton(max_sweeps, 50);
  };
  search();
  solution.p = best.p;
  solution.z = best.z;
  solution.error = best.error;
  solution.status = best.status;
  solution.multiple_solutions = best.multiple_solutions;
  solution.iterations = trial.iterations;
}

CoulombSolver::CoulombSolver() : memory_(std::make_unique<Memory>()) {}
CoulombSolver::~CoulombSolver() = default;
CoulombSolver::CoulombSolver(CoulombSolver&&) noexcept = default;
CoulombSolver& CoulombSolver::operator=(CoulombSolver&&) noexcept = default;

void CoulombSolver::solve(const CoulombProblem& problem, const CoulombOptions& options,
                          CoulombSolution& solution) {
  Memory& memory = *memory_;
  CoulombBlocks& blocks = memory.blocks;
  blocks.assign(problem, options.scale);
  if (solution.p.size() != blocks.rows() || !solution.p.allFinite()) {
    solution.p = Vector::Zero(blocks.rows());
  }
  solution.iterations = 0;
  solution.multiple_solutions = false;
  const auto limit = [&](int usual) {
    return options.max_iterations > 0 ? options.max_iterations : usual;
  };
  switch (options.method) {
    case CoulombMethod::Nsgs:
      solve_by_sweeps(blocks, options.tolerance, limit(20000), solution);
      break;
    case CoulombMethod::AlartCurnier:
      solve_alart_curnier(blocks, options.tolerance, limit(100), memory.newton, solution);
      break;
    case CoulombMethod::FischerBurmeister:
      solve_fischer_burmeister(blocks, options.tolerance, limit(200), memory.newton, solution);
      // Near the apex of a cone the function is blind for sliding: a few steps with another.
      if (solution.error > options.tolerance && solution.error <= 1e-6) {
        solve_alart_curnier(blocks, options.tolerance, 10, memory.newton, solution);
      }
      break;
    case CoulombMethod::Automatic:
      memory.solve_automatically(problem, options.tolerance, limit(5000), solution);
      break;
  }
  if (solution.iterations > 0) memory.clean(options.tolerance, solution);
  if (solution.error <= std::max(options.tolerance, kSmallError)) {
    solution.status = CoulombStatus::Solved;
  } else if (solution.status == CoulombStatus::Solved) {
    solution.status = CoulombStatus::IterationLimit;
  }
}

CoulombSolution solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options) {
  CoulombSolution solution;
  CoulombSolver().solve(problem, options, solution);
  return solution;
}

}  // namespace percute::numerics
