// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace percute::io {
namespace {

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("mass", "mas"), 1U);           // missing
  EXPECT_EQ(edit_distance("mass", "masss"), 1U);         // doubled
  EXPECT_EQ(edit_distance("mass", "muss"), 1U);          // wrong
  EXPECT_EQ(edit_distance("velocity", "veloctiy"), 1U);  // swapped
  EXPECT_EQ(edit_distance("Mass", "mASS"), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Closest, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 4> kKeys{"restitution", "stiffness", "exponent",
                                                  "tolerance"};
  EXPECT_EQ(closest("restitutoin", kKeys), "restitution");
  EXPECT_EQ(closest("Stifness", kKeys), "stiffness");
  EXPECT_EQ(closest("tol", kKeys), "tolerance");
  EXPECT_EQ(closest("colour", kKeys), "");
  EXPECT_EQ(closest("x", kKeys), "");
  EXPECT_EQ(closest(std::string(100'000, 'x'), kKeys), "");
  EXPECT_EQ(did_you_mean("exponnent", kKeys), " (did you mean 'exponent'?)");
  EXPECT_EQ(did_you_mean("colour", kKeys), "");
}

}  // namespace
}  // namespace percute::io
