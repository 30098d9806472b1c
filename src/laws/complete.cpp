// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/redundancy.hpp"
#include "numerics/triangular_factors.hpp"

#include <percute/laws/impact_law.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace percute {

namespace {

/// What is left of the mobility of a direction that depends on others.
constexpr double kDependent = 1e-12;

double largest(const Vector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

/// Gap rates and sliding velocities after the impact; zero tangential impulses where none was
/// given.
void fill_kinematics(const ImpactProblem& problem, ImpactResult& result) {
  result.gap_rate = problem.gradients.transpose() * result.velocity;
  result.tangential_velocity.clear();
  const bool given = result.tangential_impulse.size() == problem.contacts.size();
  if (!given) result.tangential_impulse.clear();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    if (d == 0) {
      result.tangential_velocity.emplace_back(0);
    } else {
      result.tangential_velocity.emplace_back(tangents_of(problem, i).transpose() *
                                              result.velocity);
    }
    if (!given) result.tangential_impulse.emplace_back(Vector::Zero(d));
  }
}

/// Work of each contact on the system, Thomson and Tait: ½ p·(U⁺ + U⁻), normal and tangential.
Vector contact_work(const ImpactProblem& problem, const ImpactResult& result) {
  const Vector before = problem.gradients.transpose() * problem.velocity;
  Vector work = 0.5 * result.impulse.cwiseProduct(result.gap_rate + before);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].directions == 0) continue;
    const Vector sliding = tangents_of(problem, i).transpose() * problem.velocity;
    work[static_cast<Eigen::Index>(i)] +=
        0.5 * result.tangential_impulse[i].dot(result.tangential_velocity[i] + sliding);
  }
  return work;
}

/// Of these columns of H those that are left when those are taken away which alone reach some
/// coordinate r, again and again: others cannot make up for these. (h_r²/M_rr is what r has of
/// hᵀ M⁻¹ h at least.)
std::vector<int> entangled_columns(const MassMatrix& mass, const SparseMatrix& H,
                                   std::vector<int> columns, const Vector& mobility) {
  struct Reached {
    int times = 0;
    long by = 0;  // sum of the columns: which one, where it is one
  };
  std::vector<Reached> reached(static_cast<std::size_t>(H.rows()));
  std::vector<char> taken(static_cast<std::size_t>(H.cols()), 0);
  std::vector<Eigen::Index> alone;
  const auto count = [&](int k, int change) {
    for (SparseMatrix::InnerIterator entry(H, k); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      Reached& r = reached[static_cast<std::size_t>(entry.row())];
      r.times += change;
      r.by += static_cast<long>(change) * k;
      if (r.times == 1) alone.push_back(entry.row());
    }
  };
  for (const int k : columns) count(k, 1);
  while (!alone.empty()) {
    const Eigen::Index r = alone.back();
    alone.pop_back();
    if (reached[static_cast<std::size_t>(r)].times != 1) continue;
    const auto k = static_cast<int>(reached[static_cast<std::size_t>(r)].by);
    const double h = H.coeff(r, k);
    if (!(h * h > kDependent * mass(r, r) * mobility[k])) continue;
    taken[static_cast<std::size_t>(k)] = 1;
    count(k, -1);
  }
  std::erase_if(columns, [&](int k) { return taken[static_cast<std::size_t>(k)] != 0; });
  return columns;
}

/// Whether the impulses of a result could change a little, stay lawful, and give the same
/// velocities: along the normals of contacts that push; where friction is below its limit along
/// their tangents as well; where it is not along both together.
bool shares_impulses(const ImpactProblem& problem, const ImpactScales& scale, bool friction,
                     const ImpactResult& result) {
  constexpr double kNone = 1e-10;    // of m_i vs
  constexpr double kAtLimit = 1e-6;  // of the limit
  std::vector<int> pushing;
  for (int i = 0; i < static_cast<int>(problem.contacts.size()); ++i) {
    const double unit = scale.effective_mass[i] * scale.velocity;
    if (result.impulse[i] > kNone * unit) pushing.push_back(i);
  }
  if (!friction) {
    return redundant(problem.mass, problem.gradients, pushing, scale.effective_mass.cwiseInverse());
  }
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  const auto add = [&](const SparseMatrix& from, Eigen::Index k, double factor) {
    for (SparseMatrix::InnerIterator entry(from, k); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), column, factor * entry.value());
    }
  };
  for (const int i : pushing) {
    add(problem.gradients, i, 1.0);
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const Vector& p_t = result.tangential_impulse[static_cast<std::size_t>(i)];
    const double limit = contact.material.friction * result.impulse[i];
    const bool holds = p_t.norm() < (1.0 - kAtLimit) * limit;
    for (int d = 0; friction_acts(contact) && d < contact.directions; ++d) {
      if (holds) ++column;
      add(problem.tangents, 2 * i + d, holds ? 1.0 : p_t[d] / result.impulse[i]);
    }
    ++column;
  }
  SparseMatrix H(problem.velocity.size(), column);
  H.setFromTriplets(entries.begin(), entries.end());
  return redundant(problem.mass, H);
}

void judge(const ImpactProblem& problem, const ImpactScales& scale, const Vector& work,
           ImpactResult& result) {
  const Vector jump = problem.mass * Vector(result.velocity - problem.velocity);
  Vector defect = jump - problem.gradients * result.impulse;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].directions == 0) continue;
    defect -= tangents_of(problem, i) * result.tangential_impulse[i];
  }
  const double momentum =
      std::max(largest(problem.mass * problem.velocity), largest(problem.mass * result.velocity));
  Consistency& verdict = result.consistency;
  Consistency::Margins& margin = verdict.margins;

  margin.momentum = largest(defect);
  verdict.momentum = margin.momentum <= 1e-10 * momentum;

  margin.identity = result.energy.after - result.energy.before - work.sum();
  verdict.identity =
      std::abs(margin.identity) <= 1e-10 * std::max(result.energy.before, scale.energy);

  // Precompressed contacts may lawfully release the energy they brought along.
  double stored = 0.0;
  for (const Contact& contact : problem.contacts) stored += contact.stored_energy;
  margin.energetic = stored - result.energy.stored - work.sum();
  // Numerical laws conserve the energy of each contact to their tolerance only.
  const auto contacts = static_cast<double>(problem.contacts.size());
  const double unsure = std::max(1e-10, 10.0 * result.diagnostics.tolerance * contacts);
  verdict.energetic = margin.energetic >= -unsure * scale.energy;

  const bool any = result.impulse.size() > 0;
  margin.kinematic = any ? result.gap_rate.minCoeff() : 0.0;
  verdict.kinematic = margin.kinematic >= -scale.gap_rate_tol;

  margin.kinetic = any ? std::numeric_limits<double>::infinity() : 0.0;
  margin.friction_cone = margin.kinetic;
  verdict.kinetic = true;
  verdict.friction_cone = true;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const double unit = scale.effective_mass[i] * scale.velocity;
    const double p = result.impulse[i];
    margin.kinetic = std::min(margin.kinetic, unit > 0.0 ? p / unit : p);
    verdict.kinetic = verdict.kinetic && p >= -1e-10 * unit;
    const double friction = problem.contacts[k].material.friction;
    // Infinite friction needs a pressure too.
    const double bound = std::isinf(friction) && p <= 1e-10 * unit ? 0.0 : friction * p;
    const double slack = bound - result.tangential_impulse[k].norm();
    margin.friction_cone = std::min(margin.friction_cone, slack);
    verdict.friction_cone = verdict.friction_cone && slack >= -1e-10 * unit;
  }
}

}  // namespace

bool redundant(const MassMatrix& mass, const SparseMatrix& H, const std::vector<int>& columns,
               const Vector& mobility) {
  if (columns.size() < 2) return false;
  if (static_cast<Eigen::Index>(columns.size()) > H.rows()) return true;
  const std::vector<int> left = entangled_columns(mass, H, columns, mobility);
  if (left.empty()) return false;
  SparseMatrix core(H.rows(), static_cast<Eigen::Index>(left.size()));
  for (std::size_t k = 0; k < left.size(); ++k) {
    core.col(static_cast<Eigen::Index>(k)) = H.col(left[k]);
  }
  const SparseMatrix A = mass.delassus(core);
  const Vector root = A.diagonal().cwiseSqrt().cwiseInverse();
  const SparseMatrix S = root.asDiagonal() * A * root.asDiagonal();
  constexpr std::size_t kDense = 200;
  if (left.size() <= kDense) {
    return numerics::pivoted_cholesky(Matrix(S)).chosen.size() < left.size();
  }
  const Eigen::SimplicialLDLT<SparseMatrix> factors(S);
  return factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > kDependent);
}

bool redundant(const MassMatrix& mass, const SparseMatrix& H) {
  std::vector<int> all(static_cast<std::size_t>(H.cols()));
  std::iota(all.begin(), all.end(), 0);
  return redundant(mass, H, all, mass.delassus_diagonal(H));
}

void note_left_out(const ImpactProblem& problem, std::optional<bool> uses_friction,
                   bool uses_restitution, ImpactResult& result) {
  Consistency& verdict = result.consistency;
  const bool friction = uses_friction.value_or(!result.tangential_impulse.empty());
  for (const Contact& contact : problem.contacts) {
    const bool rubs = contact.material.friction > 0.0;
    if (rubs && !(friction && contact.directions > 0)) verdict.friction_ignored = true;
    if (!uses_restitution && contact.material.restitution < 1.0) verdict.restitution_ignored = true;
  }
}

void complete(const ImpactProblem& problem, ImpactResult& result) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  if (result.velocity.size() != problem.velocity.size() || result.impulse.size() != m) {
    throw InvalidInput("law", "returned " + std::to_string(result.velocity.size()) +
                                  " velocities and " + std::to_string(result.impulse.size()) +
                                  " impulses; the problem has " +
                                  std::to_string(problem.velocity.size()) + " coordinates and " +
                                  std::to_string(m) + " contacts");
  }
  const ImpactScales scale = scales(problem);
  const bool friction = result.tangential_impulse.size() == problem.contacts.size();
  fill_kinematics(problem, result);
  // An answer is made of numbers; where they overflow there is none.
  const bool finite =
      result.velocity.allFinite() && result.impulse.allFinite() && result.gap_rate.allFinite();
  if (!finite && accepted(result.status)) {
    result.status = Status::StepUnderflow;
    result.diagnostics.reason = "velocities or impulses are beyond what numbers can hold";
  }
  const Vector work = contact_work(problem, result);

  // Laws without an inner time cannot tell where energy was lost better than Thomson and Tait.
  if (result.dissipated.size() != result.impulse.size()) result.dissipated = -work;

  EnergyLedger& energy = result.energy;
  energy.before = problem.mass.kinetic_energy(problem.velocity);
  energy.after = problem.mass.kinetic_energy(result.velocity);
  energy.dissipated = result.dissipated.sum();
  double stored = 0.0;
  for (const Contact& contact : problem.contacts) stored += contact.stored_energy;
  const double defect = energy.after + energy.dissipated + energy.stored - energy.before - stored;
  const double unit = std::max(energy.before + stored, scale.energy);
  energy.balance_error = unit > 0.0 ? defect / unit : defect;

  judge(problem, scale, work, result);
  result.non_unique_impulse =
      result.non_unique_impulse || shares_impulses(problem, scale, friction, result);
}

}  // namespace percute
