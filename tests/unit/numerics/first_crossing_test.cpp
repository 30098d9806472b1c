// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/bracketed_root.hpp"

#include <gtest/gtest.h>

namespace percute::numerics {

TEST(FirstCrossing, FindsTheEarliestOfSeveralZeros) {
  const auto g = [](double t) { return (t - 0.2) * (t - 0.5) * (0.9 - t); };
  EXPECT_NEAR(first_crossing([&](double t) { return g(t) * 10.0; }, 0.0, true), 0.2, 1e-14);
}

TEST(FirstCrossing, FindsADipBetweenSamples) {
  // Negative on (0.499, 0.501) only.
  const auto g = [](double t) { return (t - 0.501) * (t - 0.499); };
  EXPECT_NEAR(first_crossing(g, 0.0, true), 0.499, 1e-12);
}

TEST(FirstCrossing, IgnoresATouchFromAbove) {
  const auto g = [](double t) { return (t - 0.4) * (t - 0.4) + 1e-9; };
  EXPECT_GT(first_crossing(g, 0.0, true), 1.0);
}

TEST(FirstCrossing, UnarmedFunctionsMustBecomePositiveFirst) {
  const auto rises = [](double t) { return t * (0.6 - t); };
  EXPECT_NEAR(first_crossing(rises, 0.0, false), 0.6, 1e-14);
  const auto falls = [](double t) { return -t; };
  EXPECT_GT(first_crossing(falls, 0.0, false), 1.0);
}

TEST(FirstCrossing, FollowsAnUnarmedFunctionThatIsPositiveOnlyForAnInstant) {
  const auto g = [](double t) { return t * (1e-4 - t); };
  EXPECT_NEAR(first_crossing(g, 0.0, false), 1e-4, 1e-12);
}

TEST(MayDip, ScreensByTheEndsOfTheStep) {
  EXPECT_TRUE(may_dip_below_zero(1.0, -4.0, 1.0, 4.0));
  EXPECT_FALSE(may_dip_below_zero(1.0, -1.0, 1.0, 1.0));
  EXPECT_FALSE(may_dip_below_zero(1.0, 4.0, 1.0, 4.0));
}

}  // namespace percute::numerics
