// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp.hpp"

#include "numerics/lcp_methods.hpp"
#include "numerics/triangular_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace percute::numerics {

namespace lcp {

void validate(const Matrix& A, const Vector& b, double tolerance, double scale) {
  const auto m = b.size();
  if (A.rows() != m || A.cols() != m) {
    throw std::invalid_argument("linear complementarity problem: A is " + std::to_string(A.rows()) +
                                " x " + std::to_string(A.cols()) + ", b has " + std::to_string(m) +
                                " entries; A must be square and of the size of b");
  }
  if (!(tolerance >= 0.0)) {
    throw std::invalid_argument("tolerance = " + std::to_string(tolerance) +
                                ": must not be negative");
  }
  if (!(scale >= 0.0)) {
    throw std::invalid_argument("scale = " + std::to_string(scale) + ": must not be negative");
  }
}

Problem describe(const Matrix& A, const Vector& b, double scale, double* mass) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) largest = std::max(largest, A(i, i));
  if (!(largest > 0.0)) largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest > 0.0)) largest = 1.0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    mass[i] = 1.0 / (A(i, i) > 1e-14 * largest ? A(i, i) : largest);
  }
  if (!(scale > 0.0)) scale = b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0.0;
  if (!(scale > 0.0)) scale = 1.0;
  return {.size = static_cast<int>(b.size()),
          .A = A.data(),
          .b = b.data(),
          .mass = mass,
          .scale = scale};
}

double evaluate(const Problem& problem, const double* z, double* w) {
  const int m = problem.size;
  Eigen::Map<Eigen::VectorXd> sum(w, m);
  sum = Eigen::Map<const Eigen::VectorXd>(problem.b, m);
  for (int j = 0; j < m; ++j) {
    if (z[j] != 0.0) sum += Eigen::Map<const Eigen::VectorXd>(problem.A + j * m, m) * z[j];
  }
  double worst = 0.0;
  for (int i = 0; i < m; ++i) {
    const double error = std::abs(std::min(z[i] / problem.mass[i], w[i]));
    if (!std::isfinite(z[i] + w[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst / problem.scale;
}

double rounding(const Problem& problem, const double* z) {
  double worst = 0.0;
  for (int i = 0; i < problem.size; ++i) {
    double sum = std::abs(problem.b[i]);
    for (int j = 0; j < problem.size; ++j) sum += std::abs(problem.column(i, j)) * z[j];
    worst = std::max(worst, sum);
  }
  return std::numeric_limits<double>::epsilon() * worst / problem.scale;
}

void Best::offer(double* candidate) {
  for (int i = 0; i < problem.size; ++i) candidate[i] = std::max(0.0, candidate[i]);
  const double offered = evaluate(problem, candidate, w);
  if (!(offered < error)) return;
  error = offered;
  std::copy(candidate, candidate + problem.size, z);
}

double unit_diagonal(const Problem& problem, double* root) {
  const int m = problem.size;
  const auto mobile = [&](int i) { return problem.column(i, i) * problem.mass[i] > 0.5; };
  for (int i = 0; i < m; ++i) root[i] = std::sqrt(problem.mass[i]);
  double unit = 0.0;
  for (int i = 0; i < m; ++i) {
    double coupling = 0.0;
    for (int j = 0; j < m && !mobile(i); ++j) {
      const double entry = std::max(std::abs(problem.column(i, j)), std::abs(problem.column(j, i)));
      if (mobile(j)) coupling = std::max(coupling, entry * root[j]);
    }
    if (coupling > 0.0) root[i] = 1.0 / coupling;
    unit = std::max(unit, std::abs(root[i] * problem.b[i]));
  }
  return unit;
}

SupportEquations::SupportEquations(const Problem& problem, Memory& memory)
    : problem_(problem),
      matrix_(memory.numbers(problem.size * problem.size)),
      x_(memory.numbers(problem.size)),
      root_(memory.numbers(problem.size)),
      exchange_(memory.indices(problem.size)) {
  // With a unit diagonal, pivots say how far from singular A_FF is.
  unit_diagonal(problem, root_);
}

bool SupportEquations::solve(const int* support, int count, double* z) {
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      const double entry = problem_.column(support[i], support[j]);
      matrix_[i + count * j] = root_[support[i]] * entry * root_[support[j]];
    }
  }
  // What is nearly singular may pass: the error tells.
  if (!lu_factor(matrix_, count, exchange_, 1e-15)) return false;

  std::fill(z, z + problem_.size, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < count; ++i) {
      double residual = problem_.b[support[i]];
      for (int j = 0; j < count; ++j) {
        residual += problem_.column(support[i], support[j]) * z[support[j]];
      }
      x_[i] = -root_[support[i]] * residual;
    }
    lu_solve(matrix_, count, exchange_, x_);
    for (int i = 0; i < count; ++i) z[support[i]] += root_[support[i]] * x_[i];
  }
  return true;
}

// ---------------------------------------------------------------------------------------- Lemke

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

namespace {

enum class End { Solution, Ray, Limit };

class Tableau {
 public:
  Tableau(const Problem& problem, Memory& memory)
      : problem_(problem),
        m_(problem.size),
        columns_(m_ + 2),
        root_(memory.numbers(m_)),
        entries_(memory.numbers(m_ * columns_)),
        basis_(memory.indices(m_)),
        outside_(memory.indices(m_ + 1)),
        tied_(memory.indices(m_)) {
    unit_ = unit_diagonal(problem, root_);
  }

  End run(int attempt, int limit, int& pivots) {
    fill(attempt);
    smallest_pivot_ = attempt % 2 == 0 ? 1e-10 : 1e-12;
    int row = first_row();
    int entering = m_;
    for (int count = 0; count < limit; ++count) {
      ++pivots;
      pivot(row, entering);
      const int left = outside_[entering];
      if (left == artificial()) return End::Solution;
      entering = column_of(left < m_ ? left + m_ : left - m_);
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
  // Variables have numbers: w_i is i, z_i is m + i, z₀ is 2m.
  int artificial() const { return 2 * m_; }
  int right() const { return m_ + 1; }
  double& at(int i, int j) const { return entries_[i * columns_ + j]; }
  /// Column of a variable outside the basis.
  int column_of(int variable) const {
    return static_cast<int>(std::find(outside_, outside_ + m_ + 1, variable) - outside_);
  }
  /// Entry (i, k) of the inverse of the basis: the column of w_k, a unit vector while it is basic.
  double inverse(int i, int k) const {
    const int column = column_of(k);
    if (column <= m_) return at(i, column);
    return basis_[i] == k ? 1.0 : 0.0;
  }

  /// Rows [−A | −c | b] of the variables outside the basis w. Later attempts cover with other
  /// vectors, which lead along other paths.
  void fill(int attempt) {
    outside_[m_] = artificial();
    for (int i = 0; i < m_; ++i) {
      basis_[i] = i;
      outside_[i] = m_ + i;
      for (int j = 0; j < m_; ++j) at(i, j) = -root_[i] * problem_.column(i, j) * root_[j];
      at(i, m_) = -(1.0 + std::fmod(0.6180339887498949 * attempt * (i + 1), 1.0));
      at(i, right()) = root_[i] * problem_.b[i] / unit_;
    }
  }

  /// The row in which z₀ enters: lexicographically least b_i / c_i, so the last one of equals.
  int first_row() const {
    int row = 0;
    const auto ratio = [&](int i) { return -at(i, right()) / at(i, m_); };
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
      const auto ratio_of = [&](int i) { return inverse(i, column) / at(i, entering); };
      double smallest = std::numeric_limits<double>::infinity();
      for (int k = 0; k < count; ++k) smallest = std::min(smallest, ratio_of(tied_[k]));
      int kept = 0;
      for (int k = 0; k < count; ++k) {
        const double ratio = ratio_of(tied_[k]);
        if (ratio <= smallest + kTie * (1.0 + std::abs(smallest))) tied_[kept++] = tied_[k];
      }
      count = kept;
    }
    return count > 0 ? tied_[0] : -1;
  }

  /// The variables of a row and a column change places.
  void pivot(int row, int column) {
    using Row = Eigen::Map<Eigen::RowVectorXd>;
    Row source(entries_ + row * columns_, columns_);
    std::swap(basis_[row], outside_[column]);
    const double slope = std::exchange(at(row, column), 1.0);
    source /= slope;
    for (int i = 0; i < m_; ++i) {
      const double factor = at(i, column);
      if (i == row || factor == 0.0) continue;
      at(i, column) = 0.0;
      Row(entries_ + i * columns_, columns_) -= factor * source;
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
  int* basis_;    ///< variables of the rows
  int* outside_;  ///< variables of the columns
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

// ----------------------------------------------------------------------------------- Active set

// A symmetric positive semidefinite: the problem is min ½ zᵀA z + bᵀz over z ≥ 0, and its solution
// is known once the set F of positive z_i is. Guess F = {z_i > 0} of a warm start, else {b_i ≤ 0},
// and correct it in blocks: most impacts end there, after one or two systems of equations. Where
// the guesses do not settle, as among redundant contacts, Lemke's method decides; the best of all
// is returned.

namespace {

/// A_FF = L D Lᵀ for a growing list F of indices, row by row. Each row of L starts at its first
/// nonzero, so that chains of contacts, whose A has three diagonals, cost as many operations as
/// contacts.
class ActiveFactor {
 public:
  ActiveFactor(const Problem& problem, Memory& memory)
      : n_(problem.size),
        A_(problem.A),
        L_(memory.numbers(n_ * n_)),
        inverse_(memory.numbers(n_)),
        list_(memory.indices(n_)),
        first_(memory.indices(n_)) {}

  int count() const { return count_; }
  int index(int k) const { return list_[k]; }
  const int* list() const { return list_; }
  /// Some index left little of its diagonal since the last clear(): solutions need refinement.
  bool delicate() const { return delicate_; }
  void clear() {
    count_ = 0;
    delicate_ = false;
  }

  /// Takes index i up, unless its column depends on those of F: what remains of its diagonal is at
  /// most kDependent of it.
  void append(int i);
  /// x ← A_FF⁻¹ x, by position in F.
  void solve(double* x) const;

 private:
  static constexpr double kDependent = 1e-12;
  static constexpr double kDelicate = 1e-4;

  int n_;
  const double* A_;
  double* L_;        ///< n × n by rows
  double* inverse_;  ///< 1 / D
  int* list_;        ///< F
  int* first_;       ///< of row k of L: position of the first nonzero
  int count_ = 0;
  bool delicate_ = false;
};

void ActiveFactor::append(int i) {
  const double* column = A_ + n_ * i;
  double* row = L_ + n_ * count_;
  int first = 0;
  while (first < count_ && column[list_[first]] == 0.0) ++first;
  // row ← D Lᵀ-part: Σ_l L_jl row_l = A_ji
  for (int j = first; j < count_; ++j) {
    const double* other = L_ + n_ * j;
    double sum = column[list_[j]];
    for (int l = std::max(first, first_[j]); l < j; ++l) sum -= other[l] * row[l];
    row[j] = sum;
  }
  double left = column[i];
  for (int j = first; j < count_; ++j) {
    const double entry = row[j] * inverse_[j];
    left -= row[j] * entry;
    row[j] = entry;
  }
  if (!(left > kDependent * column[i])) return;
  delicate_ = delicate_ || left < kDelicate * column[i];
  list_[count_] = i;
  first_[count_] = first;
  inverse_[count_] = 1.0 / left;
  ++count_;
}

void ActiveFactor::solve(double* x) const {
  for (int k = 0; k < count_; ++k) {
    const double* row = L_ + n_ * k;
    double sum = x[k];
    for (int j = first_[k]; j < k; ++j) sum -= row[j] * x[j];
    x[k] = sum;
  }
  for (int k = 0; k < count_; ++k) x[k] *= inverse_[k];
  for (int k = count_ - 1; k > 0; --k) {
    const double* row = L_ + n_ * k;
    for (int j = first_[k]; j < k; ++j) x[j] -= row[j] * x[k];
  }
}

/// w_i with z zero outside the `count` indices in `support`, summed in long double: refining with
/// it makes z right to the last digits even where A_FF is nearly singular and w elsewhere depends
/// on it.
double careful_residual(const Problem& problem, int i, const int* support, int count,
                        const double* z) {
  long double sum = problem.b[i];
  for (int k = 0; k < count; ++k) {
    sum += static_cast<long double>(problem.column(i, support[k])) * z[support[k]];
  }
  return static_cast<double>(sum);
}

/// z of F from w_F = 0, refined where rounding is seen; w of all. Returns the natural-map error.
double solve_active(const Problem& problem, const ActiveFactor& factor, double* z, double* w,
                    double* right) {
  const int count = factor.count();
  std::fill(z, z + problem.size, 0.0);
  for (int k = 0; k < count; ++k) right[k] = -problem.b[factor.index(k)];
  double error = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    factor.solve(right);
    for (int k = 0; k < count; ++k) z[factor.index(k)] += right[k];
    error = evaluate(problem, z, w);
    double worst = 0.0;
    for (int k = 0; k < count; ++k) worst = std::max(worst, std::abs(w[factor.index(k)]));
    if (!factor.delicate() && !(worst > 0.1 * problem.tolerance * problem.scale)) break;
    for (int k = 0; k < count; ++k) {
      right[k] = -careful_residual(problem, factor.index(k), factor.list(), count, z);
    }
  }
  return error;
}

}  // namespace

/// Block principal pivoting (Kostreva 1978; Júdice & Pires 1994): while some z_i in F or w_i
/// outside is negative, all those change sides. Given up when the number of wrong ones no longer
/// falls, as it may where contacts are redundant.
Outcome active_set(const Problem& problem, Memory& memory, double* z) {
  const int m = problem.size;
  ActiveFactor factor(problem, memory);
  double* w = memory.numbers(m);
  double* right = memory.numbers(m);
  int* wanted = memory.indices(m);
  const bool warm = std::any_of(z, z + m, [](double x) { return x > 0.0; });
  for (int i = 0; i < m; ++i) wanted[i] = (warm ? z[i] > 0.0 : problem.b[i] <= 0.0) ? 1 : 0;

  Outcome outcome;
  int fewest = m + 1;
  for (int patience = 2; patience > 0;) {
    ++outcome.iterations;
    factor.clear();
    for (int i = 0; i < m; ++i) {
      if (wanted[i] != 0) factor.append(i);  // a dependent one stays out, with z_i = 0
    }
    const double error = solve_active(problem, factor, z, w, right);
    const double threshold = -problem.tolerance * problem.scale;
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
      if (!(std::min(z[i] / problem.mass[i], w[i]) < threshold)) continue;
      ++wrong;
      wanted[i] = z[i] != 0.0 ? 0 : 1;
    }
    if (wrong == 0 && error <= std::max(problem.tolerance, kRounding)) {
      for (int i = 0; i < m; ++i) z[i] = std::max(0.0, z[i]);
      return outcome;
    }
    if (wrong == 0) break;
    if (wrong < fewest) {
      fewest = wrong;
    } else {
      --patience;
    }
  }
  double* guess = memory.numbers(m);
  std::copy(z, z + m, guess);
  const Outcome last = lemke(problem, memory, z);
  outcome.iterations += last.iterations;
  outcome.infeasible = last.infeasible;
  Best best{.problem = problem, .z = z, .w = w, .error = evaluate(problem, z, w)};
  best.offer(guess);
  return outcome;
}

}  // namespace lcp

void LcpSolver::solve(const Matrix& A, const Vector& b, const LcpOptions& options,
                      LcpSolution& solution) {
  const auto by = [&](const auto& method) {
    lcp::solve_by(A, b, options, memory_, solution, method);
  };
  switch (options.method) {
    case LcpMethod::ActiveSet:
      return by(lcp::active_set);
    case LcpMethod::Lemke:
      return by(lcp::lemke);
  }
}

LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options) {
  LcpSolver solver;
  LcpSolution solution;
  solver.solve(A, b, options, solution);
  return solution;
}

}  // namespace percute::numerics
