// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/plain_cradle.hpp"

#include <algorithm>
#include <cmath>

namespace percute::bench {

namespace {

constexpr double kMass = 1.0;
constexpr double kLength = 0.5;
constexpr double kRadius = 0.05;
constexpr double kGravity = 9.81;
constexpr double kFlight = 1e-4;  ///< longest step, s

struct State {
  CradleAngles q{};
  CradleAngles v{};
};

/// Gap of balls i and i+1, and its gradient by their angles.
struct Gap {
  double h;
  double a;
  double b;
};

Gap gap(const CradleAngles& q, std::size_t i) {
  const double dx = 2.0 * kRadius + kLength * (std::sin(q[i + 1]) - std::sin(q[i]));
  const double dy = kLength * (std::cos(q[i]) - std::cos(q[i + 1]));
  const double distance = std::hypot(dx, dy);
  const auto along = [&](double angle) {
    return kLength * (dx * std::cos(angle) + dy * std::sin(angle)) / distance;
  };
  return {.h = distance - 2.0 * kRadius, .a = -along(q[i]), .b = along(q[i + 1])};
}

State slope(const State& s, double stiffness) {
  State d;
  d.q = s.v;
  CradleAngles torque{};
  for (std::size_t i = 0; i < kCradleBalls; ++i) {
    torque[i] = -kMass * kGravity * kLength * std::sin(s.q[i]);
  }
  for (std::size_t i = 0; i + 1 < kCradleBalls; ++i) {
    const Gap g = gap(s.q, i);
    if (g.h >= 0.0) continue;
    const double force = stiffness * std::pow(-g.h, 1.5);
    torque[i] += g.a * force;
    torque[i + 1] += g.b * force;
  }
  for (std::size_t i = 0; i < kCradleBalls; ++i) d.v[i] = torque[i] / (kMass * kLength * kLength);
  return d;
}

State add(const State& s, double h, const State& d) {
  State out = s;
  for (std::size_t i = 0; i < kCradleBalls; ++i) {
    out.q[i] += h * d.q[i];
    out.v[i] += h * d.v[i];
  }
  return out;
}

/// h while something touches or is about to, else a part of the time until it does.
double step(const State& s, double h) {
  double longest = kFlight;
  for (std::size_t i = 0; i + 1 < kCradleBalls; ++i) {
    const Gap g = gap(s.q, i);
    if (g.h < 0.0) return h;
    const double rate = g.a * s.v[i] + g.b * s.v[i + 1];
    if (rate < 0.0) longest = std::min(longest, 0.5 * g.h / -rate);
    if (rate == 0.0) continue;
    // Gravity may turn a slow opening within a long step.
    longest = std::min(longest, std::max(1e-3 * std::sqrt(g.h), h));
  }
  return std::clamp(longest, h, kFlight);
}

}  // namespace

void plain_cradle(const CradleAngles& start, double stiffness, double duration, double h,
                  const std::function<void(double t, const CradleAngles& angles)>& see) {
  State s{.q = start};
  for (double t = 0.0; t < duration;) {
    const double dt = step(s, h);
    const State k1 = slope(s, stiffness);
    const State k2 = slope(add(s, 0.5 * dt, k1), stiffness);
    const State k3 = slope(add(s, 0.5 * dt, k2), stiffness);
    const State k4 = slope(add(s, dt, k3), stiffness);
    s = add(add(add(add(s, dt / 6.0, k1), dt / 3.0, k2), dt / 3.0, k3), dt / 6.0, k4);
    t += dt;
    see(t, s.q);
  }
}

}  // namespace percute::bench
