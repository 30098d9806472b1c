// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"
#include "laws/recorder.hpp"

#include <vector>

namespace percute::laws {

/// State at the end of an `euler_impulse` run.
struct EulerOutcome {
  Status status = Status::Ok;
  std::vector<double> P;           ///< m, impulses
  std::vector<double> E;           ///< m, energies still stored
  std::vector<double> dissipated;  ///< m
  std::vector<ContactSummary> summary;
  std::vector<ImpactEvent> events;
  long steps = 0;
  long changes = 0;  ///< of contact state
  double time = 0.0;
};

/// The explicit Euler scheme of the papers in the impulse of the primary contact (Liu,
/// Zhao, Brogliato 2008, section 5; 2009, section 2), with the corrections that make it work:
/// increments of contact j in its work, exponent η/(1+η), bounded restarts, energies clipped at
/// zero. First order; for comparison and teaching.
EulerOutcome run_euler_impulse(const ImpactSetup& setup, const Lzb& law, double impulse_step,
                               Recorder* recorder);

}  // namespace percute::laws
