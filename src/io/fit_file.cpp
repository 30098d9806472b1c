// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_measurements.hpp"
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
  const auto [key, given] =
      table.one_of({"key", "keys"}, "give either 'key' or 'keys' (several that share one value)");
  std::vector<FitKey> out;
  const auto add = [&](const Value& value) {
    FitKey& entry = out.emplace_back();
    entry.path = value.string();
    entry.origin = fmt::format("{}: {}: parameter '{}'", value.document().where(value.node()),
                               value.path(), printable(name));
  };
  if (key == "key") {
    add(given);
  } else {
    if (given.size() == 0) given.fail("is empty");
    for (std::size_t i = 0; i < given.size(); ++i) add(given[i]);
  }
  return out;
}

/// What sets a value of an experiment.
struct Setter {
  std::string path;
  std::string owner;  ///< "parameter 'e'"
  Value place;
  bool estimates = false;
};

/// What is known while a file is read.
struct Reading {
  FitFile file = {};
  std::vector<std::string> names = {};            ///< of the [[experiment]] tables
  std::vector<std::vector<Setter>> setters = {};  ///< of each experiment
  bool sigma_given = false;                       ///< by some measurement
  std::optional<Value> first_without_sigma = {};  ///< the first that has none
};

/// Nothing is overwritten that was set before; but an entry of a list may be set behind the list.
void add_setter(const Setter& setter, std::vector<Setter>& known) {
  for (const Setter& other : known) {
    if (!is_within(other.path, setter.path)) continue;
    if (setter.estimates && !other.estimates) {
      other.place.fail(
          fmt::format("'{}' is estimated by {}; leave it out here, or name in the parameter the "
                      "'experiments' it concerns",
                      printable(other.path), setter.owner));
    }
    setter.place.fail(fmt::format("'{}' is set twice: by {} and by {}", printable(other.path),
                                  other.owner, setter.owner));
  }
  known.push_back(setter);
}

void read_parameter(const Value& value, Reading& reading) {
  FitFile& file = reading.file;
  fit::Parameter& parameter = file.parameters.emplace_back();
  const Table table(value,
                    option_keys({"name", "key", "keys", "experiments"}, options_of(parameter)));
  const std::string guess =
      table.has("key") ? table.required("key").string() : std::string(table.path("keys"));
  parameter.name = table.has("name") ? table.required("name").string() : guess;
  // Tables and messages tell parameters apart by their names.
  for (std::size_t j = 0; j + 1 < file.parameters.size(); ++j) {
    if (file.parameters[j].name != parameter.name) continue;
    table.find("name").value_or(value).fail(
        fmt::format("'{}' is the name of parameter[{}] already{}", printable(parameter.name), j,
                    table.has("name") ? "" : "; give each a 'name'"));
  }
  std::vector<FitKey>& keys = file.keys.emplace_back(read_keys(table, parameter.name));
  set_natural_range(last_key(keys.front().path), parameter);
  read_options(table, options_of(parameter));

  std::vector<bool>& concerned = file.concerned.emplace_back(file.experiments.size(), true);
  if (const auto list = table.find("experiments")) {
    std::fill(concerned.begin(), concerned.end(), false);
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Value name = (*list)[i];
      const std::size_t number = find_name(name, reading.names, "experiment");
      for (std::size_t k = 0; k < concerned.size(); ++k) {
        if (file.experiments[k].table == number) concerned[k] = true;
      }
    }
  }
  const std::string owner = fmt::format("parameter '{}'", printable(parameter.name));
  for (const FitKey& key : keys) {
    for (std::size_t k = 0; k < concerned.size(); ++k) {
      const Setter setter{.path = key.path, .owner = owner, .place = value, .estimates = true};
      if (concerned[k]) add_setter(setter, reading.setters[k]);
    }
  }
}

/// The settings of an experiment, carried into its document as --set would; the kind of the law
/// comes first and takes the options of another law away, as --law would.
void apply_settings(const Value& value, Document& document, std::vector<Setter>& known) {
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
    add_setter({.path = member.key, .owner = "'set'", .place = value}, known);
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

/// Which column of the data sets which key, e.g. {"height [m]" = "start.height"}.
struct Setting {
  std::size_t column;
  Value key;
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
  for (const Node::Member& member : *members) {
    const Node header(member.key);
    out.push_back(
        {.column = data.column(Value(value->document(), header, value->path())),
         .key = Value(value->document(), member.value, value->path() + "." + member.key)});
  }
  return out;
}

/// The part of the data for each combination of settings, in the order in which they come first.
std::vector<DataTable> parts_by_setting(const DataTable& data,
                                        const std::vector<Setting>& settings) {
  std::vector<DataTable> out;
  std::map<std::vector<double>, std::size_t> known;
  for (const DataTable::Row& row : data.rows) {
    std::vector<double> numbers;
    for (const Setting& setting : settings) {
      const Value cell = data.cell(row, setting.column);
      const std::optional<double> number = number_in(cell);
      if (!number) cell.fail("is empty, but it sets " + setting.key.string());
      numbers.push_back(*number);
    }
    const auto [place, fresh] = known.emplace(numbers, out.size());
    if (fresh) out.push_back({.file = data.file, .header = data.header});
    out[place->second].rows.push_back(row);
  }
  return out;
}

/// One experiment; `data` is its part of the table, if there is one. Without a measurement, as
/// where their cells are empty, it is none.
void add_experiment(const Table& table, const Table& top, const DataTable* data,
                    const std::vector<Setting>& settings, Reading& reading) {
  FitFile& file = reading.file;
  const std::size_t k = file.experiments.size();
  FitExperiment& experiment = file.experiments.emplace_back();
  std::vector<Setter>& setters = reading.setters.emplace_back();
  experiment.name = reading.names.back();
  experiment.table = reading.names.size() - 1;
  experiment.document =
      read_named_problem((table.has("problem") ? table : top).required("problem"));
  if (const auto set = table.find("set")) apply_settings(*set, experiment.document, setters);
  for (const Setting& setting : settings) {
    const Value cell = data->cell(data->rows.front(), setting.column);
    const std::string& key = setting.key.string();
    add_setter({.path = key,
                .owner = fmt::format("{} of {}", cell.path(), printable(cell.document().file, 200)),
                .place = setting.key},
               setters);
    experiment.name +=
        fmt::format(", {} {}", printable(data->header[setting.column]), printable(cell.string()));
    override_value(
        experiment.document, key, cell.string(),
        fmt::format("{}: {} ({})", cell.document().where(cell.node()), cell.path(), key));
  }
  const ProblemFile problem = read_problem_or_scene(experiment.document);
  const std::optional<double> gravity = gravity_of(table, experiment.document);
  const std::size_t known = file.measurements.size();
  const Value list = table.required("measure");
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<FitMeasurement> measured = read_measurement(list[i], problem, gravity, data);
    const Node& keys = list[i].node();
    const bool has_sigma = keys.find("sigma") != nullptr || keys.find("sigma_column") != nullptr;
    reading.sigma_given = reading.sigma_given || has_sigma;
    if (!has_sigma && !reading.first_without_sigma) reading.first_without_sigma = list[i];
    for (FitMeasurement& measurement : measured) {
      measurement.experiment = k;
      if (measurement.quantity == Quantity::Force) experiment.times.push_back(measurement.time);
      file.measurements.push_back(std::move(measurement));
    }
  }
  std::ranges::sort(experiment.times);
  experiment.times.erase(std::unique(experiment.times.begin(), experiment.times.end()),
                         experiment.times.end());
  if (file.measurements.size() > known) return;
  file.experiments.pop_back();
  reading.setters.pop_back();
}

void read_experiment(const Value& value, const Table& top, Reading& reading) {
  const Table table(value, {"name", "problem", "set", "gravity", "measure", "data", "settings"});
  std::string name = fmt::format("experiment {}", reading.names.size() + 1);
  if (const auto own = table.find("name")) name = own->string();
  if (std::ranges::find(reading.names, name) != reading.names.end()) {
    table.fail("name", fmt::format("'{}' is the name of another experiment", printable(name)));
  }
  reading.names.push_back(name);
  if (!table.has("problem") && !top.has("problem")) {
    value.fail(
        "the key 'problem' is missing here and at the top: the file of a problem or scene, "
        "or one in place");
  }
  const std::size_t known = reading.file.experiments.size();
  std::string why = "is empty";
  if (const auto data = table.find("data")) {
    const DataTable source = read_data(*data);
    const std::vector<Setting> settings = read_settings(table, source);
    for (const DataTable& part : parts_by_setting(source, settings)) {
      add_experiment(table, top, &part, settings, reading);
    }
    why = fmt::format("no row of {} has a measurement", printable(source.file.file, 200));
  } else {
    if (table.has("settings")) table.fail("settings", "needs 'data', a CSV file");
    add_experiment(table, top, nullptr, {}, reading);
  }
  if (reading.file.experiments.size() == known) table.fail("measure", why);
}

void read_fit_options(const Table& top, Reading& reading) {
  fit::FitOptions& options = reading.file.options;
  const std::optional<Value>& without = reading.first_without_sigma;
  // With sigma everywhere noise is known, without any it is estimated.
  options.noise = reading.sigma_given ? fit::Noise::Known : fit::Noise::Estimated;
  if (const auto value = top.find("fit")) {
    read_options(Table(*value, option_keys({}, options_of(options))), options_of(options));
  }
  if (reading.sigma_given && without) {
    without->fail("the key 'sigma' is missing; give it for all measurements or for none");
  }
  if (options.noise == fit::Noise::Known && without) {
    without->fail("the key 'sigma' is missing, and fit.noise is \"known\"");
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
  Reading reading;
  FitFile& file = reading.file;
  file.file = document.file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = top.find("name")) file.name = name->string();

  const Value experiments = top.required("experiment");
  if (experiments.size() == 0) experiments.fail("is empty");
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    read_experiment(experiments[k], top, reading);
  }
  if (file.measurements.empty()) experiments.fail("there are no measurements");

  const Value parameters = top.required("parameter");
  if (parameters.size() == 0) parameters.fail("is empty: there is nothing to estimate");
  for (std::size_t j = 0; j < parameters.size(); ++j) read_parameter(parameters[j], reading);
  read_fit_options(top, reading);
  if (reading.first_without_sigma) refuse_mixed_units(*reading.first_without_sigma, file);
  return std::move(file);
}

}  // namespace percute::io
