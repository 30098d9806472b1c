// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/io/motion_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

namespace percute::io {

inline void PrintTo(const MotionItem& item, std::ostream* out) {
  *out << item.id;
}

namespace {

/// Every case as an item of its own.
std::vector<MotionItem> one_by_one() {
  std::vector<MotionItem> result;
  for (const MotionItem& item : motion_items()) {
    for (const MotionCase& c : item.cases) {
      result.push_back({.id = item.id + "." + c.id, .title = item.title, .source = item.source});
      result.back().cases.push_back(c);
    }
  }
  return result;
}

class Motion : public ::testing::TestWithParam<MotionItem> {};

TEST_P(Motion, IsReproduced) {
  expect_reproduced(reproduce(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Motions, Motion, ::testing::ValuesIn(one_by_one()), test_name<MotionItem>);

TEST(MotionCases, AMissedNumberIsTold) {
  MotionItem item = motion_items()[1];
  item.cases[0].expected = {{.name = "accumulation", .value = 1.0, .tolerance = 1e-3}};
  const Reproduction result = reproduce(item);
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].verdict, ReferenceRow::Verdict::Differs);
}

TEST(MotionCases, WhatIsNotThereIsRefused) {
  std::string status;
  EXPECT_THROW(numbers_of({.id = "x", .label = "x", .run = "no_such_motion"}, status),
               InvalidInput);
  EXPECT_THROW(
      numbers_of(
          {.id = "x", .label = "x", .run = "v_groove", .expected = {{.name = "no_such_number"}}},
          status),
      InvalidInput);
}

}  // namespace
}  // namespace percute::io
