// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/analysis/drop_test.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace percute::analysis {

namespace {

/// The decay x_{i+1} = q x_i with e = q^power, by a straight line through ln x_i.
BounceRestitution geometric_decay(const std::vector<double>& values, double power) {
  const auto n = static_cast<Eigen::Index>(values.size());
  Vector logarithms(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    logarithms[i] = std::log(values[static_cast<std::size_t>(i)]);
  }
  const Vector index = Vector::LinSpaced(n, 0.0, static_cast<double>(n - 1)).array() -
                       0.5 * static_cast<double>(n - 1);
  const double spread = index.squaredNorm();
  const double slope = index.dot(logarithms) / spread;

  BounceRestitution out;
  out.restitution = std::exp(power * slope);
  out.standard_error = std::numeric_limits<double>::quiet_NaN();
  if (n > 2) {
    const double mean = logarithms.mean();
    double sum = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double rest = logarithms[i] - mean - slope * index[i];
      sum += rest * rest;
    }
    const double variance = sum / static_cast<double>(n - 2);
    out.standard_error = out.restitution * power * std::sqrt(variance / spread);
  }
  out.each = (power * (logarithms.tail(n - 1) - logarithms.head(n - 1)).array()).exp();
  return out;
}

void require_enough(std::size_t count, std::size_t least, const char* field) {
  if (count < least) {
    throw InvalidInput(field, "has " + std::to_string(count) + " numbers; needs at least " +
                                  std::to_string(least));
  }
}

}  // namespace

BounceRestitution restitution_from_heights(std::span<const double> heights) {
  require_enough(heights.size(), 2, "heights");
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (!(std::isfinite(heights[i]) && heights[i] > 0.0)) {
      throw InvalidInput("heights[" + std::to_string(i) + "]", text(heights[i]) + " is not > 0");
    }
  }
  return geometric_decay({heights.begin(), heights.end()}, 0.5);
}

BounceRestitution restitution_from_impact_times(std::span<const double> times) {
  require_enough(times.size(), 3, "times");
  std::vector<double> flights(times.size() - 1);
  for (std::size_t i = 0; i < flights.size(); ++i) {
    flights[i] = times[i + 1] - times[i];
    if (!(std::isfinite(flights[i]) && flights[i] > 0.0)) {
      throw InvalidInput("times[" + std::to_string(i + 1) + "]",
                         text(times[i + 1]) + " is not later than the impact before");
    }
  }
  return geometric_decay(flights, 1.0);
}

}  // namespace percute::analysis
