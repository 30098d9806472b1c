// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/moment_node.hpp"

#include "io/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace percute::io {

namespace {

using simulation::Bounce;
using simulation::Books;
using simulation::ContactCluster;
using simulation::ContactReach;
using simulation::ContactTotals;
using simulation::EnergyRecord;
using simulation::Moment;
using simulation::RunRecord;

constexpr long kMost = std::numeric_limits<long>::max();
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Node numbers(const Vector& values) {
  return Node::Array(values.begin(), values.end());
}

Node known(const std::optional<double>& value) {
  return value ? Node(*value) : Node();
}

/// Not every number that a method remembers is finite.
Node any_number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? Node() : Node(x > 0.0 ? "inf" : "-inf");
}

double read_any_number(const Value& value) {
  if (value.node().is_null()) return kNothing;
  const auto* word = value.node().as<std::string>();
  if (word != nullptr && *word == "inf") return kInfinite;
  if (word != nullptr && *word == "-inf") return -kInfinite;
  return value.number();
}

Node energy_node(const EnergyRecord& energy) {
  Node node;
  node.add("expected", energy.expected);
  node.add("min", energy.min);  // null: no sample yet
  node.add("max", energy.max);
  node.add("final", energy.final);
  node.add("dissipated", energy.dissipated);
  node.add("samples", energy.samples);
  return node;
}

Node totals_node(const std::vector<ContactTotals>& contacts) {
  Node::Array list;
  list.reserve(contacts.size());
  for (const ContactTotals& contact : contacts) {
    Node entry;
    entry.add("phases", contact.phases);
    entry.add("duration", contact.duration);
    entry.add("impulse", contact.impulse);
    entry.add("peak_force", contact.peak_force);
    entry.add("peak_force_time", contact.peak_force_time);
    entry.add("dissipated", contact.dissipated);
    entry.add("dissipated_by_friction", contact.dissipated_by_friction);
    list.push_back(std::move(entry));
  }
  return list;
}

Node bounce_node(const Bounce& bounce) {
  Node node;
  Node::Array clusters;
  clusters.reserve(bounce.clusters.size());
  for (const ContactCluster& cluster : bounce.clusters) {
    clusters.emplace_back(
        Node::Array{Node(cluster.start), Node(cluster.end), Node(cluster.impacts)});
  }
  node.add("clusters", std::move(clusters));
  node.add("end", known(bounce.end));
  node.add("apparent_restitution", known(bounce.apparent_restitution));
  node.add("gap", bounce.gap);
  node.add("measured", bounce.measured);
  return node;
}

Node books_node(const Books& books) {
  const RunRecord& record = books.record;
  Node node;
  node.add("start_time", books.start_time);
  node.add("outputs", books.outputs);
  node.add("events", books.events);
  node.add("fastest_approach", books.fastest_approach);
  node.add("energy_sum", books.energy_sum);
  node.add("energy_squares", books.energy_squares);
  Node::Array reaches;
  reaches.reserve(books.reaches.size());
  for (const ContactReach& reach : books.reaches) {
    reaches.emplace_back(
        Node::Array{Node(reach.start), Node(reach.gap), Node(reach.way), Node(reach.overlap)});
  }
  node.add("reaches", std::move(reaches));
  node.add("steps", record.steps);
  node.add("iterations", record.iterations);
  node.add("impacts", record.impacts);
  node.add("active_steps", record.active_steps);
  node.add("contact_phases", record.contact_phases);
  node.add("first_impact_time", known(record.first_impact_time));
  node.add("first_impact_velocity", known(record.first_impact_velocity));
  node.add("last_contact", known(record.last_contact));
  node.add("bounce", record.bounce ? bounce_node(*record.bounce) : Node());
  node.add("energy", energy_node(record.energy));
  node.add("contacts", totals_node(record.contacts));
  node.add("energy_residual", known(record.energy_residual));
  node.add("warnings", Node::Array(record.warnings.begin(), record.warnings.end()));
  node.add("wall_time", record.wall_time);
  return node;
}

std::optional<double> read_known(const Table& table, std::string_view key) {
  const Value value = table.required(key);
  if (value.node().is_null()) return {};
  return value.number();
}

std::int64_t read_count(const Table& table, std::string_view key) {
  return table.required(key).integer(0, kMost);
}

EnergyRecord read_energy(const Value& value) {
  const Table table(value, std::array<std::string_view, 6>{"expected", "min", "max", "final",
                                                           "dissipated", "samples"});
  EnergyRecord energy;
  energy.expected = table.required("expected").number();
  energy.min = read_known(table, "min").value_or(kInfinite);
  energy.max = read_known(table, "max").value_or(-kInfinite);
  energy.final = table.required("final").number();
  energy.dissipated = table.required("dissipated").number();
  energy.samples = read_count(table, "samples");
  return energy;
}

std::vector<ContactCluster> read_clusters(const Value& value) {
  std::vector<ContactCluster> clusters;
  clusters.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    const Value entry = value[k];
    if (entry.size() != 3) entry.fail("must have three entries, start, end and impacts");
    clusters.push_back({.start = entry[0].number(),
                        .end = entry[1].number(),
                        .impacts = entry[2].integer(0, kMost)});
  }
  return clusters;
}

std::optional<Bounce> read_bounce(const Value& value) {
  if (value.node().is_null()) return {};
  constexpr std::array<std::string_view, 5> kKeys{"clusters", "end", "apparent_restitution", "gap",
                                                  "measured"};
  const Table table(value, kKeys);
  return Bounce{.clusters = read_clusters(table.required("clusters")),
                .end = read_known(table, "end"),
                .apparent_restitution = read_known(table, "apparent_restitution"),
                .gap = table.required("gap").number(),
                .measured = table.required("measured").boolean()};
}

std::vector<ContactReach> read_reaches(const Value& value) {
  std::vector<ContactReach> reaches;
  reaches.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    const Value entry = value[k];
    if (entry.size() != 4) entry.fail("must have four entries, start, gap, way and overlap");
    reaches.push_back({.start = entry[0].number(),
                       .gap = entry[1].number(),
                       .way = entry[2].number(),
                       .overlap = entry[3].number()});
  }
  return reaches;
}

std::vector<ContactTotals> read_totals(const Value& value) {
  constexpr std::array<std::string_view, 7> kKeys{"phases",
                                                  "duration",
                                                  "impulse",
                                                  "peak_force",
                                                  "peak_force_time",
                                                  "dissipated",
                                                  "dissipated_by_friction"};
  std::vector<ContactTotals> contacts(value.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Table table(value[k], kKeys);
    ContactTotals& contact = contacts[k];
    contact.phases = read_count(table, "phases");
    contact.duration = table.required("duration").number();
    contact.impulse = table.required("impulse").number();
    contact.peak_force = table.required("peak_force").number();
    contact.peak_force_time = table.required("peak_force_time").number();
    contact.dissipated = table.required("dissipated").number();
    contact.dissipated_by_friction = table.required("dissipated_by_friction").number();
  }
  return contacts;
}

Books read_books(const Value& value) {
  constexpr std::array<std::string_view, 21> kKeys{"start_time",
                                                   "outputs",
                                                   "events",
                                                   "fastest_approach",
                                                   "energy_sum",
                                                   "energy_squares",
                                                   "reaches",
                                                   "steps",
                                                   "iterations",
                                                   "impacts",
                                                   "active_steps",
                                                   "contact_phases",
                                                   "first_impact_time",
                                                   "first_impact_velocity",
                                                   "last_contact",
                                                   "bounce",
                                                   "energy",
                                                   "contacts",
                                                   "energy_residual",
                                                   "warnings",
                                                   "wall_time"};
  const Table table(value, kKeys);
  Books books;
  books.start_time = table.required("start_time").number();
  books.outputs = read_count(table, "outputs");
  books.events = read_count(table, "events");
  books.fastest_approach = table.required("fastest_approach").number();
  books.energy_sum = table.required("energy_sum").number();
  books.energy_squares = table.required("energy_squares").number();
  books.reaches = read_reaches(table.required("reaches"));
  RunRecord& record = books.record;
  record.steps = read_count(table, "steps");
  record.iterations = read_count(table, "iterations");
  record.impacts = read_count(table, "impacts");
  record.active_steps = read_count(table, "active_steps");
  record.contact_phases = read_count(table, "contact_phases");
  record.first_impact_time = read_known(table, "first_impact_time");
  record.first_impact_velocity = read_known(table, "first_impact_velocity");
  record.last_contact = read_known(table, "last_contact");
  record.bounce = read_bounce(table.required("bounce"));
  record.energy = read_energy(table.required("energy"));
  record.contacts = read_totals(table.required("contacts"));
  record.energy_residual = read_known(table, "energy_residual");
  const Value warnings = table.required("warnings");
  for (std::size_t k = 0; k < warnings.size(); ++k) {
    record.warnings.push_back(warnings[k].string());
  }
  record.wall_time = table.required("wall_time").number();
  return books;
}

Vector read_coordinates(const Value& value, Eigen::Index n) {
  Vector numbers = value.numbers();
  if (numbers.size() != n) {
    value.fail(fmt::format("must have {}, one per coordinate, got {}", entries(n), numbers.size()));
  }
  return numbers;
}

std::vector<int> read_contacts(const Value& value, int contacts) {
  std::vector<int> list;
  list.reserve(value.size());
  for (const long i : value.integers(0, contacts - 1)) list.push_back(static_cast<int>(i));
  return list;
}

}  // namespace

Node moment_node(const Moment& moment) {
  Node node;
  node.add("time", moment.time);
  node.add("position", numbers(moment.state.position));
  node.add("velocity", numbers(moment.state.velocity));
  node.add("step", moment.step);
  node.add("previous_position", numbers(moment.previous_position));
  node.add("held", Node::Array(moment.held.begin(), moment.held.end()));
  node.add("sticking", Node::Array(moment.sticking.begin(), moment.sticking.end()));
  Node::Array memory;
  memory.reserve(moment.memory.size());
  for (const double x : moment.memory) memory.push_back(any_number(x));
  node.add("memory", std::move(memory));
  node.add("books", moment.books ? books_node(*moment.books) : Node());
  return node;
}

Moment read_moment(const Value& value, const MotionFile& motion) {
  constexpr std::array<std::string_view, 9> kKeys{
      "time", "position", "velocity", "step", "previous_position",
      "held", "sticking", "memory",   "books"};
  const Table table(value, kKeys);
  const int n = motion.system.coordinates();
  const int m = motion.system.contacts();
  Moment moment;
  moment.time = table.required("time").number();
  moment.state.position = read_coordinates(table.required("position"), n);
  moment.state.velocity = read_coordinates(table.required("velocity"), n);
  moment.step = table.required("step").number();
  const Value previous = table.required("previous_position");
  if (previous.size() > 0) moment.previous_position = read_coordinates(previous, n);
  moment.held = read_contacts(table.required("held"), m);
  moment.sticking = read_contacts(table.required("sticking"), m);
  const Value memory = table.required("memory");
  moment.memory.reserve(memory.size());
  for (std::size_t k = 0; k < memory.size(); ++k) {
    moment.memory.push_back(read_any_number(memory[k]));
  }
  moment.books = read_books(table.required("books"));
  return moment;
}

}  // namespace percute::io
