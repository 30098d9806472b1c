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
      solution.error <= tolerance ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
}

namespace {

/// φ of one contact and its derivatives ∂φ/∂p and ∂φ/∂z, where asked for; all divided by m vs =
/// unit.
class ConeFunction {
 public:
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Eigen::Matrix3d by_p = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d by_z = Eigen::Matrix3d::Zero();

  ConeFunction(const CoulombContact& contact, const double* p, const double* z, double unit,
               double tau, bool derivatives) {
    const int n = contact.size();
    const double mu = contact.friction();
    const double rho = contact.step() / unit;
    if (mu == 0.0) {
      // The normal direction is a cone of one dimension; there is no friction.
      const double x = p[0] / unit;
      const double y = rho * z[0];
      const double root = std::sqrt(x * x + y * y + 2.0 * tau * tau);
      value[0] = x + y - root;
      by_p(0, 0) = (1.0 - x / root) / unit;
      by_z(0, 0) = (1.0 - y / root) * rho;
      for (int r = 1; r < n; ++r) {
        value[r] = p[r] / unit;
        by_p(r, r) = 1.0 / unit;
      }
      return;
    }
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    double sliding = tau * tau / (rho * rho);
    for (int r = 1; r < n; ++r) {
      x[r] = p[r] / unit;
      y[r] = rho * mu * z[r];
      sliding += z[r] * z[r];
    }
    sliding = std::sqrt(sliding);
    x[0] = mu * p[0] / unit;
    y[0] = rho * (z[0] + mu * sliding);

    // v = (x∘x + y∘y + 2τ²e)^{1/2} by its eigenvalues
    const double w0 = x.squaredNorm() + y.squaredNorm() + 2.0 * tau * tau;
    const Eigen::Vector2d w = 2.0 * (x[0] * x.tail<2>() + y[0] * y.tail<2>());
    const double length = w.norm();
    const double small = std::sqrt(std::max(w0 - length, 2e-32 + 1e-32 * w0));
    const double large = std::sqrt(w0 + length);
    Eigen::Vector3d v(0.5 * (small + large), 0.0, 0.0);
    if (length > 0.0) v.tail<2>() = 0.5 * (large - small) / length * w;
    value = x + y - v;
    if (n < 3) value[2] = 0.0;
    if (!derivatives) return;

    // dφ = (I − L_v⁻¹L_x) dx + (I − L_v⁻¹L_y) dy, L_a the matrix of b ↦ a∘b
    const Eigen::Matrix3d inverse = inverse_arrow(v, small * large);
    Eigen::Matrix3d dy = Eigen::Matrix3d::Zero();
    dy(0, 0) = rho;
    by_p = Eigen::Matrix3d::Identity() - inverse * arrow(x);
    by_z = Eigen::Matrix3d::Identity() - inverse * arrow(y);
    for (int r = 1; r < n; ++r) {
      dy(r, r) = rho * mu;
      if (sliding > 0.0) dy(0, r) = rho * mu * z[r] / sliding;
    }
    by_p *= Eigen::Vector3d(mu, 1.0, 1.0).asDiagonal();
    by_p /= unit;
    by_z = by_z * dy;
  }

 private:
  static Eigen::Matrix3d arrow(const Eigen::Vector3d& a) {
    Eigen::Matrix3d L = a[0] * Eigen::Matrix3d::Identity();
    L.row(0).tail<2>() = a.tail<2>();
    L.col(0).tail<2>() = a.tail<2>();
    return L;
  }
  static Eigen::Matrix3d inverse_arrow(const Eigen::Vector3d& v, double determinant) {
    Eigen::Matrix3d L = Eigen::Matrix3d::Zero();
    L(0, 0) = v[0] / determinant;
    L.row(0).tail<2>() = -v.tail<2>() / determinant;
    L.col(0).tail<2>() = -v.tail<2>() / determinant;
    L.bottomRightCorner<2, 2>() =
        (Eigen::Matrix2d::Identity() + v.tail<2>() * v.tail<2>().transpose() / determinant) / v[0];
    return L;
  }
};

double unit_of(const CoulombBlocks& blocks, int i) {
  const double unit = blocks.contact(i).mass() * blocks.scale();
  return unit > 0.0 ? unit : 1.0;
}

double smoothed(const CoulombBlocks& blocks, const Vector& p, const Vector& z, double tau,
                Vector& F) {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const int row = blocks.start(i);
    const ConeFunction phi(blocks.contact(i), p.data() + row, z.data() + row, unit_of(blocks, i),
                           tau, false);
    for (int r = 0; r < blocks.size(i); ++r) F[row + r] = phi.value[r];
  }
  return F.norm();
}

void assemble(const CoulombBlocks& blocks, const Vector& p, const Vector& z, double tau,
              NewtonStep& J) {
  J.set_zero();
  for (int i = 0; i < blocks.contacts(); ++i) {
    const int row = blocks.start(i);
    const int n = blocks.size(i);
    const ConeFunction phi(blocks.contact(i), p.data() + row, z.data() + row, unit_of(blocks, i),
                           tau, true);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) J.add(row + r, row + c, phi.by_p(r, c));
    }
    blocks.for_row(i, [&](int j, const double* A) {
      const int columns = blocks.size(j);
      for (int r = 0; r < n; ++r) {
        for (int c = 0; c < columns; ++c) {
          double sum = 0.0;
          for (int k = 0; k < n; ++k) sum += phi.by_z(r, k) * A[k * columns + c];
          J.add(row + r, blocks.start(j) + c, sum);
        }
      }
    });
  }
}

}  // namespace

void solve_fischer_burmeister(const CoulombBlocks& blocks, double tolerance, int max_steps,
                              NewtonMemory& memory, CoulombSolution& solution) {
  if (blocks.has_floor() || blocks.has_infinite_friction()) {
    solve_alart_curnier(blocks, tolerance, max_steps, memory, solution);
    return;
  }
  const int n = blocks.rows();
  memory.jacobian.resize(n);
  for (Vector* v : {&memory.F, &memory.step, &memory.trial_p, &memory.trial_z, &memory.trial_F}) {
    v->resize(n);
  }
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  memory.best.p = solution.p;
  memory.best.error = solution.error;
  double tau = std::clamp(0.1 * solution.error, 1e-8, 0.1);
  int stalls = 0;
  for (int k = 0; k < max_steps && !(memory.best.error <= tolerance) && stalls < 8; ++k) {
    ++solution.iterations;
    double value = smoothed(blocks, solution.p, solution.z, tau, memory.F);
    assemble(blocks, solution.p, solution.z, tau, memory.jacobian);
    if (!memory.jacobian.solve(memory.F, 1e-12, memory.step)) break;
    double t = 1.0;
    for (; t > 1e-6; t *= 0.5) {
      memory.trial_p = solution.p + t * memory.step;
      solution.error = blocks.evaluate(memory.trial_p.data(), memory.trial_z.data());
      const double trial = smoothed(blocks, memory.trial_p, memory.trial_z, tau, memory.trial_F);
      if (trial <= (1.0 - 1e-4 * t) * value || solution.error <= tolerance) {
        value = trial;
        break;
      }
    }
    solution.p.swap(memory.trial_p);
    solution.z.swap(memory.trial_z);
    if (solution.error < memory.best.error) {
      memory.best.p = solution.p;
      memory.best.error = solution.error;
    }
    // Follow the solution of the smoothed equations; push on where they resist.
    if (t <= 1e-6) {
      ++stalls;
      tau = stalls % 2 == 1 ? std::min(0.3, 10.0 * tau) : 0.01 * tau;
    } else if (value <= 0.3 * tau) {
      tau = std::max(1e-15, std::min(0.2 * tau, value * value + 1e-3 * tau));
    }
  }
  solution.p = memory.best.p;
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
}

}  // namespace percute::numerics
