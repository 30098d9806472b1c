// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/recorder.hpp"

#include <algorithm>
#include <numeric>

namespace percute::laws {

ImpactHistory Recorder::history(const ImpactProblem& problem,
                                std::vector<ImpactEvent> events) const {
  const auto count = static_cast<Eigen::Index>(time_.size());
  ImpactHistory h;
  // Events inside a step were noted contact by contact: bring the samples into the order of time.
  std::vector<std::size_t> order(time_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return time_[a] < time_[b]; });
  h.time.resize(count);
  for (Matrix* field :
       {&h.impulse, &h.force, &h.indentation, &h.stored_energy, &h.dissipated, &h.gap_rate}) {
    field->resize(m_, count);
  }
  h.primary.assign(time_.size(), -1);
  for (Eigen::Index k = 0; k < count; ++k) {
    const std::size_t instant = order[static_cast<std::size_t>(k)];
    h.time[k] = time_[instant];
    double largest = 0.0;
    for (int i = 0; i < m_; ++i) {
      const auto contacts = static_cast<std::size_t>(m_);
      const ContactSample& s = samples_[instant * contacts + static_cast<std::size_t>(i)];
      h.impulse(i, k) = s.impulse;
      h.force(i, k) = s.force;
      h.indentation(i, k) = s.indentation;
      h.stored_energy(i, k) = s.stored_energy;
      h.dissipated(i, k) = s.dissipated;
      h.gap_rate(i, k) = s.gap_rate;
      if (s.stored_energy > largest) {
        largest = s.stored_energy;
        h.primary[static_cast<std::size_t>(k)] = i;
      }
    }
  }
  h.total_impulse = h.impulse.colwise().sum();
  h.velocity = problem.mass.solve(Matrix(problem.gradients * h.impulse));
  h.velocity.colwise() += problem.velocity;
  h.kinetic_energy.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    h.kinetic_energy[k] = problem.mass.kinetic_energy(h.velocity.col(k));
  }
  h.events = std::move(events);
  std::stable_sort(h.events.begin(), h.events.end(),
                   [](const ImpactEvent& a, const ImpactEvent& b) { return a.time < b.time; });
  return h;
}

}  // namespace percute::laws
