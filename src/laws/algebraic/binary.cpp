// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/collision_sequence.hpp"

#include <percute/laws/binary.hpp>
#include <percute/model/invalid_input.hpp>

#include <random>
#include <string>

namespace percute::laws {

namespace {

using Order = Binary::Order;

/// Picks the next contact of a sequence; −1: nothing approaches any more.
class Chooser {
 public:
  Chooser(const Binary& law, double tolerance)
      : law_(law), tolerance_(tolerance), random_(law.seed) {}

  int next(const Vector& U) {
    candidates_.clear();
    for (Eigen::Index i = 0; i < U.size(); ++i) {
      if (U[i] < -tolerance_) candidates_.push_back(static_cast<int>(i));
    }
    if (candidates_.empty()) return -1;
    switch (law_.order) {
      case Order::LeftRight:
        return candidates_.front();
      case Order::RightLeft:
        return candidates_.back();
      case Order::Random:
        // The generator is the same everywhere, unlike the standard distributions.
        return candidates_[random_() % candidates_.size()];
      case Order::User:
        return chosen_by_user(U);
      case Order::LargestApproach:
        break;
    }
    // The first of those that approach equally fast, up to the tolerance: symmetric bodies must not
    // depend on rounding.
    const double most = U.minCoeff();
    for (const int i : candidates_) {
      if (U[i] <= most + tolerance_) return i;
    }
    return candidates_.front();
  }

 private:
  int chosen_by_user(const Vector& U) const {
    const int i = law_.choose(U);
    for (const int candidate : candidates_) {
      if (candidate == i) return i;
    }
    throw InvalidInput("law.choose",
                       "returned " + std::to_string(i) + ", which is no contact that approaches");
  }

  const Binary& law_;
  double tolerance_;
  std::mt19937_64 random_;
  std::vector<int> candidates_;
};

}  // namespace

ImpactResult Binary::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  CollisionSequence sequence(problem, max_collisions);
  Chooser chooser(*this, sequence.tolerance());
  while (sequence.goes_on()) {
    const int i = chooser.next(sequence.gap_rates());
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

}  // namespace percute::laws
