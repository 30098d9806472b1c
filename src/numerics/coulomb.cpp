// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb.hpp"

#include "numerics/coulomb_methods.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace percute::numerics {

void ProblemCheck::contacts(const std::vector<int>& start, Eigen::Index rows, Eigen::Index columns,
                            const Vector& b, const Vector& friction) const {
  const auto& require = *this;
  require(!start.empty() && start.front() == 0, "start must begin with 0");
  const int m = static_cast<int>(start.size()) - 1;
  const std::string n = std::to_string(start.back());
  for (int i = 0; i < m; ++i) {
    const int size = start[i + 1] - start[i];
    require(size >= 1 && size <= 3,
            "contact " + std::to_string(i) + " has " + std::to_string(size) + " rows, not 1 to 3");
  }
  require(b.size() == start.back(), "b needs " + n + " entries");
  require(rows == b.size() && columns == b.size(), "A must be square with " + n + " rows");
  require(friction.size() == m, "friction needs " + std::to_string(m) + " entries");
  for (int i = 0; i < m; ++i) {
    require(friction[i] >= 0.0, "friction of contact " + std::to_string(i) + " is " +
                                    std::to_string(friction[i]) + ", must be at least 0");
  }
  require(b.allFinite(), "b must be finite");
}

void CoulombBlocks::assign(const CoulombProblem& problem, double scale) {
  const ProblemCheck require("Coulomb problem");
  require.contacts(problem.start, problem.A.rows(), problem.A.cols(), problem.b, problem.friction);
  const int m = static_cast<int>(problem.start.size()) - 1;
  require(problem.impulse_floor.size() == 0 || problem.impulse_floor.size() == m,
          "impulse_floor needs 0 or " + std::to_string(m) + " entries");
  for (int i = 0; i < problem.impulse_floor.size(); ++i) {
    require(problem.impulse_floor[i] >= 0.0 && std::isfinite(problem.impulse_floor[i]),
            "impulse_floor of contact " + std::to_string(i) + " is " +
                std::to_string(problem.impulse_floor[i]) + ", must be finite and at least 0");
  }
  for (int k = 0; k < problem.A.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(problem.A, k); entry; ++entry) {
      require(std::isfinite(entry.value()), "A must be finite");
    }
  }
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
    const double floor = problem.impulse_floor.size() > 0 ? problem.impulse_floor[i] : 0.0;
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

}  // namespace

void solve_alart_curnier(const CoulombBlocks& blocks, double tolerance, int max_steps,
                         NewtonMemory& memory, CoulombSolution& solution) {
  const int n = blocks.rows();
  memory.jacobian.resize(n);
  for (Vector* v : {&memory.F, &memory.step, &memory.trial_p, &memory.trial_z, &memory.trial_F}) {
    v->resize(n);
  }
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  memory.best.p = solution.p;
  memory.best.error = solution.error;
  const auto remember = [&] {
    if (!(solution.error < memory.best.error)) return;
    memory.best.p = solution.p;
    memory.best.error = solution.error;
  };
  alart_curnier(blocks, solution.p, solution.z, memory.F);
  double value = merit(blocks, memory.F);
  int stalls = 0;
  const int patience = n <= kDense ? 12 : 2;
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
      alart_curnier(blocks, solution.p, solution.z, memory.F);
      value = merit(blocks, memory.F);
    }
  }
  solution.p = memory.best.p;
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? SolverStatus::Solved : SolverStatus::IterationLimit;
}

namespace {

constexpr double kSmallError = 1e-10;  ///< Solved promises at least this
constexpr int kSmallProblem = 240;     ///< rows up to which Newton's method is cheap

/// In [−1, 1], the same on every machine.
double next_number(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

struct CoulombSolver::Memory {
  CoulombBlocks blocks;
  NewtonMemory newton;
  CoulombSolution trial;
  CoulombSolution best;

  void solve_automatically(const CoulombProblem& problem, double tolerance, int max_sweeps,
                           CoulombSolution& solution);
  void random_start(std::mt19937_64& random, double size, Vector& p) const;
  void clean(double tolerance, CoulombSolution& solution);
};

/// Puts impulses that rounding left outside their cones inside, so that μ = 0 means p_t = 0.
void CoulombSolver::Memory::clean(double tolerance, CoulombSolution& solution) {
  trial.p = solution.p;
  trial.z.resize(blocks.rows());
  blocks.put_in_cones(trial.p);
  trial.error = blocks.evaluate(trial.p.data(), trial.z.data());
  if (!(trial.error <= std::max(tolerance, solution.error))) return;
  solution.p = trial.p;
  solution.z = trial.z;
  solution.error = trial.error;
}

/// Impulses inside the cones; size 1 stops the approach of a contact alone.
void CoulombSolver::Memory::random_start(std::mt19937_64& random, double size, Vector& p) const {
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
void CoulombSolver::Memory::solve_automatically(const CoulombProblem& problem, double tolerance,
                                                int max_sweeps, CoulombSolution& solution) {
  const bool small = blocks.rows() <= kSmallProblem;
  trial.p = solution.p;
  trial.iterations = 0;
  best.error = std::numeric_limits<double>::infinity();
  const auto done = [&] {
    if (trial.error < best.error) best = trial;
    return best.error <= tolerance;
  };
  const auto sweep_and_newton = [&](int sweeps, int steps) {
    solve_by_sweeps(blocks, tolerance, sweeps, trial);
    best.multiple_solutions = trial.multiple_solutions;
    if (done()) return true;
    const SolverStatus status = trial.status;
    solve_alart_curnier(blocks, tolerance, steps, newton, trial);
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
        random_start(random, near ? 1.0 : 4.0, trial.p);
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
    case CoulombMethod::Automatic:
      memory.solve_automatically(problem, options.tolerance, limit(5000), solution);
      break;
  }
  if (solution.iterations > 0) memory.clean(options.tolerance, solution);
  if (solution.error <= std::max(options.tolerance, kSmallError)) {
    solution.status = SolverStatus::Solved;
  } else if (solution.status == SolverStatus::Solved) {
    solution.status = SolverStatus::IterationLimit;
  }
}

CoulombSolution solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options) {
  CoulombSolution solution;
  CoulombSolver().solve(problem, options, solution);
  return solution;
}

}  // namespace percute::numerics
