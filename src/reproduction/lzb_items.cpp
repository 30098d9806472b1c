// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/embedded.hpp"
#include "reproduction/reading.hpp"

namespace percute::reproduction {

namespace {

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

}  // namespace percute::reproduction
