// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/model/body.hpp>
#include <percute/model/fields.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Structs with a list of fields (percute/model/fields.hpp) as Python classes: constructor with
// keywords, properties with documentation, ==, repr, pickling. What a struct costs is one function
// that reads its fields and one that writes them; everything else is compiled once, in values.cpp.

namespace percute::python {

namespace nb = nanobind;

// ------------------------------------------------------------------------------------------ values
// to Python

nb::object to_python(bool value);
nb::object to_python(std::int64_t value);
nb::object to_python(double value);
nb::object to_python(const std::string& value);
nb::object to_python(std::string_view value);
nb::object to_python(
    const Vector& value);  ///< arrays are copied: see view() for those that are not
nb::object to_python(const Matrix& value);
nb::object to_python(const std::vector<double>& value);
nb::object to_python(const std::vector<int>& value);
nb::object to_python(const std::vector<std::string>& value);
nb::object to_python(const std::vector<Vector>& value);
nb::object to_python(const AnyLaw& value);  ///< laws.cpp
nb::object numbers_to_python(const double* first, std::size_t count);

/// Arrays that share the memory of `owner`, read only. Matrices are shown transposed: one row per
/// column.
nb::object view(const Vector& values, nb::handle owner);
nb::object view_of_columns(const Matrix& values, nb::handle owner);
/// A copy, rows × columns.
nb::object array(const double* first, std::size_t rows, std::size_t columns);
nb::object array(const std::vector<std::int64_t>& values);

// ---------------------------------------------------------------------------------------- values
// from Python
//
// Each throws TypeError where the value is of another type, naming what is wanted.

void from_python(nb::handle value, bool& to);
void from_python(nb::handle value, std::int64_t& to);
void from_python(nb::handle value, double& to);
void from_python(nb::handle value, std::string& to);
void from_python(nb::handle value, Vector& to);
void from_python(nb::handle value, Matrix& to);  ///< a number is 1 × 1, a list one column
void from_python(nb::handle value, std::vector<double>& to);
void from_python(nb::handle value, std::vector<int>& to);
void from_python(nb::handle value, std::vector<std::string>& to);
void from_python(nb::handle value, std::vector<Vector>& to);
void from_python(nb::handle value,
                 AnyLaw& to);  ///< a law, the kind of one, or what can be called; laws.cpp
void numbers_from_python(nb::handle value, double* first, std::size_t count);
/// The place of a word among those allowed; throws InvalidInput.
std::size_t choice_from_python(nb::handle value, std::string_view field,
                               const std::vector<std::string_view>& words);
[[noreturn]] void wrong_type(nb::handle value, const std::string& wanted);

/// Any array, sparse or not, as a sparse matrix.
SparseMatrix sparse_from_python(nb::handle value);
nb::object sparse_to_python(const SparseMatrix& value);  ///< scipy's where it is there, else dense

// --------------------------------------------------------------------------------------------
// types of values

inline constexpr const char* kArray = "numpy.typing.NDArray[numpy.float64]";
inline constexpr const char* kArrayLike = "numpy.typing.ArrayLike";
/// Every law can be called, and what can be called so is one.
inline constexpr const char* kLaw =
    "str | collections.abc.Callable[[percute._core.ImpactProblem], percute._core.ImpactResult]";

/// How the type of a member is written: as it is read, and as it may be given.
struct TypeName {
  std::string read;
  std::string given;
};

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
/// So many doubles in a row: std::array, fixed vectors and matrices of Eigen.
template <class T>
concept FixedNumbers =
    !std::same_as<T, Vector> && !std::same_as<T, Matrix> && requires(T& numbers) {
      { numbers.data() } -> std::same_as<double*>;
    } && !kIsVector<T>;
/// A class of Python of its own.
template <class T>
concept Bound =
    std::is_class_v<T> && !kIsOptional<T> && !kIsVector<T> && !FixedNumbers<T> &&
    !std::same_as<T, std::string> && !std::same_as<T, Vector> && !std::same_as<T, Matrix>;

/// Name of a bound class in annotations, "percute._core.Material".
template <class T>
std::string class_name() {
  return nb::cast<std::string>(nb::type<T>().attr("__module__")) + "." +
         nb::cast<std::string>(nb::type<T>().attr("__qualname__"));
}

/// An enumeration that has words, all of them in names() or one by one by name().
template <class T>
concept Worded = std::is_enum_v<T>;
template <Worded Enum>
std::string_view word_of(Enum value) {
  if constexpr (NamedEnum<Enum>) {
    return name_of(value);
  } else {
    return name(value);
  }
}
/// In the order of the values; that of names() is the same.
template <Worded Enum>
std::vector<std::string_view> words_of() {
  std::vector<std::string_view> words;
  for (int k = 0; word_of(static_cast<Enum>(k)) != "?"; ++k) {
    words.push_back(word_of(static_cast<Enum>(k)));
  }
  return words;
}
std::string literal(const std::vector<std::string_view>& words);

template <class T>
TypeName type_name() {
  if constexpr (std::same_as<T, bool>) {
    return {"bool", "bool"};
  } else if constexpr (std::integral<T>) {
    return {"int", "int"};
  } else if constexpr (std::same_as<T, double>) {
    return {"float", "float"};
  } else if constexpr (std::same_as<T, std::string>) {
    return {"str", "str"};
  } else if constexpr (std::same_as<T, AnyLaw>) {
    return {kLaw, kLaw};
  } else if constexpr (Worded<T>) {
    return {literal(words_of<T>()), literal(words_of<T>())};
  } else if constexpr (kIsOptional<T>) {
    const TypeName inner = type_name<typename T::value_type>();
    return {inner.read + " | None", inner.given + " | None"};
  } else if constexpr (std::same_as<T, std::vector<int>>) {
    return {"list[int]", "collections.abc.Sequence[int]"};
  } else if constexpr (std::same_as<T, std::vector<std::string>>) {
    return {"list[str]", "collections.abc.Sequence[str]"};
  } else if constexpr (kIsVector<T> && !std::same_as<T, std::vector<double>>) {
    const TypeName inner = type_name<typename T::value_type>();
    return {"list[" + inner.read + "]", "collections.abc.Sequence[" + inner.given + "]"};
  } else if constexpr (Bound<T>) {
    return {class_name<T>(), class_name<T>()};
  } else {
    return {kArray, kArrayLike};
  }
}

// ------------------------------------------------------------------------------------------ values
// of any type

template <class T>
nb::object value_to_python(const T& value) {
  if constexpr (Worded<T>) {
    return to_python(word_of(value));
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return to_python(static_cast<std::int64_t>(value));
  } else if constexpr (kIsOptional<T>) {
    return value ? value_to_python(*value) : nb::none();
  } else if constexpr (FixedNumbers<T>) {
    return numbers_to_python(value.data(), static_cast<std::size_t>(value.size()));
  } else if constexpr (std::same_as<T, AnyLaw>) {
    return to_python(value);
  } else if constexpr (Bound<T>) {
    return nb::cast(value);
  } else if constexpr (requires { to_python(value); }) {
    return to_python(value);
  } else {
    nb::list list;
    for (const auto& one : value) list.append(value_to_python(one));
    return list;
  }
}

template <class T>
void value_from_python(nb::handle value, T& to, std::string_view field) {
  if constexpr (Worded<T>) {
    to = static_cast<T>(choice_from_python(value, field, words_of<T>()));
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    std::int64_t number = 0;
    from_python(value, number);
    to = static_cast<T>(number);
  } else if constexpr (kIsOptional<T>) {
    to.reset();
    if (!value.is_none()) value_from_python(value, to.emplace(), field);
  } else if constexpr (FixedNumbers<T>) {
    numbers_from_python(value, to.data(), static_cast<std::size_t>(to.size()));
  } else if constexpr (std::same_as<T, AnyLaw>) {
    from_python(value, to);
  } else if constexpr (Bound<T>) {
    if (!nb::isinstance<T>(value)) wrong_type(value, "a " + class_name<T>());
    to = nb::cast<const T&>(value);
  } else if constexpr (requires { from_python(value, to); }) {
    from_python(value, to);
  } else {
    T list;
    for (const nb::handle one : nb::iter(value)) value_from_python(one, list.emplace_back(), field);
    to = std::move(list);
  }
}

/// Refuses numbers that are not in the range of the field.
template <class T>
void check_range(std::string_view owner, const Field& field, const T& value) {
  if constexpr (std::same_as<T, double>) {
    require_in_range(owner, field, value);
  } else if constexpr (std::same_as<T, std::optional<double>>) {
    if (value) require_in_range(owner, field, *value);
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    require_in_range(owner, field, static_cast<double>(value), true);
  } else if constexpr (kIsList<T>) {
    std::size_t i = 0;
    for (const double one : value) require_in_range(owner, field, one, false, i++);
  }
}

// ------------------------------------------------------------------------------------------
// structs with fields

/// Fields of a struct in Python: members() where the binding has a list of its own, else fields().
template <class T>
void each_field(T& object, auto&& visit) {
  const auto only_members = [&](const Field& field, auto& member) {
    if constexpr (!std::same_as<std::remove_cvref_t<decltype(member)>, OtherForm>)
      visit(field, member);
  };
  if constexpr (requires { members(object, FieldVisitor{}); }) {
    members(object, only_members);
  } else {
    fields(object, only_members);
  }
}

/// A struct as Python sees it.
struct Fields {
  struct Member {
    std::string name;  ///< the key in files; of angles, which are in radians here, without "_deg"
    TypeName type;
    std::string doc;
    std::string initial;  ///< as it is written
  };

  std::string name;   ///< of the class
  std::string owner;  ///< in messages: "law"
  std::vector<Member> members = {};
  nb::object (*get)(const void* object, std::size_t place) = nullptr;
  void (*set)(const Fields& of, void* object, std::size_t place, nb::handle value) = nullptr;
  const void* initial = nullptr;  ///< an object with its defaults

  // What the methods of such a class do.
  void assign(void* object, nb::handle keywords) const;  ///< from a dict; unknown names are errors
  nb::dict state(const void* object) const;
  std::string repr(const void* object) const;  ///< that which differs from the defaults
  bool equal(const void* a, const void* b) const;
  std::string init_signature() const;
  std::string doc(const char* text) const;
  std::size_t place(std::string_view name) const;
};

/// Lives as long as Python: classes keep pointers to what they are made of.
Fields& keep(Fields fields);
const char* keep(std::string text);

std::string member_name(const Field& field);
std::string member_doc(const Field& field);
std::string written(nb::handle value);  ///< repr(), arrays as lists

template <class T>
Fields& fields_of(const char* name, const char* owner) {
  static const T initial{};
  Fields list{.name = name, .owner = owner};
  each_field(initial, [&](const Field& field, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    list.members.push_back({.name = member_name(field),
                            .type = type_name<Member>(),
                            .doc = member_doc(field),
                            .initial = written(value_to_python(member))});
  });
  list.get = [](const void* object, std::size_t place) {
    nb::object found;
    std::size_t k = 0;
    each_field(*static_cast<const T*>(object), [&](const Field&, const auto& member) {
      if (k++ == place) found = value_to_python(member);
    });
    return found;
  };
  list.set = [](const Fields& of, void* object, std::size_t place, nb::handle value) {
    std::size_t k = 0;
    each_field(*static_cast<T*>(object), [&](const Field& field, auto& member) {
      if (k++ != place) return;
      std::remove_cvref_t<decltype(member)> given = member;
      value_from_python(
          value, given,
          of.owner.empty() ? of.members[place].name : of.owner + "." + of.members[place].name);
      check_range(of.owner, field, given);
      member = std::move(given);
    });
  };
  list.initial = &initial;
  return keep(std::move(list));
}

/// Whether an object is judged as a whole when it is made. Methods of simulation are not: how long
/// a run takes may be said later.
template <class T>
inline constexpr bool kJudged =
    requires(const T& object) { validate(object); } && !requires(const T& object) { object.run; };

/// Makes a class of a struct with fields, in module `in`. `owner` is how messages call one: "law".
template <class T, class... Bases>
nb::class_<T, Bases...> bind_fields(nb::module_& in, const char* name, const char* owner,
                                    const char* doc) {
  const Fields* list = nullptr;
  nb::class_<T, Bases...> made(in, name);
  list = &fields_of<T>(name, owner);
  made.attr("__doc__") = list->doc(doc).c_str();
  made.def(
      "__init__",
      [list](T* self, const nb::kwargs& keywords) {
        new (self) T();
        list->assign(self, keywords);
        if constexpr (kJudged<T>) validate(*self);
      },
      nb::sig(keep(list->init_signature())));
  for (std::size_t place = 0; place < list->members.size(); ++place) {
    const Fields::Member& member = list->members[place];
    made.def_prop_rw(
        member.name.c_str(), [list, place](const T& self) { return list->get(&self, place); },
        [list, place](T& self, nb::handle value) { list->set(*list, &self, place, value); },
        nb::for_getter(nb::sig(keep("def " + member.name + "(self) -> " + member.type.read))),
        nb::for_setter(nb::sig(
            keep("def " + member.name + "(self, value: " + member.type.given + ", /) -> None"))),
        keep(member.doc));
  }
  made.def(
      "__repr__", [list](const T& self) { return to_python(list->repr(&self)); },
      nb::sig("def __repr__(self) -> str"));
  made.def(
      "__eq__",
      [list](const T& self, nb::handle other) -> nb::object {
        if (!nb::isinstance<T>(other)) return nb::borrow(Py_NotImplemented);
        return to_python(list->equal(&self, &nb::cast<const T&>(other)));
      },
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  made.attr("__hash__") = nb::none();  // it can change
  made.def(
      "__getstate__", [list](const T& self) { return list->state(&self); },
      nb::sig("def __getstate__(self) -> dict[str, typing.Any]"));
  made.def(
      "__setstate__",
      [list](T& self, const nb::dict& state) {
        new (&self) T();
        list->assign(&self, state);
      },
      nb::sig("def __setstate__(self, state: dict[str, typing.Any], /) -> None"));
  made.def(
      "replace",
      [list](const T& self, const nb::kwargs& keywords) {
        T changed = self;
        list->assign(&changed, keywords);
        if constexpr (kJudged<T>) validate(changed);
        return changed;
      },
      nb::sig(keep("def replace(self, **changes: typing.Any) -> " + class_name<T>())),
      "The same with some fields changed.");
  return made;
}

}  // namespace percute::python
