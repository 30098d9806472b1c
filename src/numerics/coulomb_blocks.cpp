// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace percute::numerics {

void CoulombBlocks::check(const CoulombProblem& problem) const {
  const auto require = [](bool condition, const std::string& what) {
    if (!condition) throw std::invalid_argument("Coulomb problem: " + what);
  };
  require(!problem.start.empty() && problem.start.front() == 0, "start must begin with 0");
  const int m = static_cast<int>(problem.start.size()) - 1;
  const int n = problem.start.back();
  for (int i = 0; i < m; ++i) {
    const int size = problem.start[i + 1] - problem.start[i];
    require(size >= 1 && size <= 3,
            "contact " + std::to_string(i) + " has " + std::to_string(size) + " rows, not 1 to 3");
  }
  require(problem.b.size() == n, "b needs " + std::to_string(n) + " entries");
  require(problem.A.rows() == n && problem.A.cols() == n,
          "A must be square with " + std::to_string(n) + " rows");
  require(problem.friction.size() == m, "friction needs " + std::to_string(m) + " entries");
  require(problem.impulse_floor.size() == 0 || problem.impulse_floor.size() == m,
          "impulse_floor needs 0 or " + std::to_string(m) + " entries");
  for (int i = 0; i < m; ++i) {
    require(problem.friction[i] >= 0.0, "friction of contact " + std::to_string(i) + " is " +
                                            std::to_string(problem.friction[i]) +
                                            ", must be at least 0");
  }
  for (int i = 0; i < problem.impulse_floor.size(); ++i) {
    require(problem.impulse_floor[i] >= 0.0 && std::isfinite(problem.impulse_floor[i]),
            "impulse_floor of contact " + std::to_string(i) + " is " +
                std::to_string(problem.impulse_floor[i]) + ", must be finite and at least 0");
  }
  require(problem.b.allFinite(), "b must be finite");
  for (int k = 0; k < problem.A.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(problem.A, k); entry; ++entry) {
      require(std::isfinite(entry.value()), "A must be finite");
    }
  }
}

void CoulombBlocks::assign(const CoulombProblem& problem, double scale) {
  check(problem);
  const int m = static_cast<int>(problem.start.size()) - 1;
  start_ = problem.start;
  b_ = problem.b;
  scale_ = scale > 0.0 ? scale : (b_.size() > 0 ? b_.cwiseAbs().maxCoeff() : 0.0);
  if (!(scale_ > 0.0)) scale_ = 1.0;
  planar_ = true;
  has_floor_ = false;
  has_infinite_friction_ = false;

  owner_.resize(rows());
  for (int i = 0; i < m; ++i) {
    std::fill(owner_.begin() + start_[i], owner_.begin() + start_[i + 1], i);
    planar_ = planar_ && size(i) <= 2;
  }

  // Rows of A are its columns. Blocks of a row in the order they are met, the own one first.
  first_.assign(1, 0);
  column_.clear();
  offset_.clear();
  value_.clear();
  place_.assign(m, -1);
  contact_.resize(m);
  for (int i = 0; i < m; ++i) {
    const auto block_of = [&](int j) {
      if (place_[j] < first_[i]) {
        place_[j] = static_cast<int>(column_.size());
        column_.push_back(j);
        offset_.push_back(static_cast<int>(value_.size()));
        value_.resize(value_.size() + size(i) * size(j), 0.0);
      }
      return place_[j];
    };
    const int own = block_of(i);
    for (int r = 0; r < size(i); ++r) {
      for (SparseMatrix::InnerIterator entry(problem.A, start_[i] + r); entry; ++entry) {
        const int row = static_cast<int>(entry.row());
        const int j = owner_[row];
        const int block = block_of(j);
        value_[offset_[block] + r * size(j) + row - start_[j]] += entry.value();
      }
    }
    first_.push_back(static_cast<int>(column_.size()));
    const double floor = problem.impulse_floor.size() > 0 ? problem.impulse_floor[i] : 0.0;
    has_floor_ = has_floor_ || floor > 0.0;
    has_infinite_friction_ =
        has_infinite_friction_ || (size(i) > 1 && std::isinf(problem.friction[i]));
    contact_[i].assign(value_.data() + offset_[own], size(i), size(i), problem.friction[i], floor);
  }
}

void CoulombBlocks::velocity(int i, const double* p, double* z) const {
  const int rows = size(i);
  double sum[3] = {};
  for (int r = 0; r < rows; ++r) sum[r] = b_[start_[i] + r];
  for (int k = first_[i]; k < first_[i + 1]; ++k) {
    const int j = column_[k];
    const double* A = value_.data() + offset_[k];
    const double* x = p + start_[j];
    const int columns = size(j);
    if (rows == 3 && columns == 3) {
      sum[0] += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
      sum[1] += A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
      sum[2] += A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
      continue;
    }
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) sum[r] += A[r * columns + c] * x[c];
    }
  }
  for (int r = 0; r < rows; ++r) z[r] = sum[r];
}

double CoulombBlocks::evaluate(const double* p, double* z) const {
  double error = 0.0;
  for (int i = 0; i < contacts(); ++i) {
    velocity(i, p, z + start_[i]);
    error = std::max(error, contact_[i].error(p + start_[i], z + start_[i]));
  }
  return error / scale_;
}

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
