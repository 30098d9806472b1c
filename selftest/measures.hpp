// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_result.hpp>

#include <cmath>

namespace percute::selftest {

/// |x|_∞; 0 where x is empty.
inline double largest(const Vector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

/// How many numbers of a result are not finite.
inline double not_finite(const ImpactResult& result) {
  double count = 0.0;
  const auto add = [&count](const Vector& values) {
    for (const double value : values) count += std::isfinite(value) ? 0.0 : 1.0;
  };
  add(result.velocity);
  add(result.impulse);
  add(result.dissipated);
  add(result.gap_rate);
  for (const Vector& p : result.tangential_impulse) add(p);
  const EnergyLedger& e = result.energy;
  for (const double value : {e.before, e.after, e.dissipated, e.stored, e.balance_error}) {
    count += std::isfinite(value) ? 0.0 : 1.0;
  }
  return count;
}

}  // namespace percute::selftest
