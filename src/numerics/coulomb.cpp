// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb.hpp"

#include "numerics/coulomb_methods.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace percute::numerics {

void require_contacts(const char* name, const std::vector<int>& start, Eigen::Index rows,
                      Eigen::Index columns, const Vector& b, const Vector& friction, bool others) {
  bool fine = others && !start.empty() && start.front() == 0 && b.size() == start.back() &&
              rows == b.size() && columns == b.size() && b.allFinite() &&
              friction.size() + 1 == static_cast<Eigen::Index>(start.size()) &&
              (friction.array() >= 0.0).all();
  for (std::size_t i = 0; fine && i + 1 < start.size(); ++i) {
    fine = start[i + 1] > start[i] && start[i + 1] <= start[i] + 3;
  }
  if (!fine) {
    throw std::invalid_argument(std::string(name) +
                                ": sizes disagree, or a number is not finite or negative");
  }
}

void CoulombBlocks::assign(const CoulombProblem& problem, double scale) {
  const Vector& floor = problem.impulse_floor;
  require_contacts("Coulomb problem", problem.start, problem.A.rows(), problem.A.cols(), problem.b,
                   problem.friction,
                   (floor.size() == 0 || floor.size() == problem.friction.size()) &&
                       floor.allFinite() && (floor.array() >= 0.0).all() &&
                       problem.A.coeffs().isFinite().all());
  const int m = static_cast<int>(problem.start.size()) - 1;
  start_ = problem.start;
  b_ = problem.b;
  scale_ = scale > 0.0 ? scale : (b_.size() > 0 ? b_.cwiseAbs().maxCoeff() : 0.0);
  if (!(scale_ > 0.0)) scale_ = 1.0;
  planar_ = true;

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
    contact_[i].assign(value_.data() + offset_[own], size(i), size(i), problem.friction[i],
                       floor.size() > 0 ? floor[i] : 0.0);
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

void CoulombBlocks::put_in_cones(Vector& p) const {
  for (int i = 0; i < contacts(); ++i) {
    project_on_friction_cone(p.data() + start(i), size(i), contact(i).friction(),
                             contact(i).floor());
  }
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
  solution.status = solution.error <= tolerance ? SolverStatus::Solved
                    : found                     ? SolverStatus::IterationLimit
                                                : SolverStatus::NoSlipSolution;
}

namespace {

constexpr int kShortestStep = 40;   ///< rows up to which the shortest step is computed
constexpr int kSmallProblem = 240;  ///< rows up to which Newton's method is cheap

}  // namespace

bool NewtonStep::solve(const Vector& F, double regularisation, Vector& step) {
  const auto rows = F.size();
  J_.resize(rows, rows);
  if (rows <= kShortestStep) {
    J_.setFromTriplets(entries_.begin(), entries_.end());
    step = -OrthogonalFactor(Matrix(J_), 1e-12).solve(F);
  } else {
    for (int i = 0; i < rows; ++i) entries_.emplace_back(i, i, regularisation);
    J_.setFromTriplets(entries_.begin(), entries_.end());
    const Eigen::SparseLU<SparseMatrix> factors(J_);
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

}  // namespace

void solve_alart_curnier(const CoulombBlocks& blocks, double tolerance, int max_steps,
                         CoulombSolution& solution) {
  const int n = blocks.rows();
  NewtonStep jacobian;
  Vector F(n);
  Vector step(n);
  Vector trial_p(n);
  Vector trial_z(n);
  Vector trial_F(n);
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  Vector best_p = solution.p;
  double best_error = solution.error;
  const auto remember = [&] {
    if (!(solution.error < best_error)) return;
    best_p = solution.p;
    best_error = solution.error;
  };
  alart_curnier(blocks, solution.p, solution.z, F);
  double value = merit(blocks, F);
  int stalls = 0;
  const int patience = n <= kSmallProblem ? 12 : 2;
  for (int k = 0; k < max_steps && !(best_error <= tolerance) && stalls < patience; ++k) {
    ++solution.iterations;
    jacobian.clear();
    for (int i = 0; i < blocks.contacts(); ++i) {
      Eigen::Matrix3d B;
      double own[3];
      const int row = blocks.start(i);
      alart_curnier(blocks.contact(i), solution.p.data() + row, solution.z.data() + row, own, &B);
      add_projection_rows(blocks, i, B, blocks.contact(i).step(), jacobian);
    }
    bool moved = false;
    if (jacobian.solve(F, 1e-12, step)) {
      for (double t = 1.0; t > 1e-2 && !moved; t *= 0.5) {
        trial_p = solution.p + t * step;
        const double error = blocks.evaluate(trial_p.data(), trial_z.data());
        alart_curnier(blocks, trial_p, trial_z, trial_F);
        const double trial = merit(blocks, trial_F);
        if (trial < (1.0 - 1e-3 * t) * value || error <= tolerance) {
          moved = true;
          value = trial;
          solution.p.swap(trial_p);
          solution.z.swap(trial_z);
          F.swap(trial_F);
          solution.error = error;
          remember();
        }
      }
    }
    if (!moved) {
      // Leave the neighbourhood of a point that does not want to be solved.
      ++stalls;
      const int iterations = solution.iterations;
      solve_by_sweeps(blocks, tolerance, 4 + 2 * stalls, solution);
      solution.iterations = iterations;
      remember();
      alart_curnier(blocks, solution.p, solution.z, F);
      value = merit(blocks, F);
    }
  }
  solution.p = best_p;
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? SolverStatus::Solved : SolverStatus::IterationLimit;
}

namespace {

constexpr double kSmallError = 1e-10;  ///< Solved promises at least this

/// In [−1, 1], the same on every machine.
double next_number(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
}

/// Puts impulses that rounding left outside their cones inside, so that μ = 0 means p_t = 0.
void clean(const CoulombBlocks& blocks, double tolerance, CoulombSolution& solution) {
  CoulombSolution trial{.p = solution.p};
  trial.z.resize(blocks.rows());
  blocks.put_in_cones(trial.p);
  trial.error = blocks.evaluate(trial.p.data(), trial.z.data());
  if (!(trial.error <= std::max(tolerance, solution.error))) return;
  solution.p = trial.p;
  solution.z = trial.z;
  solution.error = trial.error;
}

/// Impulses inside the cones; size 1 stops the approach of a contact alone.
void random_start(const CoulombBlocks& blocks, std::mt19937_64& random, double size, Vector& p) {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const CoulombContact& contact = blocks.contact(i);
    double* own = p.data() + blocks.start(i);
    own[0] = contact.floor() + size * contact.mass() * blocks.scale() * (1.0 + next_number(random));
    const double radius = std::min(contact.friction(), 1.0) * own[0];
    for (int r = 1; r < contact.size(); ++r) own[r] = 0.7 * radius * next_number(random);
  }
}

/// Sweeps find the modes, Newton the digits. Where they do not: more sweeps, other starting points,
/// enumeration, and in the end sweeps again.
void solve_automatically(const CoulombProblem& problem, const CoulombBlocks& blocks,
                         double tolerance, int max_sweeps, CoulombSolution& solution) {
  const bool small = blocks.rows() <= kSmallProblem;
  CoulombSolution trial{.p = solution.p};
  CoulombSolution best{.error = std::numeric_limits<double>::infinity()};
  const auto done = [&] {
    if (trial.error < best.error) best = trial;
    return best.error <= tolerance;
  };
  const auto sweep_and_newton = [&](int sweeps, int steps) {
    solve_by_sweeps(blocks, tolerance, sweeps, trial);
    best.multiple_solutions = trial.multiple_solutions;
    if (done()) return true;
    const SolverStatus status = trial.status;
    solve_alart_curnier(blocks, tolerance, steps, trial);
    if (status == SolverStatus::NoSlipSolution && trial.status != SolverStatus::Solved) {
      trial.status = status;
    }
    return done();
  };
  const auto search = [&] {
    if (sweep_and_newton(small ? 15 : 500, 50)) return;
    if (sweep_and_newton(small ? 300 : max_sweeps, 50)) return;
    if (!small || best.error <= kSmallError) return;
    std::mt19937_64 random;  // the same starts every time
    const auto restart = [&](int times) {
      for (int k = 0; k < times && !(best.error <= kSmallError); ++k) {
        // By turns with sweeps, near the solution, and without, further away.
        const bool near = k % 2 == 0;
        random_start(blocks, random, near ? 1.0 : 4.0, trial.p);
        sweep_and_newton(near ? 100 : 0, 50);
      }
      return best.error <= kSmallError;
    };
    if (restart(5)) return;
    trial.p.setZero();
    if (sweep_and_newton(0, 200)) return;
    if (enumerable(blocks)) {
      const std::vector<CoulombSolution> all = enumerate_modes(problem, blocks);
      if (all.empty()) {
        best.status = SolverStatus::Infeasible;
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
  solution = best;
  solution.iterations = trial.iterations;
}

}  // namespace

void solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options,
                   CoulombSolution& solution) {
  CoulombBlocks blocks;
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
      solve_alart_curnier(blocks, options.tolerance, limit(100), solution);
      break;
    case CoulombMethod::Automatic:
      solve_automatically(problem, blocks, options.tolerance, limit(5000), solution);
      break;
  }
  if (solution.iterations > 0) clean(blocks, options.tolerance, solution);
  if (solution.error <= std::max(options.tolerance, kSmallError)) {
    solution.status = SolverStatus::Solved;
  } else if (solution.status == SolverStatus::Solved) {
    solution.status = SolverStatus::IterationLimit;
  }
}

CoulombSolution solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options) {
  CoulombSolution solution;
  solve_coulomb(problem, options, solution);
  return solution;
}

}  // namespace percute::numerics
