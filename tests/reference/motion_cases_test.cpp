// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/model/invalid_input.hpp>

namespace percute::reproduction {
namespace {

class MotionTable : public ::testing::TestWithParam<Item> {};

TEST_P(MotionTable, IsReproduced) {
  expect_reproduced(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Motions, MotionTable, ::testing::ValuesIn(one_by_one(items_of("motion"))),
                         test_name<Item>);

TEST(MotionCases, AMissedNumberIsTold) {
  Item item = items_of("motion")[1];
  item.cases[0].expected = {{.name = "accumulation", .value = 1.0, .tolerance = 1e-3}};
  const Reproduction result = reproduce(item);
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].verdict, Row::Verdict::Differs);
}

TEST(MotionCases, WhatIsNotThereIsRefused) {
  const Case unknown_scene{.id = "x", .label = "x", .subject = Motion{.scene = "no_such_motion"}};
  EXPECT_THROW(solve(unknown_scene), InvalidInput);
  Case unknown_number = items_of("motion")[1].cases[0];
  unknown_number.expected = {{.name = "no_such_number"}};
  EXPECT_THROW(solve(unknown_number), InvalidInput);
  // A number of something else is none of a motion.
  unknown_number.expected = {{.name = "accumulation"}};
  const Outcome outcome = solve(unknown_number);
  for (const char* other : {"v1", "e_eff", "coverage", "rank", "energy_bound"}) {
    EXPECT_THROW(quantity(other, outcome), InvalidInput) << other;
  }
}

}  // namespace
}  // namespace percute::reproduction
