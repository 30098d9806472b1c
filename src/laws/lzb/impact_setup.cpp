// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/impact_setup.hpp"

#include "numerics/lcp.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percute::laws {

// --------------------------------------------------------------------------------- law of force

ContactLaw::ContactLaw(const Contact& contact, const Lzb& law)
    : model_(contact.material.contact_model.value_or(law.contact_model)),
      e_(contact.material.restitution),
      K_(contact.material.stiffness),
      eta_(contact.material.exponent) {
  if (model_ == ContactModel::TriStiffness) {
    // Lzb has refused problems without these slopes.
    const TriStiffness tri = contact.material.tri_stiffness.value_or(TriStiffness{});
    power_ = Power::Tri;
    eta_ = 1.0;
    d_y_ = tri.yield_indentation;
    k2_ = tri.plastic_stiffness;
    k3_ = tri.unloading_stiffness;
  } else if (eta_ == 1.0) {
    power_ = Power::Linear;
  } else if (eta_ == 1.5) {
    power_ = Power::Hertz;
  } else if (eta_ == 2.0) {
    power_ = Power::Square;
  } else {
    power_ = Power::General;
  }
}

ContactLaw::Polynomial ContactLaw::polynomial(bool plastic) const {
  switch (power_) {
    case Power::Linear:
      return {.linear = K_};
    case Power::Hertz:
      return {.hertz = K_};
    case Power::Square:
      return {.square = K_};
    case Power::Tri:
      if (!plastic) return {.linear = K_};
      return {.constant = (K_ - k2_) * d_y_, .linear = k2_};
    case Power::General:
      break;
  }
  return {};
}

double ContactLaw::slope(double xi, bool plastic) const {
  if (power_ == Power::Tri) return plastic ? k2_ : K_;
  if (power_ == Power::Linear) return K_;
  if (power_ == Power::Hertz) return 1.5 * K_ * std::sqrt(std::max(xi, 0.0));
  return eta_ * K_ * std::pow(std::max(xi, 0.0), eta_ - 1.0);
}

double ContactLaw::energy(double xi) const {
  if (xi <= 0.0) return 0.0;
  if (power_ != Power::Tri) return force(xi, false) * xi / (1.0 + eta_);
  if (xi <= d_y_) return 0.5 * K_ * xi * xi;
  const double x = xi - d_y_;
  return 0.5 * K_ * d_y_ * d_y_ + K_ * d_y_ * x + 0.5 * k2_ * x * x;
}

double ContactLaw::negligible_indentation(double energy, double full) const {
  // 10^(−24/(1+η))
  if (power_ == Power::Hertz) return 2.5118864315095823e-10 * full;
  if (power_ == Power::Linear) return 1e-12 * full;
  if (power_ == Power::Square) return 1e-8 * full;
  return indentation(1e-24 * energy);
}

double ContactLaw::indentation(double energy) const {
  if (energy <= 0.0) return 0.0;
  if (power_ != Power::Tri) return std::pow((1.0 + eta_) * energy / K_, 1.0 / (1.0 + eta_));
  const double rest = energy - 0.5 * K_ * d_y_ * d_y_;
  if (rest <= 0.0) return std::sqrt(2.0 * energy / K_);
  // ½ k2 x² + F_y x = rest, in the form without cancellation.
  const double F_y = K_ * d_y_;
  return d_y_ + 2.0 * rest / (F_y + std::sqrt(F_y * F_y + 2.0 * k2_ * rest));
}

// ---------------------------------------------------------------------------------------- setup

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

// --------------------------------------------------------------------------------- plastic step

namespace {

/// p that makes the gap rates of these contacts vanish, others being without impulse. `place` is −1
/// for all contacts, before and after. False if there is none.
bool close(const ImpactSetup& setup, const std::vector<double>& U, const std::vector<int>& active,
           std::vector<int>& place, Vector& p) {
  const auto size = static_cast<Eigen::Index>(active.size());
  for (Eigen::Index k = 0; k < size; ++k) place[active[k]] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  Vector b(size);
  for (Eigen::Index k = 0; k < size; ++k) {
    b[k] = -U[active[k]];
    setup.G.for_row(active[k], [&](int j, double G_ij) {
      if (place[j] >= 0) entries.emplace_back(static_cast<int>(k), place[j], G_ij);
    });
  }
  for (const int i : active) place[i] = -1;
  SparseMatrix G(size, size);
  G.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<SparseMatrix> factors(G);
  if (factors.info() != Eigen::Success) return false;
  const Vector x = factors.solve(b);
  p.setZero();
  for (Eigen::Index k = 0; k < size; ++k) p[active[k]] = x[k];
  return x.allFinite();
}

/// Active sets (primal–dual, a Newton method): those contacts close that approach or press. In
/// chains, where contacts only ever drive their neighbours together, the sets grow and the method
/// ends after a few of them. False if it does not.
bool close_active_sets(const ImpactSetup& setup, const std::vector<double>& U, double tolerance,
                       Vector& p) {
  constexpr int kRounds = 50;
  p.setZero(setup.m);
  std::vector<int> place(static_cast<std::size_t>(setup.m), -1);
  std::vector<int> active;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> next;
    for (int i = 0; i < setup.m; ++i) {
      const double after = U[i] + setup.G.row(i, p.data());
      if (setup.G.diagonal(i) * p[i] - after > tolerance) next.push_back(i);
    }
    if (round > 0 && next == active) return true;
    active = std::move(next);
    if (!close(setup, U, active, place, p)) return false;
  }
  return false;
}

/// One contact after the other, again and again, at most so often. False if something is left.
bool relax(const ImpactSetup& setup, const std::vector<double>& U, double tolerance, int sweeps,
           Vector& p) {
  p.setZero(setup.m);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double left = 0.0;
    for (int i = 0; i < setup.m; ++i) {
      const double after = U[i] + setup.G.row(i, p.data());
      const double change = std::max(-p[i], -after / setup.G.diagonal(i));
      p[i] += change;
      left = std::max(left, std::abs(change) * setup.G.diagonal(i));
    }
    if (left <= tolerance) return true;
  }
  return false;
}

/// The same for few contacts, exactly.
bool solve_at_once(const ImpactSetup& setup, const std::vector<double>& U, Vector& p) {
  Matrix G = Matrix::Zero(setup.m, setup.m);
  for (int i = 0; i < setup.m; ++i) {
    setup.G.for_row(i, [&](int j, double G_ij) { G(i, j) = G_ij; });
  }
  const Eigen::Map<const Vector> b(U.data(), setup.m);
  auto solution = numerics::solve_lcp(G, b, {.scale = setup.velocity_scale});
  p = std::move(solution.z);
  return solution.solved();
}

}  // namespace

bool plastic_step(const ImpactSetup& setup, const std::vector<double>& U, Vector& impulse,
                  Vector& dissipated) {
  bool solved = false;
  if (setup.m <= numerics::DelassusOperator::kLargestSmall) {
    solved = solve_at_once(setup, U, impulse);
  } else {
    // Scattered approach first, then long groups of contacts; the last resort is slow, but always
    // applicable.
    const double tolerance = 0.1 * setup.gap_rate_tol;
    solved = relax(setup, U, tolerance, 10, impulse) ||
             close_active_sets(setup, U, tolerance, impulse) ||
             relax(setup, U, tolerance, 1000, impulse);
    impulse = impulse.cwiseMax(0.0);
  }
  for (int i = 0; i < setup.m; ++i) {
    const double after = U[i] + setup.G.row(i, impulse.data());
    dissipated[i] -= 0.5 * impulse[i] * (U[i] + after);
  }
  return solved;
}

}  // namespace percute::laws
