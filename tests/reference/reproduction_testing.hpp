// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reproduction.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace percute::io {

/// Ids as names of tests.
template <class Item>
std::string test_name(const ::testing::TestParamInfo<Item>& info) {
  std::string name = info.param.id;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

inline void expect_reproduced(const Reproduction& item) {
  EXPECT_FALSE(item.rows.empty());
  for (const ReferenceRow& row : item.rows) {
    EXPECT_TRUE(row.ok()) << row.label << ": " << row.quantity << " computed "
                          << row.computed.value_or(NAN) << " expected "
                          << row.reference.value_or(NAN) << "; " << row.note;
  }
}

}  // namespace percute::io
