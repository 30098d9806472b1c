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
  const auto lanes = static_cast<std::size_t>(setup.lanes);
  for (auto* v : {&U0, &U1, &a0, &a1, &scratch_}) v->assign(lanes, 0.0);
  forces_.assign(lanes + 2, 0.0);
}

/// Calls use(std::integral_constant<int, Lanes>) with the number of lanes as a constant where it is
/// a small one, else 0.
template <class Use>
auto ImpactStep::with_lanes(Use&& use) {
  switch (setup_->lanes) {
    case 2:
      return use(std::integral_constant<int, 2>{});
    case 4:
      return use(std::integral_constant<int, 4>{});
    case 6:
      return use(std::integral_constant<int, 6>{});
    case 8:
      return use(std::integral_constant<int, 8>{});
    case 10:
      return use(std::integral_constant<int, 10>{});
    case 12:
      return use(std::integral_constant<int, 12>{});
    case 14:
      return use(std::integral_constant<int, 14>{});
    case 16:
      return use(std::integral_constant<int, 16>{});
    default:
      return use(std::integral_constant<int, 0>{});
  }
}

namespace {

template <int Lanes>
constexpr int states() {
  return Lanes > 0 ? 2 * Lanes + 2 : ImpactStep::RK::kDynamic;
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
  std::copy_n(dynamics.gap_rates().data(), setup_->lanes, U0.data());
  accelerations(rk.slope(), rk.state(), a0);
}

void ImpactStep::restart(double x) {
  with_lanes([&](auto lanes) { dynamics.evaluate<lanes()>(x, rk.state(), rk.slope()); });
}

bool ImpactStep::attempt(double x, double h) {
  return with_lanes(
      [&](auto lanes) { return rk.attempt<states<lanes()>()>(Slopes<lanes()>{dynamics}, x, h); });
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

template <int Lanes>
double ImpactStep::worst_error(const double* e, double rounding) {
  const ImpactSetup& s = *setup_;
  const int lanes = Lanes > 0 ? Lanes : s.lanes;
  using Array = Eigen::Array<double, (Lanes > 0 ? Lanes : Eigen::Dynamic), 1>;
  const auto all = [&](const double* v) { return Eigen::Map<const Array>(v, lanes); };
  s.G.template apply<Lanes>(s.zero.data(), e + lanes, scratch_.data());
  const auto unit = all(s.indentation_scale.data()) + all(rk.trial()).abs() -
                    rounding * all(dynamics.minus_gains());
  const auto xi = all(e).abs() / unit;
  const auto U = all(scratch_.data()).abs() / s.velocity_scale;
  const auto P = all(e + lanes).abs() / (s.impulse_scale + all(rk.trial() + lanes).abs());
  return xi.max(U).max(P).maxCoeff();
}

/// Rounding of gap rates, magnified by 1/e² during expansion, is no error of the step.
double ImpactStep::rounding(double tolerance) const {
  return 1e-15 * setup_->velocity_scale * (trial_time() - time()) / tolerance;
}

double ImpactStep::error(double h, double tolerance) {
  return with_lanes([&](auto lanes) {
    // Comparisons may lose what is not a number; a sum does not.
    using States = Eigen::Array<double, (lanes() > 0 ? states<lanes()>() : Eigen::Dynamic), 1>;
    const Eigen::Map<const States> y(rk.trial(), rk.size());
    if (!std::isfinite(y.sum())) return std::numeric_limits<double>::infinity();
    return rk.error<states<lanes()>()>(h, [&](const double* e) {
      return worst_error<lanes()>(e, rounding(tolerance)) / tolerance;
    });
  });
}

double ImpactStep::interpolate(double theta, double x, double tolerance) {
  return with_lanes([&](auto lanes) {
    rk.interpolate<states<lanes()>()>(theta);
    if (!dynamics.evaluate<lanes()>(x, rk.inside(), rk.inside_slope())) {
      return std::numeric_limits<double>::infinity();
    }
    return rk.defect<states<lanes()>()>(
        [&](const double* e) { return worst_error<lanes()>(e, rounding(tolerance)) / tolerance; });
  });
}

void ImpactStep::end_inside() {
  rk.end_inside();
  measure_end();
}

void ImpactStep::measure_end() {
  std::copy_n(dynamics.gap_rates().data(), setup_->lanes, U1.data());
  accelerations(rk.trial_slope(), rk.trial(), a1);
}

/// a = G λ. The slopes are dP/dx = λ dτ/dx, which tells λ unless time stands still (a landing).
void ImpactStep::accelerations(const double* slope, const double* y, std::vector<double>& a) {
  const double pace = slope[2 * setup_->lanes];
  const double* forces = slope + setup_->lanes;
  if (pace == 0.0) {
    forces = forces_.data() + 1;
    for (int i = 0; i < setup_->m; ++i) forces_[1 + i] = phases_->force(i, y[i]);
  }
  with_lanes([&](auto lanes) { setup_->G.apply<lanes()>(setup_->zero.data(), forces, a.data()); });
  if (pace != 0.0 && pace != 1.0) {
    for (int i = 0; i < setup_->m; ++i) a[i] /= pace;
  }
}

}  // namespace percute::laws
