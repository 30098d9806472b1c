// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/smooth_gap.hpp"

#include <limits>

namespace percute::simulation {

GapOutlook::GapOutlook(const AnySystem& system)
    : system_(system),
      start_{.q = Vector(system.coordinates()), .v = Vector(system.coordinates())},
      ahead_(start_),
      acceleration_(system.coordinates()),
      gaps_(system.contacts()),
      gradient_(system.coordinates()),
      size_(system.coordinates()) {}

/// h′ = ∇h · v, h″ = ∇h · a + vᵀ ∇²h v.
GapAt GapOutlook::gap_at(int i, double gap, const MotionState& state) {
  system_.gradient(i, state.q, gradient_);
  return {
      .gap = gap,
      .rate = gradient_.dot(state.v),
      .acceleration = gradient_.dot(acceleration_) + system_.gap_curvature(i, state.q, state.v)};
}

void GapOutlook::begin(double time, const double* y, const double* slope) {
  const Eigen::Index n = acceleration_.size();
  start_.read(time, y);
  acceleration_ = Eigen::Map<const Vector>(slope + n, n);
  open_.clear();
  system_.gaps(start_.q, gaps_);
}

void GapOutlook::add(int contact) {
  open_.push_back({.contact = contact, .start = gap_at(contact, gaps_[contact], start_)});
}

/// A whole turn looks like none from its ends; half of it does not.
bool GapOutlook::smooth(double h) {
  for (const double s : {h, 0.5 * h}) {
    ahead_.q = start_.q + s * (start_.v + 0.5 * s * acceleration_);
    ahead_.v = start_.v + s * acceleration_;
    system_.gaps(ahead_.q, gaps_);
    for (const OpenGap& open : open_) {
      const GapAt end = gap_at(open.contact, gaps_[open.contact], ahead_);
      const GapDeviation deviation = gap_deviation(open.start, end, s);
      if (deviation.error <= deviation.allowed) continue;
      // Rounding of the gaps, and of rates that cancel.
      constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
      size_ = ahead_.q.cwiseAbs() + start_.q.cwiseAbs() +
              s * (start_.v.cwiseAbs() + ahead_.v.cwiseAbs());
      const double noise = kRounding * gradient_.cwiseAbs().dot(size_);
      if (!(deviation.error <= deviation.allowed + noise)) return false;
    }
  }
  return true;
}

}  // namespace percute::simulation
