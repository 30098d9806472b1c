// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/document.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

namespace percute::io {
namespace {

TEST(Node, WritesMembersInOrder) {
  Node node;
  node.add("z", 1);
  node.add("a", Node::Array{true, Node(), "x"});
  node.add("empty", Node::Object{});
  EXPECT_EQ(to_json(node, JsonLayout::Line), R"({"z":1,"a":[true,null,"x"],"empty":{}})");
  EXPECT_EQ(to_json(node), "{\n  \"z\": 1,\n  \"a\": [true, null, \"x\"],\n  \"empty\": {}\n}");
}

TEST(Node, NumbersComeBackBitForBit) {
  for (const double value :
       {0.1, -1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 123456789.123456789}) {
    Node node;
    node.add("x", value);
    const Document read = parse_json(to_json(node), "f.json");
    const Node& x = *read.root.find("x");
    const double back =
        x.as<double>() != nullptr ? *x.as<double>() : static_cast<double>(*x.as<std::int64_t>());
    EXPECT_EQ(back, value) << to_json(node);
  }
}

TEST(Node, AnyBitsComeBack) {
  std::mt19937_64 random(1);  // NOLINT(*-msc51-cpp): the same numbers every time
  for (int i = 0; i < 100'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string json = to_json(Node(value));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(std::strtod(json.c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(value))
        << json;
  }
}

TEST(Node, NumbersAreShort) {
  EXPECT_EQ(to_json(Node(0.2)), "0.2");
  EXPECT_EQ(to_json(Node(1.0)), "1");
  EXPECT_EQ(to_json(Node(1e-10)), "1e-10");
  EXPECT_EQ(to_json(Node(1.0 / 3.0)), "0.3333333333333333");
}

TEST(Node, WritesNullForWhatJsonCannotHold) {
  EXPECT_EQ(to_json(Node(std::nan(""))), "null");
  EXPECT_EQ(to_json(Node(std::numeric_limits<double>::infinity())), "null");
}

TEST(Node, EscapesText) {
  const std::string text = "a\"b\\c\n\x01 1–2";
  const std::string json = to_json(Node(text));
  EXPECT_EQ(json, "\"a\\\"b\\\\c\\u000a\\u0001 1–2\"");
  EXPECT_EQ(*parse_json("{\"x\":" + json + "}", "f").root.find("x")->as<std::string>(), text);
}

TEST(Node, DescribesItselfBriefly) {
  EXPECT_EQ(Node().describe(), "null");
  EXPECT_EQ(Node(true).describe(), "true");
  EXPECT_EQ(Node(2.5).describe(), "2.5");
  EXPECT_EQ(Node("a\nb").describe(), "\"a\\x0ab\"");
  EXPECT_EQ(Node(Node::Array{1, 2}).describe(), "an array of 2");
  EXPECT_LT(Node(std::string(1000, 'x')).describe().size(), 100U);
}

}  // namespace
}  // namespace percute::io
