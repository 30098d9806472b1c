// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_step.hpp"
#include "numerics/first_crossing.hpp"

#include <array>
#include <vector>

namespace percute::laws {

/// A function that announces the next event of a contact: positive until it happens.
struct Watch {
  int contact = 0;
  bool on_gap_rate = false;  ///< g = ±U, else g = ±(ξ − target)
  double sign = 1.0;
  double floor = 0.0;  ///< below it, g counts as zero
};

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

  /// g at a state y with gap rates U, and dg/dx for slopes f and accelerations a.
  double value(const Watch& w, const double* y, const double* U) const {
    if (w.on_gap_rate) return w.sign * U[w.contact];
    return w.sign * (y[w.contact] - (*phases_)[w.contact].xi_target);
  }
  double slope(const Watch& w, const double* f, const double* a) const {
    // The component of the slope after those of the contacts is dτ/dx.
    return w.sign * (w.on_gap_rate ? a[w.contact] * f[setup_->clock()] : f[w.contact]);
  }

  /// Calls visit(Watch) for the functions that contact i is watched by.
  template <class Visit>
  void for_each_watch(int i, int landing, Visit&& visit) const {
    const ContactState& s = (*phases_)[i];
    if (const double sign = gap_rate_sign(s); sign != 0.0) {
      visit(Watch{.contact = i, .on_gap_rate = true, .sign = sign, .floor = 10.0 * setup_->noise});
    }
    if (s.has_target && i != landing) visit(target_watch(i));
  }

 private:
  using RK = ImpactStep::RK;
  using Coefficients = RK::DenseCoefficients;

  bool suspicious(const Watch& w, const ImpactStep& step, double h, int landing) const;
  static bool surely_quiet(double g0, double g1, double d0, double d1, double floor);
  /// ±1 for contacts whose gap rate is watched, else 0.
  double gap_rate_sign(const ContactState& s) const {
    if (s.phase == Phase::Compressing) return -1.0;
    return s.phase == Phase::Expanding || (s.phase == Phase::Open && !setup_->tracked_gap) ? 1.0
                                                                                           : 0.0;
  }
  /// Contacts with a target: 1 above it, −1 below.
  static double target_side(const ContactState& s) {
    return s.phase == Phase::Expanding || (s.phase != Phase::Open && s.passive) ? 1.0 : -1.0;
  }
  Watch target_watch(int i) const {
    return {.contact = i,
            .on_gap_rate = false,
            .sign = target_side((*phases_)[i]),
            .floor = setup_->closest[i]};
  }
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
