// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/schema.hpp"

#include <gtest/gtest.h>

namespace percute::io {
namespace {

enum class Color { Red, Green };
constexpr Names<Color, 2> names(Color) {
  return {{{"red", Color::Red}, {"green", Color::Green}}};
}

struct Can {
  double litres = 0.5;
};
void fields(Same<Can> auto& can, auto&& visit) {
  visit(Field{"litres", "", Range::positive(), "l"}, can.litres);
}

struct Paint {
  Color color = Color::Green;
  std::optional<double> cost = {};
  std::vector<Can> cans = {};
  const Can* best = nullptr;
};
void fields(Same<Paint> auto& paint, auto&& visit) {
  visit(Field{"color", "of the wall"}.needed(), paint.color);
  visit(Field{"cost", "of a can", Range::positive().or_infinite()}.where_known(), paint.cost);
  visit(Field{"cans", ""}, paint.cans);
  visit(Field{"best", ""}, [&paint] { return *paint.best; });
  visit(Field{"size", ""}, Part{[&paint](auto&& part) {
          part(Field{"height", ""}, [&paint] { return std::optional(paint.best->litres); });
        }});
}

std::string line(const Node& node) {
  return to_json(node, JsonLayout::Line);
}

TEST(Schema, ValuesAreWrittenFieldByField) {
  const Can best{.litres = 2.0};
  Paint paint{.cans = {best, {}}, .best = &best};
  EXPECT_EQ(line(node_of(paint)),
            R"({"color":"green","cans":[{"litres":2},{"litres":0.5}],"best":{"litres":2},)"
            R"("size":{"height":2}})");
  paint.cost = Range::kInfinity;
  EXPECT_EQ(line(*node_of(paint).find("cost")), "\"inf\"");
}

TEST(Schema, SaysWhatPercuteWrites) {
  const Node schema = schema_of<Paint>(Writer::Percute);
  EXPECT_EQ(line(*schema.find("required")), R"(["color","cans","best","size"])");
  const auto property = [&schema](const char* key) {
    return line(*schema.find("properties")->find(key));
  };
  EXPECT_EQ(property("color"), R"({"enum":["red","green"],"description":"of the wall"})");
  EXPECT_EQ(property("cost"),
            R"({"anyOf":[{"type":"number","exclusiveMinimum":0},{"const":"inf"}],)"
            R"("description":"of a can"})");
  const std::string can =
      R"({"type":"object","properties":{"litres":{"type":"number","exclusiveMinimum":0,)"
      R"("unit":"l"}},"required":["litres"],"additionalProperties":false})";
  EXPECT_EQ(property("cans"), R"({"type":"array","items":)" + can + "}");
  EXPECT_EQ(property("best"), can);
  EXPECT_EQ(property("size"),
            R"({"type":"object","properties":{"height":{"anyOf":[{"type":"number"},)"
            R"({"type":"null"}]}},"required":["height"],"additionalProperties":false})");
}

TEST(Schema, SaysWhatPeopleMayLeaveOut) {
  const Node schema = schema_of<Paint>(Writer::People);
  EXPECT_EQ(line(*schema.find("required")), R"(["color"])");
  EXPECT_EQ(line(schema_of<Can>(Writer::People)),
            R"({"type":"object","properties":{"litres":{"type":"number","exclusiveMinimum":0,)"
            R"("unit":"l","default":0.5}},"additionalProperties":false})");
}

}  // namespace
}  // namespace percute::io
