// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/bar_cases.hpp>
#include <percute/laws/newton.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace percute::io {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

bool is_of_vibrations(const std::string& name) {
  return name == "omega_max" || name == "step_limit" || name == "first_bending_hz";
}

double number_of(const std::string& name, const systems::BarVibrations& free) {
  if (name == "omega_max") return free.highest;
  if (name == "step_limit") return free.step_limit;
  return free.first_bending / (2.0 * std::numbers::pi);
}

double number_of(const std::string& name, const simulation::Run& run) {
  const simulation::EnergyRecord& energy = run.energy;
  if (name == "seconds") return run.wall_time;
  if (run.status != simulation::RunStatus::Ok) return kMissing;
  const simulation::Bounce bounce = run.bounce.value_or(simulation::Bounce{});
  if (name == "apparent_restitution") return bounce.apparent_restitution.value_or(kMissing);
  if (name == "clusters") return static_cast<double>(bounce.clusters.size());
  if (name == "impacts") return static_cast<double>(run.impacts);
  if (name == "first_cluster_us") {
    if (bounce.clusters.empty()) return kMissing;
    return 1e6 * (bounce.clusters.front().end - bounce.clusters.front().start);
  }
  if (name == "first_impact_time") return run.first_impact_time.value_or(kMissing);
  if (name == "first_impact_velocity") return run.first_impact_velocity.value_or(kMissing);
  if (name == "expected_energy") return energy.expected;
  if (name == "energy_max") return energy.max;
  if (name == "energy_min") return energy.min;
  if (name == "d_rel") return (energy.expected - energy.mean) / energy.expected;
  if (name == "s_rel") return energy.deviation / energy.expected;
  throw InvalidInput("expected", "a drop of the bar has no number '" + name + "'");
}

/// Decimals of a number as it is printed.
int decimals_of(double printed) {
  int decimals = 0;
  for (double x = std::abs(printed); decimals < 9 && std::abs(x - std::round(x)) > 1e-6 * x;
       x *= 10.0) {
    ++decimals;
  }
  return decimals;
}

}  // namespace

simulation::Run drop(const BarCase& reference) {
  const simulation::Moment start{.state = reference.bar.start()};
  return std::visit(
      [&](const auto& method) { return method(reference.bar, start, laws::Newton{}, {}); },
      reference.method);
}

std::vector<double> numbers_of(const BarCase& reference) {
  const auto& expected = reference.expected;
  std::vector<double> numbers;
  numbers.reserve(expected.size());
  const bool rests = std::all_of(expected.begin(), expected.end(),
                                 [](const BarNumber& n) { return is_of_vibrations(n.name); });
  if (rests) {
    const systems::BarVibrations free = vibrations(reference.bar);
    for (const BarNumber& number : expected) numbers.push_back(number_of(number.name, free));
    return numbers;
  }
  const simulation::Run run = drop(reference);
  for (const BarNumber& number : expected) numbers.push_back(number_of(number.name, run));
  return numbers;
}

Reproduction reproduce(const BarItem& item) {
  Reproduction result{.id = item.id, .title = item.title, .rows = {}};
  for (const BarCase& reference : item.cases) {
    const std::vector<double> numbers = numbers_of(reference);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const BarNumber& expected = reference.expected[k];
      ReferenceRow row;
      row.label = reference.label;
      row.quantity = expected.name;
      row.published = expected.published;
      row.computed = numbers[k];
      row.tolerance = expected.published_tolerance;
      row.reference = expected.value;
      if (expected.value) row.reference_tolerance = expected.tolerance;
      row.note = reference.note.empty() ? item.note : reference.note;
      if (expected.value) {
        row = judged(std::move(row), decimals_of(expected.published.value_or(0.0)));
      } else {
        row.verdict = ReferenceRow::Verdict::Explained;
      }
      result.rows.push_back(std::move(row));
    }
  }
  return result;
}

}  // namespace percute::io
