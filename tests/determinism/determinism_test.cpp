// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/elastic_friction.hpp"
#include "selftest/friction_checks.hpp"
#include "selftest/invariants.hpp"
#include "selftest/random_problem.hpp"

#include <percute/laws/compliant.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace percute::selftest {
namespace {

constexpr std::uint64_t kSeed = 2009;
constexpr std::size_t kProblems = 300;
constexpr std::uint64_t kFrictionless = 2848357471511217562U;
constexpr std::uint64_t kFrictional = 17097888607780480202U;

/// One hash per problem, each solved with memory of its own.
std::vector<std::uint64_t> fresh_hashes() {
  std::vector<std::uint64_t> hashes(kProblems);
  for (std::size_t k = 0; k < kProblems; ++k) {
    const RandomProblem random = random_problem(kSeed, k);
    hashes[k] = fingerprint(resolve(random.problem, random.law));
  }
  return hashes;
}

std::uint64_t hash_with(const RandomProblem& random, laws::LzbWorkspace& workspace) {
  ImpactResult result = random.law(random.problem, workspace);
  complete(random.problem, result);
  return fingerprint(result);
}

const std::vector<std::uint64_t>& golden() {
  static const std::vector<std::uint64_t> hashes = fresh_hashes();
  return hashes;
}

TEST(Determinism, HashesTellProblemsApart) {
  // Otherwise equal hashes would prove nothing. (no_impact problems may share results.)
  std::vector<std::uint64_t> sorted = golden();
  std::sort(sorted.begin(), sorted.end());
  const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  EXPECT_GT(distinct, static_cast<std::ptrdiff_t>(0.9 * kProblems));
}

TEST(Determinism, RunningAgainChangesNoBit) {
  EXPECT_EQ(fresh_hashes(), golden());
}

/// All bits of many results in one number.
std::uint64_t together(const std::vector<std::uint64_t>& hashes) {
  std::uint64_t all = 0;
  for (const std::uint64_t hash : hashes) all = all * 0x100000001B3U ^ hash;
  return all;
}

// What other processes, builds and machines found: these bits, as long as no law changes what it
// computes. A change that means to writes the new number here and says so in its message.
// Mathematical functions of the system round in their own way, so this is about Debian 12 on
// x86-64.
#if defined(__x86_64__) && defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ == 36
TEST(Determinism, BitsAreThoseOfOtherProcesses) {
  EXPECT_EQ(together(golden()), kFrictionless);
  std::vector<std::uint64_t> rubbing;
  for (std::size_t k = 0; k < kProblems; ++k) {
    const RandomProblem random = random_friction(kSeed, k);
    rubbing.push_back(fingerprint(resolve(random.problem, random.law)));
    laws::Compliant compliant{.force = laws::Compliant::Force::Power};
    compliant.max_steps = 2000;
    rubbing.push_back(fingerprint(resolve(made_elastic(random.problem), compliant)));
  }
  EXPECT_EQ(together(rubbing), kFrictional);
}
#endif

TEST(Determinism, AUsedWorkspaceChangesNoBit) {
  laws::LzbWorkspace workspace;
  for (std::size_t k = 0; k < kProblems; ++k) {
    EXPECT_EQ(hash_with(random_problem(kSeed, k), workspace), golden()[k]) << "problem " << k;
  }
}

TEST(Determinism, TheOrderOfProblemsChangesNoBit) {
  laws::LzbWorkspace workspace;
  for (std::size_t k = kProblems; k-- > 0;) {
    EXPECT_EQ(hash_with(random_problem(kSeed, k), workspace), golden()[k]) << "problem " << k;
  }
}

TEST(Determinism, TheNumberOfThreadsChangesNoBit) {
  for (const int count : {2, 5}) {
    std::vector<std::uint64_t> hashes(kProblems);
    std::atomic<std::size_t> next{0};
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < count; ++t) {
        threads.emplace_back([&] {
          laws::LzbWorkspace workspace;
          for (std::size_t k = next++; k < kProblems; k = next++) {
            hashes[k] = hash_with(random_problem(kSeed, k), workspace);
          }
        });
      }
    }
    EXPECT_EQ(hashes, golden()) << count << " threads";
  }
}

TEST(Determinism, RecordingChangesNoBit) {
  for (std::size_t k = 0; k < kProblems; ++k) {
    const RandomProblem random = random_problem(kSeed, k);
    const ImpactResult result = resolve(random.problem, random.law, Recording{});
    EXPECT_EQ(fingerprint(result), golden()[k]) << "problem " << k;
  }
}

/// The order of contacts changes the order of sums, so rounding may differ, nothing else. Impacts
/// amplify it: nearly all short ones by less than 1e4, none of them up to the tolerance.
TEST(Determinism, TheOrderOfContactsChangesRoundingOnly) {
  int compared = 0;
  int within_rounding = 0;
  for (std::size_t k = 0; k < kProblems; ++k) {
    const RandomProblem random = random_problem(kSeed, k);
    const ImpactProblem& problem = random.problem;
    const auto m = static_cast<int>(problem.contacts.size());
    ImpactProblem reversed = problem;
    std::reverse(reversed.contacts.begin(), reversed.contacts.end());
    for (int i = 0; i < m; ++i) reversed.gradients.col(i) = problem.gradients.col(m - 1 - i);
    const ImpactResult a = resolve(problem, random.law);
    const ImpactResult b = resolve(reversed, random.law);
    if (!a.ok() || !b.ok() || a.diagnostics.events > 30) continue;
    ++compared;
    const double vs = scales(problem).velocity;
    const double rounding = 1e-12 * vs + 1e-14 * problem.velocity.cwiseAbs().maxCoeff();
    const double difference = (a.velocity - b.velocity).cwiseAbs().maxCoeff();
    within_rounding += difference <= rounding ? 1 : 0;
    EXPECT_LE(difference, std::max(rounding, random.law.tolerance * vs)) << "problem " << k;
  }
  EXPECT_GT(compared, 100);
  EXPECT_GE(within_rounding, 0.95 * compared);
}

}  // namespace
}  // namespace percute::selftest
