// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_measurements.hpp"
#include "io/format_key.hpp"
#include "io/schema.hpp"
#include "io/text.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-fit/1";

/// Whether a value is `key`, or a part of what `key` holds.
bool is_within(std::string_view path, std::string_view key) {
  return path.starts_with(key) &&
         (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
}

/// The last key of a path, without indices: "restitution" of "material.restitution[1]".
std::string_view last_key(std::string_view path) {
  path = path.substr(0, path.find_last_not_of("[]0123456789") + 1);
  const auto dot = path.find_last_of('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

/// What the kind of a quantity says about its range, where the file says nothing.
void set_natural_range(std::string_view key, fit::Parameter& parameter) {
  constexpr std::array<std::string_view, 6> kPositive{
      "stiffness", "plastic_stiffness", "unloading_stiffness", "pressure", "pressures", "damping"};
  if (key == "restitution") {
    parameter.lower = 0.0;
    parameter.upper = 1.0;
  } else if (key == "friction") {
    parameter.lower = 0.0;
  } else if (key == "exponent") {
    parameter.lower = 1.0;
  } else if (std::ranges::find(kPositive, key) != kPositive.end()) {
    parameter.lower = 0.0;
    parameter.scale = fit::Scale::Logarithmic;
  }
}

/// The keys a parameter sets: one, or several that share the value.
std::vector<FitKey> read_keys(const Table& table, const std::string& name) {
  const auto key = table.find("key");
  const auto keys = table.find("keys");
  if (key.has_value() == keys.has_value()) {
    table.value().fail("give either 'key' or 'keys' (several that share one value)");
  }
  std::vector<FitKey> out;
  const auto add = [&](const Value& value) {
    FitKey& entry = out.emplace_back();
    entry.path = value.string();
    entry.origin = fmt::format("{}: {}: parameter '{}'", value.document().where(value.node()),
                               value.path(), printable(name));
  };
  if (key) {
    add(*key);
  } else {
    if (keys->size() == 0) keys->fail("is empty");
    for (std::size_t i = 0; i < keys->size(); ++i) add((*keys)[i]);
  }
  return out;
}

/// `names` are those of the [[experiment]] tables.
void read_parameter(const Value& value, const std::vector<std::string>& names, FitFile& file) {
  fit::Parameter& parameter = file.parameters.emplace_back();
  const Table table(value,
                    option_keys({"name", "key", "keys", "experiments"}, options_of(parameter)));
  const std::string guess =
      table.has("key") ? table.required("key").string() : std::string(table.path("keys"));
  parameter.name = table.has("name") ? table.required("name").string() : guess;
  std::vector<FitKey>& keys = file.keys.emplace_back(read_keys(table, parameter.name));
  set_natural_range(last_key(keys.front().path), parameter);
  read_options(table, options_of(parameter));

  std::vector<bool>& concerned = file.concerned.emplace_back(file.experiments.size(), true);
  if (const auto list = table.find("experiments")) {
    std::fill(concerned.begin(), concerned.end(), false);
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Value name = (*list)[i];
      const std::size_t number = find_name(name, names, "experiment");
      for (std::size_t k = 0; k < concerned.size(); ++k) {
        if (file.experiments[k].table == number) concerned[k] = true;
      }
    }
  }
}

/// The settings of an experiment, carried into its document as --set would; the kind of the law
/// comes first and takes the options of another law away, as --law would.
void apply_settings(const Value& value, Document& document) {
  const auto* settings = value.node().as<Node::Object>();
  if (settings == nullptr) {
    value.fail("must be a table such as {\"start.height\" = 1.5}, got " + value.node().describe());
  }
  const auto origin = [&](const Node::Member& member) {
    return fmt::format("{}: {}", value.document().where(member.value), value.path());
  };
  const auto law_of = [](const Node::Member& member) {
    return member.key == "law.kind" ? member.value.as<std::string>() : nullptr;
  };
  for (const Node::Member& member : *settings) {
    if (const auto* kind = law_of(member)) override_law(document, *kind, origin(member));
  }
  for (const Node::Member& member : *settings) {
    if (law_of(member) != nullptr) continue;
    override_value(document, member.key, to_json(member.value, JsonLayout::Line), origin(member));
  }
}

/// Gravity of an experiment: its own, or that of the scene.
std::optional<double> gravity_of(const Table& table, const Document& document) {
  if (const auto own = table.find("gravity")) return own->number();
  const Node* start = document.root.find("start");
  const Node* node = start != nullptr ? start->find("gravity") : nullptr;
  if (node == nullptr) return {};
  return Value(document, *node, "start.gravity").number();
}

/// Whether measurements have their sigma, and the first that has none.
struct SigmaUse {
  bool given = false;
  std::optional<Value> first_without = {};
};

/// Which column of the data sets which key, e.g. {"height [m]" = "start.height"}.
struct Setting {
  std::size_t column = 0;
  std::string key = {};
};

std::vector<Setting> read_settings(const Table& table, const DataTable& data) {
  std::vector<Setting> out;
  const auto value = table.find("settings");
  if (!value) return out;
  const auto* members = value->node().as<Node::Object>();
  if (members == nullptr) {
    value->fail(R"(must be a table such as {"height [m]" = "start.height"}, got )" +
                value->node().describe());
  }
  const auto set = table.find("set");
  const auto* fixed = set ? set->node().as<Node::Object>() : nullptr;
  for (const Node::Member& member : *members) {
    const Node header(member.key);
    const Value key(value->document(), member.value, value->path() + "." + member.key);
    const Setting one{.column = data.column(Value(value->document(), header, value->path())),
                      .key = key.string()};
    for (const Setting& other : out) {
      if (!is_within(one.key, other.key) && !is_within(other.key, one.key)) continue;
      key.fail(fmt::format("{}: the columns '{}' and '{}' both set '{}'", printable(data.file, 200),
                           printable(data.header[other.column]), printable(member.key),
                           printable(one.key)));
    }
    for (const Node::Member& own : fixed != nullptr ? *fixed : Node::Object{}) {
      if (!is_within(own.key, one.key)) continue;
      key.fail(fmt::format("'{}' is in 'set' and in the column '{}' of {}; leave one of them out",
                           printable(own.key), printable(member.key), printable(data.file, 200)));
    }
    out.push_back(one);
  }
  return out;
}

/// The rows of each combination of settings, in the order in which they come first.
std::vector<DataRows> rows_by_setting(const DataTable& data, const std::vector<Setting>& settings) {
  std::vector<DataRows> out;
  std::map<std::vector<double>, std::size_t> known;
  for (const DataTable::Row& row : data.rows) {
    std::vector<double> numbers;
    for (const Setting& setting : settings) {
      const std::optional<double> number = data.number(row, setting.column);
      if (!number) data.fail(row, setting.column, "is empty, but it sets " + setting.key);
      numbers.push_back(*number);
    }
    const auto [place, fresh] = known.emplace(numbers, out.size());
    if (fresh) out.push_back({.table = &data});
    out[place->second].rows.push_back(row);
  }
  return out;
}

/// One experiment; `rows` are its part of the data, if there are any. Without a measurement, as
/// where their cells are empty, it is none.
void add_experiment(const Table& table, const Table& top, const std::string& name,
                    std::size_t number, const DataRows& rows, const std::vector<Setting>& settings,
                    FitFile& file, SigmaUse& sigma) {
  const std::size_t k = file.experiments.size();
  FitExperiment& experiment = file.experiments.emplace_back();
  experiment.name = name;
  experiment.table = number;
  experiment.document =
      read_named_problem((table.has("problem") ? table : top).required("problem"));
  if (const auto set = table.find("set")) apply_settings(*set, experiment.document);
  for (const Setting& setting : settings) {
    const DataTable::Row& row = rows.rows.front();
    const std::string& cell = row.cells[setting.column];
    experiment.name +=
        fmt::format(", {} {}", printable(rows.table->header[setting.column]), printable(cell));
    override_value(experiment.document, setting.key, cell,
                   fmt::format("{}:{}: column '{}' ({})", rows.table->file, row.line,
                               printable(rows.table->header[setting.column]), setting.key));
  }
  const ProblemFile problem = read_problem_or_scene(experiment.document);
  const std::optional<double> gravity = gravity_of(table, experiment.document);
  const std::size_t known = file.measurements.size();
  const Value list = table.required("measure");
  for (std::size_t i = 0; i < list.size(); ++i) {
    MeasuredValues measured = read_measurement(list[i], problem, gravity, rows);
    sigma.given = sigma.given || measured.has_sigma;
    if (!measured.has_sigma && !sigma.first_without) sigma.first_without = list[i];
    for (FitMeasurement& measurement : measured.values) {
      measurement.experiment = k;
      if (measurement.quantity == Quantity::Force) experiment.times.push_back(measurement.time);
      file.measurements.push_back(std::move(measurement));
    }
  }
  if (file.measurements.size() == known) return file.experiments.pop_back();
  std::ranges::sort(experiment.times);
  experiment.times.erase(std::unique(experiment.times.begin(), experiment.times.end()),
                         experiment.times.end());
}

void read_experiment(const Value& value, const Table& top, std::vector<std::string>& names,
                     FitFile& file, SigmaUse& sigma) {
  const Table table(value, {"name", "problem", "set", "gravity", "measure", "data", "settings"});
  const std::size_t number = names.size();
  std::string name = fmt::format("experiment {}", number + 1);
  if (const auto own = table.find("name")) name = own->string();
  if (std::ranges::find(names, name) != names.end()) {
    table.fail("name", fmt::format("'{}' is the name of another experiment", printable(name)));
  }
  names.push_back(name);
  if (!table.has("problem") && !top.has("problem")) {
    value.fail(
        "the key 'problem' is missing here and at the top: the file of a problem or scene, "
        "or one in place");
  }
  const std::size_t known = file.experiments.size();
  const auto data = table.find("data");
  if (!data) {
    if (table.has("settings")) table.fail("settings", "needs 'data', a CSV file");
    add_experiment(table, top, name, number, {}, {}, file, sigma);
    if (file.experiments.size() == known) table.fail("measure", "is empty");
    return;
  }
  const DataTable source = read_data(*data);
  const std::vector<Setting> settings = read_settings(table, source);
  for (const DataRows& rows : rows_by_setting(source, settings)) {
    add_experiment(table, top, name, number, rows, settings, file, sigma);
  }
  if (file.experiments.size() > known) return;
  table.fail("measure", fmt::format("no row of {} has a measurement", printable(source.file, 200)));
}

void read_fit_options(const Table& top, const SigmaUse& sigma, fit::FitOptions& options) {
  // With sigma everywhere noise is known, without any it is estimated.
  options.noise = sigma.given ? fit::Noise::Known : fit::Noise::Estimated;
  if (const auto value = top.find("fit")) {
    read_options(Table(*value, option_keys({}, options_of(options))), options_of(options));
  }
  if (sigma.given && sigma.first_without) {
    sigma.first_without->fail(
        "the key 'sigma' is missing; give it for all measurements or for none");
  }
  if (options.noise == fit::Noise::Known && sigma.first_without) {
    sigma.first_without->fail("the key 'sigma' is missing, and fit.noise is \"known\"");
  }
}

// What the parts of a fit must not say against each other.

/// Two parameters must not set the same value of the same experiment.
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

/// Tables and messages tell parameters apart by their names.
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

/// What an experiment sets must not be what is to be found.
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
    for (const std::string_view key : {"set", "settings"}) {
      const Node* node = table.node().find(key);
      for (const Node::Member& member :
           node != nullptr ? *node->as<Node::Object>() : Node::Object{}) {
        const bool set = key == "set";
        check(k,
              Value(experiments.document(), member.value, fmt::format("{}.{}", table.path(), key)),
              set ? member.key : *member.value.as<std::string>());
      }
    }
  }
}

/// Without sigma all measurements have the same one, which quantities of different units cannot.
/// `first_measure` is blamed.
void refuse_mixed_units(const Value& first_measure, const FitFile& file) {
  const Quantity first = file.measurements.front().quantity;
  for (const FitMeasurement& measurement : file.measurements) {
    if (kind_of(measurement.quantity).unit == kind_of(first).unit) continue;
    first_measure.fail(fmt::format(
        "the key 'sigma' is missing: without it all measurements would share one, but {} is in {} "
        "and {} ({}) in {}; give sigma for all (with fit.noise = \"estimated\" only their ratios "
        "count)",
        name_of(first), kind_of(first).unit, name_of(measurement.quantity), measurement.path,
        kind_of(measurement.quantity).unit));
  }
}

}  // namespace

FitFile read_fit(const Document& document) {
  refuse_other_format(Value(document), kFormat);
  const Table top(Value(document), {"format", "name", "problem", "fit", "parameter", "experiment"});
  (void)top.required("format");
  FitFile file;
  file.file = document.file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = top.find("name")) file.name = name->string();

  const Value experiments = top.required("experiment");
  if (experiments.size() == 0) experiments.fail("is empty");
  SigmaUse sigma;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    read_experiment(experiments[k], top, names, file, sigma);
  }
  if (file.measurements.empty()) experiments.fail("there are no measurements");

  const Value parameters = top.required("parameter");
  if (parameters.size() == 0) parameters.fail("is empty: there is nothing to estimate");
  for (std::size_t j = 0; j < parameters.size(); ++j) read_parameter(parameters[j], names, file);
  refuse_repeated_keys(parameters, file);
  refuse_repeated_names(parameters, file);
  refuse_set_parameters(experiments, file);
  read_fit_options(top, sigma, file.options);
  if (sigma.first_without) refuse_mixed_units(*sigma.first_without, file);
  return file;
}

}  // namespace percute::io
