// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/distinct.hpp"

namespace percute::analysis {

namespace {

/// Decisions made so far: of `of` contacts that could collide, number `taken` did.
struct Decision {
  int taken = 0;
  int of = 1;
};

}  // namespace

DistinctOutcomes over_orders(const ImpactProblem& problem, laws::Binary law, long most) {
  DistinctOutcomes out;
  const ImpactScales scale = scales(problem);
  std::vector<Decision> decisions;
  std::size_t depth = 0;
  law.order = laws::Binary::Order::User;
  law.choose = [&](const Vector& gap_rates) {
    // Follow the decisions known; beyond them, take the first contact and note the others.
    std::vector<int> approaching;
    for (int i = 0; i < gap_rates.size(); ++i) {
      if (gap_rates[i] < -scale.gap_rate_tol) approaching.push_back(i);
    }
    if (depth == decisions.size()) {
      decisions.push_back({.taken = 0, .of = static_cast<int>(approaching.size())});
    }
    return approaching[static_cast<std::size_t>(decisions[depth++].taken)];
  };

  for (long run = 0; run < most; ++run) {
    depth = 0;
    const ImpactResult result = resolve(problem, law);
    if (result.ok()) {
      note(out, result.velocity, scale.velocity);
    } else {
      ++out.failed;
    }
    // The last decision that has another way to go goes it; what followed is forgotten.
    while (!decisions.empty() && decisions.back().taken + 1 == decisions.back().of) {
      decisions.pop_back();
    }
    if (decisions.empty()) {
      out.complete = true;
      break;
    }
    ++decisions.back().taken;
  }
  return out;
}

}  // namespace percute::analysis
