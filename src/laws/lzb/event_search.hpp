// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_step.hpp"

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
    return w.sign * (w.on_gap_rate ? a[w.contact] * f[2 * setup_->lanes] : f[w.contact]);
  }

  /// Calls visit(Watch) for the functions that contact i is watched by.
  template <class Visit>
  void for_each_watch(int i, int landing, Visit&& visit) const {
    const ContactState& s = (*phases_)[i];
    const double still = 10.0 * setup_->noise;
    const bool open = s.phase == Phase::Open;
    if (s.phase == Phase::Compressing) {
      visit(Watch{.contact = i, .on_gap_rate = true, .sign = -1.0, .floor = still});
    } else if (s.phase == Phase::Expanding || (open && !setup_->tracked_gap)) {
      visit(Watch{.contact = i, .on_gap_rate = true, .sign = 1.0, .floor = still});
    }
    if (s.has_target && i != landing) {
      const bool downward = !open && (s.phase == Phase::Expanding || s.passive);
      visit(Watch{.contact = i,
                  .on_gap_rate = false,
                  .sign = downward ? 1.0 : -1.0,
                  .floor = std::min(setup_->spent[i], 1e-12 * setup_->indentation_scale[i])});
    }
  }

 private:
  using RK = ImpactStep::RK;
  using Coefficients = RK::DenseCoefficients;

  bool suspicious(const Watch& w, const ImpactStep& step, double h, int landing) const;
  bool surely_quiet(int i, const ImpactStep& step) const;
  Coefficients coefficients(const Watch& w, const RK& rk) const;
  double crossing(const Watch& w, const ImpactStep& step) const;
  bool changes_once(int i, const ImpactStep& step) const;
  double next_passive(int i, const ImpactStep& step, double from, bool first, bool once) const;
  void change_passively(int i, const ImpactStep& step, double theta);

  const ImpactSetup* setup_ = nullptr;
  ContactPhases* phases_ = nullptr;
  std::vector<Watch> suspects_;  ///< events that would end the step
  std::vector<int> passive_;     ///< contacts with passive events
};

}  // namespace percute::laws
