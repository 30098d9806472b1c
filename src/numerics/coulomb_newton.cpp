// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_newton.hpp"

#include "numerics/orthogonal_factor.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

namespace percute::numerics {

namespace {

constexpr int kShortestStep = 40;  ///< rows up to which the shortest step is computed
constexpr int kDense = 240;        ///< rows up to which the Jacobian is a full matrix

}  // namespace

void NewtonStep::resize(int rows) {
  rows_ = rows;
  dense_ = rows <= kDense;
  if (dense_) J_.resize(rows, rows);
}

void NewtonStep::set_zero() {
  if (dense_) {
    J_.setZero();
  } else {
    entries_.clear();
  }
}

bool NewtonStep::solve(const Vector& F, double regularisation, Vector& step) {
  if (rows_ <= kShortestStep) {
    const OrthogonalFactor factors(J_, 1e-12);
    step = -factors.solve(F);
  } else if (dense_) {
    J_.diagonal().array() += regularisation;
    step = -J_.partialPivLu().solve(F);
  } else {
    for (int i = 0; i < rows_; ++i) entries_.emplace_back(i, i, regularisation);
    sparse_.resize(rows_, rows_);
    sparse_.setFromTriplets(entries_.begin(), entries_.end());
    const Eigen::SparseLU<SparseMatrix> factors(sparse_);
    if (factors.info() != Eigen::Success) return false;
    step = -factors.solve(F);
  }
  return step.allFinite();
}

namespace {

/// J_i: = −B (I_i − ρ A_i:) for a block B of one contact, plus the identity on its own rows.
void add_projection_rows(const CoulombBlocks& blocks, int i, const Eigen::Matrix3d& B, double rho,
                         NewtonStep& J) {
  const int row = blocks.start(i);
  const int n = blocks.size(i);
  for (int r = 0; r < n; ++r) {
    J.add(row + r, row + r, 1.0);
    for (int c = 0; c < n; ++c) {
      if (B(r, c) != 0.0) J.add(row + r, row + c, -B(r, c));
    }
  }
  blocks.for_row(i, [&](int j, const double* A) {
    const int columns = blocks.size(j);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) sum += B(r, k) * A[k * columns + c];
        if (sum != 0.0) J.add(row + r, blocks.start(j) + c, rho * sum);
      }
    }
  });
}

/// F_i, and B = ∂P/∂x of one contact where asked for.
void alart_curnier(const CoulombContact& contact, const double* p, const double* z, double* F,
                   Eigen::Matrix3d* B) {
  const int n = contact.size();
  const double rho = contact.step();
  const double mu = contact.friction();
  const double xn = p[0] - rho * z[0];
  const bool closed = xn > contact.floor();
  const double normal = std::max(xn, contact.floor());
  const double radius = normal > 0.0 ? mu * normal : 0.0;
  const double x1 = n > 1 ? p[1] - rho * z[1] : 0.0;
  const double x2 = n > 2 ? p[2] - rho * z[2] : 0.0;
  const double length = std::hypot(x1, x2);
  const bool stick = length <= radius;
  const double factor = stick ? 1.0 : radius / length;
  F[0] = p[0] - normal;
  if (n > 1) F[1] = p[1] - factor * x1;
  if (n > 2) F[2] = p[2] - factor * x2;
  if (B == nullptr) return;
  B->setZero();
  (*B)(0, 0) = closed ? 1.0 : 0.0;
  if (n == 1) return;
  if (stick) {
    (*B)(1, 1) = 1.0;
    (*B)(2, 2) = n > 2 ? 1.0 : 0.0;
    return;
  }
  const double u[2] = {x1 / length, x2 / length};
  for (int r = 0; r < n - 1; ++r) {
    if (closed) (*B)(r + 1, 0) = mu * u[r];
    for (int c = 0; c < n - 1; ++c)
      (*B)(r + 1, c + 1) = factor * ((r == c ? 1.0 : 0.0) - u[r] * u[c]);
  }
}

/// All of F, rows divided by m_i vs.
void alart_curnier(const CoulombBlocks& blocks, const Vector& p, const Vector& z, Vector& F) {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const int row = blocks.start(i);
    alart_curnier(blocks.contact(i), p.data() + row, z.data() + row, F.data() + row, nullptr);
  }
}

double merit(const CoulombBlocks& blocks, const Vector& F) {
  double sum = 0.0;
  for (int i = 0; i < blocks.contacts(); ++i) {
    const double scale = blocks.contact(i).mass() * blocks.scale();
    if (scale <= 0.0) continue;
    for (int r = 0; r < blocks.size(i); ++r) {
      const double f = F[blocks.start(i) + r] / scale;
      sum += f * f;
    }
  }
  return std::sqrt(sum);
}

void prepare(const CoulombBlocks& blocks, NewtonMemory& memory, CoulombSolution& solution) {
  const int n = blocks.rows();
  memory.jacobian.resize(n);
  memory.F.resize(n);
  memory.step.resize(n);
  memory.trial_p.resize(n);
  memory.trial_z.resize(n);
  memory.trial_F.resize(n);
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  memory.best.p = solution.p;
  memory.best.error = solution.error;
}

void remember(NewtonMemory& memory, const CoulombSolution& solution) {
  if (!(solution.error < memory.best.error)) return;
  memory.best.p = solution.p;
  memory.best.error = solution.error;
}

void finish(const CoulombBlocks& blocks, double tolerance, const NewtonMemory& memory,
            CoulombSolution& solution) {
  solution.p = memory.best.p;
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
}

}  // namespace

void solve_alart_curnier(const CoulombBlocks& blocks, double tolerance, int max_steps,
                         NewtonMemory& memory, CoulombSolution& solution) {
  prepare(blocks, memory, solution);
  alart_curnier(blocks, solution.p, solution.z, memory.F);
  double value = merit(blocks, memory.F);
  int stalls = 0;
  const int patience = blocks.rows() <= kDense ? 12 : 2;
  for (int k = 0; k < max_steps && !(memory.best.error <= tolerance) && stalls < patience; ++k) {
    ++solution.iterations;
    memory.jacobian.set_zero();
    for (int i = 0; i < blocks.contacts(); ++i) {
      Eigen::Matrix3d B;
      double F[3];
      const int row = blocks.start(i);
      alart_curnier(blocks.contact(i), solution.p.data() + row, solution.z.data() + row, F, &B);
      add_projection_rows(blocks, i, B, blocks.contact(i).step(), memory.jacobian);
    }
    bool moved = false;
    if (memory.jacobian.solve(memory.F, 1e-12, memory.step)) {
      for (double t = 1.0; t > 1e-2 && !moved; t *= 0.5) {
        memory.trial_p = solution.p + t * memory.step;
        const double error = blocks.evaluate(memory.trial_p.data(), memory.trial_z.data());
        alart_curnier(blocks, memory.trial_p, memory.trial_z, memory.trial_F);
        const double trial = merit(blocks, memory.trial_F);
        if (trial < (1.0 - 1e-3 * t) * value || error <= tolerance) {
          moved = true;
          value = trial;
          solution.p.swap(memory.trial_p);
          solution.z.swap(memory.trial_z);
          memory.F.swap(memory.trial_F);
          solution.error = error;
          remember(memory, solution);
        }
      }
    }
    if (!moved) {
      // Leave the neighbourhood of a point that does not want to be solved.
      ++stalls;
      const int iterations = solution.iterations;
      solve_by_sweeps(blocks, tolerance, 4 + 2 * stalls, solution);
      solution.iterations = iterations;
      remember(memory, solution);
      alart_curnier(blocks, solution.p, solution.z, memory.F);
      value = merit(blocks, memory.F);
    }
  }
  finish(blocks, tolerance, memory, solution);
}

}  // namespace percute::numerics
