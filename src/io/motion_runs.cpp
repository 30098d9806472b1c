// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/motion_cases.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/newton.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/rocking_block.hpp>
#include <percute/systems/v_groove.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace percute::io {

namespace {

using simulation::Event;
using simulation::EventDriven;
using simulation::Moment;
using simulation::Observer;
using simulation::Run;
using std::numbers::pi;

constexpr double kGravity = 9.81;
constexpr double kDegree = pi / 180.0;

struct Numbers {
  std::map<std::string, double, std::less<>> by_name = {};
  std::string status = {};

  /// Counted from 0; in names from 1.
  double& operator()(const std::string& name, int i) {
    return by_name[name + "_" + std::to_string(i + 1)];
  }
};

void note_run(const Run& run, Numbers& numbers) {
  numbers.status = name(run.status);
  const auto& energy = run.energy;
  numbers.by_name["energy_drift"] =
      std::max(std::abs(energy.max - energy.expected), std::abs(energy.min - energy.expected)) /
      std::abs(energy.expected);
}

/// Five balls of 1 kg on strings of 0.5 m, the first let go at 30°, eight half swings. Largest
/// angles are those of states a millisecond apart, as in the data.
Numbers cradle(double stiffness, bool compliant) {
  constexpr int kBalls = 5;
  constexpr int kSwings = 8;
  constexpr double kFirst = 0.36;
  constexpr double kSwing = 0.7215;
  const systems::Cradle cradle{.balls = kBalls,
                               .mass = 1.0,
                               .radius = 0.05,
                               .length = 0.5,
                               .gravity = kGravity,
                               .material = {.restitution = 1.0, .stiffness = stiffness}};
  Vector angles = Vector::Zero(kBalls);
  angles[0] = -30.0 * kDegree;
  Moment start;
  start.state = cradle.at(angles, Vector::Zero(kBalls));

  std::array<std::array<double, kBalls>, kSwings> largest{};
  const Observer observer{.state = [&](double t, const Vector& q, const Vector& /*v*/) {
    const int swing = static_cast<int>(std::floor((t - kFirst) / kSwing));
    if (swing < 0 || swing >= kSwings) return true;
    for (int i = 0; i < kBalls; ++i) {
      const int place = swing % 2 == 0 ? kBalls - 1 - i : i;
      double& angle = largest[static_cast<std::size_t>(swing)][static_cast<std::size_t>(place)];
      angle = std::max(angle, std::abs(q[i]) / kDegree);
    }
    return true;
  }};
  const simulation::RunOptions options{.duration = kFirst + kSwings * kSwing,
                                       .output_interval = 1e-3};
  Numbers numbers;
  if (compliant) {
    note_run(simulation::CompliantMotion{.run = options}(cradle, start, observer), numbers);
  } else {
    note_run(EventDriven{.run = options}(cradle, start, laws::Lzb{.tolerance = 1e-10}, observer),
             numbers);
  }
  for (int k = 0; k < kSwings; ++k) {
    for (int i = 0; i < kBalls; ++i) {
      numbers("angle_" + std::to_string(k + 1), i) =
          largest[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
    }
  }
  return numbers;
}

/// Tells of each impact, and of the first accumulation.
Observer note_impacts(Numbers& numbers, std::function<void(const Event&, int)> more) {
  return {.event = [&numbers, more = std::move(more), k = 0](const Event& event) mutable {
    if (event.kind == simulation::EventKind::Accumulation) {
      numbers.by_name.try_emplace("accumulation", event.time);
    }
    if (event.kind != simulation::EventKind::Impact) return true;
    numbers("impact_time", k) = event.time;
    if (more) more(event, k);
    ++k;
    return true;
  }};
}

/// A particle that slides from rest down the left wall of a groove, 0.5 m from the bottom, with
/// e = 0: every pass over the bottom is an impact.
Numbers v_groove() {
  constexpr double kDistance = 0.5;
  const systems::VGroove groove{
      .opening = 2.0 * pi / 3.0, .material = {.restitution = 0.0}, .gravity = kGravity};
  const double rise = 0.5 * (pi - groove.opening);
  Moment start;
  start.state = groove.at(systems::Point{-kDistance * std::cos(rise), kDistance * std::sin(rise)},
                          systems::Point::Zero());
  Numbers numbers;
  const Observer observer = note_impacts(numbers, [&](const Event& event, int k) {
    numbers("speed", k) = event.velocity_after.norm();
  });
  note_run(EventDriven{.run = {.duration = 2.0}}(groove, start, laws::Newton{}, observer), numbers);
  return numbers;
}

/// A slender block let go at 0.1 rad about its left corner, which friction holds; e = 0.
Numbers rocking() {
  const systems::RockingBlock block{.width = 0.3,
                                    .height = 1.0,
                                    .material = {.restitution = 0.0, .friction = 1.0},
                                    .gravity = kGravity};
  Moment start;
  start.state = block.tilted(0.1);
  Numbers numbers;
  Observer observer = note_impacts(numbers, {});
  // Largest tilt between impacts: where the angular velocity changes its sign.
  std::array<double, 8> tilts{};
  int swing = -1;
  const auto impacts = observer.event;
  observer.event = [&](const Event& event) {
    if (event.kind == simulation::EventKind::Impact) ++swing;
    return impacts(event);
  };
  observer.state = [&](double /*t*/, const Vector& q, const Vector& /*v*/) {
    if (swing >= 0 && swing < static_cast<int>(tilts.size())) {
      double& tilt = tilts[static_cast<std::size_t>(swing)];
      tilt = std::max(tilt, std::abs(q[2]) / kDegree);
    }
    return true;
  };
  note_run(EventDriven{.run = {.duration = 4.0, .output_interval = 1e-3}}(
               block, start, laws::Coulomb{}, observer),
           numbers);
  for (std::size_t k = 0; k < tilts.size(); ++k) numbers("tilt", static_cast<int>(k)) = tilts[k];
  return numbers;
}

/// A block with corners that do not know of each other, h = √2 b, dropped from 1 cm at 1e-4 rad on
/// a floor without friction, e = ½: both corners chatter.
Numbers dropped_block() {
  const systems::RockingBlock block{.width = 1.0,
                                    .height = std::numbers::sqrt2,
                                    .material = {.restitution = 0.5},
                                    .gravity = kGravity};
  Moment start;
  start.state.position = Eigen::Vector3d(0.0, 0.5 * block.height + 0.01, 1e-4);
  start.state.velocity = Vector::Zero(3);
  Numbers numbers;
  const Observer observer = note_impacts(numbers, {});
  note_run(EventDriven{.run = {.duration = 0.5}}(block, start, laws::Newton{}, observer), numbers);
  return numbers;
}

Numbers numbers_of_run(const std::string& run) {
  constexpr double kSteel = 2.43e10;  // N/m^(3/2)
  if (run == "cradle.lzb") return cradle(kSteel, false);
  if (run == "cradle.hertz") return cradle(kSteel, true);
  if (run == "cradle.hertz_100") return cradle(100.0 * kSteel, true);
  if (run == "v_groove") return v_groove();
  if (run == "rocking_block") return rocking();
  if (run == "dropped_block") return dropped_block();
  throw InvalidInput("run", "there is no motion '" + run + "'");
}

}  // namespace

std::vector<double> numbers_of(const MotionCase& reference, std::string& status) {
  const Numbers numbers = numbers_of_run(reference.run);
  status = numbers.status;
  std::vector<double> result;
  result.reserve(reference.expected.size());
  for (const MotionNumber& expected : reference.expected) {
    const auto found = numbers.by_name.find(expected.name);
    if (found == numbers.by_name.end()) {
      throw InvalidInput(expected.name, "is no number of the motion '" + reference.run + "'");
    }
    result.push_back(found->second);
  }
  return result;
}

}  // namespace percute::io
