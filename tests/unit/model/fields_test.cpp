// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/invalid_input.hpp>
#include <percute/model/material.hpp>
#include <percute/model/options.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace percute {
namespace {

enum class Color { Red, Green, Unnamed };
constexpr Names<Color, 2> names(Color) {
  return {{{"red", Color::Red}, {"green", Color::Green}}};
}

struct Paint {
  Color color = Color::Red;
  double share = 0.5;
  std::optional<double> cost = {};
  long coats = 1;
  std::uint64_t seed = 0;
  bool dry = false;
};
template <Same<Paint> Options>
void fields(Options& paint, auto&& visit) {
  visit(Field{"color", "of the wall"}, paint.color);
  visit(Field{"share", "of the wall that is painted", Range::fraction()}, paint.share);
  visit(Field{"cost", "of a can", Range::positive(), "EUR"}.needed(), paint.cost);
  visit(Field{"coats", "on top of each other", Range::count()}, paint.coats);
  visit(Field{"seed", "of a pattern"}.used(paint.color == Color::Green, "color 'green'"),
        paint.seed);
  visit(Field{"dry", "before the next coat"}, paint.dry);
}
static_assert(HasFields<Paint>);
static_assert(!HasFields<Field>);

std::string complaint(const Paint& paint) {
  try {
    require_ranges("paint", paint);
  } catch (const InvalidInput& error) {
    return error.field() + ": " + error.reason();
  }
  return "";
}

TEST(Range, SaysWhatIsNotInIt) {
  constexpr double kInfinity = Range::kInfinity;
  EXPECT_EQ(out_of_range(Range::fraction(), 1.0), "");
  EXPECT_EQ(out_of_range(Range::fraction(), 1.5), "1.5 is not in [0, 1]");
  EXPECT_EQ(out_of_range(Range::between(0.0, 1.0), 1.0), "1 is not in (0, 1)");
  EXPECT_EQ(out_of_range(Range::between(0.0, 1.0), 0.5), "");
  constexpr Range above{.lowest = 0.0, .highest = 0.5, .above = true};
  EXPECT_EQ(out_of_range(above, 0.5), "");
  EXPECT_EQ(out_of_range(above, 0.0), "0 is not in (0, 0.5]");
  constexpr Range below{.lowest = 0.0, .highest = 1.0, .below = true};
  EXPECT_EQ(out_of_range(below, 0.0), "");
  EXPECT_EQ(out_of_range(below, 1.0), "1 is not in [0, 1)");
  EXPECT_EQ(out_of_range(Range::positive(), 0.0), "0 is not a finite number > 0");
  EXPECT_EQ(out_of_range(Range::positive(), kInfinity), "inf is not a finite number > 0");
  EXPECT_EQ(out_of_range(Range::positive().or_infinite(), kInfinity), "");
  EXPECT_EQ(out_of_range(Range::positive().or_infinite(), 0.0), "0 is not > 0 (or infinite)");
  EXPECT_EQ(out_of_range(Range::not_negative(), 0.0), "");
  EXPECT_EQ(out_of_range(Range::count(), 0.0, true), "0 is not >= 1");
  EXPECT_EQ(out_of_range(Range{}, -kInfinity), "-inf is not a finite number");
  EXPECT_EQ(out_of_range(Range::fraction(), std::nan("")), "nan is not in [0, 1]");
}

TEST(Fields, KeysAreInTheOrderOfFiles) {
  constexpr auto kKeys = field_keys<TriStiffness>();
  ASSERT_EQ(kKeys.size(), 3U);
  EXPECT_EQ(kKeys[0], "yield_indentation");
  EXPECT_EQ(kKeys[2], "unloading_stiffness");
}

TEST(Fields, RangesAreCheckedWhereThereIsANumber) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.share = -1.0}), "paint.share: -1 is not in [0, 1]");
  EXPECT_EQ(complaint({.cost = 0.0}), "paint.cost: 0 is not a finite number > 0");
  EXPECT_EQ(complaint({.coats = 0}), "paint.coats: 0 is not >= 1");
}

struct Gate {
  double opening = 1.0;
  std::array<double, 2> lengths = {1.0, 1.0};
  std::vector<double> masses = {};
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
  std::string name = "gate";
};
template <Same<Gate> Options>
void fields(Options& gate, auto&& visit) {
  visit(Field{"opening_deg", "of the gate", Range::between(0.0, 180.0)}.in_degrees(), gate.opening);
  visit(Field{"lengths", "of its wings", Range::positive(), "m"}, gate.lengths);
  visit(Field{"masses", "of its bars", Range::positive(), "kg"}, gate.masses);
  visit(Field{"at", "where it is", {}, "m"}, gate.at);
  visit(Field{"name", "of the gate"}, gate.name);
}

TEST(Fields, RangesHoldForEveryNumberAndForAnglesInDegrees) {
  const auto complaint_of = [](const Gate& gate) -> std::string {
    try {
      require_ranges("", gate);
    } catch (const InvalidInput& error) {
      return error.field() + ": " + error.reason();
    }
    return "";
  };
  EXPECT_EQ(complaint_of({}), "");
  EXPECT_EQ(complaint_of({.opening = -1.0}), "opening: -57.2958 is not in (0, 180) degrees");
  EXPECT_EQ(complaint_of({.lengths = {1.0, 0.0}}), "lengths[1]: 0 is not a finite number > 0");
  EXPECT_EQ(complaint_of({.masses = {1.0, 2.0, -1.0}}), "masses[2]: -1 is not a finite number > 0");
  EXPECT_EQ(complaint_of({.at = {0.0, std::nan("")}}), "at[1]: nan is not a finite number");
}

TEST(Fields, MembersAreReadAndSetAtRunTime) {
  Paint paint;
  std::string keys;
  visit_options(paint, [&keys](const Field& field, const Option& option) {
    keys += std::string(field.key) + (field.of.empty() ? " " : "* ");
    if (const auto* choice = std::get_if<ChoiceOption>(&option)) {
      EXPECT_EQ(choice->words[choice->get(choice->member)], "red");
      choice->set(choice->member, 1);
    }
    if (const auto* number = std::get_if<double*>(&option)) **number = 0.25;
    if (const auto* integer = std::get_if<IntegerOption>(&option)) {
      integer->set(integer->member, integer->get(integer->member) + 6);
    }
    if (const auto* truth = std::get_if<bool*>(&option)) **truth = true;
  });
  // What depends on an option sees it as it has become.
  EXPECT_EQ(keys, "color share cost coats seed dry ");
  EXPECT_EQ(paint.color, Color::Green);
  EXPECT_EQ(paint.share, 0.25);
  EXPECT_EQ(paint.coats, 7);
  EXPECT_EQ(paint.seed, 6U);
  EXPECT_TRUE(paint.dry);
}

TEST(Fields, ValuesHaveNames) {
  EXPECT_EQ(name_of(Color::Green), "green");
  EXPECT_EQ(name_of(Color::Unnamed), "?");
}

}  // namespace
}  // namespace percute
