// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/simulation.hpp"

#include "bench/scenarios/plain_cradle.hpp"
#include "bench/scenarios/timing.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/systems/cradle.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percute::bench {

namespace {

using simulation::Moment;
using simulation::Observer;
using simulation::Run;
using simulation::RunOptions;

constexpr double kStiffness = 2.43e10;  // N/m^(3/2): steel balls of 5 cm
constexpr double kDuration = 6.0;
constexpr double kFirstWindow = 0.36;
constexpr double kHalfSwing = 0.7215;
constexpr int kWindows = 7;
constexpr const char* kCompliant = "cradle 6 s Hertz";
constexpr const char* kLzb = "cradle 6 s LZB";

/// Largest angles of the balls in each half swing, one after the other.
struct Swings {
  Vector largest = Vector::Zero(kWindows * kCradleBalls);

  void see(double t, const double* angles) {
    const int window = static_cast<int>(std::floor((t - kFirstWindow) / kHalfSwing));
    if (window < 0 || window >= kWindows) return;
    for (int i = 0; i < kCradleBalls; ++i) {
      double& angle = largest[window * kCradleBalls + i];
      angle = std::max(angle, std::abs(angles[i]));
    }
  }
  Observer observer() {
    return {.state = [this](double t, const Vector& q, const Vector& /*v*/) {
      see(t, q.data());
      return true;
    }};
  }
  double error(const Swings& exact) const {
    return (largest - exact.largest).cwiseAbs().maxCoeff() / exact.largest.maxCoeff();
  }
};

struct Cradle {
  systems::AnySystem system;
  Moment start;
};

Cradle steel_cradle(double stiffness = kStiffness) {
  const systems::Cradle cradle{.balls = kCradleBalls,
                               .mass = 1.0,
                               .radius = 0.05,
                               .length = 0.5,
                               .gravity = 9.81,
                               .material = {.restitution = 1.0, .stiffness = stiffness}};
  Vector angles = Vector::Zero(kCradleBalls);
  angles[0] = -std::numbers::pi / 6.0;
  Moment start;
  start.state = cradle.at(angles, Vector::Zero(kCradleBalls));
  return {.system = cradle, .start = start};
}

RunOptions options_of_run() {
  return {.duration = kDuration, .output_interval = 1e-4};
}

/// Runs, times and judges one way of moving the cradle.
template <class Move>
Row measured(Row row, const Swings& exact, Move&& move, double budget,
             std::vector<std::string>& notes) {
  row.contacts = kCradleBalls - 1;
  Swings swings;
  const Observer observer = swings.observer();
  const Run run = move(observer);
  row.error = swings.error(exact);
  row.steps = static_cast<long>(run.steps);
  row.evaluations = static_cast<long>(run.iterations);
  row.events = static_cast<long>(run.impacts + run.active_steps);
  row.reached = run.status == simulation::RunStatus::Ok && row.error <= row.target;
  const Timing timing = time_calls([&] { move(Observer{}); }, budget);
  set_time(row, timing);
  const double drift = std::max(std::abs(run.energy.max - run.energy.expected),
                                std::abs(run.energy.min - run.energy.expected));
  notes.push_back(fmt::format("{}, {}, {} {:g}: energy drift {:.1e}", row.problem, row.method,
                              row.knob, row.setting, drift / run.energy.expected));
  return row;
}

}  // namespace

Report run_simulation(const Options& options) {
  const double budget = options.quick ? 0.0 : 2.0;
  const Cradle cradle = steel_cradle();
  Report report;

  const auto compliant = [](const Cradle& which, double tolerance) {
    return [&which, tolerance](const Observer& observer) {
      const simulation::CompliantMotion method{
          .law = {.tolerance = tolerance}, .tolerance = 0.1 * tolerance, .run = options_of_run()};
      return method(which.system, which.start, observer);
    };
  };
  Swings exact;
  compliant(cradle, 1e-12)(exact.observer());
  {
    Swings plain;
    CradleAngles start{};
    start[0] = -std::numbers::pi / 6.0;
    plain_cradle(start, kStiffness, kDuration, options.quick ? 1e-6 : 2e-7,
                 [&](double t, const CradleAngles& angles) { plain.see(t, angles.data()); });
    report.references.push_back({.problem = kCompliant, .difference = plain.error(exact)});
  }
  for (const double tolerance : {1e-6, 1e-9}) {
    report.rows.push_back(measured({.problem = kCompliant,
                                    .method = "percute",
                                    .target = 1e3 * tolerance,
                                    .knob = "tolerance",
                                    .setting = tolerance},
                                   exact, compliant(cradle, tolerance), budget, report.notes));
  }

  const auto located = [&](double tolerance) {
    return [&, tolerance](const Observer& observer) {
      const simulation::EventDriven method{.tolerance = tolerance, .run = options_of_run()};
      return method(cradle.system, cradle.start, laws::Lzb{.tolerance = tolerance}, observer);
    };
  };
  const auto stepped = [&](double step) {
    return [&, step](const Observer& observer) {
      const simulation::MoreauJean method{.step = step, .run = options_of_run()};
      return method(cradle.system, cradle.start, laws::Lzb{.tolerance = 1e-9}, observer);
    };
  };
  Swings exact_lzb;
  located(1e-12)(exact_lzb.observer());
  {
    // Contacts of nearly no duration: what LZB is the limit of.
    const Cradle stiff = steel_cradle(1e6 * kStiffness);
    Swings limit;
    compliant(stiff, 1e-11)(limit.observer());
    report.references.push_back({.problem = kLzb, .difference = limit.error(exact_lzb)});
  }
  for (const double tolerance : {1e-6, 1e-10}) {
    report.rows.push_back(measured({.problem = kLzb,
                                    .method = "percute",
                                    .target = 1e3 * tolerance,
                                    .knob = "tolerance",
                                    .setting = tolerance},
                                   exact_lzb, located(tolerance), budget, report.notes));
  }
  std::vector<double> steps{1e-3, 1e-4};
  if (options.full) steps.push_back(1e-5);
  for (const double step : steps) {
    report.rows.push_back(measured({.problem = kLzb,
                                    .method = "moreau_jean",
                                    .target = 10.0 * step,
                                    .knob = "step",
                                    .setting = step},
                                   exact_lzb, stepped(step), budget, report.notes));
  }
  report.goals.push_back({.what = "cradle 6 s LZB, located impacts",
                          .value = report.rows[3].seconds,
                          .limit = 0.2,
                          .unit = "s"});
  return report;
}

}  // namespace percute::bench
