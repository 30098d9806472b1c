// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/case.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

// The readers of data/reference: one for lzb.json, whose numbers are tied to the tables they were
// printed in, and one for all the others.

namespace percute::reproduction {

namespace {

using io::Node;
using io::Table;
using io::Value;

// ------------------------------------------------------------------------------- parts of a file

/// An object with no other keys than these.
Table table_of(const Value& value, std::initializer_list<std::string_view> keys) {
  return {value, std::span(keys.begin(), keys.size())};
}

/// The text of a key, "" where it is not there.
std::string text(const Table& table, std::string_view key, const char* otherwise = "") {
  const auto found = table.find(key);
  return found ? found->string() : otherwise;
}

/// Its numbers, none where it is not there.
Vector numbers(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->numbers() : Vector();
}

/// Entries of an array, none where it is not there.
std::vector<Value> entries(const std::optional<Value>& array) {
  std::vector<Value> result;
  for (std::size_t i = 0; array && i < array->size(); ++i) result.push_back((*array)[i]);
  return result;
}

/// Members of an object, none where it is not there.
std::vector<std::pair<std::string, Value>> members(const std::optional<Value>& object) {
  std::vector<std::pair<std::string, Value>> result;
  if (!object) return result;
  const auto* list = object->node().as<Node::Object>();
  if (list == nullptr) object->fail("must be an object, got " + object->node().describe());
  for (const auto& [key, node] : *list) {
    result.emplace_back(key, Value(object->document(), node, object->path() + "." + key));
  }
  return result;
}

/// Id, title, source and note.
Item head_of(const Table& table) {
  const std::string& title = table.required("title").string();
  return {.id = table.required("id").string(),
          .title = title,
          .heading = title,
          .source = text(table, "source"),
          .note = text(table, "note")};
}

std::vector<Item> read_items(
    std::string_view text, const std::string& file, std::string_view list,
    const std::function<Item(const Value& item, const Table& common)>& read) {
  const io::Document document = io::parse_json(text, "data/reference/" + file);
  const Table common =
      table_of(Value(document), {"format", "sources", "conventions", "tolerance", "relative_to",
                                 "classifications", "euler_impulse", list});
  std::vector<Item> items;
  for (const Value& value : entries(common.required(list))) {
    Item& item = items.emplace_back(read(value, common));
    for (const Case& c : item.cases) {
      if (!c.id.empty()) item.other_ids.push_back(item.id + "." + c.id);
    }
    for (const Relation& r : item.relations) item.other_ids.push_back(item.id + "." + r.id);
  }
  return items;
}

/// Decimals of a number as it is printed.
int decimals_of(double printed) {
  int decimals = 0;
  double scaled = std::abs(printed);
  while (decimals < 17 && std::abs(scaled - std::round(scaled)) > 1e-9 * scaled) {
    scaled *= 10.0;
    ++decimals;
  }
  return decimals;
}

// ------------------------------------------------------------------- laws, chains, motions, drops

/// What a case, a panel of cases or an item says for all that is inside it.
struct Defaults {
  std::optional<Value> scene = {};  ///< or problem
  Settings set = {};
  std::vector<Value> tolerance = {};    ///< objects, the innermost first: {"velocity": 1e-7}
  std::vector<Value> relative_to = {};  ///< "one", "speed" or "value"

  Defaults inside(const Table& table) const {
    Defaults own = *this;
    const auto first = [&](std::string_view key, std::vector<Value>& objects) {
      const auto found = table.find(key);
      if (found) objects.insert(objects.begin(), *found);
    };
    first("tolerance", own.tolerance);
    first("relative_to", own.relative_to);
    for (const char* key : {"scene", "problem"}) {
      if (table.has(key)) own.scene = table.find(key);
    }
    for (const auto& [key, entry] : members(table.find("set"))) own.change(key, entry.node());
    return own;
  }

  void change(const std::string& key, const Node& value) {
    const auto found = std::ranges::find(set, key, &Settings::value_type::first);
    if (found != set.end()) {
      found->second = value;
    } else {
      set.emplace_back(key, value);
    }
  }

  /// Absolute tolerance of a number: that of its word, or that of all other words.
  double tolerance_of(const std::string& name, double value, double speed) const {
    const std::string word = name.substr(0, name.find('['));
    const auto find = [&](const std::vector<Value>& objects) -> const Node* {
      for (const std::string& key : {word, std::string("other")}) {
        for (const Value& object : objects) {
          if (const Node* found = object.node().find(key)) return found;
        }
      }
      return nullptr;
    };
    const Node* part = find(tolerance);
    if (part == nullptr) return 0.0;
    const Node* scale = find(relative_to);
    const std::string of = scale != nullptr ? *scale->as<std::string>() : "one";
    return Value(tolerance.front().document(), *part, word).number() * (of == "speed" ? speed
                                                                        : of == "value"
                                                                            ? std::abs(value)
                                                                            : 1.0);
  }
};

struct Named {
  std::string name;
  double value = 0.0;
};

/// "impulse[1]": 0.5 from "impulse": [0, 0.5]; "v2" from "v#". True is 1.
void flatten(const std::string& name, const Value& value, std::vector<Named>& result) {
  if (const bool* truth = value.node().as<bool>()) {
    result.push_back({.name = name, .value = *truth ? 1.0 : 0.0});
  } else if (value.node().as<Node::Array>() == nullptr) {
    result.push_back({.name = name, .value = value.number()});
  } else {
    const auto mark = name.find('#');
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string entry = name + fmt::format("[{}]", i);
      if (mark != name.npos) {
        entry = name;
        entry.replace(mark, 1, std::to_string(i + 1));
      }
      flatten(entry, value[i], result);
    }
  }
}

std::vector<Named> flat_numbers(const std::string& name, const Value& value) {
  std::vector<Named> result;
  flatten(name, value, result);
  return result;
}

std::optional<double> maybe(const Value& list, std::size_t i) {
  if (i >= list.size() || list[i].node().is_null()) return {};
  return list[i].number();
}

/// {"impulse": [0, 0.5], …}, or rows [name, value, tolerance, published, its tolerance].
std::vector<Expected> read_expected(const Value& value, const Defaults& defaults, double speed) {
  std::vector<Expected> result;
  if (value.node().as<Node::Array>() != nullptr) {
    for (const Value& row : entries(value)) {
      result.push_back({.name = row[0].string(),
                        .value = maybe(row, 1),
                        .tolerance = maybe(row, 2).value_or(0.0),
                        .published = maybe(row, 3),
                        .published_tolerance = maybe(row, 4),
                        .decimals = decimals_of(maybe(row, 3).value_or(0.0))});
    }
    return result;
  }
  for (const auto& [key, entry] : members(value)) {
    for (const auto& [name, number] : flat_numbers(key, entry)) {
      result.push_back(
          {.name = name, .value = number, .tolerance = defaults.tolerance_of(key, number, speed)});
    }
  }
  return result;
}

void set_published(Expected& number, double printed, const Value& tolerance) {
  number.published = printed;
  number.decimals = decimals_of(printed);
  if (!tolerance.node().is_null()) number.published_tolerance = tolerance.number();
}

/// What was printed of a case, beside what is right, and where.
void read_published(const Value& published, Case& result) {
  std::string where;
  std::optional<Value> tolerance;
  for (const auto& [key, entry] : members(published)) {
    if (key == "where") where = entry.string();
    if (key == "tolerance") tolerance = entry;
  }
  if (where.empty() || !tolerance) published.fail("needs 'where' and 'tolerance'");
  result.note = result.note.empty() ? where : where + "; " + result.note;
  for (const auto& [key, entry] : members(published)) {
    if (key == "where" || key == "tolerance") continue;
    for (const auto& [name, printed] : flat_numbers(key, entry)) {
      const auto found = std::ranges::find(result.expected, name, &Expected::name);
      if (found == result.expected.end()) published.fail("has no expected '" + name + "'");
      set_published(*found, printed, *tolerance);
    }
  }
}

std::vector<double> list(const Vector& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// A motion where the scene is named, else an impact, or what varying its keys can reach.
std::variant<Impact, Motion, Coverage> read_subject(const Table& table, const Defaults& defaults) {
  if (!defaults.scene) table.fail("scene", "is missing, and so is a problem");
  const Value& base = *defaults.scene;
  if (const auto* name = base.node().as<std::string>()) {
    Motion motion{.scene = *name, .set = defaults.set};
    if (const auto swings = table.find("swings")) {
      const Table times = table_of(*swings, {"first", "duration"});
      motion.first_swing = times.required("first").number();
      motion.swing = times.required("duration").number();
    }
    return motion;
  }
  io::Document document{.file = base.document().file, .root = base.node()};
  change(document, defaults.set);
  if (const auto vary = table.find("vary")) {
    Coverage coverage{.problem = std::move(document),
                      .vary = {},
                      .cells = static_cast<int>(table.integer("cells", 20, 1, 1000))};
    for (const Value& entry : entries(vary)) {
      const Table parameter = table_of(entry, {"keys", "values"});
      auto& keys = coverage.vary.emplace_back();
      keys.values = list(numbers(parameter, "values"));
      for (const Value& key : entries(parameter.required("keys"))) {
        keys.keys.push_back(key.string());
      }
    }
    return coverage;
  }
  Impact impact{.file = io::read_problem_or_scene(document),
                .instants = list(numbers(table, "instants"))};
  if (const auto curve = table.find("curve")) {
    const Table entry = table_of(*curve, {"step", "force"});
    impact.curve_step = entry.required("step").number();
    impact.curve = numbers(entry, "force");
  }
  return impact;
}

Case read_case(const Value& value, const Defaults& defaults) {
  const Table table = table_of(
      value, {"id", "label", "problem", "scene", "vary", "cells", "set", "swings", "instants",
              "status", "tolerance", "note", "expected", "one_of", "published", "curve"});
  const Defaults own = defaults.inside(table);
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .subject = read_subject(table, own),
              .status = text(table, "status", "ok"),
              .note = text(table, "note")};
  const auto* impact = std::get_if<Impact>(&result.subject);
  const double speed =
      impact != nullptr ? impact->file.problem.velocity.cwiseAbs().maxCoeff() : 1.0;
  result.expected = read_expected(table.required("expected"), own, speed);
  for (const Value& outcome : entries(table.find("one_of"))) {
    result.one_of.push_back(read_expected(outcome, own, speed));
  }
  if (table.has("curve")) {
    const double tolerance = own.tolerance_of("curve", 0.0, speed);
    result.expected.push_back({.name = "curve", .value = 0.0, .tolerance = tolerance});
  }
  if (const auto published = table.find("published")) read_published(*published, result);
  return result;
}

/// A case for each row of a table. Columns are keys that vary, then quantities; "tolerance" is that
/// of the quantity before it.
std::vector<Case> read_panel(const Value& value, const Defaults& defaults) {
  const Table panel =
      table_of(value, {"id", "label", "set", "columns", "tolerance", "relative_to", "rows"});
  std::vector<Case> result;
  for (const Value& row : entries(panel.required("rows"))) {
    Defaults own = defaults.inside(panel);
    Case& one = result.emplace_back(
        Case{.id = panel.required("id").string(), .label = panel.required("label").string()});
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string& name = panel.required("columns")[c].string();
      const double number = row[c].number();
      if (name == "tolerance") {
        one.expected.back().tolerance = number;
      } else if (const auto dot = name.rfind('.'); dot != name.npos) {
        const std::string key = name.substr(dot + 1);
        own.change(name, row[c].node());
        one.id += fmt::format(".{}{}", key.substr(0, 1), number);
        one.label += fmt::format(", {} {}", key.substr(0, key.find('_')), number);
      } else {
        one.expected.push_back(
            {.name = name, .value = number, .tolerance = own.tolerance_of(name, number, 1.0)});
      }
    }
    one.subject = read_subject(panel, own);
  }
  return result;
}

Relation read_relation(const Value& value) {
  constexpr Names<Relation::Kind, 8> kKinds{{
      {"least", Relation::Kind::Least},
      {"greatest", Relation::Kind::Greatest},
      {"argmax", Relation::Kind::ArgMax},
      {"slope", Relation::Kind::Slope},
      {"intercept", Relation::Kind::Intercept},
      {"deviation", Relation::Kind::Deviation},
      {"change_percent", Relation::Kind::ChangePercent},
      {"exponent", Relation::Kind::Exponent},
  }};
  const Table table = table_of(value, {"id", "label", "op", "of", "over", "reference", "tolerance",
                                       "published", "published_tolerance"});
  Relation result{.id = table.required("id").string(),
                  .label = table.required("label").string(),
                  .kind = table.required("op").choice(kKinds),
                  .of = table.required("of").string(),
                  .over = {},
                  .expected = {.name = table.required("op").string(),
                               .value = table.required("reference").number(),
                               .tolerance = table.required("tolerance").number()}};
  for (const Value& id : entries(table.find("over"))) result.over.push_back(id.string());
  if (const auto published = table.find("published")) {
    set_published(result.expected, published->number(), table.required("published_tolerance"));
  }
  return result;
}

Item read_item(const Value& value, const Table& file) {
  const Table table = table_of(value, {"id", "title", "source", "note", "scene", "set", "tolerance",
                                       "relative_to", "cases", "panels", "relations"});
  const Defaults defaults = Defaults{}.inside(file).inside(table);
  Item item = head_of(table);
  for (const Value& entry : entries(table.find("cases"))) {
    item.cases.push_back(read_case(entry, defaults));
  }
  for (const Value& entry : entries(table.find("panels"))) {
    std::ranges::move(read_panel(entry, defaults), std::back_inserter(item.cases));
  }
  for (const Value& entry : entries(table.find("relations"))) {
    item.relations.push_back(read_relation(entry));
  }
  // Impacts name their source where the title of a motion does.
  const bool impacts = !std::holds_alternative<Motion>(item.cases.at(0).subject);
  if (impacts) item.heading += " (" + item.source + ")";
  return item;
}

// ------------------------------------------------------------------- papers on the LZB law

std::string indexed(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

/// Makes the numbers of one case: what was printed with what is right beside it, velocities first,
/// then energies and what each contact went through.
class Reading {
 public:
  explicit Reading(const Value& value)
      : table_(table_of(value, {"id", "title", "problem", "output", "converged", "closed_form",
                                "published", "note"})),
        output_(table_of(table_.required("output"), {"components", "labels"})),
        converged_(table_of(
            table_.required("converged"),
            {"compressions_tolerance", "status", "velocity", "match_tolerance", "uncertainty",
             "kinetic_energy_before", "impulse", "dissipated", "compressions", "impacts",
             "kinetic_energy_after", "quantities", "impulse_exactly_zero"})),
        velocity_(numbers(converged_, "velocity")),
        tolerance_(converged_.required("match_tolerance").number()) {}

  Item item() {
    const std::string& title = table_.required("title").string();
    Item item{.id = table_.required("id").string(), .title = title, .heading = title, .source = {}};
    const auto published = entries(table_.required("published"));
    for (const Value& printed : published) item.other_ids.push_back(read_published(printed));
    if (published.empty()) add_velocities("converged", velocity_, {});
    const auto closed = table_.find("closed_form");
    if (closed) add_velocities("closed form", numbers(closed_form(*closed), "velocity"), {});
    add_energy("converged", converged_.required("kinetic_energy_after"));
    if (closed) {
      const auto energy = closed_form(*closed).find("kinetic_energy_after");
      if (energy) add_energy("closed form", *energy);
    }
    add_contacts();
    item.cases.push_back({.id = {},
                          .label = "converged",
                          .subject = Impact{.file = io::read_problem(table_.required("problem"))},
                          .status = converged_.required("status").string(),
                          .expected = std::move(expected_)});
    return item;
  }

 private:
  static Table closed_form(const Value& value) {
    return table_of(value, {"velocity", "kinetic_energy_after"});
  }

  /// A velocity that is compared, by its place among them.
  Expected velocity(std::size_t k, double value) const {
    const Value component = output_.required("components")[k];
    return {.name = "v" + std::to_string(component.integer(0, 1'000'000) + 1),
            .value = value,
            .tolerance = tolerance_,
            .shown = output_.required("labels")[k].string()};
  }

  void add(Expected expected, const std::string& label, const std::string& note = {}) {
    expected.label = label;
    expected.note = note;
    expected_.push_back(std::move(expected));
  }

  void add_velocities(const std::string& label, const Vector& right, const std::string& note) {
    for (Eigen::Index i = 0; i < right.size(); ++i) {
      add(velocity(static_cast<std::size_t>(i), right[i]), label, note);
    }
  }

  void add_energy(const std::string& label, const Value& energy) {
    add({.name = "kinetic_energy",
         .value = energy.number(),
         .tolerance = tolerance_,
         .of_energy = true},
        label);
  }

  /// Numbers as a paper prints them, and why they differ from the truth where they do.
  std::string read_published(const Value& value) {
    const Table table = table_of(
        value, {"id", "where", "classification", "reason", "statement", "velocity", "decimals",
                "compared", "as_printed", "tolerance", "quantities", "sum_of_squares",
                "printed_energy_ratio", "printed_restitution", "rebound_heights"});
    const std::string& where = table.required("where").string();
    std::string note =
        table.required("classification").string() + ": " + table.required("reason").string();
    if (const auto said = table.find("statement")) note = "\"" + said->string() + "\", " + note;

    const Vector printed = numbers(table, "velocity");
    const auto quantities = entries(table.find("quantities"));
    if (printed.size() == 0 && quantities.empty()) add_velocities(where, velocity_, note);
    // Where print is beyond repair, no tolerance holds.
    std::vector<bool> compared(static_cast<std::size_t>(printed.size()), !table.has("compared"));
    for (const Value& i : entries(table.find("compared"))) {
      compared.at(static_cast<std::size_t>(i.integer(0, printed.size() - 1))) = true;
    }
    const auto tolerance = table.find("tolerance");
    for (std::size_t k = 0; k < compared.size(); ++k) {
      Expected expected = velocity(k, velocity_[static_cast<Eigen::Index>(k)]);
      expected.published = printed[static_cast<Eigen::Index>(k)];
      if (compared[k] && tolerance) expected.published_tolerance = tolerance->number();
      expected.decimals = static_cast<int>(table.integer("decimals", 0, 0, 17));
      add(std::move(expected), where, note);
    }
    for (const Value& entry : quantities) {
      const Table named = table_of(entry, {"quantity", "value", "decimals", "tolerance"});
      Expected expected = converged_quantity(named.required("quantity"));
      expected.published = named.required("value").number();
      expected.published_tolerance = named.required("tolerance").number();
      expected.decimals = static_cast<int>(named.integer("decimals", 0, 0, 17));
      add(std::move(expected), where, note);
    }
    return table.required("id").string();
  }

  Expected converged_quantity(const Value& name) const {
    if (name.string() == "kinetic_energy") {
      return {.name = name.string(),
              .value = converged_.required("kinetic_energy_after").number(),
              .tolerance = tolerance_,
              .of_energy = true};
    }
    for (const Value& entry : entries(converged_.find("quantities"))) {
      const Table known = table_of(entry, {"quantity", "value", "match_tolerance"});
      if (known.required("quantity").string() != name.string()) continue;
      return {.name = name.string(),
              .value = known.required("value").number(),
              .tolerance = known.required("match_tolerance").number()};
    }
    name.fail("has no converged value");
  }

  void add_contacts() {
    const Vector impulse = numbers(converged_, "impulse");
    const Vector zero = numbers(converged_, "impulse_exactly_zero");
    for (std::size_t i = 0; i < static_cast<std::size_t>(impulse.size()); ++i) {
      const bool none = std::ranges::find(zero, static_cast<double>(i)) != zero.end();
      const auto entry = [&](const char* name, double tolerance) {
        add({.name = indexed(name, i),
             .value = converged_.required(name)[i].number(),
             .tolerance = tolerance},
            "converged");
      };
      entry("impulse", none ? 0.0 : tolerance_);
      entry("dissipated", tolerance_);
      entry("compressions", converged_.number("compressions_tolerance", 0.0));
      entry("impacts", 0.0);
    }
  }

  Table table_;
  Table output_;
  Table converged_;
  Vector velocity_;
  double tolerance_;
  std::vector<Expected> expected_ = {};
};

}  // namespace

std::vector<Item> lzb_items() {
  return read_items(embedded::lzb_reference(), "lzb.json", "cases",
                    [](const Value& value, const Table&) { return Reading(value).item(); });
}

std::vector<Item> law_items() {
  return read_items(embedded::laws_reference(), "laws.json", "items", read_item);
}

std::vector<Item> chain_items() {
  return read_items(embedded::chains_reference(), "chains.json", "items", read_item);
}

std::vector<Item> motion_items() {
  return read_items(embedded::motion_reference(), "motion.json", "items", read_item);
}

std::vector<Item> bar_items() {
  return read_items(embedded::bar_reference(), "bar.json", "items", read_item);
}

}  // namespace percute::reproduction
