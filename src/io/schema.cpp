// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/schema.hpp"

#include "io/text.hpp"

#include <percute/laws/any_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace percute::io {

namespace {

Matrix read_matrix(const Value& value) {
  Matrix matrix;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Vector row = value[i].numbers();
    if (i == 0) matrix.resize(static_cast<Eigen::Index>(value.size()), row.size());
    if (row.size() != matrix.cols()) {
      value[i].fail(fmt::format("must have {} like the first row, got {}", entries(matrix.cols()),
                                row.size()));
    }
    matrix.row(static_cast<Eigen::Index>(i)) = row.transpose();
  }
  return matrix;
}

/// Reads the value of one option into its member.
struct OptionReader {
  const Field& field;
  const Value& value;

  void operator()(bool* member) const { *member = value.boolean(); }
  void operator()(const IntegerOption& option) const {
    using Limits = std::numeric_limits<long>;
    const long number = value.integer(Limits::lowest(), Limits::max());
    refuse_outside(value, static_cast<double>(number), true);
    option.set(option.member, number);
    if (option.get(option.member) != number) value.fail("is too large, " + value.node().describe());
  }
  void operator()(double* member) const { *member = number(value); }
  void operator()(std::optional<double>* member) const { *member = number(value); }
  void operator()(std::string* member) const { *member = value.string(); }
  void operator()(std::vector<double>* member) const { *member = numbers(); }
  void operator()(const NumbersOption& option) const {
    const std::vector<double> list = numbers();
    if (list.size() != option.count) {
      value.fail(fmt::format("must have {}, got {}", entries(option.count), list.size()));
    }
    std::ranges::copy(list, option.first);
  }
  void operator()(Vector* member) const { *member = value.numbers(); }
  void operator()(Matrix* member) const {
    const auto* list = value.node().as<Node::Array>();
    if (field.diagonal && list == nullptr) {
      *member = Matrix::Constant(1, 1, number(value));
    } else if (!field.diagonal || (!list->empty() && list->front().as<Node::Array>() != nullptr)) {
      *member = read_matrix(value);
    } else {
      const std::vector<double> diagonal = numbers();
      *member = Eigen::Map<const Vector>(diagonal.data(), std::ssize(diagonal));
    }
  }
  void operator()(const ChoiceOption& option) const {
    option.set(option.member, value.choice(option.words));
  }
  void operator()(OtherForm*) const {}

 private:
  void refuse_outside(const Value& from, double number, bool integer) const {
    const std::string reason = out_of_range(field.range, number, integer);
    if (!reason.empty()) from.fail(reason + (field.degrees ? " degrees" : ""));
  }

  double number(const Value& from) const {
    const double number = field.range.infinite ? from.number_or_infinite() : from.number();
    refuse_outside(from, number, false);
    return field.from_file(number);
  }

  std::vector<double> numbers() const {
    std::vector<double> list(value.size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = number(value[i]);
    return list;
  }
};

/// The value of one option, null for none.
struct OptionWriter {
  const Field& field;

  Node operator()(const bool* member) const { return *member; }
  Node operator()(const IntegerOption& option) const { return option.get(option.member); }
  Node operator()(const double* member) const { return number(*member); }
  Node operator()(const std::optional<double>* member) const {
    return *member ? number(**member) : Node();
  }
  Node operator()(const std::string* member) const { return *member; }
  Node operator()(const std::vector<double>* member) const { return numbers(*member); }
  Node operator()(const NumbersOption& option) const {
    return numbers(std::span(option.first, option.count));
  }
  Node operator()(const Vector* member) const { return numbers(*member); }
  Node operator()(const Matrix* member) const {
    if (member->size() == 0) return {};
    if (!field.diagonal || member->cols() > 1) return *member;
    return member->size() == 1 ? number((*member)(0, 0)) : numbers(member->col(0));
  }
  Node operator()(const ChoiceOption& option) const {
    const std::size_t place = option.get(option.member);
    return place < option.words.size() ? option.words[place] : "?";
  }
  Node operator()(const OtherForm*) const { return {}; }

 private:
  Node number(double value) const { return infinite_or_number(field.to_file(value)); }

  template <class Numbers>
  Node numbers(const Numbers& list) const {
    Node::Array nodes;
    for (const double value : list) nodes.push_back(number(value));
    return nodes;
  }
};

/// What the type of an option says about its values.
struct OptionSchema {
  const Field& field;

  Node operator()(const bool*) const { return typed("boolean"); }
  Node operator()(const IntegerOption&) const { return number_schema(field, true); }
  Node operator()(const double*) const { return number_schema(field, false); }
  Node operator()(const std::optional<double>*) const { return number_schema(field, false); }
  Node operator()(const std::string*) const { return typed("string"); }
  Node operator()(const std::vector<double>*) const { return list_of(number_schema(field, false)); }
  Node operator()(const NumbersOption& option) const {
    const auto count = static_cast<std::int64_t>(option.count);
    return list_of(number_schema(field, false), {{"minItems", count}, {"maxItems", count}});
  }
  Node operator()(const Vector*) const { return list_of(typed("number")); }
  Node operator()(const OtherForm*) const { return list_of(typed("number")); }
  Node operator()(const Matrix*) const {
    if (!field.diagonal) return matrix_schema();
    const Node number = number_schema(field, false);
    return one_of({number, list_of(number), matrix_schema()});
  }
  Node operator()(const ChoiceOption& option) const { return words_schema(option.words); }
};

}  // namespace

Node option_node(const Field& field, const Option& option) {
  return std::visit(OptionWriter{field}, option);
}

std::vector<std::string_view> option_keys(std::vector<std::string_view> first,
                                          const EachOption& each) {
  each([&first](const Field& field, const Option&) { first.push_back(field.key); });
  return first;
}

void read_option(const Field& field, const Option& option, const Value& value) {
  std::visit(OptionReader{field, value}, option);
}

void read_options(const Table& table, const EachOption& each) {
  each([&table](const Field& field, const Option& option) {
    const bool effective = field.of.empty();
    const auto value = table.find(field.key);
    if (!value && field.required && effective) {
      table.value().fail(fmt::format("the key '{}' is missing: {}{}{}", field.key, field.doc,
                                     field.unit.empty() ? "" : ", ", field.unit));
    }
    if (!value) return;
    const std::string usual = effective ? "" : to_json(option_node(field, option));
    read_option(field, option, *value);
    if (!effective && (field.required || to_json(option_node(field, option)) != usual)) {
      value->fail(fmt::format("is used by {} only", field.of));
    }
  });
}

void add_options(Node& node, const EachOption& each, Absent absent, const EachOption& defaults) {
  each([&](const Field& field, const Option& option) {
    Node value = option_node(field, option);
    if (!field.of.empty() && defaults) {
      // Other values would be refused.
      value = {};
      defaults([&](const Field& other, const Option& usual) {
        if (other.key == field.key && !field.required) value = option_node(other, usual);
      });
    }
    if (!value.is_null() || absent == Absent::Null) {
      node.add(std::string(field.key), std::move(value));
    }
  });
}

Node infinite_or_number(double value) {
  return std::isinf(value) ? Node("inf") : Node(value);
}

Node typed(std::string_view type, Node::Object more) {
  more.emplace(more.begin(), "type", type);
  return more;
}

Node list_of(Node items, Node::Object more) {
  more.emplace(more.begin(), "items", std::move(items));
  return typed("array", std::move(more));
}

Node one_of(Node::Array schemas) {
  return Node::Object{{"anyOf", std::move(schemas)}};
}

Node constant(std::string_view word) {
  return Node::Object{{"const", word}};
}

Node words_schema(std::span<const std::string_view> words) {
  return Node::Object{{"enum", Node::Array(words.begin(), words.end())}};
}

Node number_schema(const Field& field, bool integer) {
  const Range& range = field.range;
  Node number = typed(integer ? "integer" : "number");
  if (std::isfinite(range.lowest)) {
    number.add(range.above ? "exclusiveMinimum" : "minimum", range.lowest);
  }
  if (std::isfinite(range.highest)) {
    number.add(range.below ? "exclusiveMaximum" : "maximum", range.highest);
  }
  return range.infinite ? one_of({std::move(number), constant("inf")}) : number;
}

Node matrix_schema() {
  return list_of(list_of(typed("number")));
}

void ObjectSchema::add(const Field& field, Node value, bool required, Node otherwise) {
  if (!field.doc.empty()) value.add("description", field.doc);
  if (!field.unit.empty()) value.add("unit", field.unit);
  if (!otherwise.is_null()) value.add("default", std::move(otherwise));
  properties_.add(std::string(field.key), std::move(value));
  if (required) required_.emplace_back(field.key);
}

Node ObjectSchema::node() && {
  Node node = typed("object", {{"properties", std::move(properties_)}});
  if (!required_.empty()) node.add("required", std::move(required_));
  node.add("additionalProperties", false);
  return node;
}

void add_option(ObjectSchema& schema, const Field& field, const Option& option, Writer writer) {
  Node value = std::visit(OptionSchema{field}, option);
  const bool people = writer == Writer::People;
  if (!people) value = one_of({std::move(value), typed("null")});
  schema.add(field, std::move(value), people ? field.required : true,
             people && !field.required ? option_node(field, option) : Node());
}

Node LawSchema::schema() {
  Node::Array kinds;
  for (const std::string_view kind : law_kinds()) {
    ObjectSchema options;
    // Options without a kind are those of lzb.
    options.add({"kind", ""}, constant(kind), kind != "lzb");
    make_law(kind).visit([&options](const Field& field, const Option& option) {
      add_option(options, field, option, Writer::People);
    });
    kinds.push_back(std::move(options).node());
  }
  return one_of(std::move(kinds));
}

std::span<const NamedSchema> schemas() {
  static constexpr std::array<NamedSchema, 3> kSchemas{{{.name = "problem",
                                                         .format = "percute-problem/1",
                                                         .title = "Impact problem of percute",
                                                         .make = problem_schema},
                                                        {.name = "result",
                                                         .format = "percute-result/1",
                                                         .title = "What a law makes of a problem",
                                                         .make = result_schema},
                                                        {.name = "run",
                                                         .format = "percute-run/1",
                                                         .title = "Summary of a motion in time",
                                                         .make = run_schema}}};
  return kSchemas;
}

Node schema_document(const NamedSchema& schema) {
  Node document;
  document.add("$schema", "https://json-schema.org/draft/2020-12/schema");
  document.add("$id", fmt::format("urn:percute:{}", schema.format));
  document.add("title", schema.title);
  Node object = schema.make();
  *object.find("properties")->find("format") = constant(schema.format);
  for (Node::Member& member : *object.as<Node::Object>()) {
    document.add(std::move(member.key), std::move(member.value));
  }
  return document;
}

}  // namespace percute::io
