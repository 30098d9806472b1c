// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace percute::analysis {

/// Random numbers that are the same with every compiler and library: the engine is fixed by the
/// C++ standard, and what is drawn from it here uses exact or correctly rounded operations only
/// (the distributions of the standard library differ between vendors, and so do pow and cos).
class Random {
 public:
  /// One independent stream per (seed, stream).
  Random(std::uint64_t seed, std::uint64_t stream)
      : engine_(mixed(mixed(seed) ^ (stream * 0x9E3779B97F4A7C15U + 1))) {}

  /// Uniform in [0, 1).
  double uniform() { return std::ldexp(static_cast<double>(engine_() >> 11U), -53); }

  /// Uniform in low … high, both included.
  int integer(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(engine_() % count);
  }

 private:
  /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds become unrelated.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }

  std::mt19937_64 engine_;
};

}  // namespace percute::analysis
