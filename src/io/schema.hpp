// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/model/options.hpp>

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Lists of fields (percute/model/fields.hpp) of what files hold: read, written, and as JSON Schemas
// (draft 2020-12). Options are read and written at run time, all structs by the same code; what is
// only written is so by its type. A field of it may be a member, or a function without arguments
// that computes it:
//
//     void fields(Same<Outcome> auto& outcome, auto&& visit) {
//       visit(Field{"after", "kinetic energy", {}, "J"}, outcome.after);
//       visit(Field{"ratio", "after / before"}, [&] { return outcome.ratio(); });
//     }
//
// A schema needs the types of the fields only: it asks a default outcome, and calls no function.

namespace percute::io {

// ------------------------------------------------------------------- options at run time

/// Calls a visitor for each option of something.
using EachOption = std::function<void(const OptionVisitor&)>;

template <class Options>
EachOption options_of(Options& options) {
  return [&options](const OptionVisitor& visit) { visit_options(options, visit); };
}

/// `first` and the keys of all options.
std::vector<std::string_view> option_keys(std::vector<std::string_view> first,
                                          const EachOption& each);

/// Sets the options that the table names. Throws FileError for values that are of another type or
/// out of range, for options that are required and missing, and for those that would have no
/// effect, unless they have their default.
void read_options(const Table& table, const EachOption& each);

/// Reads the value of one option. Throws FileError for one of another type or out of range.
void read_option(const Field& field, const Option& option, const Value& value);

/// What is written for an option without a value.
enum class Absent { Nothing, Null };

/// Adds every option. Those that have no effect are written as they are in `defaults`.
void add_options(Node& node, const EachOption& each, Absent absent = Absent::Nothing,
                 const EachOption& defaults = {});

/// The value of an option as a file has it; null where it has none.
Node option_node(const Field& field, const Option& option);

/// A number, or "inf".
Node infinite_or_number(double value);

// ------------------------------------------------------------------- what is written, by its type

/// Who writes an object: people, who may leave out all that is not required, or percute, which
/// leaves out nothing but what has no value and is Field::where_known().
enum class Writer { People, Percute };

/// A value in a form of its own, which says itself what that is.
template <class T>
concept HasSchema = requires {
  { T::schema() } -> std::same_as<Node>;
};

template <class T>
concept Computed = std::invocable<const T&>;
template <class T>
concept Optional = requires(const T& value) {
  value.has_value();
  *value;
};
template <class T>
concept ListOfObjects =
    requires(const T& list) { list.front(); } && HasFields<const typename T::value_type>;

/// A value as it is written; an object without the fields that are left out.
template <class T>
Node node_of(const T& value, const Field& field = {"", ""}) {
  if constexpr (Computed<T>) {
    return node_of(value(), field);
  } else if constexpr (Optional<T>) {
    return value ? node_of(*value, field) : Node();
  } else if constexpr (NamedEnum<T>) {
    return name_of(value);
  } else if constexpr (HasFields<const T>) {
    Node node(Node::Object{});
    fields(value, [&node](const Field& own, const auto& member) {
      Node entry = node_of(member, own);
      if (!entry.is_null() || !own.if_known) node.add(std::string(own.key), std::move(entry));
    });
    return node;
  } else if constexpr (ListOfObjects<T>) {
    Node::Array list;
    list.reserve(value.size());
    for (const auto& entry : value) list.push_back(node_of(entry));
    return list;
  } else if constexpr (std::same_as<T, double>) {
    return field.range.infinite ? infinite_or_number(value) : Node(value);
  } else {
    return value;
  }
}

/// The schema of an object, field by field.
class ObjectSchema {
 public:
  /// `value` is what the field says of itself without its words.
  void add(const Field& field, Node value, bool required, Node otherwise = {});
  Node node() &&;

 private:
  Node properties_{Node::Object{}};
  Node::Array required_ = {};
};

/// {"type": …} with what more there is to say.
Node typed(std::string_view type, Node::Object more = {});
Node list_of(Node items, Node::Object more = {});
Node one_of(Node::Array schemas);
Node constant(std::string_view word);
Node words_schema(std::span<const std::string_view> words);
/// Numbers of the range of a field.
Node number_schema(const Field& field, bool integer);
/// Numbers row by row.
Node matrix_schema();
/// What an option may be (options.hpp).
void add_option(ObjectSchema& schema, const Field& field, const Option& option, Writer writer);

/// An object whose fields are listed on the spot: Part{[&](auto&& visit) { visit(Field{…}, …); }}.
template <class List>
struct Part {
  List list;
};
template <class List>
Part(List) -> Part<List>;
template <class List>
void fields(const Part<List>& part, auto&& visit) {
  part.list(visit);
}

template <class T>
Node schema_of(Writer writer, const Field& field = {"", ""});

template <class T>
Node object_schema(Writer writer, const T& sample) {
  ObjectSchema object;
  fields(sample, [&object, writer](const Field& own, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (HasFields<const Member>) {
      object.add(own, object_schema(writer, member),
                 writer == Writer::People ? own.required : !own.if_known);
    } else {
      Node usual;
      if constexpr (!Computed<Member> && !HasSchema<Member>) {
        if (writer == Writer::People && !own.required) usual = node_of(member, own);
      }
      object.add(own, schema_of<Member>(writer, own),
                 writer == Writer::People ? own.required : !own.if_known, std::move(usual));
    }
  });
  return std::move(object).node();
}

/// The schema of what node_of() writes, or what is read into a value of that type.
template <class T>
Node schema_of(Writer writer, const Field& field) {
  if constexpr (HasSchema<T>) {
    return T::schema();
  } else if constexpr (Computed<T>) {
    return schema_of<std::remove_cvref_t<std::invoke_result_t<const T&>>>(writer, field);
  } else if constexpr (Optional<T>) {
    Node value = schema_of<std::remove_cvref_t<decltype(*std::declval<T>())>>(writer, field);
    const bool may_be_null = writer == Writer::Percute && !field.if_known;
    return may_be_null ? one_of({std::move(value), typed("null")}) : value;
  } else if constexpr (NamedEnum<T>) {
    T value{};
    return words_schema(std::get<ChoiceOption>(option_of(value)).words);
  } else if constexpr (HasFields<const T>) {
    return object_schema(writer, T{});
  } else if constexpr (std::same_as<T, bool>) {
    return typed("boolean");
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_schema(field, std::is_integral_v<T>);
  } else if constexpr (std::same_as<T, Matrix>) {
    return matrix_schema();
  } else if constexpr (std::same_as<T, Node>) {
    return typed("object");
  } else if constexpr (std::constructible_from<std::string_view, T>) {
    return typed("string");
  } else {
    return list_of(schema_of<std::remove_cvref_t<decltype(*std::declval<T>().begin())>>(writer));
  }
}

/// A value of some type that is read by hand.
template <class T>
struct Of {
  static Node schema() { return schema_of<T>(Writer::People); }
};

/// What is written elsewhere, of a shape that says itself what it is.
template <HasSchema Shape>
struct Shaped {
  Node value;
  static Node schema() { return Shape::schema(); }
  operator Node() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// What `law` may be, one object per kind.
struct LawSchema {
  static Node schema();
};

/// What `simulation` of a run may be, one object per method.
struct MethodSchema {
  static Node schema();
};

// Of whole files, but for what schema_document() adds.
Node problem_schema();
Node result_schema();
Node run_schema();

/// A schema that percute can print.
struct NamedSchema {
  std::string_view name;
  std::string_view format;  ///< of the files
  std::string_view title;
  Node (*make)();
};
std::span<const NamedSchema> schemas();

Node schema_document(const NamedSchema& schema);

}  // namespace percute::io
