// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <functional>
#include <span>
#include <variant>

// Fields of a struct (fields.hpp) at run time: for readers and writers that are compiled once, for
// all structs.

namespace percute {

/// A member of an integer type.
struct IntegerOption {
  void* member;
  std::int64_t (*get)(const void* member);
  void (*set)(void* member, std::int64_t value);
};

/// A member of an enumeration type, by the place of its word among all words.
struct ChoiceOption {
  std::span<const std::string_view> words;
  void* member;
  std::size_t (*get)(const void* member);  ///< words.size() for a value without a word
  void (*set)(void* member, std::size_t place);
};

/// A member that is so many numbers: a point, a pair.
struct NumbersOption {
  double* first;
  std::size_t count;
};

/// A member, whatever its type.
using Option =
    std::variant<bool*, IntegerOption, double*, std::optional<double>*, std::string*,
                 std::vector<double>*, NumbersOption, Vector*, Matrix*, ChoiceOption, OtherForm*>;
using OptionVisitor = std::function<void(const Field&, const Option&)>;

template <std::integral Integer>
Option option_of(Integer& member) {
  return IntegerOption{
      .member = &member,
      .get =
          [](const void* m) { return static_cast<std::int64_t>(*static_cast<const Integer*>(m)); },
      .set = [](void* m, std::int64_t v) { *static_cast<Integer*>(m) = static_cast<Integer>(v); }};
}

template <NamedEnum Enum>
Option option_of(Enum& member) {
  static constexpr auto kNames = names(Enum{});
  static constexpr auto kWords = [] {
    std::array<std::string_view, kNames.size()> words;
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = kNames[k].first;
    return words;
  }();
  return ChoiceOption{
      .words = kWords,
      .member = &member,
      .get =
          [](const void* m) {
            std::size_t place = 0;
            while (place < kNames.size() && kNames[place].second != *static_cast<const Enum*>(m)) {
              ++place;
            }
            return place;
          },
      .set = [](void* m, std::size_t place) { *static_cast<Enum*>(m) = kNames[place].second; }};
}

template <class Member>
  requires std::constructible_from<Option, Member*>
Option option_of(Member& member) {
  return &member;
}
template <class Numbers>
  requires(kIsList<Numbers> && !std::same_as<Numbers, std::vector<double>>)
Option option_of(Numbers& member) {
  return NumbersOption{.first = member.data(), .count = static_cast<std::size_t>(member.size())};
}
inline Option option_of(bool& member) {
  return &member;
}

/// Calls `visit` for every field of a struct.
template <class Options>
void visit_options(Options& options, const OptionVisitor& visit) {
  fields(options, [&visit](const Field& field, auto& member) { visit(field, option_of(member)); });
}

}  // namespace percute
