// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/invariants.hpp"
#include "unit/laws/algebraic_testing.hpp"

namespace percute {
namespace {

using testing::numbers;
using testing::row;

TEST(AlgebraicWorkspace, NotABitChanges) {
  // Problems of different sizes, redundant ones and some with separating contacts in between.
  std::vector<ImpactProblem> problems;
  for (int n = 2; n <= 9; ++n) {
    Vector velocities(n);
    for (int i = 0; i < n; ++i) velocities[i] = ((7 * i + 3 * n) % 5) - 2.0;
    problems.push_back(row(velocities, 0.1 * n));
    ImpactProblem twice = problems.back();
    twice.contacts.push_back(twice.contacts[0]);
    twice.gradients.conservativeResize(n, n);
    twice.gradients.col(n - 1) = problems.back().gradients.col(0);
    problems.push_back(twice);
  }
  laws::AlgebraicWorkspace workspace;
  const auto check = [&](const auto& law) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const ImpactProblem& problem : problems) {
        const ImpactResult fresh = resolve(problem, law);
        const ImpactResult reused = resolve(problem, law, workspace);
        EXPECT_EQ(selftest::fingerprint(fresh), selftest::fingerprint(reused));
        EXPECT_EQ(fresh.diagnostics.algebraic->iterations,
                  reused.diagnostics.algebraic->iterations);
      }
    }
  };
  check(laws::Moreau{});
  check(laws::Newton{});
  check(laws::Poisson{});
}

TEST(AlgebraicWorkspace, WorksAfterBeingMoved) {
  const ImpactProblem problem = row(numbers({1.0, 0.0, 0.0}), 0.5);
  laws::AlgebraicWorkspace first;
  const Vector before = resolve(problem, laws::Moreau{}, first).velocity;
  laws::AlgebraicWorkspace second = std::move(first);
  EXPECT_EQ(resolve(problem, laws::Moreau{}, second).velocity, before);
  EXPECT_EQ(resolve(problem, laws::Moreau{}, first).velocity, before);  // NOLINT(*-use-after-move)
}

}  // namespace
}  // namespace percute
