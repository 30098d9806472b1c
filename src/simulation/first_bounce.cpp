// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/first_bounce.hpp"

#include "model/text.hpp"
#include "numerics/cubic.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::simulation {

namespace {

/// s without contact that end the bounce.
constexpr double kLongFlight = 2.5e-3;
/// A step this long, of the window, that begins before the rebound tells nothing about the flight;
/// below 1, or rounding would decide where they are equal.
constexpr double kAsLong = 0.999;

}  // namespace

FirstBounce::FirstBounce(const systems::AnySystem& system, const BounceOptions& options,
                         Bounce& bounce)
    : system_(system),
      options_(options),
      bounce_(bounce),
      gap_(system.contacts()),
      gradient_(system.coordinates()) {
  const auto require = [](bool good, const char* field, double value, const char* allowed) {
    if (!good) throw InvalidInput(field, text(value) + std::string(allowed));
  };
  const double window = options.restitution_window;
  require(window > 0.0 && std::isfinite(window), "simulation.restitution_window", window,
          " is not above 0");
  const double between = options.cluster_gap;
  require(between >= 0.0 && std::isfinite(between), "simulation.cluster_gap", between,
          " is not 0 or above");
  if (system.contacts() != 1) {
    throw InvalidInput("simulation",
                       "the first bounce, with restitution_window and cluster_gap, "
                       "is measured where there is one contact; here are " +
                           std::to_string(system.contacts()));
  }
}

double FirstBounce::gap(const Vector& q) {
  system_.gaps(q, gap_);
  return gap_[0];
}

double FirstBounce::gap_rate(const Instant& at) {
  system_.gradient(0, at.q, gradient_);
  return gradient_.dot(at.v);
}

void FirstBounce::touch(double from, double to, int impacts, const Vector& q) {
  if (bounce_.end && from - *bounce_.end > kLongFlight) return;
  auto& clusters = bounce_.clusters;
  if (clusters.empty() || from - clusters.back().end >= options_.cluster_gap) {
    clusters.push_back({.start = from, .end = to, .impacts = 0});
  }
  clusters.back().end = std::max(clusters.back().end, to);
  clusters.back().impacts += impacts;
  bounce_.end = to;
  bounce_.gap = gap(q);
  bounce_.measured = false;
  bounce_.apparent_restitution.reset();
}

void FirstBounce::count_impact() {
  if (!bounce_.clusters.empty()) ++bounce_.clusters.back().impacts;
}

// Mean speed away from the floor in the window after the last contact, over the speed of arrival.
void FirstBounce::step(const Instant& from, const Instant& to, double arrival) {
  if (bounce_.measured || !bounce_.end) return;
  const double at = *bounce_.end + options_.restitution_window;
  if (to.time < at) return;
  bounce_.measured = true;
  const double h = to.time - from.time;
  const double before = gap_rate(from);
  const bool falls = from.time <= *bounce_.end && before < 0.0;
  if (!(arrival > 0.0) || (falls && h >= kAsLong * options_.restitution_window)) return;
  const double then =
      h > 0.0 ? numerics::Cubic{h, gap(from.q), gap(to.q), before, gap_rate(to)}(at - from.time)
              : gap(to.q);
  bounce_.apparent_restitution = (then - bounce_.gap) / (options_.restitution_window * arrival);
}

}  // namespace percute::simulation
