// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/schema.hpp"

#include <percute/laws/any_law.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace percute::io {

namespace {

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
  std::optional<Node> usual = option_node(field, option);
  const bool people = writer == Writer::People;
  if (!people) value = one_of({std::move(value), typed("null")});
  schema.add(field, std::move(value), people ? field.required : true,
             people && !field.required ? std::move(usual).value_or(Node()) : Node());
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
