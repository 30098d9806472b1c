// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

void ImpactSetup::assign(const ImpactProblem& problem, const Lzb& law) {
  m = static_cast<int>(problem.contacts.size());
  tracked_gap = law.reengagement == Lzb::Reengagement::TrackedGap;
  problem.mass.whiten(problem.gradients, factor_);
  G.assign(factor_);
  lanes = G.lanes();
  diagonal_.resize(m);
  for (int i = 0; i < m; ++i) diagonal_[i] = G.diagonal(i);
  const ImpactScales scale = scales(problem, diagonal_);

  velocity_scale = scale.velocity;
  gap_rate_tol = scale.gap_rate_tol;
  noise = 1e-13 * velocity_scale;
  energy_scale = scale.energy;
  impulse_scale = 0.0;
  time_scale = std::numeric_limits<double>::infinity();

  const auto size = static_cast<std::size_t>(m);
  U_before.assign(static_cast<std::size_t>(lanes), 0.0);
  zero.assign(static_cast<std::size_t>(lanes), 0.0);
  contact.resize(size);
  initial_energy.resize(size);
  effective_mass.resize(size);
  indentation_scale.assign(static_cast<std::size_t>(lanes), 1.0);
  spent.resize(size);
  closest.resize(size);
  fastest.resize(size);
  for (int i = 0; i < m; ++i) {
    const double U = problem.gradients.col(i).dot(problem.velocity);
    const double mass = scale.effective_mass[i];
    const double energy = 0.5 * mass * velocity_scale * velocity_scale;
    U_before[i] = std::abs(U) < 4e-16 * velocity_scale ? 0.0 : U;
    contact[i] = ContactLaw(problem.contacts[i], law);
    initial_energy[i] = problem.contacts[i].stored_energy;
    effective_mass[i] = mass;
    indentation_scale[i] = contact[i].indentation(energy);
    // An energy of 1e-24 can change a gap rate by 1e-12 vs.
    spent[i] = contact[i].negligible_indentation(energy, indentation_scale[i]);
    closest[i] = std::min(spent[i], 1e-12 * indentation_scale[i]);
    fastest[i] = std::sqrt(mass / contact[i].slope(indentation_scale[i], false));
    impulse_scale = std::max(impulse_scale, mass * velocity_scale);
    if (velocity_scale > 0.0) {
      time_scale = std::min(time_scale, indentation_scale[i] / velocity_scale);
    }
  }
}

}  // namespace percute::laws
