// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/event_search.hpp"

#include "laws/lzb/first_crossing.hpp"

#include <cmath>

namespace percute::laws {

void EventSearch::assign(const ImpactSetup& setup, ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  suspects_.reserve(2 * static_cast<std::size_t>(setup.m));
  passive_.reserve(static_cast<std::size_t>(setup.m));
}

/// Could g have vanished within the step? Ends of opposite sign, or a dip between positive ends.
inline bool EventSearch::suspicious(const Watch& w, const ImpactStep& step, double h,
                                    int landing) const {
  const double g0 = value(w, step.rk.state(), step.U0.data());
  const double g1 = value(w, step.rk.trial(), step.U1.data());
  if (g0 <= w.floor) return g1 < -w.floor;
  // Contacts that open together with the landing one are opened by the landing.
  if (landing >= 0 && !w.on_gap_rate && std::abs(g1) <= w.floor) return false;
  if (g1 <= 0.0) return true;
  return may_dip_below_zero(g0, h * slope(w, step.rk.slope(), step.a0.data()), g1,
                            h * slope(w, step.rk.trial_slope(), step.a1.data()));
}

/// Contacts at rest are not watched; open ones that separate ever faster are a common sight.
inline bool EventSearch::surely_quiet(int i, const ImpactStep& step) const {
  const Phase phase = (*phases_)[i].phase;
  if (phase == Phase::Resting) return true;
  return phase == Phase::Open && !setup_->tracked_gap && step.U0[i] > 10.0 * setup_->noise &&
         step.U1[i] > 0.0 && (step.a0[i] >= 0.0 || step.a1[i] <= 0.0);
}

bool EventSearch::suspect(const ImpactStep& step, double h, int landing) {
  suspects_.clear();
  passive_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    if (surely_quiet(i, step)) continue;
    for_each_watch(i, landing, [&](const Watch& w) {
      if (!suspicious(w, step, h, landing)) return;
      const ContactState& s = (*phases_)[i];
      if (w.on_gap_rate && s.passive && s.phase != Phase::Open) {
        passive_.push_back(i);
      } else {
        suspects_.push_back(w);
      }
    });
  }
  return !(suspects_.empty() && passive_.empty());
}

/// The dense output of the function watched, as coefficients after its value at the start: gap
/// rates are linear in the impulses.
EventSearch::Coefficients EventSearch::coefficients(const Watch& w, const RK& rk) const {
  Coefficients c{};
  const int lanes = setup_->lanes;
  if (w.on_gap_rate) {
    setup_->G.for_row(w.contact, [&](int j, double G_ij) {
      const Coefficients p = rk.dense_coefficients(lanes + j);
      for (int d = 0; d < RK::kDense; ++d) c[d] += w.sign * G_ij * p[d];
    });
  } else {
    c = rk.dense_coefficients(w.contact);
    for (double& value : c) value *= w.sign;
  }
  return c;
}

/// Place of the crossing in the step, θ in [0, 1]; 2 if there is none.
double EventSearch::crossing(const Watch& w, const ImpactStep& step) const {
  const Coefficients c = coefficients(w, step.rk);
  const double g0 = value(w, step.rk.state(), step.U0.data());
  const bool armed = g0 > w.floor;
  const auto g = [&](double theta) { return g0 + RK::evaluate(c.data(), theta); };
  const double theta = first_crossing(g, 0.0, armed);
  // Left zero into the wrong direction at once: the event belongs to the start of the step.
  if (theta > 1.0 && !armed) return 0.0;
  return theta;
}

Crossing EventSearch::earliest(const ImpactStep& step) const {
  Crossing first;
  for (const Watch& w : suspects_) {
    const double theta = crossing(w, step);
    if (theta < first.theta) first = {.watch = w, .theta = theta};
  }
  return first;
}

/// A gap rate that has opposite signs at the ends of the step and changes the same way at both:
/// one zero between.
bool EventSearch::changes_once(int i, const ImpactStep& step) const {
  const double down = step.U0[i] > 0.0 ? 1.0 : -1.0;
  return std::abs(step.U0[i]) > 10.0 * setup_->noise && down * step.U1[i] < 0.0 &&
         down * step.a0[i] < 0.0 && down * step.a1[i] < 0.0;
}

/// Next zero of the gap rate of an elastic contact after `from`; 2 if there is none.
double EventSearch::next_passive(int i, const ImpactStep& step, double from, bool first,
                                 bool once) const {
  const double still = 10.0 * setup_->noise;
  const bool compressing = (*phases_)[i].phase == Phase::Compressing;
  const Watch w{.contact = i, .on_gap_rate = true, .sign = compressing ? -1.0 : 1.0};
  const Coefficients c = coefficients(w, step.rk);
  const double g0 = w.sign * step.U0[i];
  const auto g = [&](double t) { return g0 + RK::evaluate(c.data(), t); };
  if (once) return numerics::bracketed_root(g, 0.0, 1.0, 1e-12);
  const bool armed = first && g0 > still;
  const double next = first_crossing(g, from, armed);
  return next > 1.0 && first && !armed && g(1.0) < -still ? 0.0 : next;
}

void EventSearch::change_passively(int i, const ImpactStep& step, double theta) {
  const int lanes = setup_->lanes;
  const ContactPoint at{.time = step.rk.dense(2 * lanes, theta),
                        .xi = step.rk.dense(i, theta),
                        .P = phases_->recording() ? step.rk.dense(lanes + i, theta) : 0.0,
                        .U = 0.0};
  if ((*phases_)[i].phase == Phase::Compressing) {
    phases_->end_compression(i, at);
  } else {
    phases_->recompress(i, at);
  }
}

}  // namespace percute::laws
