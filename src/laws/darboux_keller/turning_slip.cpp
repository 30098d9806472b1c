// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/darboux_keller/turning_slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

using Eigen::Vector2d;

constexpr double kTolerance = 1e-13;
constexpr double kFirstPart = 0.01;  ///< over the time scale
constexpr long kMostSteps = 100'000;

enum Component { Angle, LogSpeed, Impulse, Tangential, Work = 5, Loss = 6, Size = 7 };

int component(StageEnd::Count count) {
  return count == StageEnd::Count::Work ? Work : Impulse;
}

}  // namespace

TurningSlip::TurningSlip(const ContactRows& rows, double rate)
    : rows_(rows), rate_(rate), integrator_(*this) {
  integrator_.resize(Size);
  integrator_.set_next_step(kFirstPart * time_scale());
}

void TurningSlip::start(const SlipState& state, const StageEnd& end) {
  end_ = end;
  double* y = integrator_.state();
  y[Angle] = std::atan2(state.U_t.y(), state.U_t.x());
  y[LogSpeed] = std::log(state.U_t.norm() / rows_.speed);
  y[Impulse] = state.p;
  y[Tangential] = state.p_t.x();
  y[Tangential + 1] = state.p_t.y();
  y[Work] = state.work;
  y[Loss] = state.loss;
  integrator_.set_time(0.0);
  integrator_.restart();
}

SlipState TurningSlip::state() const {
  const double* y = integrator_.state();
  const double s = rows_.speed * std::exp(y[LogSpeed]);
  return {.p = y[Impulse],
          .p_t = {y[Tangential], y[Tangential + 1]},
          .U_t = s * Vector2d(std::cos(y[Angle]), std::sin(y[Angle])),
          .work = y[Work],
          .loss = y[Loss]};
}

TurningSlip::Step TurningSlip::step() {
  if (interrupted()) return Step::Failed;
  const numerics::HybridStep step = integrator_.advance(std::numeric_limits<double>::infinity());
  if (step.failed) return Step::Failed;
  if (step.event < 0) return Step::Taken;
  return step.event == 0 ? Step::StageOver : Step::Approach;
}

bool TurningSlip::interrupted() const {
  return steps() + rejected() >= kMostSteps;
}

double TurningSlip::gap_rate(const double* y) const {
  return rows_.U_n + rows_.a * y[Impulse] + rows_.b.x() * y[Tangential] +
         rows_.b.y() * y[Tangential + 1];
}

bool TurningSlip::slope(double /*theta*/, const double* y, double* out) {
  ++evaluations_;
  const Vector2d u(std::cos(y[Angle]), std::sin(y[Angle]));
  const double s = rows_.speed * std::exp(y[LogSpeed]);
  const Vector2d w = rows_.b - rows_.friction * (rows_.C * u);
  out[Angle] = u.x() * w.y() - u.y() * w.x();
  out[LogSpeed] = u.dot(w);
  out[Impulse] = s;
  out[Tangential] = -rows_.friction * s * u.x();
  out[Tangential + 1] = -rows_.friction * s * u.y();
  out[Work] = s * gap_rate(y);
  out[Loss] = rows_.friction * s * s;
  return std::isfinite(s) && std::isfinite(out[Loss]);
}

double TurningSlip::norm(const double* error) const {
  const double impulse = rows_.speed / rows_.a;
  const double tangential = impulse * std::max(1.0, rows_.friction);
  return std::max({std::abs(error[Angle]), std::abs(error[LogSpeed]),
                   std::abs(error[Impulse]) / impulse, std::abs(error[Tangential]) / tangential,
                   std::abs(error[Tangential + 1]) / tangential,
                   std::abs(error[Work]) / (tangential * rows_.speed),
                   std::abs(error[Loss]) / (tangential * rows_.speed)}) /
         kTolerance;
}

/// What is left of the stage; in expansion also the gap rate.
void TurningSlip::evaluate_guards(double /*theta*/, const double* y, double* g) const {
  const bool by_rate = end_.count == StageEnd::Count::GapRate;
  g[0] = end_.value - (by_rate ? gap_rate(y) : y[component(end_.count)]);
  if (end_.expansion) g[1] = gap_rate(y);
}

bool TurningSlip::linear(int k, double* w) const {
  std::fill_n(w, static_cast<int>(Size), 0.0);
  if (k == 0 && end_.count != StageEnd::Count::GapRate) {
    w[component(end_.count)] = -1.0;
    return true;
  }
  const double sign = k == 0 ? -1.0 : 1.0;
  w[Impulse] = sign * rows_.a;
  w[Tangential] = sign * rows_.b.x();
  w[Tangential + 1] = sign * rows_.b.y();
  return true;
}

}  // namespace percute::laws
