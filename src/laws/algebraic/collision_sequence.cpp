// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <percute/laws/sequences.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>
#include <string>

// Multiple impacts as collisions one after the other: of single contacts (Binary), or of those that
// approach together (SimultaneousSet).

namespace percute::laws {

namespace {

constexpr std::size_t kRemembered = 64;    ///< states in which a cycle is recognised
constexpr double kSameState = 1e-12;       ///< relative
constexpr double kSlowContraction = 1e-6;  ///< of the largest approach in one sweep
constexpr int kSlowSweeps = 100;
constexpr double kRounding = 1e-13;  ///< of the velocity scale: no approach at all

/// A multiple impact made of collisions one after the other: keeps impulses, gap rates, energy and
/// the record, and tells when a sequence will not end by itself.
///
///   * stalled: over 100 rounds of 4 collisions for each contact that has collided, the largest
///     approach shrank by less than 1e-6 per round, or there were max_collisions;
///   * cycle: gap rates come back to one of the last 64 states, to 1e-12.
class CollisionSequence {
 public:
  CollisionSequence(const ImpactProblem& problem, long max_collisions)
      : problem_(problem),
        max_collisions_(max_collisions),
        memory_(workspace_.memory()),
        result_(start_result(problem)) {
    memory_.space.assign(problem);
    note_common(problem, memory_.space, result_);
    p_ = Vector::Zero(memory_.space.U.size());
    U_ = memory_.space.U;
    energy_ = energy_before_ = problem.mass.kinetic_energy(problem.velocity);
    going_ = memory_.space.approaching(U_);
    if (going_) {
      result_.status = Status::Ok;
      notes_of(result_).stages = 1;
      approach_ = -U_.minCoeff();
      past_.push_back(U_);
    }
  }

  const Vector& gap_rates() const { return U_; }
  const Matrix& delassus() const { return memory_.space.G; }
  double tolerance() const { return memory_.space.scale.gap_rate_tol; }
  /// Contacts that approach, until the next call.
  const std::vector<int>& approaching() {
    memory_.contacts.clear();
    for (Eigen::Index i = 0; i < U_.size(); ++i) {
      if (U_[i] < -tolerance()) memory_.contacts.push_back(static_cast<int>(i));
    }
    return memory_.contacts;
  }

  /// False when there was nothing to do, or the sequence stalls or cycles.
  bool goes_on() const { return going_; }
  /// Adds an impulse at contact i.
  void collide(int i, double impulse) {
    const Matrix& G = memory_.space.G;
    energy_ += impulse * (U_[i] + 0.5 * G(i, i) * impulse);
    p_[i] += impulse;
    U_.noalias() += G.col(i) * impulse;
    const double ratio = energy_before_ > 0.0 ? energy_ / energy_before_ : 0.0;
    notes_of(result_).sequence.push_back({.contact = i, .impulse = impulse, .energy_ratio = ratio});
  }

  /// One choice of the law is over: time to look for stalls and cycles.
  void end_of_round() {
    const auto collisions = static_cast<long>(notes_of(result_).sequence.size());
    // The sum of impulses forgets less than the sum of increments of U.
    if (collisions % 64 == 0) {
      U_ = memory_.space.U;
      U_.noalias() += memory_.space.G * p_;
    }
    if (!memory_.space.approaching(U_)) return;
    const double scale = U_.cwiseAbs().maxCoeff();
    const bool seen = std::any_of(past_.begin(), past_.end(), [&](const Vector& state) {
      return (state - U_).cwiseAbs().maxCoeff() <= kSameState * scale;
    });
    if (seen) {
      result_.status = Status::Cycle;
      going_ = false;
      return;
    }
    past_.push_back(U_);
    if (past_.size() > kRemembered) past_.pop_front();

    if (collisions - round_start_ >= 4 * (p_.array() != 0.0).count()) {
      const double now = -U_.minCoeff();
      slow_sweeps_ = now > (1.0 - kSlowContraction) * approach_ ? slow_sweeps_ + 1 : 0;
      approach_ = now;
      round_start_ = collisions;
    }
    if (collisions >= max_collisions_ || slow_sweeps_ >= kSlowSweeps) {
      stalled_ = true;
      going_ = false;
    }
  }

  /// The law found nothing it may do, although contacts approach.
  void give_up(Status status) {
    result_.status = status;
    going_ = false;
  }

  /// The outcome. What is left of the approach is taken out by one plastic step if `finish`.
  ImpactResult result(bool finish) {
    const double approach = U_.size() > 0 ? -U_.minCoeff() : 0.0;
    const bool tail =
        result_.status == Status::Ok && approach > kRounding * memory_.space.scale.velocity;
    if (tail && finish) {
      // One plastic step, 0 ≤ U + G p ⟂ p ≥ 0, on what is left.
      numerics::LcpSolution& rest = memory_.solution;
      memory_.lcp.solve(memory_.space.G, U_, {.scale = memory_.space.scale.velocity}, rest);
      p_ += rest.z;
      result_.diagnostics.residual_velocity = approach;
      result_.status =
          rest.status == numerics::SolverStatus::Solved ? Status::Zeno : Status::NotTerminated;
    } else if (stalled_) {
      result_.diagnostics.residual_velocity = approach;
      result_.status = Status::NotTerminated;
    }
    set_impulses(problem_, p_, result_);
    return std::move(result_);
  }

 private:
  const ImpactProblem& problem_;
  long max_collisions_;
  AlgebraicWorkspace workspace_;
  AlgebraicWorkspace::Memory& memory_;
  ImpactResult result_;
  Vector p_;
  Vector U_;
  double energy_ = 0.0;         ///< kinetic, now
  double energy_before_ = 0.0;  ///< kinetic, at the start
  bool going_ = false;
  bool stalled_ = false;
  std::deque<Vector> past_;  ///< gap rates of the last rounds
  long round_start_ = 0;     ///< collisions at the start of the present sweep
  double approach_ = 0.0;    ///< largest at the start of the present sweep
  int slow_sweeps_ = 0;
};

using Order = Binary::Order;

/// Picks the next contact of a sequence; −1: nothing approaches any more.
int next_contact(const Binary& law, CollisionSequence& sequence, std::mt19937_64& random) {
  const std::vector<int>& candidates = sequence.approaching();
  const Vector& U = sequence.gap_rates();
  if (candidates.empty()) return -1;
  switch (law.order) {
    case Order::LeftRight:
      return candidates.front();
    case Order::RightLeft:
      return candidates.back();
    case Order::Random:
      // The generator is the same everywhere, unlike the standard distributions.
      return candidates[random() % candidates.size()];
    case Order::User: {
      const int i = law.choose(U);
      if (std::ranges::find(candidates, i) != candidates.end()) return i;
      throw InvalidInput("law.choose",
                         "returned " + std::to_string(i) + ", which is no contact that approaches");
    }
    case Order::LargestApproach:
      break;
  }
  // The first of those that approach equally fast, up to the tolerance: symmetric bodies must not
  // depend on rounding.
  const double most = U.minCoeff() + sequence.tolerance();
  for (const int i : candidates) {
    if (U[i] <= most) return i;
  }
  return candidates.front();
}

constexpr std::size_t kLargestSet = 16;

/// The next subset of the same size in lexicographic order; false after the last.
bool next_subset(std::vector<int>& subset, int n) {
  const int size = static_cast<int>(subset.size());
  for (int k = size - 1; k >= 0; --k) {
    if (subset[static_cast<std::size_t>(k)] < n - size + k) {
      ++subset[static_cast<std::size_t>(k)];
      for (int j = k + 1; j < size; ++j) {
        subset[static_cast<std::size_t>(j)] = subset[static_cast<std::size_t>(j - 1)] + 1;
      }
      return true;
    }
  }
  return false;
}

/// Impulses of contacts that collide together, G_RR Δp_R = −(I + E_R) U_R; empty unless they only
/// push and drive no other approaching contact closer.
Vector acceptable(const ImpactProblem& problem, const CollisionSequence& sequence,
                  const std::vector<int>& together, const std::vector<int>& approaching) {
  const Matrix& G = sequence.delassus();
  const Vector& U = sequence.gap_rates();
  const Matrix G_RR = G(together, together);
  Vector rhs = -U(together);
  for (std::size_t k = 0; k < together.size(); ++k) {
    const auto i = static_cast<std::size_t>(together[k]);
    rhs[static_cast<Eigen::Index>(k)] *= 1.0 + problem.contacts[i].material.restitution;
  }
  // Redundant contacts share what they need: the least impulses that do it.
  const Vector dp = numerics::semidefinite_rank(G_RR) == G_RR.rows()
                        ? Vector(G_RR.ldlt().solve(rhs))
                        : Vector(numerics::OrthogonalFactor(G_RR).solve(rhs));
  const double tolerance = sequence.tolerance();
  if ((G_RR * dp - rhs).cwiseAbs().maxCoeff() > tolerance) return {};
  for (Eigen::Index k = 0; k < dp.size(); ++k) {
    if (dp[k] * G_RR(k, k) < -tolerance) return {};
  }
  const Vector after = U + G(Eigen::all, together) * dp;
  for (const int j : approaching) {
    const bool inside = std::find(together.begin(), together.end(), j) != together.end();
    if (!inside && after[j] < U[j] - tolerance) return {};
  }
  return dp.cwiseMax(0.0);
}

}  // namespace

ImpactResult Binary::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  CollisionSequence sequence(problem, max_collisions);
  std::mt19937_64 random(seed);
  while (sequence.goes_on()) {
    const int i = next_contact(*this, sequence, random);
    if (i < 0) break;
    const double e = problem.contacts[static_cast<std::size_t>(i)].material.restitution;
    sequence.collide(i, -(1.0 + e) * sequence.gap_rates()[i] / sequence.delassus()(i, i));
    sequence.end_of_round();
  }
  return sequence.result(finish == Finish::Moreau0);
}

void validate(const Binary& law) {
  require_ranges("law", law);
  if (law.order == Order::User && !law.choose) {
    throw InvalidInput("law.choose",
                       "is missing; order user needs a function that picks a contact");
  }
}

ImpactResult SimultaneousSet::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  CollisionSequence sequence(problem, max_collisions);
  while (sequence.goes_on()) {
    const std::vector<int> approaching = sequence.approaching();
    if (approaching.empty()) break;
    if (approaching.size() > kLargestSet) {
      throw InvalidInput("law.kind",
                         "simultaneous_set tries all subsets of the approaching contacts and takes "
                         "at most 16 of them; there are " +
                             std::to_string(approaching.size()));
    }
    const int n = static_cast<int>(approaching.size());
    bool found = false;
    for (int size = n; size > 0 && !found; --size) {
      std::vector<int> subset(static_cast<std::size_t>(size));
      std::iota(subset.begin(), subset.end(), 0);
      do {
        std::vector<int> together;
        together.reserve(subset.size());
        for (const int k : subset) together.push_back(approaching[static_cast<std::size_t>(k)]);
        const Vector dp = acceptable(problem, sequence, together, approaching);
        if (dp.size() == 0) continue;
        for (std::size_t k = 0; k < together.size(); ++k) {
          sequence.collide(together[k], dp[static_cast<Eigen::Index>(k)]);
        }
        sequence.end_of_round();
        found = true;
      } while (!found && next_subset(subset, n));
    }
    if (!found) sequence.give_up(Status::Infeasible);
  }
  return sequence.result(true);
}

}  // namespace percute::laws
