// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Options as lists. A struct of options has one function, found by its argument,
//
//     template <Same<Newton> Law>
//     void fields(Law& law, auto&& visit) {
//       visit(Field{"form", "how U⁺ and p are tied"}, law.form);
//     }
//
// that calls visit(Field, member) for each option in the order of files. Readers, writers, checks
// of ranges and lists of keys all come from it. An enumeration among the options has a function
// names(), which gives the words for its values.

namespace percute {

/// T, const or not.
template <class Self, class T>
concept Same = std::same_as<std::remove_const_t<Self>, T>;

/// Numbers an option may have: finite ones between bounds.
struct Range {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double lowest = -kInfinity;
  double highest = kInfinity;
  bool above = false;     ///< the lowest is out: all numbers above it
  bool below = false;     ///< the highest is out
  bool infinite = false;  ///< +∞ is in

  static constexpr Range closed(double lowest, double highest) {
    return {.lowest = lowest, .highest = highest};
  }
  static constexpr Range between(double lowest, double highest) {
    return {.lowest = lowest, .highest = highest, .above = true, .below = true};
  }
  static constexpr Range positive() { return between(0.0, kInfinity); }
  static constexpr Range not_negative() { return closed(0.0, kInfinity); }
  static constexpr Range fraction() {
    return closed(0.0, 1.0);
  }  ///< a restitution, part of an energy
  static constexpr Range count() { return closed(1.0, kInfinity); }  ///< 1, 2, 3, …
  constexpr Range or_infinite() const {
    Range range = *this;
    range.infinite = true;
    return range;
  }

  constexpr bool contains(double value) const {
    if (value == kInfinity) return infinite;
    if (!(value - value == 0.0)) return false;  // not finite
    return (above ? value > lowest : value >= lowest) &&
           (below ? value < highest : value <= highest);
  }
};

/// What there is to know about one option besides its type and default.
struct Field {
  constexpr Field(std::string_view name, std::string_view words, Range allowed = {},
                  std::string_view measured_in = {})
      : key(name), doc(words), range(allowed), unit(measured_in) {}

  std::string_view key;  ///< in files
  std::string_view doc;
  Range range;
  std::string_view unit;
  bool required = false;     ///< files must name it
  bool if_known = false;     ///< files that percute writes leave it out where it has no value
  bool diagonal = false;     ///< a matrix that may be one number, or a list of its diagonal
  bool degrees = false;      ///< angles, rad: files have "angle_deg", and the range is in degrees
  std::string_view of = {};  ///< it has no effect here, for it belongs to this: "order 'random'"

  constexpr Field needed() const { return with(&Field::required, true); }
  constexpr Field where_known() const { return with(&Field::if_known, true); }
  constexpr Field in_any_form() const { return with(&Field::diagonal, true); }
  constexpr Field in_degrees() const {
    return with(&Field::degrees, true).with(&Field::unit, std::string_view("degrees"));
  }
  constexpr Field used(bool here, std::string_view owner) const {
    return with(&Field::of, here ? std::string_view() : owner);
  }
  double from_file(double value) const {
    return degrees ? value * std::numbers::pi / 180.0 : value;
  }
  double to_file(double value) const { return degrees ? value * 180.0 / std::numbers::pi : value; }

 private:
  template <class Member>
  constexpr Field with(Member Field::* member, Member value) const {
    Field field = *this;
    field.*member = value;
    return field;
  }
};

/// A key of files that stands for another option in another form.
struct OtherForm {};

/// How many fields a struct has, and their keys in order.
template <class Options>
constexpr std::size_t field_count() {
  std::size_t count = 0;
  Options options{};
  fields(options, [&count](const Field&, auto&&) { ++count; });
  return count;
}
template <class Options>
constexpr auto field_keys() {
  std::array<std::string_view, field_count<Options>()> keys;
  std::size_t count = 0;
  Options options{};
  fields(options, [&](const Field& field, auto&&) { keys[count++] = field.key; });
  return keys;
}

/// Visits members of any type; declared only, to ask whether a struct has fields.
struct FieldVisitor {
  template <class Member>
  void operator()(const Field& field, Member&& member) const;
};
template <class Options>
concept HasFields = requires(Options& options) { fields(options, FieldVisitor{}); };

/// "0 is not > 0", or nothing where the value is in the range.
std::string out_of_range(const Range& range, double value, bool integer = false);

/// Throws InvalidInput, naming owner.key: the value is not in the range of the field. Angles are
/// named without "_deg", for they are in radians; `entry` is the place in a list, from 0.
[[noreturn]] void refuse(std::string_view owner, const Field& field, double value, bool integer,
                         std::optional<std::size_t> entry);

/// Refuses a value that is not in the range of the field.
inline void require_in_range(std::string_view owner, const Field& field, double value,
                             bool integer = false, std::optional<std::size_t> entry = {}) {
  if (!field.range.contains(field.to_file(value))) refuse(owner, field, value, integer, entry);
}

/// Numbers whose size is known, or a list of any size.
template <class Member>
inline constexpr bool kIsList = false;
template <>
inline constexpr bool kIsList<std::vector<double>> = true;
template <std::size_t n>
inline constexpr bool kIsList<std::array<double, n>> = true;
template <int n>
  requires(n > 0)
inline constexpr bool kIsList<Eigen::Matrix<double, n, 1>> = true;

/// What the ranges of its fields say about a struct of options. `owner` is how it is called in
/// files: "law"; empty where fields are named alone.
template <class Options>
void require_ranges(std::string_view owner, const Options& options) {
  fields(options, [owner](const Field& field, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::same_as<Member, double>) {
      require_in_range(owner, field, member);
    } else if constexpr (std::same_as<Member, std::optional<double>>) {
      if (member) require_in_range(owner, field, *member);
    } else if constexpr (std::integral<Member> && !std::same_as<Member, bool>) {
      require_in_range(owner, field, static_cast<double>(member), true);
    } else if constexpr (kIsList<Member>) {
      std::size_t i = 0;
      for (const double value : member) {
        require_in_range(owner, field, value, false, i++);
      }
    }
  });
}

/// Words in files for the values of an enumeration, e.g. {{"zero_gap", Reengagement::ZeroGap}, …}.
template <class Enum, std::size_t n>
using Names = std::array<std::pair<std::string_view, Enum>, n>;

/// An enumeration with a list of words, names().
template <class Enum>
concept NamedEnum = std::is_enum_v<Enum> && requires(Enum value) { names(value).size(); };

/// Word for a value; "?" where it has none.
template <class Enum, std::size_t n>
constexpr std::string_view name_of(Enum value, const Names<Enum, n>& words) {
  for (const auto& [word, candidate] : words) {
    if (candidate == value) return word;
  }
  return "?";
}
template <NamedEnum Enum>
constexpr std::string_view name_of(Enum value) {
  return name_of(value, names(value));
}
template <NamedEnum Enum>
constexpr const char* name(Enum value) {
  return name_of(value).data();
}

}  // namespace percute
