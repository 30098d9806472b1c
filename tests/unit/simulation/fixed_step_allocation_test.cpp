// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/complementarity.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

std::atomic<long> percute_test_allocations{0};  // NOLINT: read by other tests

// Counts every allocation of this program, those of Eigen too, which do not go through operator
// new.
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: the allocator of glibc
extern "C" void* malloc(std::size_t size) {        // NOLINT
  ++percute_test_allocations;
  return __libc_malloc(size);
}

namespace percute::simulation {
namespace {

template <class Method>
long count(const Method& method, const systems::ImpactingBar& bar, std::int64_t& steps) {
  const long before = percute_test_allocations;
  const Run run = method(bar, {.state = bar.start()}, laws::Newton{}, {});
  steps = run.steps;
  return percute_test_allocations - before;
}

TEST(FixedStepAllocation, StepsDoNotAllocate) {
  // Falls for longer: ten times the steps must not allocate more.
  const systems::ImpactingBar bar{.angle = 1.0, .gravity = 9.81};
  std::int64_t few = 0;
  std::int64_t many = 0;
  Newmark newmark{.step = 1e-7, .run = {.duration = 1e-4}};
  const long short_fall = count(newmark, bar, few);
  newmark.run.duration = 1e-3;
  EXPECT_EQ(count(newmark, bar, many), short_fall);
  EXPECT_GT(many, 9 * few);
  PaoliSchatzman stepping{.step = 1e-7, .run = {.duration = 1e-4}};
  const long short_stepping = count(stepping, bar, few);
  stepping.run.duration = 1e-3;
  EXPECT_EQ(count(stepping, bar, many), short_stepping);
}

}  // namespace
}  // namespace percute::simulation
