// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/recorder.hpp"

#include <algorithm>
#include <numeric>

namespace percute::laws {

/// Tangential impulses, and their part of the momentum, if there are any.
void Recorder::add_friction(const ImpactProblem& problem, const std::vector<std::size_t>& order,
                            ImpactHistory& h, Matrix& momentum) const {
  if (!std::any_of(samples_.begin(), samples_.end(), [](const ContactSample& s) {
        return s.tangential_impulse[0] != 0.0 || s.tangential_impulse[1] != 0.0;
      })) {
    return;
  }
  Eigen::Index rows = 0;
  for (const Contact& contact : problem.contacts) rows += contact.directions;
  h.tangential_impulse.resize(rows, static_cast<Eigen::Index>(order.size()));
  Eigen::Index first = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    if (d == 0) continue;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const ContactSample& s = samples_[order[k] * static_cast<std::size_t>(m_) + i];
      for (Eigen::Index t = 0; t < d; ++t) {
        h.tangential_impulse(first + t, static_cast<Eigen::Index>(k)) =
            s.tangential_impulse[static_cast<std::size_t>(t)];
      }
    }
    momentum += tangents_of(problem, i) * h.tangential_impulse.middleRows(first, d);
    first += d;
  }
}

ImpactHistory Recorder::history(const ImpactProblem& problem,
                                std::vector<ImpactEvent> events) const {
  const auto count = static_cast<Eigen::Index>(time_.size());
  ImpactHistory h;
  h.events = std::move(events);
  std::stable_sort(h.events.begin(), h.events.end(),
                   [](const ImpactEvent& a, const ImpactEvent& b) { return a.time < b.time; });
  if (time_.empty()) return h;
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
  Matrix momentum = problem.gradients * h.impulse;
  add_friction(problem, order, h, momentum);
  h.velocity = problem.mass.solve(momentum);
  h.velocity.colwise() += problem.velocity;
  h.kinetic_energy.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    h.kinetic_energy[k] = problem.mass.kinetic_energy(h.velocity.col(k));
  }
  return h;
}

}  // namespace percute::laws
