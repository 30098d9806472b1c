// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/stiff_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percute::laws {

/// dλ/dξ of contact i.
double StiffStep::force_slope(int i, double xi) const {
  const ContactState& s = (*phases_)[i];
  if (s.phase == Phase::Open || (s.phase == Phase::Resting && xi <= 0.0)) return 0.0;
  return setup_->contact[i].slope(xi, s.plastic);
}

StiffStep::Fastest StiffStep::fastest(const ImpactStep& step) const {
  Fastest result;
  for (int i = 0; i < setup_->m; ++i) {
    const double square =
        (*phases_)[i].gain * force_slope(i, step.rk.state()[i]) * setup_->G.diagonal(i);
    if (!(square > result.frequency * result.frequency)) continue;
    result.frequency = std::sqrt(square);
    result.speed = std::abs(step.a0[i]) / result.frequency;
  }
  return result;
}

double StiffStep::attempt(ImpactStep& step, double h, double tolerance) {
  step_ = &step;
  h_ = h;
  tolerance_ = tolerance;
  const int n = step.rk.size();
  radau_.resize(n);
  part_.setZero(2 * setup_->m, 2 * setup_->m);
  // Errors are measured by where the step starts.
  std::copy_n(step.rk.state(), n, step.rk.trial());
  step.rk.trial()[setup_->clock()] += h;
  const double error = radau_.attempt(*this, 0.0, h, step.rk.state(), false);
  std::copy_n(radau_.end(), n, step.rk.trial());
  const bool defined = std::isfinite(error) && slope(0.0, step.rk.trial(), step.rk.trial_slope());
  return defined ? error : std::numeric_limits<double>::infinity();
}

bool StiffStep::slope(double x, double* y, double* out) {
  if (!step_->evaluate(x, y, out)) return false;
  const int m = setup_->m;
  for (int i = 0; i < m; ++i) {
    // Contacts at rest that are not driven do not respond.
    const bool held = (*phases_)[i].phase == Phase::Resting && out[i] == 0.0;
    part_(i, m + i) = held ? 0.0 : -(*phases_)[i].gain;
    part_(m + i, i) = force_slope(i, y[i]);
  }
  return true;
}

void StiffStep::stiff_part(Matrix& D) {
  D = part_;
}

void StiffStep::stiff_frame(Matrix& B, Matrix& C) {
  const int m = setup_->m;
  const BodyVelocities& bodies = setup_->bodies;
  B.setZero(step_->rk.size(), 2 * m);
  C.setZero(2 * m, step_->rk.size());
  Vector force = Vector::Zero(setup_->lanes);
  for (int i = 0; i < m; ++i) {
    B(i, i) = B(setup_->lanes + i, m + i) = C(i, i) = 1.0;
    if (!bodies.used()) {
      setup_->G.for_row(i, [&](int j, double G_ij) { C(m + i, setup_->lanes + j) = G_ij; });
      continue;
    }
    bodies.for_column(i, [&](int k, double W_ki) { C(m + i, setup_->velocities() + k) = W_ki; });
    force[i] = 1.0;
    bodies.accelerations(force.data(), B.col(m + i).data() + setup_->velocities());
    force[i] = 0.0;
  }
}

void StiffStep::prepare_dense(ImpactStep& step) {
  using RK = ImpactStep::RK;
  static_assert(RK::kInner == numerics::RadauTable::kStages - 1);
  std::array<double, RK::kInner> theta{};
  std::array<const double*, RK::kInner> slopes{};
  Vector y(step.rk.size());
  Matrix f(step.rk.size(), static_cast<Eigen::Index>(RK::kInner));
  for (int k = 0; k < RK::kInner; ++k) {
    theta[k] = numerics::RadauTable::kNodes[k];
    slopes[k] = f.col(k).data();
    radau_.interpolate(theta[k], step.rk.state(), y.data());
    step.evaluate(0.0, y.data(), f.col(k).data());
  }
  step.rk.fit_dense(h_, theta, slopes);
}

}  // namespace percute::laws
