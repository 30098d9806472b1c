// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"
#include "laws/compliant/peak_inside.hpp"

#include <algorithm>

namespace percute::laws {

// What is kept of the run.

void CompliantIntegrator::note_progress() {
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double gap = rk_.state()[i];
    ContactSummary& summary = diagnostics_.contacts[k];
    if (summary.impacts == 0 && contacts_[k].mode == Mode::Touching && gap < 0.0) {
      // A contact that was at rest: loaded from the start, by ever so little.
      summary.impacts = 1;
      summary.compressions = 1;
    }
    const double F = force(i, gap, U_[k]);
    if (F > summary.maximal_force) {
      summary.maximal_force = F;
      summary.maximal_force_time = time_;
    }
  }
}

/// The largest force of a damped contact lies inside a step.
void CompliantIntegrator::find_peaks(double h, double until) {
  bool dense = false;
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (contacts_[k].mode != Mode::Touching || !contacts_[k].law.damped()) continue;
    if (!dense) {
      rk_.prepare_dense([this](double, const double* y, double* out) { return slope(y, out); },
                        time_, h);
      dense = true;
    }
    const auto at = [&](double theta) {
      rk_.interpolate(theta);
      gap_rates(rk_.inside() + m(), U_stage_);
      return force(i, rk_.inside()[i], U_stage_[k]);
    };
    const double theta = peak_inside(at, until);
    if (theta < 0.0) continue;
    ContactSummary& summary = diagnostics_.contacts[k];
    const double F = at(theta);
    if (F > summary.maximal_force) {
      summary.maximal_force = F;
      summary.maximal_force_time = time_ + theta * h;
    }
  }
}

ContactSample CompliantIntegrator::sample(int i, const double* y, double U) const {
  const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  const double stored = contact.stored(y[i]);
  std::array<double, 2> tangential = {};
  for (int d = 0; d < friction_.size(i); ++d) {
    tangential[static_cast<std::size_t>(d)] = y[2 * m() + friction_.row(i) + d];
  }
  return {.impulse = y[m() + i],
          .force = force(i, y[i], U),
          .indentation = contact.touching() ? std::max(-y[i], 0.0) : 0.0,
          .stored_energy = stored,
          .dissipated = y[work() + i] - stored + (friction_.acts(i) ? y[friction_loss() + i] : 0.0),
          .gap_rate = U,
          .tangential_impulse = tangential};
}

void CompliantIntegrator::record() {
  if (recorder_ == nullptr) return;
  recorder_->sample(time_,
                    [&](int i) { return sample(i, rk_.state(), U_[static_cast<std::size_t>(i)]); });
}

void CompliantIntegrator::record_times(double h, double until) {
  if (recorder_ == nullptr) return;
  double asked = 0.0;
  bool dense = false;
  while (recorder_->next_time(time_ + h * until, asked)) {
    if (!dense) {
      rk_.prepare_dense([this](double, const double* y, double* out) { return slope(y, out); },
                        time_, h);
      dense = true;
    }
    rk_.interpolate(std::clamp((asked - time_) / h, 0.0, until));
    gap_rates(rk_.inside() + m(), U_stage_);
    recorder_->sample(asked, [&](int i) {
      return sample(i, rk_.inside(), U_stage_[static_cast<std::size_t>(i)]);
    });
  }
}

Vector CompliantIntegrator::impulse() const {
  return Eigen::Map<const Vector>(rk_.state() + m(), m());
}

double CompliantIntegrator::stored() const {
  double sum = 0.0;
  for (int i = 0; i < m(); ++i) {
    sum += contacts_[static_cast<std::size_t>(i)].stored(rk_.state()[i]);
  }
  return sum;
}

Vector CompliantIntegrator::dissipated() const {
  Vector lost = Eigen::Map<const Vector>(rk_.state() + work(), m());
  if (friction_.any()) lost += Eigen::Map<const Vector>(rk_.state() + friction_loss(), m());
  for (int i = 0; i < m(); ++i) {
    lost[i] -= contacts_[static_cast<std::size_t>(i)].stored(rk_.state()[i]);
  }
  return lost;
}

}  // namespace percute::laws
