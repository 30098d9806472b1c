// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/percute.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

/// Read by other tests of allocations too: a program has one operator new.
std::atomic<long> percute_test_allocations{0};

// Inlined apart from each other, malloc and free of one allocator look mismatched to GCC 12.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

// Counts every allocation of this program by operator new.
void* operator new(std::size_t size) {
  ++percute_test_allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;  // NOLINT: the allocator
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}  // NOLINT: the allocator
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}  // NOLINT

namespace percute::laws {

namespace {

/// Many times more steps must not allocate more: both runs allocate for set-up and result.
void expect_steps_do_not_allocate(const ImpactProblem& problem) {
  LzbWorkspace workspace;
  const auto count = [&](double tolerance, long& steps) {
    const Lzb law{.tolerance = tolerance};
    (void)law(problem, workspace);  // warm up
    const long before = percute_test_allocations;
    steps = law(problem, workspace).diagnostics.steps;
    return percute_test_allocations - before;
  };
  long few = 0;
  long many = 0;
  const long coarse = count(1e-7, few);
  const long fine = count(1e-13, many);
  EXPECT_GT(many, 3 * few);
  EXPECT_EQ(coarse, fine);
}

}  // namespace

TEST(LzbAllocation, StepsDoNotAllocate) {
  const systems::BallChain chain{.balls = 8, .material = {.restitution = 0.9}};
  expect_steps_do_not_allocate(chain.impact(chain.at_contact(1.0)));
}

TEST(LzbAllocation, StepsWithFrictionDoNotAllocate) {
  // A flat block on two corners that share their sliding velocity: both stick, then one slides.
  const systems::RockingBlock block{
      .width = 2.0, .height = 1.0, .material = {.restitution = 0.8, .friction = 0.6}};
  const ImpactProblem problem =
      block.impact(block.rotating_about(systems::RockingBlock::Corner::Left, -1.0));
  expect_steps_do_not_allocate(problem);
}

}  // namespace percute::laws
