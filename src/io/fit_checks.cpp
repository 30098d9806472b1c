// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_checks.hpp"

#include "io/printable.hpp"

#include <fmt/format.h>

#include <map>

namespace percute::io {

namespace {

std::string_view unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::Velocity:
    case Quantity::GapRate:
      return "m/s";
    case Quantity::Rebound:
      return "m";
    case Quantity::Impulse:
      return "N s";
    case Quantity::EnergyRatio:
      return "1";
    case Quantity::Force:
    case Quantity::MaximalForce:
      return "N";
    case Quantity::MaximalForceTime:
    case Quantity::Duration:
      return "s";
  }
  return "";
}

}  // namespace

bool is_within(std::string_view path, std::string_view key) {
  return path.starts_with(key) &&
         (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
}

void refuse_repeated_keys(const Value& parameters, const FitFile& file) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> seen;
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    for (const FitKey& key : file.keys[j]) {
      for (std::size_t k = 0; k < file.experiments.size(); ++k) {
        if (!file.concerned[j][k]) continue;
        const auto [place, fresh] = seen.emplace(std::pair(key.path, k), j);
        if (fresh) continue;
        parameters[j].fail(
            fmt::format("the key '{}' is set twice, the first time by parameter '{}'",
                        printable(key.path), printable(file.parameters[place->second].name)));
      }
    }
  }
}

void refuse_repeated_names(const Value& parameters, const FitFile& file) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    const std::string_view name = file.parameters[j].name;
    const auto [place, fresh] = seen.emplace(name, j);
    if (fresh) continue;
    const Node* node = parameters[j].node().find("name");
    const Value blamed = node == nullptr
                             ? parameters[j]
                             : Value(parameters.document(), *node, parameters[j].path() + ".name");
    blamed.fail(fmt::format("'{}' is the name of parameter[{}] already{}", printable(name),
                            place->second, node == nullptr ? "; give each a 'name'" : ""));
  }
}

void refuse_set_parameters(const Value& experiments, const FitFile& file) {
  const auto check = [&](std::size_t k, const Value& blamed, std::string_view path) {
    for (std::size_t j = 0; j < file.parameters.size(); ++j) {
      if (!file.concerned[j][k]) continue;
      for (const FitKey& key : file.keys[j]) {
        if (!is_within(path, key.path)) continue;
        blamed.fail(
            fmt::format("'{}' is estimated by parameter '{}'; leave it out here, or name "
                        "in the parameter the 'experiments' it concerns",
                        printable(path), printable(file.parameters[j].name)));
      }
    }
  };
  for (std::size_t k = 0; k < file.experiments.size(); ++k) {
    const Value table = experiments[file.experiments[k].table];
    const auto part = [&](const Node& node, const char* key) {
      return Value(experiments.document(), node, table.path() + key);
    };
    if (const Node* set = table.node().find("set")) {
      for (const Node::Member& member : *set->as<Node::Object>()) {
        check(k, part(member.value, ".set"), member.key);
      }
    }
    if (const Node* settings = table.node().find("settings")) {
      for (const Node::Member& member : *settings->as<Node::Object>()) {
        check(k, part(member.value, ".settings"), *member.value.as<std::string>());
      }
    }
  }
}

void refuse_mixed_units(const Value& first_measure, const FitFile& file) {
  const Quantity first = file.measurements.front().quantity;
  for (const FitMeasurement& measurement : file.measurements) {
    if (unit_of(measurement.quantity) == unit_of(first)) continue;
    first_measure.fail(fmt::format(
        "the key 'sigma' is missing: without it all measurements would share one, but {} is in {} "
        "and {} ({}) in {}; give sigma for all (with fit.noise = \"estimated\" only their ratios "
        "count)",
        name_of(first, kQuantities), unit_of(first), name_of(measurement.quantity, kQuantities),
        measurement.path, unit_of(measurement.quantity)));
  }
}

}  // namespace percute::io
