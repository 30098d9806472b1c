// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace percute::numerics {

void solve_by_sweeps(const CoulombBlocks& blocks, double tolerance, int max_sweeps,
                     CoulombSolution& solution) {
  double* p = solution.p.data();
  solution.z.resize(blocks.rows());
  solution.error = blocks.evaluate(p, solution.z.data());
  bool found = true;
  for (int sweep = 1; sweep <= max_sweeps && !(solution.error <= tolerance); ++sweep) {
    double change = 0.0;
    found = true;
    solution.multiple_solutions = false;
    for (int i = 0; i < blocks.contacts(); ++i) {
      const CoulombContact& contact = blocks.contact(i);
      double z[3];
      double b[3];
      double next[3];
      double* own = p + blocks.start(i);
      blocks.velocity(i, p, z);
      contact.shift(z, own, b);
      const ContactOutcome outcome = contact.solve(b, next);
      found = found && outcome.found;
      solution.multiple_solutions = solution.multiple_solutions || outcome.multiple_solutions;
      if (!outcome.found) continue;
      for (int r = 0; r < contact.size(); ++r) {
        change = std::max(change, std::abs(next[r] - own[r]) / contact.mass());
        own[r] = next[r];
      }
    }
    ++solution.iterations;
    // The error costs as much as a sweep: ask where there is hope, and from time to time.
    if (change <= 10.0 * tolerance * blocks.scale() || sweep % 10 == 0 || sweep == max_sweeps) {
      solution.error = blocks.evaluate(p, solution.z.data());
      if (change == 0.0) break;
    }
  }
  solution.status = solution.error <= tolerance ? CoulombStatus::Solved
                    : found                     ? CoulombStatus::IterationLimit
                                                : CoulombStatus::NoSlipSolution;
}

}  // namespace percute::numerics
