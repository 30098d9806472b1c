// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <array>
#include <functional>

namespace percute::bench {

constexpr int kCradleBalls = 5;
using CradleAngles = std::array<double, kCradleBalls>;

/// The cradle of the benchmark with Hertz contacts, moved from rest at angles `start` by the
/// textbook: Runge–Kutta of order 4 in fixed steps `h` while something touches, longer ones in
/// flight, events nowhere. Calls `see` at the end of each step.
void plain_cradle(const CradleAngles& start, double stiffness, double duration, double h,
                  const std::function<void(double t, const CradleAngles& angles)>& see);

}  // namespace percute::bench
