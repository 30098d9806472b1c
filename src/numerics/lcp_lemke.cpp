// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp_methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Lemke's complementary pivoting (Lemke 1965; Cottle, Pang & Stone 1992, § 4.4). A variable z₀ and
// a covering vector c > 0 make
//
//   w − A z − c z₀ = b,   w, z, z₀ ≥ 0,   z_i w_i = 0
//
// trivial to satisfy with z = 0. Pivots along complementary variables keep all this true until z₀
// leaves the basis, which is a solution, or nothing blocks the entering variable, which is a ray.
// Ties of the ratio test are broken lexicographically by the rows of the inverse of the basis, as
// if b were b + (ε, ε², …): no basis comes back, so there is no cycling. A ray means "infeasible"
// for copositive-plus A, in particular for every positive semidefinite A, symmetric or not.

namespace percute::numerics::lcp {

namespace {

enum class End { Solution, Ray, Limit };

class Tableau {
 public:
  Tableau(const Problem& problem, Memory& memory)
      : problem_(problem),
        m_(problem.size),
        columns_(2 * m_ + 2),
        root_(memory.numbers(m_)),
        entries_(memory.numbers(m_ * columns_)),
        basis_(memory.indices(m_)),
        tied_(memory.indices(m_)) {
    unit_ = unit_diagonal(problem, root_);
  }

  End run(int attempt, int limit, int& pivots) {
    fill(attempt);
    smallest_pivot_ = attempt % 2 == 0 ? 1e-10 : 1e-12;
    int row = first_row();
    int entering = artificial();
    for (int count = 0; count < limit; ++count) {
      ++pivots;
      const int leaving = std::exchange(basis_[row], entering);
      pivot(row, entering);
      if (leaving == artificial()) return End::Solution;
      entering = leaving < m_ ? leaving + m_ : leaving - m_;
      row = blocking_row(entering);
      if (row < 0) return End::Ray;
    }
    return End::Limit;
  }

  /// z of the present basis, in the units of the problem.
  void read(double* z) const {
    std::fill(z, z + m_, 0.0);
    for (int i = 0; i < m_; ++i) {
      const int j = basis_[i] - m_;
      if (j >= 0 && j < m_) z[j] = std::max(0.0, at(i, right())) * root_[j] * unit_;
    }
  }

  /// Indices of the z in the basis; returns how many.
  int support(int* out) const {
    int count = 0;
    for (int i = 0; i < m_; ++i) {
      if (basis_[i] >= m_ && basis_[i] < 2 * m_) out[count++] = basis_[i] - m_;
    }
    return count;
  }

 private:
  int artificial() const { return 2 * m_; }
  int right() const { return 2 * m_ + 1; }
  double& at(int i, int j) const { return entries_[i * columns_ + j]; }

  /// Rows [I | −A | −c | b], basis w. Later attempts cover with other vectors, which lead along
  /// other paths.
  void fill(int attempt) {
    std::fill(entries_, entries_ + m_ * columns_, 0.0);
    for (int i = 0; i < m_; ++i) {
      basis_[i] = i;
      at(i, i) = 1.0;
      for (int j = 0; j < m_; ++j) at(i, m_ + j) = -root_[i] * problem_.column(i, j) * root_[j];
      at(i, artificial()) = -(1.0 + std::fmod(0.6180339887498949 * attempt * (i + 1), 1.0));
      at(i, right()) = root_[i] * problem_.b[i] / unit_;
    }
  }

  /// The row in which z₀ enters: lexicographically least b_i / c_i, so the last one of equals.
  int first_row() const {
    int row = 0;
    const auto ratio = [&](int i) { return -at(i, right()) / at(i, artificial()); };
    for (int i = 1; i < m_; ++i) {
      if (ratio(i) <= ratio(row)) row = i;
    }
    return row;
  }

  /// The basic variable that first becomes zero, −1 if none does. z₀ goes first among equals.
  int blocking_row(int entering) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < m_; ++i) {
      const double slope = at(i, entering);
      if (slope > smallest_pivot_) least = std::min(least, at(i, right()) / slope);
    }
    int count = 0;
    for (int i = 0; i < m_; ++i) {
      const double slope = at(i, entering);
      if (!(slope > smallest_pivot_) || at(i, right()) / slope > least + kTie * (1.0 + least))
        continue;
      if (basis_[i] == artificial()) return i;
      tied_[count++] = i;
    }
    for (int column = 0; count > 1 && column < m_; ++column) {
      double smallest = std::numeric_limits<double>::infinity();
      for (int k = 0; k < count; ++k) {
        smallest = std::min(smallest, at(tied_[k], column) / at(tied_[k], entering));
      }
      int kept = 0;
      for (int k = 0; k < count; ++k) {
        const double ratio = at(tied_[k], column) / at(tied_[k], entering);
        if (ratio <= smallest + kTie * (1.0 + std::abs(smallest))) tied_[kept++] = tied_[k];
      }
      count = kept;
    }
    return count > 0 ? tied_[0] : -1;
  }

  void pivot(int row, int column) {
    using Row = Eigen::Map<Eigen::RowVectorXd>;
    Row source(entries_ + row * columns_, columns_);
    source /= at(row, column);
    at(row, column) = 1.0;
    for (int i = 0; i < m_; ++i) {
      const double factor = at(i, column);
      if (i == row || factor == 0.0) continue;
      Row(entries_ + i * columns_, columns_) -= factor * source;
      at(i, column) = 0.0;
      double& value = at(i, right());
      if (value < 0.0 && value > -kTie) value = 0.0;
    }
  }

  static constexpr double kTie = 1e-13;  ///< ratios closer than this are equal

  const Problem& problem_;
  int m_;
  int columns_;
  double unit_ = 1.0;
  double smallest_pivot_ = 0.0;  ///< slopes that rounding makes of zero are smaller
  double* root_;
  double* entries_;
  int* basis_;
  int* tied_;
};

}  // namespace

Outcome lemke(const Problem& problem, Memory& memory, double* z) {
  const int m = problem.size;
  double* candidate = memory.numbers(m);
  double* basic = memory.numbers(m);
  int* support = memory.indices(m);
  SupportEquations equations(problem, memory);
  Tableau tableau(problem, memory);
  const int limit = problem.max_iterations > 0 ? problem.max_iterations : 50 + 20 * m;

  Outcome outcome{.infeasible = true};
  Best best{.problem = problem, .z = z, .w = memory.numbers(m)};
  for (int attempt = 0; attempt < 4 && best.error > problem.tolerance; ++attempt) {
    if (attempt > 1 && best.error <= kRounding) break;
    const End end = tableau.run(attempt, limit, outcome.iterations);
    if (end != End::Ray) outcome.infeasible = false;
    // The support says it better than numbers that went through many pivots.
    tableau.read(basic);
    best.offer(basic);
    if (end != End::Solution) continue;
    const int count = tableau.support(support);
    if (equations.solve(support, count, candidate)) best.offer(candidate);
  }
  return outcome;
}

}  // namespace percute::numerics::lcp
