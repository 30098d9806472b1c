// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace percute::laws {

void ImpactStep::assign(const ImpactSetup& setup, const ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  dynamics.assign(setup, phases);
  rk.resize(dynamics.size());
  known_lanes_ = setup.bodies.used() ? 0 : setup.lanes;
  const auto lanes = static_cast<std::size_t>(setup.lanes);
  for (auto* v : {&U0, &U1, &a0, &a1, &scratch_}) v->assign(lanes, 0.0);
  weights_.assign(2 * lanes, 0.0);
  accelerations_.assign(static_cast<std::size_t>(setup.bodies.size()), 0.0);
}

/// Calls use(std::integral_constant<int, L>) with the number of lanes as a constant where it is a
/// small one, else 0.
template <int Lanes, class Use>
auto ImpactStep::with_lanes(Use&& use) {
  if constexpr (Lanes > numerics::DelassusOperator::kLargestSmall) {
    return use(std::integral_constant<int, 0>{});
  } else {
    if (known_lanes_ == Lanes) return use(std::integral_constant<int, Lanes>{});
    return with_lanes<Lanes + 2>(use);
  }
}

namespace {

template <int Lanes>
constexpr int states() {
  return Lanes > 0 ? 2 * Lanes : ImpactStep::RK::kDynamic;
}

template <int Lanes>
struct Slopes {
  LzbDynamics& dynamics;
  bool operator()(double x, double* y, double* f) const {
    return dynamics.evaluate<Lanes>(x, y, f);
  }
};

}  // namespace

void ImpactStep::start() {
  dynamics.follow_phases();
  dynamics.use_time(1);
  restart(0.0);
  measure(rk.slope(), rk.state(), U0, a0);
}

void ImpactStep::restart(double x) {
  with_lanes([&](auto lanes) { dynamics.evaluate<lanes()>(x, rk.state(), rk.slope()); });
}

bool ImpactStep::evaluate(double x, double* y, double* f) {
  return with_lanes([&](auto lanes) { return dynamics.evaluate<lanes()>(x, y, f); });
}

bool ImpactStep::attempt(double x, double h) {
  x_ = x;
  h_ = h;
  return with_lanes(
      [&](auto lanes) { return rk.attempt<states<lanes()>()>(Slopes<lanes()>{dynamics}, x, h); });
}

double ImpactStep::time_inside(double theta) const {
  if (dynamics.landing() >= 0) return rk.dense(setup_->clock(), theta);
  const double dx = theta * h_;
  return time() + (dynamics.radical() == 1 ? dx : dx * (2.0 * x_ + dx));
}

bool ImpactStep::prepare_dense(double x, double h) {
  return with_lanes([&](auto lanes) {
    return rk.prepare_dense<states<lanes()>()>(Slopes<lanes()>{dynamics}, x, h);
  });
}

void ImpactStep::evaluate_trial(double x) {
  with_lanes([&](auto lanes) { dynamics.evaluate<lanes()>(x, rk.trial(), rk.trial_slope()); });
  measure_end();
}

/// Weights of local errors in ξ and P: one over the error allowed. The error of a step is the
/// largest of
///
///     |e_ξi|/(s_ξi + |ξ_i|),   |e_Pi|/(max m_j vs + |P_i|),   |(G e_P)_i|/vs.
///
/// Rounding of gap rates, magnified
/// by 1/e² during expansion, is no error of the step.
template <int Lanes>
void ImpactStep::weigh(double tolerance) {
  const ImpactSetup& s = *setup_;
  const int lanes = Lanes > 0 ? Lanes : s.lanes;
  using Array = Eigen::Array<double, (Lanes > 0 ? Lanes : Eigen::Dynamic), 1>;
  const auto all = [&](const double* v) { return Eigen::Map<const Array>(v, lanes); };
  const double rounding = 1e-15 * s.velocity_scale * (trial_time() - time());
  Eigen::Map<Array>(weights_.data(), lanes) =
      1.0 / (tolerance * (all(s.indentation_scale.data()) + all(rk.trial()).abs()) -
             rounding * all(dynamics.minus_gains()));
  Eigen::Map<Array>(weights_.data() + lanes, lanes) =
      1.0 / (tolerance * (s.impulse_scale + all(rk.trial() + lanes).abs()));
  gap_rate_weight_ = 1.0 / (tolerance * s.velocity_scale);
}

/// Largest of the weighted errors in ξ, P and U.
template <int Lanes>
double ImpactStep::worst_error(const double* e) {
  const int lanes = Lanes > 0 ? Lanes : setup_->lanes;
  using Array = Eigen::Array<double, (Lanes > 0 ? Lanes : Eigen::Dynamic), 1>;
  const auto all = [&](const double* v) { return Eigen::Map<const Array>(v, lanes); };
  if (Lanes == 0 && setup_->bodies.used()) {
    setup_->bodies.gap_rates(setup_->zero.data(), e + setup_->velocities(), scratch_.data());
  } else {
    setup_->G.template apply<Lanes>(setup_->zero.data(), e + lanes, scratch_.data());
  }
  const auto xi = all(e).abs() * all(weights_.data());
  const auto P = all(e + lanes).abs() * all(weights_.data() + lanes);
  const auto U = all(scratch_.data()).abs() * gap_rate_weight_;
  return xi.max(P).max(U).maxCoeff();
}

double ImpactStep::error(double h, double tolerance) {
  return with_lanes([&](auto lanes) {
    // Comparisons may lose what is not a number; a sum does not.
    using States = Eigen::Array<double, (lanes() > 0 ? 2 * lanes() : Eigen::Dynamic), 1>;
    const Eigen::Map<const States> y(rk.trial(), 2 * setup_->lanes);
    if (!std::isfinite(y.sum())) return std::numeric_limits<double>::infinity();
    weigh<lanes()>(tolerance);
    return rk.error<states<lanes()>()>(h, [&](const double* e) { return worst_error<lanes()>(e); });
  });
}

double ImpactStep::size_of_error(const double* e, double tolerance) {
  return with_lanes([&](auto lanes) {
    weigh<lanes()>(tolerance);
    return worst_error<lanes()>(e);
  });
}

double ImpactStep::interpolate(double theta, double x, double tolerance) {
  return with_lanes([&](auto lanes) {
    rk.interpolate<states<lanes()>()>(theta);
    if (!dynamics.evaluate<lanes()>(x, rk.inside(), rk.inside_slope())) {
      return std::numeric_limits<double>::infinity();
    }
    weigh<lanes()>(tolerance);
    return rk.defect<states<lanes()>()>([&](const double* e) { return worst_error<lanes()>(e); });
  });
}

void ImpactStep::end_inside() {
  rk.end_inside();
  measure_end();
}

void ImpactStep::measure_end() {
  measure(rk.trial_slope(), rk.trial(), U1, a1);
}

/// U and a = G λ. The slopes are dP/dx = λ dτ/dx, which tells λ unless time stands still
/// (a landing).
void ImpactStep::measure(const double* slope, const double* y, std::vector<double>& U,
                         std::vector<double>& a) {
  const double pace = slope[setup_->clock()];
  const double* forces = slope + setup_->lanes;
  if (pace == 0.0) {
    forces = scratch_.data();
    for (int i = 0; i < setup_->m; ++i) scratch_[i] = phases_->force(i, y[i]);
  }
  if (setup_->bodies.used()) {
    setup_->gap_rates(y, U.data());
    setup_->bodies.accelerations(forces, accelerations_.data());
    setup_->bodies.gap_rates(setup_->zero.data(), accelerations_.data(), a.data());
  } else {
    with_lanes([&](auto lanes) {
      setup_->G.apply<lanes()>(setup_->U_before.data(), y + setup_->lanes, U.data());
      setup_->G.apply<lanes()>(setup_->zero.data(), forces, a.data());
    });
  }
  if (pace != 0.0 && pace != 1.0) Eigen::Map<Eigen::ArrayXd>(a.data(), setup_->lanes) /= pace;
}

}  // namespace percute::laws
