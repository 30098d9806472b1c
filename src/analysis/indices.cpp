// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/indices.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace percute::analysis {

namespace {

double tangential_work(const ImpactProblem& problem, const ImpactResult& result) {
  double work = 0.0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].directions == 0) continue;
    const Vector sliding = tangents_of(problem, i).transpose() * problem.velocity;
    work += 0.5 * result.tangential_impulse[i].dot(result.tangential_velocity[i] + sliding);
  }
  return work;
}

/// Whether some M_ij links coordinates of different owners, beyond 1e-12 √(M_ii M_jj). Two owners
/// differ in a bit of their numbers: for each bit, M times a vector on the coordinates without it
/// must vanish on those with it. The entries of the vector are such that nothing cancels.
bool couples(const MassMatrix& mass, const std::vector<int>& owner, int owners) {
  if (mass.form() == MassMatrix::Form::Diagonal) return false;
  const Eigen::Index n = mass.size();
  Vector root(n);
  Vector probe(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    root[i] = std::sqrt(mass(i, i));
    probe[i] = (1.0 + std::fmod(std::numbers::phi * static_cast<double>(i), 1.0)) / root[i];
  }
  for (unsigned bit = 0; (1 << bit) < owners; ++bit) {
    const auto has = [&owner, bit](Eigen::Index i) {
      return ((static_cast<unsigned>(owner[static_cast<std::size_t>(i)]) >> bit) & 1U) != 0;
    };
    Vector x = probe;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (has(i)) x[i] = 0.0;
    }
    const Vector y = mass * x;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (has(i) && std::abs(y[i]) > 1e-12 * root[i]) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<double> dispersion(const MassMatrix& mass, const Vector& velocity,
                                 const std::vector<Body>& bodies) {
  std::vector<int> owner(static_cast<std::size_t>(velocity.size()), 0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const int coordinate : bodies[b].coordinates) {
      owner[static_cast<std::size_t>(coordinate)] = static_cast<int>(b);
    }
  }
  if (bodies.empty() || couples(mass, owner, static_cast<int>(bodies.size()))) return {};

  // Without coupling T_b = ½ Σ v_i (M v)_i over the coordinates of body b.
  const Vector momentum = mass * velocity;
  Vector energy = Vector::Zero(static_cast<Eigen::Index>(bodies.size()));
  for (Eigen::Index i = 0; i < velocity.size(); ++i) {
    energy[owner[static_cast<std::size_t>(i)]] += 0.5 * velocity[i] * momentum[i];
  }
  const double mean = energy.mean();
  if (!(mean > 0.0)) return {};
  return std::sqrt((energy.array() - mean).square().mean()) / mean;
}

Indices indices(const ImpactProblem& problem, const ImpactResult& result,
                const std::vector<Body>& bodies) {
  const Vector before = problem.gradients.transpose() * problem.velocity;
  Indices out;
  out.normal_work = 0.5 * result.impulse.dot(result.gap_rate + before);
  out.tangential_work = tangential_work(problem, result);
  const bool followed = result.dissipated_by_friction.size() > 0;
  out.sliding_loss = followed ? result.dissipated_by_friction.sum() : 0.0 - out.tangential_work;
  if (result.energy.before > 0.0) out.energy_ratio = result.energy.after / result.energy.before;
  // The work of the impulses is T⁺ − T⁻, without the rounding of two large numbers.
  if (const double reachable = reachable_energy(problem); reachable > 0.0) {
    out.relative_energy_ratio = 1.0 + (out.normal_work + out.tangential_work) / reachable;
  }
  out.dispersion = dispersion(problem.mass, result.velocity, bodies);
  return out;
}

}  // namespace percute::analysis
