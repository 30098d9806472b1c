// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/friction_rows.hpp"
#include "laws/redundancy.hpp"
#include "numerics/triangular_factors.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace percute::analysis {

namespace {

Matrix kinetic_angles(const Matrix& S) {
  const Eigen::Index m = S.rows();
  Matrix angles = Matrix::Constant(m, m, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) {
      if (i != j) angles(i, j) = std::numbers::pi - std::acos(std::clamp(S(i, j), -1.0, 1.0));
    }
  }
  return angles;
}

/// ½ uᵀ S⁺ u by S + δ, δ at rounding level, and refinement: u is in the range of S, where δ only
/// matters for eigenvalues as small as itself.
double reachable_energy(const SparseMatrix& S, const Vector& u) {
  constexpr double kShift = 1e-13;
  constexpr int kRefinements = 5;
  SparseMatrix shifted = S;
  for (Eigen::Index i = 0; i < S.rows(); ++i) shifted.coeffRef(i, i) += kShift;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(shifted);
  Vector y = factor.solve(u);
  for (int k = 0; k < kRefinements; ++k) y += factor.solve(u - S * y);
  return 0.5 * u.dot(y);
}

// Sliding and coupling below this part of what the numbers are made of are rounding.
constexpr double kRounding = 1e-12;

LocalFriction local(const ImpactProblem& problem, Eigen::Index i) {
  const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
  const Matrix T = tangents_of(problem, static_cast<std::size_t>(i));
  const Eigen::Index d = T.cols();
  Matrix H(problem.velocity.size(), 1 + d);
  H.col(0) = Vector(problem.gradients.col(i));
  H.rightCols(d) = T;
  const Matrix A = H.transpose() * problem.mass.solve(H);

  LocalFriction out{.contact = static_cast<int>(i),
                    .friction = contact.material.friction,
                    .A_nn = A(0, 0),
                    .A_tn = A.col(0).tail(d),
                    .A_tt = A.bottomRightCorner(d, d),
                    .sliding_velocity = T.transpose() * problem.velocity};
  // |A_tn| ≤ √(A_nn |A_tt|), by Schwarz: what is left of a coupling that cancels is none.
  const double coupling = out.A_tn.norm();
  const bool coupled = coupling * coupling > kRounding * kRounding * A(0, 0) * out.A_tt.norm();
  if (!coupled) out.A_tn.setZero();
  if (coupled) {
    out.stick_coefficient = out.A_tt.ldlt().solve(out.A_tn).norm();
    out.jam_coefficient = out.A_nn / coupling;
    out.may_jam = out.friction > *out.jam_coefficient;
  }
  // Without friction nothing is held, even where nothing pulls.
  out.sticks = out.friction > 0.0 && out.friction >= out.stick_coefficient;
  const double speed = out.sliding_velocity.norm();
  const double scale = (T.cwiseAbs().transpose() * problem.velocity.cwiseAbs()).norm();
  if (out.may_jam && speed > kRounding * scale) {
    out.jams = out.A_tn.dot(out.sliding_velocity) / speed > out.A_nn / out.friction;
  }
  return out;
}

}  // namespace

double reachable_energy(const ImpactProblem& problem) {
  const SparseMatrix H = contact::all_directions(problem, contact::friction_rows(problem.contacts));
  const SparseMatrix A = problem.mass.delassus(H);
  // Unit diagonal, so that thresholds mean the same in every row; a tangent may be zero.
  Vector root = A.diagonal();
  for (double& entry : root) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 0.0;
  const SparseMatrix S = root.asDiagonal() * A * root.asDiagonal();
  const Vector u = root.cwiseProduct(H.transpose() * problem.velocity);
  return reachable_energy(S, u);
}

std::vector<LocalFriction> local_friction(const ImpactProblem& problem) {
  validate(problem);
  std::vector<LocalFriction> all;
  for (Eigen::Index i = 0; i < problem.gradients.cols(); ++i) {
    if (problem.contacts[static_cast<std::size_t>(i)].directions > 0) {
      all.push_back(local(problem, i));
    }
  }
  return all;
}

ProblemAnalysis analyze(const ImpactProblem& problem) {
  validate(problem);
  const SparseMatrix G = problem.mass.delassus(problem.gradients);
  const ImpactScales scale = scales(problem);
  ProblemAnalysis out;
  out.delassus = G;
  out.gap_rates = problem.gradients.transpose() * problem.velocity;
  out.effective_masses = scale.effective_mass;
  out.kinetic_energy = problem.mass.kinetic_energy(problem.velocity);
  for (int i = 0; i < out.gap_rates.size(); ++i) {
    if (out.gap_rates[i] <= scale.gap_rate_tol) out.active.push_back(i);
  }

  const Vector root = scale.effective_mass.cwiseSqrt();
  const SparseMatrix sparse = root.asDiagonal() * G * root.asDiagonal();
  const Matrix S = sparse;
  out.rank = static_cast<int>(numerics::pivoted_cholesky(S).chosen.size());
  out.redundant = out.rank < S.rows();
  const SparseMatrix all =
      contact::all_directions(problem, contact::friction_rows(problem.contacts));
  out.redundant_sticking = percute::redundant(problem.mass, all);
  out.kinetic_angles = kinetic_angles(S);
  out.reachable_energy = reachable_energy(sparse, root.cwiseProduct(out.gap_rates));
  out.friction = local_friction(problem);
  return out;
}

bool OutcomeSet::contains(const Vector& after, double tolerance) const {
  if (!after.allFinite() || after.minCoeff() < -tolerance * speed) return false;
  const Vector impulse = inverse_delassus * (after - before);
  const Vector unit = inverse_delassus.diagonal() * speed;
  if (((impulse + tolerance * unit).array() < 0.0).any()) return false;
  return 0.5 * after.dot(inverse_delassus * after) <= (1.0 + tolerance) * reachable_energy;
}

double OutcomeSet::energy_ratio(const Vector& after) const {
  const double gained = 0.5 * after.dot(inverse_delassus * after) - reachable_energy;
  return 1.0 + gained / kinetic_energy;
}

OutcomeSet outcome_set(const ImpactProblem& problem) {
  const ProblemAnalysis analysis = analyze(problem);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const std::string field = "contacts[" + std::to_string(i) + "].";
    if (friction_acts(contact)) {
      throw InvalidInput(field + "friction",
                         "the set of outcomes is for contacts without friction");
    }
    if (contact.stored_energy > 0.0) {
      throw InvalidInput(field + "stored_energy",
                         "the set of outcomes is for impacts without stored energy");
    }
  }
  if (analysis.redundant) {
    throw InvalidInput("contacts", "the set of outcomes needs independent contacts; " +
                                       std::to_string(problem.contacts.size()) +
                                       " contacts have rank " + std::to_string(analysis.rank));
  }
  if (analysis.gap_rates.size() == 0 ||
      !(analysis.gap_rates.minCoeff() < -scales(problem).gap_rate_tol)) {
    throw InvalidInput("velocity", "nothing approaches, so there is one outcome only");
  }
  OutcomeSet set;
  set.inverse_delassus = analysis.delassus.llt().solve(
      Matrix::Identity(analysis.delassus.rows(), analysis.delassus.cols()));
  set.before = analysis.gap_rates;
  set.speed = analysis.gap_rates.cwiseAbs().maxCoeff();
  set.kinetic_energy = analysis.kinetic_energy;
  set.reachable_energy = 0.5 * set.before.dot(set.inverse_delassus * set.before);
  set.largest = (2.0 * set.reachable_energy * analysis.delassus.diagonal()).cwiseSqrt();
  return set;
}

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
