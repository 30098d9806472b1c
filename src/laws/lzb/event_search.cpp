// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/event_search.hpp"

#include <cmath>

namespace percute::laws {

void EventSearch::assign(const ImpactSetup& setup, ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  suspects_.reserve(2 * static_cast<std::size_t>(setup.m));
  passive_.reserve(static_cast<std::size_t>(setup.m));
  if (setup.m > numerics::DelassusOperator::kLargestSmall) {
    for (auto* v : {&impulses_, &gap_rates_}) {
      v->reserve(RK::kDense * static_cast<std::size_t>(setup.lanes));
    }
  }
}

/// Could g have vanished within the step? Ends of opposite sign, or a dip between positive ends.
[[gnu::always_inline]] inline bool EventSearch::suspicious(const Watch& w, const ImpactStep& step,
                                                           double h, int landing) const {
  const double g0 = w.value(*phases_, step.rk.state(), step.U0.data());
  const double g1 = w.value(*phases_, step.rk.trial(), step.U1.data());
  if (g0 <= w.floor) return g1 < -w.floor;
  // Contacts that open together with the landing one are opened by the landing.
  if (landing >= 0 && w.kind == Watch::Kind::Target && std::abs(g1) <= w.floor) return false;
  if (g1 <= 0.0) return true;
  // Signs of slopes along the step, which may run backwards in x, tell most often.
  const double ahead = w.kind == Watch::Kind::Target && h < 0.0 ? -1.0 : 1.0;
  if (ahead * w.slope(step.rk.slope(), step.a0.data(), 1.0) >= 0.0) return false;
  if (ahead * w.slope(step.rk.trial_slope(), step.a1.data(), 1.0) <= 0.0) return false;
  return numerics::may_dip_below_zero(g0, h * slope(w, step.rk.slope(), step.a0.data()), g1,
                                      h * slope(w, step.rk.trial_slope(), step.a1.data()));
}

bool EventSearch::suspect(const ImpactStep& step, double h, int landing) {
  suspects_.clear();
  passive_.clear();
  const int m = setup_->m;
  for (int i = 0; i < m; ++i) {
    const ContactState& s = (*phases_)[i];
    if (s.phase == Phase::Resting) continue;
    const bool passive = s.passive && s.phase != Phase::Open;
    // Inlined, the kind of the function watched is known.
    const auto look = [&](const Watch& w) __attribute__((always_inline)) {
      if (!suspicious(w, step, h, landing)) return;
      if (passive && w.kind == Watch::Kind::GapRate) {
        passive_.push_back(i);
      } else {
        suspects_.push_back(w);
      }
    };
    for_each_watch(*setup_, *phases_, i, landing, look);
  }
  return !(suspects_.empty() && passive_.empty());
}

void EventSearch::prepare(const RK& rk) {
  shared_ = false;
  if (setup_->m <= numerics::DelassusOperator::kLargestSmall || setup_->bodies.used()) return;
  long work = 0;
  for (const Watch& w : suspects_) {
    if (w.kind == Watch::Kind::GapRate) work += setup_->G.nonzeros_of_row(w.contact);
  }
  for (const int i : passive_) work += setup_->G.nonzeros_of_row(i);
  // One row at a time, or all of them at once, which costs about two sets of coefficients each.
  if (work <= 2L * setup_->m) return;
  shared_ = true;
  const auto lanes = static_cast<std::size_t>(setup_->lanes);
  impulses_.assign(RK::kDense * lanes, 0.0);
  gap_rates_.assign(RK::kDense * lanes, 0.0);
  for (int j = 0; j < setup_->m; ++j) {
    const Coefficients p = rk.dense_coefficients(setup_->lanes + j);
    for (int d = 0; d < RK::kDense; ++d) impulses_[d * lanes + j] = p[d];
  }
  for (int d = 0; d < RK::kDense; ++d) {
    setup_->G.apply(setup_->zero.data(), impulses_.data() + d * lanes,
                    gap_rates_.data() + d * lanes);
  }
}

/// The dense output of the function watched, as coefficients after its value at the start: gap
/// rates are linear in the impulses, or in the velocities of the bodies,
///
///     U_i(θ) − U_i(0) = Σ_j G_ij (P_j(θ) − P_j(0)) = Σ_k W_ki (Δv_k(θ) − Δv_k(0)).
EventSearch::Coefficients EventSearch::coefficients(const Watch& w, const RK& rk) const {
  Coefficients c{};
  const int lanes = setup_->lanes;
  if (w.kind == Watch::Kind::GapRate && shared_) {
    for (int d = 0; d < RK::kDense; ++d) c[d] = w.sign * gap_rates_[d * lanes + w.contact];
  } else if (w.kind == Watch::Kind::GapRate) {
    const auto add = [&](int component, double factor) {
      const Coefficients p = rk.dense_coefficients(component);
      for (int d = 0; d < RK::kDense; ++d) c[d] += w.sign * factor * p[d];
    };
    if (setup_->bodies.used()) {
      const int first = setup_->velocities();
      setup_->bodies.for_column(w.contact, [&](int k, double W_ki) { add(first + k, W_ki); });
    } else {
      setup_->G.for_row(w.contact, [&](int j, double G_ij) { add(lanes + j, G_ij); });
    }
  } else {
    c = rk.dense_coefficients(w.contact);
    for (double& value : c) value *= w.sign;
  }
  return c;
}

/// Zero between places where the dense output with coefficients c after the value g0 differs in
/// sign: Newton's method, as long as it stays inside.
double EventSearch::root(const Coefficients& c, double g0, numerics::CrossingEnd left,
                         numerics::CrossingEnd right) {
  const auto g = [&](double t) { return g0 + RK::evaluate(c.data(), t); };
  const auto [a, ga] = left;
  const auto [b, gb] = right;
  double theta = a + (b - a) * ga / (ga - gb);
  for (int i = 0; i < 8 && theta > a && theta < b; ++i) {
    double slope = 0.0;
    const double change = -(g0 + RK::evaluate(c.data(), theta, slope)) / slope;
    theta += change;
    // The next change would be about the square of this one.
    if (std::abs(change) < 1e-8 && theta >= a && theta <= b) return theta;
  }
  return numerics::bracketed_root(g, a, b, 1e-14);
}

/// Place of the crossing in the step, θ in [0, 1]; 2 if there is none.
double EventSearch::crossing(const Watch& w, const ImpactStep& step) const {
  const Coefficients c = coefficients(w, step.rk);
  const double g0 = w.value(*phases_, step.rk.state(), step.U0.data());
  const bool armed = g0 > w.floor;
  const auto g = [&](double theta) { return g0 + RK::evaluate(c.data(), theta); };
  const double theta = numerics::first_crossing(
      g, 0.0, armed, [&](auto left, auto right) { return root(c, g0, left, right); });
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
  const Watch w{.contact = i, .sign = compressing ? -1.0 : 1.0};
  const Coefficients c = coefficients(w, step.rk);
  const double g0 = w.sign * step.U0[i];
  const auto g = [&](double t) { return g0 + RK::evaluate(c.data(), t); };
  // c[0] is the change over the step.
  if (once) return root(c, g0, {.theta = 0.0, .value = g0}, {.theta = 1.0, .value = g0 + c[0]});
  const bool armed = first && g0 > still;
  const double next = numerics::first_crossing(
      g, from, armed, [&](auto left, auto right) { return root(c, g0, left, right); });
  return next > 1.0 && first && !armed && g(1.0) < -still ? 0.0 : next;
}

void EventSearch::change_passively(int i, const ImpactStep& step, double theta) {
  const int lanes = setup_->lanes;
  const ContactPoint at{.time = step.time_inside(theta),
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
