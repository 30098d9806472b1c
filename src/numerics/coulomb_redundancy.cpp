// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_methods.hpp"
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::numerics {

namespace {

constexpr int kLargest = 400;         ///< active rows
constexpr double kStill = 1e-8;       ///< of the velocity scale: slower is not moving
constexpr double kDependent = 1e-11;  ///< of the largest eigenvalue: smaller is zero

/// The impulses that give the same velocities: p + Q t with orthonormal Q, A Q = 0, inside the
/// cones.
class SameVelocity {
 public:
  SameVelocity(const CoulombProblem& problem, const CoulombSolution& solution) : p_(solution.p) {
    blocks_.assign(problem, 0.0);
    Vector z(blocks_.rows());
    blocks_.evaluate(p_.data(), z.data());
    find_directions(problem, free_directions(z));
  }

  bool single() const { return Q_.cols() == 0; }
  const CoulombBlocks& blocks() const { return blocks_; }

  /// Nearest of these impulses to q: with linear constraints a least-distance problem, discs being
  /// approached by tangents where they are violated. Where that does not end, the last point on the
  /// way from p that is inside the cones.
  Vector nearest(const Vector& q) const {
    const double unit = p_.norm();
    if (!(unit > 0.0) || single()) return p_;
    const Vector centre = p_ - Q_ * (Q_.transpose() * (p_ - q));
    Cuts cuts = initial_cuts();
    Vector best = p_;
    for (int k = 0; k < 30; ++k) {
      Vector t;
      const Vector right =
          (cuts.bound - cuts.rows * centre) / unit - Vector::Constant(cuts.bound.size(), 1e-13);
      if (!least_distance(cuts.rows * Q_, right, t)) return p_;
      best = centre + unit * (Q_ * t);
      if (!add_tangents(best, cuts)) return best;
    }
    double inside = 0.0;
    double outside = 1.0;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (inside + outside);
      (in_discs(p_ + middle * (best - p_)) ? inside : outside) = middle;
    }
    return p_ + inside * (best - p_);
  }

 private:
  /// rows p ≥ bound
  struct Cuts {
    Matrix rows;
    Vector bound;
    void add(const Vector& row, double value) {
      rows.conservativeResize(rows.rows() + 1, row.size());
      bound.conservativeResize(bound.size() + 1);
      rows.row(rows.rows() - 1) = row.transpose();
      bound[bound.size() - 1] = value;
    }
  };

  struct Freedom {
    bool normal = false;   ///< closed; p_t follows p_n where it slides
    bool tangent = false;  ///< sticks
  };

  /// The combinations of the columns of S that A does not feel.
  void find_directions(const CoulombProblem& problem, const Matrix& S) {
    if (S.cols() == 0 || S.cols() > kLargest) return;
    const Matrix M = S.transpose() * (problem.A * S);
    const Eigen::LLT<Matrix> factors(M);
    if (factors.info() == Eigen::Success) {
      const Vector pivots = factors.matrixLLT().diagonal();
      if (pivots.minCoeff() > 1e-4 * pivots.maxCoeff()) return;  // nonsingular beyond doubt
    }
    const SymmetricEigen eigen = symmetric_eigen(M);
    const Vector& values = eigen.values;
    const int dependent =
        static_cast<int>((values.array() <= kDependent * values[values.size() - 1]).count());
    if (dependent == 0) return;
    Q_ = OrthogonalFactor(S * eigen.vectors.leftCols(dependent)).basis().leftCols(dependent);
  }

  /// Columns: the directions in which each contact may change without changing what it does.
  Matrix free_directions(const Vector& z) {
    const int m = blocks_.contacts();
    freedom_.resize(m);
    Matrix S = Matrix::Zero(blocks_.rows(), blocks_.rows());
    int column = 0;
    const double still = kStill * blocks_.scale();
    for (int i = 0; i < m; ++i) {
      const CoulombContact& contact = blocks_.contact(i);
      const int row = blocks_.start(i);
      const double mu = contact.friction();
      double sliding = 0.0;
      for (int r = 1; r < contact.size(); ++r) sliding = std::hypot(sliding, z[row + r]);
      Freedom& freedom = freedom_[i];
      freedom.normal = z[row] <= still;
      freedom.tangent = contact.size() > 1 && mu > 0.0 && sliding <= still &&
                        (freedom.normal || contact.floor() > 0.0);
      if (freedom.normal) {
        S(row, column) = 1.0;
        for (int r = 1; r < contact.size() && !freedom.tangent && mu > 0.0; ++r) {
          S(row + r, column) = std::isinf(mu) ? 0.0 : -mu * z[row + r] / sliding;
        }
        ++column;
      }
      for (int r = 1; r < contact.size() && freedom.tangent; ++r) S(row + r, column++) = 1.0;
    }
    return S.leftCols(column);
  }

  Cuts initial_cuts() const {
    Cuts cuts;
    cuts.rows.resize(0, blocks_.rows());
    for (int i = 0; i < blocks_.contacts(); ++i) {
      const CoulombContact& contact = blocks_.contact(i);
      const int row = blocks_.start(i);
      if (freedom_[i].normal) cuts.add(Vector::Unit(blocks_.rows(), row), contact.floor());
      if (!freedom_[i].tangent || std::isinf(contact.friction())) continue;
      const int corners = contact.size() == 2 ? 2 : 8;
      for (int k = 0; k < corners; ++k) {
        const double angle = 2.0 * std::acos(-1.0) * k / corners;
        cuts.add(tangent(i, std::cos(angle), std::sin(angle)), 0.0);
      }
    }
    return cuts;
  }

  /// μ p_n − u·p_t
  Vector tangent(int i, double u1, double u2) const {
    Vector row = Vector::Zero(blocks_.rows());
    const int first = blocks_.start(i);
    row[first] = blocks_.contact(i).friction();
    row[first + 1] = -u1;
    if (blocks_.size(i) > 2) row[first + 2] = -u2;
    return row;
  }

  bool in_discs(const Vector& p) const {
    Cuts none;
    none.rows.resize(0, blocks_.rows());
    return !add_tangents(p, none);
  }

  /// Cuts off p where it is outside a disc; false: it is in all.
  bool add_tangents(const Vector& p, Cuts& cuts) const {
    bool added = false;
    for (int i = 0; i < blocks_.contacts(); ++i) {
      const double mu = blocks_.contact(i).friction();
      if (!freedom_[i].tangent || blocks_.size(i) < 3 || std::isinf(mu)) continue;
      const int row = blocks_.start(i);
      const double length = std::hypot(p[row + 1], p[row + 2]);
      if (length <= mu * p[row] + 1e-11 * (1e-300 + p.norm())) continue;
      cuts.add(tangent(i, p[row + 1] / length, p[row + 2] / length), 0.0);
      added = true;
    }
    return added;
  }

  CoulombBlocks blocks_;
  Vector p_;
  std::vector<Freedom> freedom_;
  Matrix Q_;
};

}  // namespace

bool coulomb_impulse_unique(const CoulombProblem& problem, const CoulombSolution& solution) {
  const SameVelocity same(problem, solution);
  if (same.single()) return true;
  // Look from both sides, in a direction that is not special.
  const double away = 0.1 * solution.p.norm();
  Vector q(solution.p.size());
  for (int k = 0; k < q.size(); ++k) q[k] = away * std::sin(1.0 + 2.7 * k);
  return (same.nearest(solution.p + q) - solution.p).norm() <= 1e-8 * away &&
         (same.nearest(solution.p - q) - solution.p).norm() <= 1e-8 * away &&
         (same.nearest(Vector::Zero(q.size())) - solution.p).norm() <= 1e-8 * away;
}

CoulombSolution least_norm(const CoulombProblem& problem, const CoulombSolution& solution) {
  const SameVelocity same(problem, solution);
  if (same.single()) return solution;
  CoulombSolution other = solution;
  other.p = same.nearest(Vector::Zero(solution.p.size()));
  same.blocks().put_in_cones(other.p);
  other.error = same.blocks().evaluate(other.p.data(), other.z.data());
  const bool worse = other.error > std::max(1e-10, 10.0 * solution.error);
  return worse || other.p.norm() > solution.p.norm() ? solution : other;
}

}  // namespace percute::numerics
