// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "random_lcp.hpp"
#include "selftest/solvers/lcp.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <vector>

// Eigen takes memory by malloc, everything else by operator new, which calls malloc too.
#ifdef __GLIBC__
namespace {

std::atomic<long> allocations{0};

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t size);  // NOLINT: the name is glibc's

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

}  // extern "C"

namespace percute::selftest {

TEST(LcpAllocation, NoneOnceTheSizeHasBeenSeen) {
  RandomLcp random(1);
  std::vector<LcpCase> problems;
  for (int k = 0; k < 140; ++k) problems.push_back(random.make(RandomLcp::kKinds[k % 7], 8));
  for (const LcpMethod method :
       {LcpMethod::ActiveSet, LcpMethod::Lemke, LcpMethod::GaussSeidel, LcpMethod::MinNewton,
        LcpMethod::FischerBurmeister, LcpMethod::Enumeration}) {
    LcpSolver solver;
    std::vector<LcpSolution> solutions(problems.size());
    const LcpOptions options{.method = method};
    const auto solve_all = [&] {
      const long before = allocations;
      for (std::size_t k = 0; k < problems.size(); ++k) {
        solver.solve(problems[k].A, problems[k].b, options, solutions[k]);
      }
      return allocations - before;
    };
    EXPECT_GT(solve_all(), 0);  // the counter counts
    for (LcpSolution& s : solutions) s.z.setZero();
    EXPECT_EQ(solve_all(), 0) << static_cast<int>(method);
  }
}

}  // namespace percute::selftest
#endif
