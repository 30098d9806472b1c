// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/siconos.hpp"

#include "bench/scenarios/driver.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <array>
#include <string>

namespace percute::bench {

namespace {

/// What the driver is told after the impulse step: numbers only.
std::string arguments(const Scenario& scenario) {
  std::string out =
      fmt::format("{} {} {}", scenario.dimension, scenario.masses.size(), scenario.touches.size());
  const auto add = [&out](double value) { out += fmt::format(" {:.17g}", value); };
  for (std::size_t i = 0; i < scenario.masses.size(); ++i) {
    add(scenario.masses[i]);
    for (const double v : scenario.velocities[i]) add(v);
  }
  for (const Scenario::Touch& touch : scenario.touches) {
    add(touch.first);
    add(touch.second);
    for (const double x : touch.normal) add(x);
    add(touch.material.stiffness);
    add(touch.material.exponent);
    add(touch.material.restitution);
  }
  return out;
}

std::optional<Run> parse(const std::string& text) {
  if (text.empty()) return {};
  try {
    const io::Document document = io::parse_json(text, "the Siconos driver");
    const io::Table table(io::Value(document), std::array<std::string_view, 4>{
                                                   "peer", "seconds", "repeats", "velocity"});
    Run run;
    run.velocity = table.required("velocity").numbers();
    run.seconds = run.median = table.required("seconds").number();
    run.repeats = table.required("repeats").integer(1, 1000);
    return run;
  } catch (const io::FileError&) {
    return {};  // numbers that are not finite: the scheme blew up
  }
}

}  // namespace

std::optional<FirstOrderMethod> siconos(const Scenario& scenario,
                                        const std::filesystem::path& drivers) {
  const std::filesystem::path driver = drivers / "percute-siconos";
  std::error_code ignored;
  if (!std::filesystem::exists(driver, ignored)) return {};
  FirstOrderMethod method{.name = "siconos", .knob = "impulse_step"};
  method.setting = [](long n) { return 1.0 / static_cast<double>(n); };
  method.run = [driver, numbers = arguments(scenario)](long n) {
    const double step = 1.0 / static_cast<double>(n);
    return parse(run_driver(driver, fmt::format("{:.17g} {}", step, numbers)));
  };
  return method;
}

}  // namespace percute::bench
