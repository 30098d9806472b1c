// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_step.hpp"
#include "laws/lzb/phase_rules.hpp"
#include "numerics/bracketed_root.hpp"

#include <array>
#include <vector>

namespace percute::laws {

/// An event inside a step, at the fraction θ of it; θ = 2 if there is none.
struct Crossing {
  Watch watch;
  double theta = 2.0;
};

/// Finds the events inside a step. Only the two ends of the step are looked at unless they, or the
/// cubic between them, give reason for suspicion; then the dense output decides.
///
/// Elastic contacts change between compression and expansion without any change of dynamics: such
/// *passive* events do not end a step, they are only noted.
class EventSearch {
 public:
  void assign(const ImpactSetup& setup, ContactPhases& phases);

  /// Collects what may have happened in the trial step of length h; `landing` is the contact whose
  /// opening ends the step anyway, or −1. True if the dense output is needed to tell.
  bool suspect(const ImpactStep& step, double h, int landing);
  /// To be called once the dense output is there. Where many contacts are under suspicion, forms
  /// the dense output of all gap rates by a few products with G instead of row by row.
  void prepare(const ImpactStep::RK& rk);
  /// Earliest event that changes the dynamics, on the dense output.
  Crossing earliest(const ImpactStep& step) const;
  /// Carries out the passive events up to θ = until; calls noted(θ) for each.
  template <class Noted>
  void note_passive(const ImpactStep& step, double until, Noted&& noted) {
    for (const int i : passive_) {
      const bool once = changes_once(i, step);
      double theta = 0.0;
      bool first = true;
      while (theta < 1.0) {
        theta = next_passive(i, step, theta, first, once);
        if (theta > until) break;
        change_passively(i, step, theta);
        noted(theta);
        if (once) break;
        first = false;
      }
    }
  }

  /// dg/dx for slopes and accelerations in the variable of a step.
  double slope(const Watch& w, const double* f, const double* a) const {
    return w.slope(f, a, f[setup_->clock()]);
  }

 private:
  using RK = ImpactStep::RK;
  using Coefficients = RK::DenseCoefficients;

  bool suspicious(const Watch& w, const ImpactStep& step, double h, int landing) const;
  Coefficients coefficients(const Watch& w, const RK& rk) const;
  double crossing(const Watch& w, const ImpactStep& step) const;
  static double root(const Coefficients& c, double g0, numerics::CrossingEnd left,
                     numerics::CrossingEnd right);
  bool changes_once(int i, const ImpactStep& step) const;
  double next_passive(int i, const ImpactStep& step, double from, bool first, bool once) const;
  void change_passively(int i, const ImpactStep& step, double theta);

  const ImpactSetup* setup_ = nullptr;
  ContactPhases* phases_ = nullptr;
  std::vector<Watch> suspects_;    ///< events that would end the step
  std::vector<int> passive_;       ///< contacts with passive events
  bool shared_ = false;            ///< the following hold the dense output of this step
  std::vector<double> impulses_;   ///< kDense × lanes
  std::vector<double> gap_rates_;  ///< kDense × lanes
};

}  // namespace percute::laws
