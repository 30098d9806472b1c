// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "analysis/random.hpp"

#include <cmath>
#include <cstddef>

namespace percute::selftest {

/// What random problems are drawn with.
class Random : public analysis::Random {
 public:
  using analysis::Random::Random;
  using analysis::Random::uniform;

  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }

  /// Spread over all sizes between 2^low and 2^high: every octave is equally likely.
  double octaves(int low, int high) {
    const int octave = integer(low, high - 1);
    return std::ldexp(1.0 + uniform(), octave);
  }

  /// Bell-shaped with variance 1: the sum of twelve uniform numbers.
  double bell() {
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += uniform();
    return sum;
  }

  template <class T, std::size_t n>
  const T& pick(const T (&choices)[n]) {  // NOLINT(*-avoid-c-arrays): takes a braced list
    return choices[integer(0, static_cast<int>(n) - 1)];
  }
};

}  // namespace percute::selftest
