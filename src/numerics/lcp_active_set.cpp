// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp_methods.hpp"

#include <algorithm>
#include <cmath>

// A symmetric positive semidefinite: the problem is min ½ zᵀA z + bᵀz over z ≥ 0, and its solution
// is known once the set F of positive z_i is. Guess F = {z_i > 0} of a warm start, else {b_i ≤ 0},
// and correct it in blocks: most impacts end there, after one or two systems of equations. Where
// the guesses do not settle, as among redundant contacts, Lemke's method decides; the best of all
// is returned.

namespace percute::numerics::lcp {

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

}  // namespace percute::numerics::lcp
