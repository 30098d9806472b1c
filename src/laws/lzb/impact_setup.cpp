// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Gap rates that the tolerance resolves, over tolerance · vs: several errors of single steps add
/// up in a gap rate, see kStepShare.
constexpr double kResolution = 1.0;

}  // namespace

/// Few contacts: thresholds of rounding size. Many contacts: what the integration leaves behind a
/// wave as approach would be errors of the order of the tolerance, and balls in a row can sort out
/// such approaches by as many slow impacts as there are pairs of balls.
void ImpactSetup::set_resolution(const Lzb& law) {
  noise = 1e-13 * velocity_scale;
  motion = gap_rate_tol;
  drive = noise;
  asleep = 0.1 * gap_rate_tol;
  if (m <= numerics::DelassusOperator::kLargestSmall) return;
  motion = std::max(gap_rate_tol, kResolution * law.tolerance * velocity_scale);
  drive = asleep = motion;
}

bool ImpactSetup::loses_digits(const double* P) const {
  // A sum is rounded to its largest terms; events are sharp to 10 noise.
  const double largest = 5.0 * noise / std::numeric_limits<double>::epsilon();
  for (int i = 0; i < m; ++i) {
    double terms = 0.0;
    G.for_row(i, [&](int j, double G_ij) { terms += std::abs(G_ij * P[j]); });
    if (terms > largest) return true;
  }
  return false;
}

void ImpactSetup::assign(const ImpactProblem& problem, const Lzb& law) {
  bodies.clear();
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
  set_resolution(law);
  energy_scale = scale.energy;
  impulse_scale = 0.0;
  time_scale = std::numeric_limits<double>::infinity();
  double longest = 0.0;

  const auto size = static_cast<std::size_t>(m);
  U_before.assign(static_cast<std::size_t>(lanes), 0.0);
  zero.assign(static_cast<std::size_t>(lanes), 0.0);
  contact.resize(size);
  initial_energy.resize(size);
  effective_mass.resize(size);
  indentation_scale.assign(static_cast<std::size_t>(lanes), 1.0);
  spent.resize(size);
  empty.resize(size);
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
    empty[i] = spent[i];
    if (resolves_by_tolerance()) {
      const double slow = 0.1 * motion;
      empty[i] = std::max(spent[i], contact[i].indentation(0.5 * mass * slow * slow));
    }
    // Infinite friction holds a contact as long as there is any force beyond rounding.
    const Contact& own = problem.contacts[static_cast<std::size_t>(i)];
    const bool holds = own.directions > 0 && std::isinf(own.material.friction);
    if (holds) empty[i] = 1e-16 * indentation_scale[i];
    closest[i] = std::min(spent[i], 1e-12 * indentation_scale[i]);
    fastest[i] = std::sqrt(mass / contact[i].slope(indentation_scale[i], false));
    impulse_scale = std::max(impulse_scale, mass * velocity_scale);
    if (velocity_scale > 0.0) {
      time_scale = std::min(time_scale, indentation_scale[i] / velocity_scale);
      longest = std::max(longest, indentation_scale[i] / velocity_scale);
    }
  }
  time_ratio = velocity_scale > 0.0 ? longest / time_scale : 1.0;
}

void ImpactSetup::assign(const ImpactSetup& whole, const std::vector<int>& members,
                         const std::vector<int>& place, const std::vector<double>& P) {
  m = static_cast<int>(members.size());
  G.assign(whole.G, members, place);
  lanes = G.lanes();
  velocity_scale = whole.velocity_scale;
  gap_rate_tol = whole.gap_rate_tol;
  noise = whole.noise;
  motion = whole.motion;
  drive = whole.drive;
  asleep = whole.asleep;
  impulse_scale = whole.impulse_scale;
  energy_scale = whole.energy_scale;
  time_scale = whole.time_scale;
  time_ratio = whole.time_ratio;
  tracked_gap = whole.tracked_gap;

  const auto size = static_cast<std::size_t>(m);
  U_before.assign(static_cast<std::size_t>(lanes), 0.0);
  zero.assign(static_cast<std::size_t>(lanes), 0.0);
  indentation_scale.assign(static_cast<std::size_t>(lanes), 1.0);
  contact.resize(size);
  for (auto* v : {&initial_energy, &effective_mass, &spent, &empty, &closest, &fastest})
    v->resize(size);
  for (int i = 0; i < m; ++i) {
    const int j = members[i];
    contact[i] = whole.contact[j];
    initial_energy[i] = whole.initial_energy[j];
    effective_mass[i] = whole.effective_mass[j];
    indentation_scale[i] = whole.indentation_scale[j];
    spent[i] = whole.spent[j];
    empty[i] = whole.empty[j];
    closest[i] = whole.closest[j];
    fastest[i] = whole.fastest[j];
    // What the contacts left out have done.
    U_before[i] = whole.U_before[j];
    whole.G.for_row(j, [&](int k, double G_jk) {
      if (place[k] < 0) U_before[i] += G_jk * P[k];
    });
  }
}

}  // namespace percute::laws
