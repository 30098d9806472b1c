// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"
#include "numerics/delassus_operator.hpp"
#include "numerics/lcp.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace percute::laws {

namespace {

/// The plastic step as a linear complementarity problem 0 ≤ U⁻ + G p ⊥ p ≥ 0 that touches few of
/// many contacts.
class PlasticStep {
 public:
  PlasticStep(const ImpactSetup& setup, const std::vector<double>& U_start)
      : setup_(setup), U_start_(U_start), tolerance_(0.1 * setup.gap_rate_tol), U_(U_start) {
    p_.assign(static_cast<std::size_t>(setup.m), 0.0);
    place_.assign(static_cast<std::size_t>(setup.m), -1);
  }

  const std::vector<double>& impulse() const { return p_; }

  /// Active sets (primal–dual, a Newton method): those contacts close that approach or press. In
  /// chains, where contacts only ever drive their neighbours together, the sets grow and the method
  /// ends after a few of them. False if it does not.
  bool close_active_sets() {
    std::fill(p_.begin(), p_.end(), 0.0);
    U_ = U_start_;
    std::vector<int> active;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<int> next;
      for (int i = 0; i < setup_.m; ++i) {
        if (setup_.G.diagonal(i) * p_[i] - U_[i] > tolerance_) next.push_back(i);
      }
      if (round > 0 && next == active) return true;
      active = std::move(next);
      if (!close(active)) break;
    }
    return false;
  }

  /// One contact after the other, wherever something is to be done, at most so often per contact.
  /// Enough where the approach is scattered, a few contacts each. False if something is left.
  bool relax(long visits) {
    std::fill(p_.begin(), p_.end(), 0.0);
    U_ = U_start_;
    // Impulse that would end the approach, or as much as can be taken back.
    const auto change = [&](int i) { return std::max(-p_[i], -U_[i] / setup_.G.diagonal(i)); };
    const auto violated = [&](int i) {
      return std::abs(change(i)) * setup_.G.diagonal(i) > tolerance_;
    };
    std::deque<int> due;
    for (int i = 0; i < setup_.m; ++i) {
      if (violated(i)) due.push_back(i);
    }
    for (long visit = 0; !due.empty() && visit < visits * setup_.m; ++visit) {
      const int i = due.front();
      due.pop_front();
      if (!violated(i)) continue;
      const double dp = change(i);
      p_[i] += dp;
      setup_.G.for_row(i, [&](int j, double G_ij) {
        U_[j] += G_ij * dp;
        if (j != i && violated(j)) due.push_back(j);
      });
    }
    return due.empty();
  }

 private:
  static constexpr int kRounds = 50;

  /// p that makes the gap rates of these contacts vanish, others being without impulse.
  bool close(const std::vector<int>& active) {
    const auto size = static_cast<Eigen::Index>(active.size());
    for (Eigen::Index k = 0; k < size; ++k) place_[active[k]] = static_cast<int>(k);
    std::vector<Eigen::Triplet<double>> entries;
    Vector b(size);
    for (Eigen::Index k = 0; k < size; ++k) {
      b[k] = -U_start_[active[k]];
      setup_.G.for_row(active[k], [&](int j, double G_ij) {
        if (place_[j] >= 0) entries.emplace_back(static_cast<int>(k), place_[j], G_ij);
      });
    }
    for (const int i : active) place_[i] = -1;
    SparseMatrix G(size, size);
    G.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLDLT<SparseMatrix> factors(G);
    if (factors.info() != Eigen::Success) return false;
    const Vector x = factors.solve(b);
    if (!x.allFinite()) return false;
    std::fill(p_.begin(), p_.end(), 0.0);
    for (Eigen::Index k = 0; k < size; ++k) p_[active[k]] = x[k];
    for (int i = 0; i < setup_.m; ++i) U_[i] = U_start_[i] + setup_.G.row(i, p_.data());
    return true;
  }

  const ImpactSetup& setup_;
  const std::vector<double>& U_start_;
  double tolerance_;
  std::vector<double> p_;   ///< m
  std::vector<double> U_;   ///< gap rates with p
  std::vector<int> place_;  ///< m, scratch: place among the active contacts, −1 for others
};

/// The same for few contacts, exactly.
bool solve_at_once(const ImpactSetup& setup, const std::vector<double>& U, Vector& p) {
  Matrix G = Matrix::Zero(setup.m, setup.m);
  for (int i = 0; i < setup.m; ++i) {
    setup.G.for_row(i, [&](int j, double G_ij) { G(i, j) = G_ij; });
  }
  const Eigen::Map<const Vector> b(U.data(), setup.m);
  auto solution = numerics::solve_lcp(G, b, {.scale = setup.velocity_scale});
  p = std::move(solution.z);
  return solution.solved();
}

}  // namespace

bool plastic_step(const ImpactSetup& setup, const std::vector<double>& U, Vector& impulse,
                  Vector& dissipated) {
  bool solved = false;
  if (setup.m <= numerics::DelassusOperator::kLargestSmall) {
    solved = solve_at_once(setup, U, impulse);
  } else {
    // Scattered approach first, then long groups of contacts; the last resort is slow, but always
    // applicable.
    PlasticStep step(setup, U);
    solved = step.relax(10) || step.close_active_sets() || step.relax(1000);
    impulse = Eigen::Map<const Vector>(step.impulse().data(), setup.m).cwiseMax(0.0);
  }
  for (int i = 0; i < setup.m; ++i) {
    const double after = U[i] + setup.G.row(i, impulse.data());
    dissipated[i] -= 0.5 * impulse[i] * (U[i] + after);
  }
  return solved;
}

}  // namespace percute::laws
