// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/model/body.hpp>
#include <percute/model/fields.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Structs with a list of fields (percute/model/fields.hpp) as Python classes: constructor with
// keywords, properties with documentation, ==, repr, pickling. What a struct costs is one function
// that reads its fields and one that writes them; everything else is compiled once, in values.cpp.

namespace percute::python {

namespace nb = nanobind;

// ------------------------------------------------------------------------------------------------
// values to Python

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
/// Arrays that take the memory over; rows × columns, one after the other.
nb::object array(std::vector<double>&& values);
nb::object array(std::vector<double>&& values, std::size_t rows, std::size_t columns);
nb::object array(std::vector<std::int64_t>&& values);

// ------------------------------------------------------------------------------------------------
// values from Python
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
/// Any array, list of numbers or number as NumPy's, of doubles in rows; not a copy where it is one.
nb::object rows_of_numbers(nb::handle value, int dimensions, const char* wanted);
[[noreturn]] void wrong_type(nb::handle value, const std::string& wanted);

/// Any array, sparse or not, as a sparse matrix.
SparseMatrix sparse_from_python(nb::handle value);
nb::object sparse_to_python(const SparseMatrix& value);  ///< scipy's where it is there, else dense

// ------------------------------------------------------------------------------------------------
// types of values

/// A signature in which short names stand for types: Array, ArrayLike, Law, Any, Sequence, …, and
/// those of percute._core, "def resolve(self, law: Law | None = None) -> ImpactResult".
nb::sig sig(const std::string& text);
std::string type_named(const std::string& text);

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
/// A matrix of Eigen of a size that does not change.
template <class T>
concept FixedMatrix = requires { requires T::RowsAtCompileTime > 1 && T::ColsAtCompileTime > 1; };
/// So many doubles in a row: std::array, fixed vectors of Eigen.
template <class T>
concept FixedNumbers = !std::same_as<T, Vector> && !std::same_as<T, Matrix> && !FixedMatrix<T> &&
                       requires(T& numbers) {
                         { numbers.data() } -> std::same_as<double*>;
                       } && !kIsVector<T>;
/// So many things of another type in a row.
template <class T>
concept FixedList = !FixedNumbers<T> && requires { std::tuple_size<T>::value; };
/// What may be none.
template <class T>
inline constexpr bool kIsShared = false;
template <class T>
inline constexpr bool kIsShared<std::shared_ptr<T>> = true;
/// A class of Python of its own.
template <class T>
concept Bound =
    std::is_class_v<T> && !kIsOptional<T> && !kIsShared<T> && !kIsVector<T> && !FixedNumbers<T> &&
    !FixedMatrix<T> && !FixedList<T> && !std::same_as<T, std::string> && !std::same_as<T, Vector> &&
    !std::same_as<T, Matrix>;

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
    return {type_named("Law"), type_named("Law")};
  } else if constexpr (Worded<T>) {
    return {literal(words_of<T>()), literal(words_of<T>())};
  } else if constexpr (kIsShared<T>) {
    const std::string inner = class_name<typename T::element_type>() + " | None";
    return {inner, inner};
  } else if constexpr (kIsOptional<T>) {
    const TypeName inner = type_name<typename T::value_type>();
    return {inner.read + " | None", inner.given + " | None"};
  } else if constexpr (std::same_as<T, std::vector<int>>) {
    return {"list[int]", "collections.abc.Sequence[int]"};
  } else if constexpr (std::same_as<T, std::vector<std::string>>) {
    return {"list[str]", "collections.abc.Sequence[str]"};
  } else if constexpr (FixedList<T> || (kIsVector<T> && !std::same_as<T, std::vector<double>>)) {
    const TypeName inner = type_name<typename T::value_type>();
    if (FixedNumbers<typename T::value_type>) return {"list[" + inner.read + "]", inner.given};
    return {"list[" + inner.read + "]", "collections.abc.Sequence[" + inner.given + "]"};
  } else if constexpr (Bound<T>) {
    return {class_name<T>(), class_name<T>()};
  } else {
    return {type_named("Array"), type_named("ArrayLike")};
  }
}

// ------------------------------------------------------------------------------------------------
// values of any type

template <class T>
nb::object value_to_python(const T& value) {
  if constexpr (Worded<T>) {
    return to_python(word_of(value));
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return to_python(static_cast<std::int64_t>(value));
  } else if constexpr (kIsOptional<T>) {
    return value ? value_to_python(*value) : nb::none();
  } else if constexpr (kIsShared<T>) {
    return value ? nb::cast(value) : nb::none();
  } else if constexpr (FixedMatrix<T>) {
    return to_python(Matrix(value));
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
  } else if constexpr (kIsShared<T>) {
    if (value.is_none()) {
      to = nullptr;
      return;
    }
    if (!nb::isinstance<typename T::element_type>(value)) {
      wrong_type(value, "a " + class_name<typename T::element_type>());
    }
    to = nb::cast<T>(value);
  } else if constexpr (FixedMatrix<T>) {
    Matrix given;
    from_python(value, given);
    if (given.rows() != to.rows() || given.cols() != to.cols()) {
      wrong_type(value,
                 "a matrix " + std::to_string(to.rows()) + " × " + std::to_string(to.cols()));
    }
    to = given;
  } else if constexpr (FixedList<T>) {
    std::vector<typename T::value_type> list;
    value_from_python(value, list, field);
    if (list.size() != to.size()) wrong_type(value, "a list of " + std::to_string(to.size()));
    std::ranges::copy(list, to.begin());
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

// ------------------------------------------------------------------------------------------------
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
  nb::object (*get)(const void* object, std::size_t place, nb::handle self) = nullptr;
  void (*set)(const Fields& of, void* object, std::size_t place, nb::handle value) = nullptr;
  const void* initial = nullptr;  ///< an object with its defaults

  // What the methods of such a class do.
  /// From a dict; unknown names are errors. A default may be out of range: it stands for "say it".
  void assign(void* object, nb::handle keywords, bool defaults_too = true) const;
  nb::dict state(const void* object, nb::handle self) const;
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

/// A member as it is seen in a struct that does not change: arrays, one row per sample, and structs
/// share its memory.
template <class T>
nb::object shown(const T& value, nb::handle self) {
  if constexpr (std::same_as<T, Vector>) {
    return view(value, self);
  } else if constexpr (std::same_as<T, Matrix>) {
    return view_of_columns(value, self);
  } else if constexpr (Bound<T>) {
    return nb::cast(&value, nb::rv_policy::reference_internal, self);
  } else {
    return value_to_python(value);
  }
}

/// What may become of an object of a class in Python.
enum class Use {
  Options,  ///< it can be changed; what is in it is given out as copies
  Result,   ///< it can be looked at
};

template <class T, Use use>
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
  list.get = [](const void* object, std::size_t place, [[maybe_unused]] nb::handle self) {
    nb::object found;
    std::size_t k = 0;
    each_field(*static_cast<const T*>(object), [&](const Field&, const auto& member) {
      if (k++ != place) return;
      if constexpr (use == Use::Result) {
        if (self.is_valid()) {
          found = shown(member, self);
          return;
        }
      }
      found = value_to_python(member);
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
      if constexpr (use == Use::Result && std::same_as<decltype(given), Matrix>) {
        given.transposeInPlace();  // one row per sample there
      }
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

/// Takes a method out of a class, so that another one is not only a second choice beside it.
inline void forget(nb::handle of, const char* name) {
  if (nb::cast<bool>(of.attr("__dict__").attr("__contains__")(name))) nb::delattr(of, name);
}

/// A method that is written in Python: `function` of percute.`module` is given the object and what
/// else there is.
template <class Class>
void python_method(Class& of, const char* name, const char* module, const char* function,
                   const char* signature, const char* doc) {
  forget(of, name);
  of.def(
      name,
      [module, function](nb::handle self, const nb::args& more, const nb::kwargs& keywords) {
        return nb::module_::import_(module).attr(function)(self, *more, **keywords);
      },
      sig(signature), doc);
}

/// Makes a class of a struct with fields, in module `in`. `owner` is how messages call one: "law".
template <class T, Use use = Use::Options, class... Extra>
nb::class_<T> bind_fields(nb::module_& in, const char* name, const char* owner, const char* doc,
                          const Extra&... extra) {
  nb::class_<T> made(in, name, extra...);
  const Fields* list = &fields_of<T, use>(name, owner);
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
    const auto get = [list, place](nb::handle self) {
      return list->get(&nb::cast<const T&>(self), place, self);
    };
    const nb::sig read(keep("def " + member.name + "(self) -> " + member.type.read));
    if constexpr (use == Use::Result) {
      made.def_prop_ro(member.name.c_str(), get, read, keep(member.doc));
    } else {
      made.def_prop_rw(
          member.name.c_str(), get,
          [list, place](T& self, nb::handle value) { list->set(*list, &self, place, value); },
          nb::for_getter(read),
          nb::for_setter(nb::sig(
              keep("def " + member.name + "(self, value: " + member.type.given + ", /) -> None"))),
          keep(member.doc));
    }
  }
  made.def(
      "__repr__", [list](const T& self) { return to_python(list->repr(&self)); },
      sig("def __repr__(self) -> str"));
  made.def(
      "__eq__",
      [list](const T& self, nb::handle other) -> nb::object {
        if (!nb::isinstance<T>(other)) return nb::borrow(Py_NotImplemented);
        return to_python(list->equal(&self, &nb::cast<const T&>(other)));
      },
      sig("def __eq__(self, other: object, /) -> bool"));
  made.attr("__hash__") = nb::none();  // it can change, and so can the arrays it is made of
  made.def(
      "__getstate__",
      [list](nb::handle self) { return list->state(&nb::cast<const T&>(self), self); },
      sig("def __getstate__(self) -> dict[str, Any]"));
  made.def(
      "__setstate__",
      [list](T& self, const nb::dict& state) {
        new (&self) T();
        list->assign(&self, state, false);
      },
      sig("def __setstate__(self, state: dict[str, Any], /) -> None"));
  made.def(
      "replace",
      [list](const T& self, const nb::kwargs& keywords) {
        T changed = self;
        list->assign(&changed, keywords);
        if constexpr (kJudged<T>) validate(changed);
        return changed;
      },
      sig("def replace(self, **changes: Any) -> " + class_name<T>()),
      "The same with some fields changed.");
  python_method(made, "_repr_html_", "percute._tables", "fields_html",
                "def _repr_html_(self) -> str", "A table of its fields.");
  return made;
}
template <class T, class... Extra>
nb::class_<T> bind_result(nb::module_& in, const char* name, const char* doc,
                          const Extra&... extra) {
  return bind_fields<T, Use::Result>(in, name, "", doc, extra...);
}

// ------------------------------------------------------------------------------------------------
// functions

/// Arguments of a function by their names and defaults, as Python writes them: "speed, strikers=1".
class Arguments {
 public:
  explicit Arguments(std::string_view text);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t k) const { return names_[k]; }
  /// "speed: float, strikers: int = 1"
  std::string declared(const std::vector<std::string>& types) const;
  /// One value each; throws TypeError where one is missing, or is not known.
  std::vector<nb::object> matched(const nb::args& positional, const nb::kwargs& keywords) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> defaults_;  ///< empty: it must be given
  std::vector<nb::object> values_;
};

/// Whether other functions of the same name take other arguments: then it is their turn.
enum class Overload { No, Yes };

template <class... A>
std::tuple<std::remove_cvref_t<A>...> values_for(const char* function, const Arguments& arguments,
                                                 const nb::args& positional,
                                                 const nb::kwargs& keywords, Overload overload) {
  std::tuple<std::remove_cvref_t<A>...> values;
  try {
    const std::vector<nb::object> given = arguments.matched(positional, keywords);
    std::size_t k = 0;
    std::apply(
        [&](auto&... value) {
          (..., (value_from_python(given[k], value, arguments.name(k)), ++k));
        },
        values);
  } catch (const nb::builtin_exception& error) {
    if (overload == Overload::Yes) throw nb::next_overload();
    throw nb::type_error((std::string(function) + "(): " + error.what()).c_str());
  }
  return values;
}

/// Does what takes time, while other threads of Python go on.
auto without_python(auto&& work) {
  const nb::gil_scoped_release alone;
  return work();
}

/// Binds a function of C++ to a class or module. What it is given and gives back, and the types in
/// its signature, are those of C++; `arguments` are their names, see Arguments.
template <class S, class R, class... A>
void define(nb::class_<S>& of, const char* name, R (S::*function)(A...) const,
            const char* arguments, const char* doc, Overload overload = Overload::No) {
  const auto& known = *new Arguments(arguments);
  const std::string rest = known.declared({type_name<std::remove_cvref_t<A>>().given...});
  of.def(
      name,
      [=, &known](const S& self, const nb::args& positional, const nb::kwargs& keywords) {
        const auto values = values_for<A...>(name, known, positional, keywords, overload);
        return value_to_python(without_python([&] {
          return std::apply([&](const auto&... value) { return (self.*function)(value...); },
                            values);
        }));
      },
      sig(std::string("def ") + name + "(self" + (rest.empty() ? "" : ", ") + rest + ") -> " +
          type_name<std::remove_cvref_t<R>>().read),
      doc);
}
template <class R, class... A>
void define(nb::module_& in, const char* name, R (*function)(A...), const char* arguments,
            const char* doc) {
  const auto& known = *new Arguments(arguments);
  in.def(
      name,
      [=, &known](const nb::args& positional, const nb::kwargs& keywords) {
        const auto values = values_for<A...>(name, known, positional, keywords, Overload::No);
        return value_to_python(without_python([&] { return std::apply(function, values); }));
      },
      sig(std::string("def ") + name + "(" +
          known.declared({type_name<std::remove_cvref_t<A>>().given...}) + ") -> " +
          type_name<std::remove_cvref_t<R>>().read),
      doc);
}
/// The member function that takes these arguments, of those with a name.
template <class... A>
inline constexpr auto taking =
    []<class S, class R>(R (S::*function)(A...) const) { return function; };

}  // namespace percute::python
