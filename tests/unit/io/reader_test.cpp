// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/document.hpp>

#include <array>

namespace percute::io {
namespace {

using testing::expect_error;

class ReaderTest : public ::testing::Test {
 protected:
  Value at(const std::string& key) const {
    return {document_, *document_.root.find(key), "top." + key};
  }

  Document document_ = parse_toml(
      "number = 2.5\nwhole = 3\nsame = 3.0\nflag = true\nword = \"high\"\nbad = nan\n"
      "far = -inf\nlist = [1, 2.5]\nmixed = [1, true]\nhuge = 1e300\n",
      "f.toml");
};

TEST_F(ReaderTest, ReadsWhatIsThere) {
  EXPECT_EQ(at("number").number(), 2.5);
  EXPECT_EQ(at("whole").number(), 3.0);
  EXPECT_EQ(at("whole").integer(0, 3), 3);
  EXPECT_EQ(at("same").integer(0, 3), 3);
  EXPECT_TRUE(at("flag").boolean());
  EXPECT_EQ(at("word").string(), "high");
  EXPECT_EQ(at("list").numbers()[1], 2.5);
}

TEST_F(ReaderTest, RefusesOtherTypesByNameAndLine) {
  expect_error([&] { at("flag").number(); }, {"f.toml:4: top.flag: must be a number, got true"});
  expect_error([&] { at("word").number(); }, {"f.toml:5", "must be a number", "\"high\""});
  expect_error([&] { at("whole").boolean(); }, {"f.toml:2", "true or false", "3"});
  expect_error([&] { at("number").integer(0, 9); }, {"must be an integer", "2.5"});
  expect_error([&] { at("huge").integer(0, 9); }, {"must be an integer"});
  expect_error([&] { at("whole").integer(0, 2); }, {"from 0 to 2", "3"});
  expect_error([&] { at("whole").string(); }, {"must be a string", "3"});
  expect_error([&] { at("word").numbers(); }, {"must be an array", "\"high\""});
  expect_error([&] { at("mixed").numbers(); }, {"top.mixed[1]: must be a number, got true"});
}

TEST_F(ReaderTest, RefusesNumbersThatAreNotFinite) {
  expect_error([&] { at("bad").number(); }, {"f.toml:6", "must be a finite number, got nan"});
  expect_error([&] { at("far").number(); }, {"f.toml:7", "must be a finite number, got -inf"});
}

TEST_F(ReaderTest, TableKnowsItsKeys) {
  const Document document = parse_toml("[t]\na = 1\nrestitutoin = 2\n", "f.toml");
  const Value value(document, *document.root.find("t"), "t");
  constexpr std::array<std::string_view, 2> kKeys{"a", "restitution"};
  expect_error([&] { const Table table(value, kKeys); },
               {"f.toml:3: t.restitutoin: unknown key", "did you mean 'restitution'?",
                "allowed: a, restitution"});
  constexpr std::array<std::string_view, 3> kAll{"a", "b", "restitutoin"};
  const Table table(value, kAll);
  EXPECT_EQ(table.number("b", 7.0), 7.0);
  EXPECT_EQ(table.number("a", 7.0), 1.0);
  expect_error([&] { table.required("b"); }, {"f.toml:1: t: the key 'b' is missing"});
  expect_error([&] { table.fail("b", "no"); }, {"f.toml:1: t.b: no"});
  expect_error([&] { table.refuse("a", "no"); }, {"f.toml:2: t.a: no"});
  EXPECT_NO_THROW(table.refuse("b", "no"));
  EXPECT_EQ(table.one_of({"a", "b"}, "one").first, "a");
  expect_error([&] { table.one_of({"b"}, "one"); }, {"f.toml:1: t: one"});
  expect_error([&] { table.find_one({"a", "restitutoin"}, "one"); },
               {"f.toml:3: t.restitutoin: one"});
}

TEST_F(ReaderTest, ChoicesSuggest) {
  enum class Color { Red, Green };
  constexpr Names<Color, 2> kColors{{{"red", Color::Red}, {"green", Color::Green}}};
  const Document document = parse_toml("a = 'green'\nb = 'gren'\nc = 1\n", "f.toml");
  const Table table(Value(document), std::array<std::string_view, 3>{"a", "b", "c"});
  EXPECT_EQ(table.choice("a", Color::Red, kColors), Color::Green);
  EXPECT_EQ(table.choice("missing", Color::Red, kColors), Color::Red);
  expect_error([&] { table.choice("b", Color::Red, kColors); },
               {"f.toml:2: b", "\"gren\"", "did you mean 'green'?", "allowed: red, green"});
  expect_error([&] { table.choice("c", Color::Red, kColors); }, {"must be a string"});
  EXPECT_EQ(name_of(Color::Green, kColors), "green");
}

}  // namespace
}  // namespace percute::io
