// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "run_report.hpp"

#include "io/printable.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace percute::cli {

namespace {

using simulation::Run;
using simulation::RunStatus;

constexpr double kRounding = 1e-9;  // parts of the energy that mean nothing
constexpr double kNothing = 1e-30;  // and that are none at all
std::string counted(std::int64_t count, const char* noun, const char* rest = "") {
  return fmt::format("{} {}{}{}", count, noun, count == 1 ? "" : "s", rest);
}

std::string bodies(std::size_t count) {
  return count == 1 ? "1 body" : fmt::format("{} bodies", count);
}

std::string seconds(double time) {
  return fmt::format("{:.10g} s", time);
}

std::string line(const char* heading, const std::string& text) {
  return fmt::format("  {:<10}{}\n", heading, text);
}

std::string title(const io::MotionFile& file) {
  return fmt::format("{} · {} · {} · {} · {}\n\n", io::printable(file.name, 200),
                     bodies(file.bodies.size()), counted(file.system.contacts(), "contact"),
                     io::title(file.method), file.law.title());
}

std::string motion_lines(const Run& run) {
  const double start = run.end.totals ? run.end.totals->start_time : 0.0;
  std::string out =
      line("time",
           fmt::format(
               "{} to {}, {}{}", seconds(start), seconds(run.end.time), counted(run.steps, "step"),
               run.wall_time < 0.001 ? std::string() : fmt::format(" in {:.3g} s", run.wall_time)));
  std::string contacts = counted(run.impacts, "impact");
  if (run.active_steps > 0) contacts += ", " + counted(run.active_steps, "active step");
  if (run.contact_phases > 0) {
    contacts += fmt::format(", {} of lasting contact", counted(run.contact_phases, "phase"));
  }
  out += line("contacts", contacts);
  if (run.first_impact_time) {
    out += line("", fmt::format("first at {}, approach {:.6g} m/s", seconds(*run.first_impact_time),
                                std::abs(run.first_impact_velocity.value_or(0.0))));
  }
  if (run.last_contact && run.last_contact != run.first_impact_time) {
    out += line("", fmt::format("last until {}", seconds(*run.last_contact)));
  }
  if (run.bounce && run.bounce->apparent_restitution) {
    const auto clusters = static_cast<std::int64_t>(run.bounce->clusters.size());
    out += line("rebound", fmt::format("apparent restitution {:.6g}, after {} until {}",
                                       *run.bounce->apparent_restitution,
                                       counted(clusters, "cluster", " of contacts"),
                                       seconds(run.bounce->end.value_or(0.0))));
  }
  return out;
}

/// Energy at both ends, what contacts took, and what nothing accounts for.
std::string energy_line(const io::MotionFile& file, const Run& run) {
  const auto& energy = run.energy;
  const double scale = std::max(std::abs(energy.expected), std::abs(energy.final));
  const bool none_left = std::abs(energy.final) < kNothing * scale;
  std::string text =
      fmt::format("{:.9g} J → {:.9g} J", energy.expected, none_left ? 0.0 : energy.final);
  if (std::abs(energy.dissipated) > kRounding * scale) {
    text += fmt::format(", lost in contacts {:.6g} J", energy.dissipated);
  }
  // What sliding takes between events is in the record of this method alone.
  const bool all_counted =
      file.system.conservative() && std::holds_alternative<simulation::EventDriven>(file.method);
  if (adds_up(file) || all_counted) {
    const double drift = energy.final + energy.dissipated - energy.expected;
    text += fmt::format(", drift {:.1e}", scale > 0.0 ? drift / scale : drift);
  }
  return line("energy", text);
}

/// What rounding leaves of a coordinate or velocity that is 0.
double shown(double value) {
  return std::abs(value) < 1e-20 ? 0.0 : value;
}

/// Each number on the scale of those with its unit.
std::vector<std::string> by_unit(const std::vector<double>& values,
                                 const std::vector<std::string>& units) {
  std::vector<std::string> cells;
  cells.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double scale = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (units[k] == units[i]) scale = std::max(scale, std::abs(values[k]));
    }
    cells.push_back(number_text(values[i], scale, true));
  }
  return cells;
}

std::string end_table(const io::MotionFile& file, const Run& run) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  std::vector<double> position;
  std::vector<double> velocity;
  for (const Body& body : file.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      const int i = body.coordinates[k];
      names.push_back(body.coordinate_name(k));
      const std::string unit = body.unit(k);
      units.push_back(unit.ends_with("/s") ? unit.substr(0, unit.size() - 2) : unit);
      position.push_back(shown(run.end.state.position[i]));
      velocity.push_back(shown(run.end.state.velocity[i]));
    }
  }
  const auto vector = [](const std::vector<double>& list) -> Vector {
    return Vector::Map(list.data(), static_cast<Eigen::Index>(list.size()));
  };
  const bool mixed = std::ranges::adjacent_find(units, std::ranges::not_equal_to()) != units.end();
  const std::string unit = mixed || units.empty() ? "" : units.front();
  TextTable table;
  table.text("body", names);
  if (!mixed) {
    table.numbers(fmt::format("position [{}]", unit), vector(position), true);
    table.numbers(fmt::format("velocity [{}/s]", unit), vector(velocity), true);
  } else {
    table.right("position", by_unit(position, units));
    table.right("velocity", by_unit(velocity, units));
    for (std::string& each : units) each += fmt::format(", {}/s", each);
    table.text("unit", units);
  }
  return indented(table);
}

std::string status_line(const Run& run) {
  if (run.status == RunStatus::Ok) return "";
  std::string text = simulation::name(run.status);
  if (!run.reason.empty()) text += ": " + io::printable(run.reason, 300);
  return line("status", text);
}

}  // namespace

bool adds_up(const io::MotionFile& file) {
  if (!file.system.conservative()) return false;
  for (int i = 0; i < file.system.contacts(); ++i) {
    if (friction_acts(file.system.contact(i, file.start.state.position))) return false;
  }
  return true;
}

std::string report(const io::MotionFile& file, const Run& run) {
  std::string out = title(file) + motion_lines(run) + energy_line(file, run) + status_line(run);
  for (const std::string& warning : run.warnings) {
    out += line("warning", io::printable(warning, 300));
  }
  return out + "\n" + end_table(file, run);
}

}  // namespace percute::cli
