// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_methods.hpp"
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

// What there is beside one solution: all of a planar problem, by the combinations of what contacts
// do, and the other impulses of redundant contacts with the same velocities.

namespace percute::numerics {

namespace {

constexpr int kLargestEnumeration = 6;  ///< contacts: at most 6⁶ combinations

/// What a contact does. At the floor (p_n = floor, z_n ≥ 0) friction is that of a known normal
/// impulse; with floor = 0 the contact is open.
struct Mode {
  bool closed = false;  ///< z_n = 0, p_n free
  bool stick = false;   ///< z_t = 0, p_t free
  int slip = 0;         ///< sign of z_t: p_t = −slip μ p_n
};

std::vector<Mode> modes_of(const CoulombContact& contact) {
  const bool friction = contact.size() > 1 && contact.friction() > 0.0;
  const bool slides = friction && !std::isinf(contact.friction());
  std::vector<Mode> modes;
  for (const bool closed : {false, true}) {
    if (!friction || (!closed && contact.floor() == 0.0)) {
      modes.push_back({.closed = closed});
      continue;
    }
    modes.push_back({.closed = closed, .stick = true});
    if (slides) modes.push_back({.closed = closed, .slip = 1});
    if (slides) modes.push_back({.closed = closed, .slip = -1});
  }
  return modes;
}

/// The linear problem of one combination: p = p0 + S y with E y = e and G y ≥ g.
class Combination {
 public:
  Combination(const Matrix& A, const Vector& b, const CoulombBlocks& blocks,
              const std::vector<Mode>& modes)
      : p0_(Vector::Zero(b.size())) {
    const int n = static_cast<int>(b.size());
    int count = 0;
    for (int i = 0; i < blocks.contacts(); ++i) {
      count += (modes[i].closed ? 1 : 0) + (modes[i].stick ? blocks.size(i) - 1 : 0);
    }
    S_ = Matrix::Zero(n, count);
    std::vector<int> zero_rows;
    int column = 0;
    for (int i = 0; i < blocks.contacts(); ++i) {
      const int row = blocks.start(i);
      const double mu = blocks.contact(i).friction();
      const double floor = blocks.contact(i).floor();
      if (modes[i].closed) {
        S_(row, column) = 1.0;
        if (modes[i].slip != 0) S_(row + 1, column) = -modes[i].slip * mu;
        zero_rows.push_back(row);
        ++column;
      } else {
        p0_[row] = floor;
        if (modes[i].slip != 0) p0_[row + 1] = -modes[i].slip * mu * floor;
      }
      for (int r = 1; r < blocks.size(i) && modes[i].stick; ++r) {
        S_(row + r, column++) = 1.0;
        zero_rows.push_back(row + r);
      }
    }
    const Matrix AS = A * S_;
    const Vector z0 = b + A * p0_;
    E_.resize(count, count);
    e_.resize(count);
    for (int k = 0; k < count; ++k) {
      E_.row(k) = AS.row(zero_rows[k]);
      e_[k] = -z0[zero_rows[k]];
    }
    collect_inequalities(AS, z0, blocks, modes);
  }

  /// p, or false where the combination has no solution. `slack`: inequalities may be missed by so
  /// much.
  bool solve(double slack, Vector& p) const {
    const int count = static_cast<int>(E_.cols());
    Vector y = Vector::Zero(count);
    if (count > 0) {
      const OrthogonalFactor factors(E_, 1e-11);
      y = factors.solve(e_);
      // Large impulses that cancel are known to their rounding only.
      slack = std::max(slack, 1e-14 * (E_.cwiseAbs() * y.cwiseAbs()).maxCoeff());
      const auto solved = [&] { return (E_ * y - e_).cwiseAbs().maxCoeff() <= slack; };
      if (!solved()) return false;
      if (factors.rank() < count && !satisfied(y, slack)) {
        // Redundant: look for a point that satisfies the inequalities among y + Z t, E Z = 0.
        const Matrix Z = null_space(static_cast<int>(factors.rank()));
        Vector t;
        if (!least_distance(G_ * Z, g_ - G_ * y - Vector::Constant(g_.size(), 0.5 * slack), t)) {
          return false;
        }
        y += Z * t;
        if (!solved()) return false;
      }
    }
    if (!satisfied(y, slack)) return false;
    p = p0_ + S_ * y;
    return true;
  }

 private:
  bool satisfied(const Vector& y, double slack) const {
    return g_.size() == 0 || (G_ * y - g_).minCoeff() >= -slack;
  }

  Matrix null_space(int rank) const {
    const int count = static_cast<int>(E_.cols());
    const OrthogonalFactor factors(E_.transpose());
    const Matrix Q = factors.basis();
    return Q.rightCols(count - rank);
  }

  /// Rows of G y ≥ g, each in the unit of z.
  void collect_inequalities(const Matrix& AS, const Vector& z0, const CoulombBlocks& blocks,
                            const std::vector<Mode>& modes) {
    const int rows = 4 * blocks.contacts();
    G_ = Matrix::Zero(rows, S_.cols());
    g_ = Vector::Zero(rows);
    int k = 0;
    for (int i = 0; i < blocks.contacts(); ++i) {
      const int row = blocks.start(i);
      const double mu = blocks.contact(i).friction();
      const double mass = blocks.contact(i).mass();
      const double unit = mass > 0.0 ? 1.0 / mass : 1.0;
      if (modes[i].closed) {
        G_.row(k) = unit * S_.row(row);
        g_[k++] = unit * (blocks.contact(i).floor() - p0_[row]);
      } else {
        G_.row(k) = AS.row(row);
        g_[k++] = -z0[row];
      }
      if (modes[i].slip != 0) {
        G_.row(k) = modes[i].slip * AS.row(row + 1);
        g_[k++] = -modes[i].slip * z0[row + 1];
      }
      if (!modes[i].stick || std::isinf(mu)) continue;
      for (const double sign : {1.0, -1.0}) {
        G_.row(k) = unit * (mu * S_.row(row) + sign * S_.row(row + 1));
        g_[k++] = -unit * (mu * p0_[row] + sign * p0_[row + 1]);
      }
    }
    G_.conservativeResize(k, S_.cols());
    g_.conservativeResize(k);
  }

  Matrix S_;
  Vector p0_;
  Matrix E_;
  Vector e_;
  Matrix G_;
  Vector g_;
};

/// max_i |x_i − y_i|, every contact in its own unit.
double distance(const CoulombBlocks& blocks, const Vector& x, const Vector& y, bool impulses) {
  double largest = 0.0;
  for (int i = 0; i < blocks.contacts(); ++i) {
    const double mass = blocks.contact(i).mass();
    const double unit = (impulses && mass > 0.0 ? mass : 1.0) * blocks.scale();
    for (int r = blocks.start(i); r < blocks.start(i) + blocks.size(i); ++r) {
      largest = std::max(largest, std::abs(x[r] - y[r]) / unit);
    }
  }
  return largest;
}

}  // namespace

bool enumerable(const CoulombBlocks& blocks) {
  constexpr double kMost = 4096.0;
  double combinations = 1.0;
  for (int i = 0; i < blocks.contacts(); ++i) {
    const CoulombContact& contact = blocks.contact(i);
    const bool disc = contact.size() > 2 && contact.friction() > 0.0;
    if (disc && !std::isinf(contact.friction())) return false;
    combinations *= static_cast<double>(modes_of(contact).size());
  }
  return combinations <= kMost || (blocks.planar() && blocks.contacts() <= kLargestEnumeration);
}

std::vector<CoulombSolution> enumerate_modes(const CoulombProblem& problem,
                                             const CoulombBlocks& blocks) {
  const int m = blocks.contacts();
  if (!enumerable(blocks)) {
    throw std::invalid_argument(
        "Coulomb problem: enumeration is for at most 6 contacts with at most one tangent each "
        "(two, and up to 12 contacts, where friction is 0 or infinite), not " +
        std::to_string(m) + (blocks.planar() ? "" : " spatial ones"));
  }
  const Matrix A = problem.A;
  std::vector<std::vector<Mode>> choices(m);
  std::vector<int> choice(m, 0);
  std::vector<Mode> modes(m);
  for (int i = 0; i < m; ++i) choices[i] = modes_of(blocks.contact(i));

  std::vector<CoulombSolution> solutions;
  const double slack = 1e-11 * blocks.scale();
  constexpr double kSame = 1e-8;  // solutions nearer than this are one
  for (bool more = true; more;) {
    for (int i = 0; i < m; ++i) modes[i] = choices[i][choice[i]];
    CoulombSolution s;
    if (Combination(A, problem.b, blocks, modes).solve(slack, s.p)) {
      bool known = false;
      for (const CoulombSolution& other : solutions) {
        known = known || distance(blocks, s.p, other.p, true) <= kSame;
      }
      if (!known) {
        s.z.resize(blocks.rows());
        s.error = blocks.evaluate(s.p.data(), s.z.data());
        s.status = SolverStatus::Solved;
        solutions.push_back(s);
      }
    }
    // Next combination, the first contact fastest.
    more = false;
    for (int i = 0; i < m && !more; ++i) {
      choice[i] = (choice[i] + 1) % static_cast<int>(choices[i].size());
      more = choice[i] != 0;
    }
  }
  for (CoulombSolution& s : solutions) {
    for (const CoulombSolution& other : solutions) {
      s.multiple_solutions = s.multiple_solutions || distance(blocks, s.z, other.z, false) > kSame;
    }
  }
  return solutions;
}

std::vector<CoulombSolution> enumerate_coulomb(const CoulombProblem& problem) {
  CoulombBlocks blocks;
  blocks.assign(problem, 0.0);
  return enumerate_modes(problem, blocks);
}

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

  /// The smallest of these impulses: with linear constraints a least-distance problem, discs being
  /// approached by tangents where they are violated. p itself where that does not end.
  Vector least() const {
    const double unit = p_.norm();
    if (!(unit > 0.0) || single()) return p_;
    const Vector centre = p_ - Q_ * (Q_.transpose() * p_);
    Cuts cuts = initial_cuts();
    for (int k = 0; k < 30; ++k) {
      Vector t;
      const Vector right =
          (cuts.bound - cuts.rows * centre) / unit - Vector::Constant(cuts.bound.size(), 1e-13);
      if (!least_distance(cuts.rows * Q_, right, t)) return p_;
      const Vector p = centre + unit * (Q_ * t);
      if (!add_tangents(p, cuts)) return p;
    }
    return p_;
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

CoulombSolution least_norm(const CoulombProblem& problem, const CoulombSolution& solution) {
  const SameVelocity same(problem, solution);
  if (same.single()) return solution;
  CoulombSolution other = solution;
  other.p = same.least();
  same.blocks().put_in_cones(other.p);
  other.error = same.blocks().evaluate(other.p.data(), other.z.data());
  const bool worse = other.error > std::max(1e-10, 10.0 * solution.error);
  return worse || other.p.norm() > solution.p.norm() ? solution : other;
}

}  // namespace percute::numerics
