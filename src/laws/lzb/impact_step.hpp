// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"
#include "laws/lzb/dynamics.hpp"

#include <percute/numerics/runge_kutta.hpp>

#include <algorithm>
#include <vector>

namespace percute::laws {

/// One step of the integration, seen from both ends: states and slopes (in the Runge–Kutta method),
/// gap rates U and their derivatives a = dU/dτ.
template <class Pair>
struct ImpactStep {
  numerics::RungeKutta<Pair> rk;
  std::vector<double> U0, U1;   ///< m, at the start and at the end
  std::vector<double> a0, a1;   ///< m
  std::vector<double> scratch;  ///< m

  void resize(int m, int states) {
    rk.resize(states);
    const auto size = static_cast<std::size_t>(m);
    for (auto* v : {&U0, &U1, &a0, &a1, &scratch}) v->assign(size, 0.0);
  }

  /// U and a of the current state.
  void measure_start(const ImpactSetup& setup, const ContactPhases& phases) {
    setup.G.apply(setup.U_before.data(), rk.state() + setup.m, U0.data());
    accelerations(setup, phases, rk.state(), a0);
  }

  /// U and a of the trial state, whose gap rates the dynamics have just computed.
  void measure_end(const ImpactSetup& setup, const ContactPhases& phases,
                   const LzbDynamics& dynamics) {
    std::copy_n(dynamics.gap_rates().data(), setup.m, U1.data());
    accelerations(setup, phases, rk.trial(), a1);
  }

  void accept() {
    rk.accept();
    U0.swap(U1);
    a0.swap(a1);
  }

 private:
  void accelerations(const ImpactSetup& setup, const ContactPhases& phases, const double* y,
                     std::vector<double>& a) {
    for (int i = 0; i < setup.m; ++i) scratch[i] = phases.force(i, y[i]);
    setup.G.apply(scratch.data(), a.data());
  }
};

}  // namespace percute::laws
