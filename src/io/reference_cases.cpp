// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/embedded.hpp"

#include <percute/io/reference_cases.hpp>

#include <array>
#include <limits>

namespace percute::io {

namespace {

constexpr long kMany = std::numeric_limits<int>::max();

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

Vector numbers(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->numbers() : Vector();
}

std::vector<long> integers(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->integers(0, kMany) : std::vector<long>();
}

std::vector<NamedNumber> read_quantities(const Table& table) {
  static constexpr std::array<std::string_view, 5> kKeys{"quantity", "value", "decimals",
                                                         "tolerance", "match_tolerance"};
  std::vector<NamedNumber> result;
  const auto list = table.find("quantities");
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const Table entry((*list)[i], kKeys);
    const std::string_view tolerance = entry.has("tolerance") ? "tolerance" : "match_tolerance";
    result.push_back({.quantity = entry.required("quantity").string(),
                      .value = entry.required("value").number(),
                      .decimals = static_cast<int>(entry.integer("decimals", 0, 0, 17)),
                      .tolerance = entry.required(tolerance).number()});
  }
  return result;
}

PublishedValues read_published(const Value& value) {
  static constexpr std::array<std::string_view, 15> kKeys{"id",
                                                          "where",
                                                          "classification",
                                                          "reason",
                                                          "statement",
                                                          "velocity",
                                                          "decimals",
                                                          "compared",
                                                          "as_printed",
                                                          "tolerance",
                                                          "quantities",
                                                          "sum_of_squares",
                                                          "printed_energy_ratio",
                                                          "printed_restitution",
                                                          "rebound_heights"};
  const Table table(value, kKeys);
  PublishedValues result{.id = table.required("id").string(),
                         .where = table.required("where").string(),
                         .classification = table.required("classification").string(),
                         .reason = table.required("reason").string(),
                         .statement = text(table, "statement"),
                         .velocity = numbers(table, "velocity"),
                         .decimals = static_cast<int>(table.integer("decimals", 0, 0, 17)),
                         .quantities = read_quantities(table)};
  result.compared.assign(static_cast<std::size_t>(result.velocity.size()), !table.has("compared"));
  for (const long i : integers(table, "compared")) {
    result.compared.at(static_cast<std::size_t>(i)) = true;
  }
  if (const auto tolerance = table.find("tolerance")) result.tolerance = tolerance->number();
  return result;
}

ConvergedValues read_converged(const Value& value) {
  static constexpr std::array<std::string_view, 13> kKeys{"compressions_tolerance",
                                                          "status",
                                                          "velocity",
                                                          "match_tolerance",
                                                          "uncertainty",
                                                          "kinetic_energy_before",
                                                          "impulse",
                                                          "dissipated",
                                                          "compressions",
                                                          "impacts",
                                                          "kinetic_energy_after",
                                                          "quantities",
                                                          "impulse_exactly_zero"};
  const Table table(value, kKeys);
  return {.status = table.required("status").string(),
          .velocity = table.required("velocity").numbers(),
          .match_tolerance = table.required("match_tolerance").number(),
          .uncertainty = table.number("uncertainty", 0.0),
          .kinetic_energy_before = table.required("kinetic_energy_before").number(),
          .kinetic_energy_after = table.required("kinetic_energy_after").number(),
          .impulse = numbers(table, "impulse"),
          .dissipated = numbers(table, "dissipated"),
          .compressions = integers(table, "compressions"),
          .compressions_tolerance = table.integer("compressions_tolerance", 0, 0, kMany),
          .impacts = integers(table, "impacts"),
          .exactly_zero = integers(table, "impulse_exactly_zero"),
          .quantities = read_quantities(table)};
}

std::vector<EulerError> read_euler_errors(const Value& list) {
  static constexpr std::array<std::string_view, 4> kKeys{"N", "steps", "velocity_error",
                                                         "energy_error"};
  std::vector<EulerError> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Table entry(list[i], kKeys);
    result.push_back({.N = entry.integer("N", 0, 1, kMany),
                      .steps = entry.integer("steps", 0, 1, kMany),
                      .velocity_error = entry.required("velocity_error").number(),
                      .energy_error = entry.required("energy_error").number()});
  }
  return result;
}

void read_closed_form(const Value& value, ReferenceCase& result) {
  static constexpr std::array<std::string_view, 2> kKeys{"velocity", "kinetic_energy_after"};
  const Table table(value, kKeys);
  result.closed_form_velocity = numbers(table, "velocity");
  if (const auto energy = table.find("kinetic_energy_after")) {
    result.closed_form_kinetic_energy = energy->number();
  }
}

ReferenceCase read_case(const Value& value, const Node& euler_errors) {
  static constexpr std::array<std::string_view, 8> kKeys{
      "id", "title", "problem", "output", "converged", "closed_form", "published", "note"};
  static constexpr std::array<std::string_view, 2> kOutputKeys{"components", "labels"};
  const Table table(value, kKeys);
  const Table output(table.required("output"), kOutputKeys);
  ReferenceCase result{.id = table.required("id").string(),
                       .title = table.required("title").string(),
                       .problem = read_problem(table.required("problem")),
                       .components = output.required("components").integers(0, kMany),
                       .labels = {},
                       .converged = read_converged(table.required("converged"))};
  const Value labels = output.required("labels");
  for (std::size_t i = 0; i < labels.size(); ++i) result.labels.push_back(labels[i].string());
  if (const auto closed_form = table.find("closed_form")) read_closed_form(*closed_form, result);
  const Value published = table.required("published");
  for (std::size_t i = 0; i < published.size(); ++i) {
    result.published.push_back(read_published(published[i]));
  }
  if (const Node* errors = euler_errors.find(result.id)) {
    result.euler_errors = read_euler_errors(Value(value.document(), *errors, result.id));
  }
  return result;
}

}  // namespace

std::vector<ReferenceCase> reference_cases() {
  static constexpr std::array<std::string_view, 6> kKeys{
      "format", "sources", "conventions", "classifications", "cases", "euler_impulse"};
  static constexpr std::array<std::string_view, 2> kEulerKeys{"note", "cases"};
  const Document document = parse_json(embedded::lzb_reference(), "data/reference/lzb.json");
  const Table table(Value(document), kKeys);
  const Table euler(table.required("euler_impulse"), kEulerKeys);
  const Value cases = table.required("cases");
  std::vector<ReferenceCase> result;
  result.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    result.push_back(read_case(cases[i], euler.required("cases").node()));
  }
  return result;
}

}  // namespace percute::io
