// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

void BodyVelocities::assign(const ImpactProblem& problem) {
  used_ = true;
  W_ = problem.gradients;
  W_.makeCompressed();
  padded_ = (static_cast<int>(W_.rows()) + 1) / 2 * 2;
  if (problem.mass.form() == MassMatrix::Form::Diagonal) {
    motion_ = W_;
    for (int i = 0; i < motion_.outerSize(); ++i) {
      for (SparseMatrix::InnerIterator entry(motion_, i); entry; ++entry) {
        entry.valueRef() /= problem.mass(entry.row(), entry.row());
      }
    }
  } else {
    motion_ = problem.mass.solve(W_).sparseView(1.0, 0.0);
    motion_.makeCompressed();
  }
}

void BodyVelocities::accelerations(const double* forces, double* out) const {
  std::fill_n(out, padded_, 0.0);
  for (int i = 0; i < motion_.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator entry(motion_, i); entry; ++entry) {
      out[entry.row()] += entry.value() * forces[i];
    }
  }
}

/// Few contacts: thresholds of rounding size. Many contacts: what the integration leaves behind a
/// wave as approach would be errors of the order of the tolerance, and balls in a row can sort out
/// such approaches by as many slow impacts as there are pairs of balls.
void ImpactSetup::set_resolution(const Lzb& law, const ImpactScales& scale) {
  velocity_scale = scale.velocity;
  gap_rate_tol = scale.gap_rate_tol;
  energy_scale = scale.energy;
  noise = 1e-13 * velocity_scale;
  motion = gap_rate_tol;
  drive = noise;
  rest = 0.1 * gap_rate_tol;
  if (m <= numerics::DelassusOperator::kLargestSmall) return;
  motion = std::max(gap_rate_tol, law.tolerance * velocity_scale);
  drive = rest = motion;
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

/// Takes memory for m contacts.
void ImpactSetup::resize() {
  lanes = G.lanes();
  U_before.assign(static_cast<std::size_t>(lanes), 0.0);
  zero.assign(static_cast<std::size_t>(lanes), 0.0);
  indentation_scale.assign(static_cast<std::size_t>(lanes), 1.0);
  contact.resize(static_cast<std::size_t>(m));
}

void ImpactSetup::assign(const ImpactProblem& problem, const Lzb& law) {
  bodies.clear();
  m = static_cast<int>(problem.contacts.size());
  tracked_gap = law.reengagement == Lzb::Reengagement::TrackedGap;
  problem.mass.whiten(problem.gradients, factor_);
  G.assign(factor_);
  diagonal_.resize(m);
  for (int i = 0; i < m; ++i) diagonal_[i] = G.diagonal(i);
  const ImpactScales scale = scales(problem, diagonal_);
  set_resolution(law, scale);
  impulse_scale = 0.0;
  time_scale = std::numeric_limits<double>::infinity();
  double longest = 0.0;
  resize();
  for (int i = 0; i < m; ++i) {
    const Contact& given = problem.contacts[static_cast<std::size_t>(i)];
    const double U = problem.gradients.col(i).dot(problem.velocity);
    const double mass = scale.effective_mass[i];
    const double energy = 0.5 * mass * velocity_scale * velocity_scale;
    U_before[i] = std::abs(U) < 4e-16 * velocity_scale ? 0.0 : U;
    ImpactContact& own = contact[i] = ImpactContact(given, law);
    own.initial_energy = given.stored_energy;
    own.effective_mass = mass;
    const double largest = indentation_scale[i] = own.indentation(energy);
    // An energy of 1e-24 can change a gap rate by 1e-12 vs.
    own.spent = own.empty = own.negligible_indentation(energy, largest);
    if (resolves_by_tolerance()) {
      const double slow = 0.1 * motion;
      own.empty = std::max(own.spent, own.indentation(0.5 * mass * slow * slow));
    }
    // Infinite friction holds a contact as long as there is any force beyond rounding.
    if (given.directions > 0 && std::isinf(given.material.friction)) own.empty = 1e-16 * largest;
    own.closest = std::min(own.spent, 1e-12 * largest);
    own.fastest = std::sqrt(mass / own.slope(largest, false));
    impulse_scale = std::max(impulse_scale, mass * velocity_scale);
    if (velocity_scale > 0.0) {
      time_scale = std::min(time_scale, largest / velocity_scale);
      longest = std::max(longest, largest / velocity_scale);
    }
  }
  time_ratio = velocity_scale > 0.0 ? longest / time_scale : 1.0;
}

void ImpactSetup::assign(const ImpactSetup& whole, const std::vector<int>& members,
                         const std::vector<int>& place, const std::vector<double>& P) {
  static_cast<ImpactResolution&>(*this) = whole;
  m = static_cast<int>(members.size());
  G.assign(whole.G, members, place);
  resize();
  for (int i = 0; i < m; ++i) {
    const int j = members[i];
    contact[i] = whole.contact[j];
    indentation_scale[i] = whole.indentation_scale[j];
    // What the contacts left out have done.
    U_before[i] = whole.U_before[j];
    whole.G.for_row(j, [&](int k, double G_jk) {
      if (place[k] < 0) U_before[i] += G_jk * P[k];
    });
  }
}

}  // namespace percute::laws
