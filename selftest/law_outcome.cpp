// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/law_outcome.hpp"

#include "numerics/coulomb_contact.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "selftest/measures.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace percute::selftest {

namespace {

constexpr double kUnknown = -1.0;

/// 0 ≤ z_i ⟂ p_i ≥ 0 of the contacts that take part: max |min(z_i, p_i/m_i)|/vs.
template <class Restitution>
double complementarity(const LawContext& c, const ImpactResult& result, Restitution&& e) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) continue;
    const double z = result.gap_rate[i] + e(i) * std::min(c.U[i], 0.0);
    const double p = result.impulse[i] / c.scale.effective_mass[i];
    worst = std::max(worst, std::abs(std::min(z, p)) - c.rounding);
  }
  return worst / c.scale.velocity;
}

/// Coulomb's law at one contact: |p − proj(p − ρ ẑ)|/m, ẑ = z + μ |z_t| n; any ρ > 0 will do.
/// `pressure` is the p/m from which on infinite friction holds.
double coulomb_contact(double friction, double mass, double step, const Vector& p, const Vector& z,
                       double pressure) {
  const auto size = static_cast<int>(p.size());
  const double sliding = size > 1 ? z.tail(size - 1).norm() : 0.0;
  if (std::isinf(friction)) {
    // No sliding under pressure; without pressure nothing is asked of the tangential part.
    const double normal = std::abs(std::min(p[0] / mass, z[0]));
    return p[0] / mass > pressure ? std::max(normal, sliding) : normal;
  }
  Vector x = p - step * z;
  x[0] -= step * friction * sliding;
  numerics::project_on_friction_cone(x.data(), size, friction);
  return (p - x).norm() / mass;
}

double distance(const LawContext& c, const laws::Coulomb& law, const ImpactResult& result) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) continue;
    const auto k = static_cast<std::size_t>(i);
    const Contact& contact = c.problem.contacts[k];
    const bool slides = friction_acts(contact);
    const Eigen::Index d = slides ? contact.directions : 0;
    Vector p(1 + d);
    Vector z(1 + d);
    p[0] = result.impulse[i];
    z[0] = result.gap_rate[i] + c.restitution(i) * std::min(c.U[i], 0.0);
    const double mass = c.scale.effective_mass[i];
    double step = mass;
    if (slides) {
      p.tail(d) = result.tangential_impulse[k];
      const Matrix T = tangents_of(c.problem, k);
      const Vector before = T.transpose() * c.problem.velocity;
      z.tail(d) = result.tangential_velocity[k] + law.tangential * before;
      const Matrix A = T.transpose() * c.problem.mass.solve(T);
      step = 1.0 / (1.0 / mass + A.trace());
    }
    const double friction = slides ? contact.material.friction : 0.0;
    worst = std::max(
        worst, coulomb_contact(friction, mass, step, p, z, c.scale.gap_rate_tol) - c.rounding);
  }
  return worst / c.scale.velocity;
}

double distance(const LawContext& c, const laws::Moreau& law, const ImpactResult& result) {
  return complementarity(c, result, [&](Eigen::Index) { return *law.restitution; });
}

double distance(const LawContext& c, const laws::Newton& law, const ImpactResult& result) {
  if (law.form == laws::Newton::Form::Equality) return kUnknown;
  return complementarity(c, result, [&](Eigen::Index i) { return c.restitution(i); });
}

double distance(const LawContext& c, const laws::RestitutionMatrix& law,
                const ImpactResult& result) {
  Vector defect = result.gap_rate;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) {
      defect[i] = 0.0;
      continue;
    }
    for (Eigen::Index j = 0; j < c.size(); ++j) {
      if (c.takes_part(j)) defect[i] += law.matrix(i, j) * std::min(c.U[j], 0.0);
    }
  }
  return std::max(0.0, largest(defect) - c.rounding) / c.scale.velocity;
}

/// 0 ≤ Bᵀ(U⁺ + e U⁻), and the combination that gives p is orthogonal to it: pᵀ(U⁺ + e U⁻) = 0.
double distance(const LawContext& c, const laws::FremondCone& law, const ImpactResult& result) {
  Vector z = result.gap_rate;
  double pressure = 0.0;  // Σ p_i/m_i bounds what an error of z does to the product
  double product = 0.0;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) {
      z[i] = 0.0;
      continue;
    }
    z[i] += law.restitution.value_or(0.0) * std::min(c.U[i], 0.0);
    product += result.impulse[i] * z[i];
    pressure += result.impulse[i];
  }
  double worst = 0.0;
  for (Eigen::Index j = 0; j < law.patterns.cols(); ++j) {
    const Vector column = law.patterns.col(j);
    worst = std::max(worst, -column.dot(z) / column.sum() - c.rounding);
  }
  if (pressure > 0.0) worst = std::max(worst, std::abs(product) / pressure - c.rounding);
  return worst / c.scale.velocity;
}

/// p = s a, and the energy the closure asks for: its defect over the energy of the ray.
double distance(const LawContext& c, const laws::ImpulseRatios& law, const ImpactResult& result) {
  Vector a = law.direction;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) a[i] = 0.0;
  }
  const double b = a.dot(c.U);
  const double curvature =
      2.0 * c.problem.mass.kinetic_energy(c.problem.mass.solve(Vector(c.problem.gradients * a)));
  const double wanted =
      law.closure == laws::ImpulseRatios::Closure::TotalEnergy
          ? (law.energy_ratio - 1.0) * result.energy.before
          : -(1.0 - *law.restitution * *law.restitution) * b * b / (2.0 * curvature);
  const double gained = result.energy.after - result.energy.before;
  const double s = result.impulse.dot(a) / a.squaredNorm();
  const double along = largest(result.impulse - s * a) / (1e-300 + largest(result.impulse));
  const double unit = std::max({c.scale.energy, result.energy.before, b * b / curvature});
  return std::max(along, std::abs(gained - wanted) / unit);
}

/// Σ m_i^γ (U_i⁺ + e_i U_i⁻) ≥ 0.
double distance(const LawContext& c, const laws::ScalarRestitution& law,
                const ImpactResult& result) {
  double sum = 0.0;
  double weights = 0.0;
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (!c.takes_part(i)) continue;
    const double weight = std::pow(c.scale.effective_mass[i], law.gamma);
    sum += weight * (result.gap_rate[i] + c.restitution(i) * std::min(c.U[i], 0.0));
    weights += weight;
  }
  if (weights == 0.0) return kUnknown;
  return std::max(0.0, -sum / weights - c.rounding) / c.scale.velocity;
}

/// One contact: U⁺ = −e U⁻ with κ = 2 (1 + e)/(G (1 − e)).
double distance(const LawContext& c, const laws::FremondQuadratic& law,
                const ImpactResult& result) {
  if (c.size() != 1 || law.kappa.size() != 1) return kUnknown;
  const double x = law.kappa(0, 0) / c.scale.effective_mass[0];
  const double e = std::isinf(x) ? 1.0 : std::max(0.0, (x - 2.0) / (x + 2.0));
  return std::max(0.0, std::abs(result.gap_rate[0] + e * c.U[0]) - c.rounding) / c.scale.velocity;
}

template <class Law>
double distance(const LawContext&, const Law&, const ImpactResult&) {
  return kUnknown;
}

bool needs_slip_law(const LawTrial& trial, const ImpactProblem& problem) {
  return std::holds_alternative<laws::Coulomb>(trial.law) ||
         ((std::holds_alternative<laws::Poisson>(trial.law) ||
           std::holds_alternative<laws::ScalarRestitution>(trial.law)) &&
          sliding(problem));
}

/// Why a law may give no answer.
bool has_reason(const LawContext& c, const LawTrial& trial, const ImpactResult& result) {
  const AlgebraicDiagnostics d = result.diagnostics.algebraic.value_or(AlgebraicDiagnostics{});
  // Bodies caught between walls may go to and fro for ever.
  const long most = std::visit([](const auto& law) { return law.options.max_stages; }, trial.law);
  if (result.status == Status::NotTerminated && d.stages >= most) return true;
  if (trial.answers) return false;
  switch (result.status) {
    case Status::Singular:
      return std::holds_alternative<laws::RestitutionMatrix>(trial.law) &&
             nearly_dependent(c.problem);
    case Status::EnergyUnreachable: {
      const auto* law = std::get_if<laws::ImpulseRatios>(&trial.law);
      // Later stages start from less energy than the first.
      return law != nullptr && d.energy_bound &&
             (d.stages > 1 || *d.energy_bound > law->energy_ratio);
    }
    case Status::RayNotCompressive:
      return std::holds_alternative<laws::ImpulseRatios>(trial.law) ||
             std::holds_alternative<laws::FremondCone>(trial.law);
    case Status::NotApplicable:
      return std::holds_alternative<laws::CradleSort>(trial.law);
    case Status::Cycle:
      return std::holds_alternative<laws::Binary>(trial.law) ||
             std::holds_alternative<laws::SimultaneousSet>(trial.law);
    case Status::Infeasible:
      return std::holds_alternative<laws::SimultaneousSet>(trial.law) ||
             needs_slip_law(trial, c.problem);
    case Status::NoSlipSolution:
      return needs_slip_law(trial, c.problem);
    case Status::NotTerminated:
      return std::holds_alternative<laws::SimultaneousSet>(trial.law) ||
             needs_slip_law(trial, c.problem);
    default:
      return false;
  }
}

}  // namespace

bool sliding(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return friction_acts(contact); });
}

bool nearly_dependent(const ImpactProblem& problem) {
  Matrix G = problem.mass.delassus(problem.gradients);
  const Vector root = G.diagonal().cwiseSqrt().cwiseInverse();
  G = (root.asDiagonal() * G * root.asDiagonal()).eval();
  return numerics::symmetric_eigenvalues(G)[0] <= 1e-5;
}

LawContext::LawContext(const ImpactProblem& p)
    : problem(p), scale(scales(p)), U(p.gradients.transpose() * p.velocity) {
  const Vector absolute = p.gradients.cwiseAbs().transpose() * p.velocity.cwiseAbs();
  rounding = 1e-14 * largest(absolute);
  const laws::AlgebraicOptions raw{.separating = laws::Separating::IncludeRaw};
  // The work of the impulses: kinetic energies before and after may be large and almost equal.
  const ImpactResult plastic =
      percute::resolve(p, laws::Moreau{.restitution = 0.0, .options = raw});
  most = plastic.consistency.margins.energetic;
}

AlgebraicLaw with_raw_impulses(const AlgebraicLaw& law) {
  AlgebraicLaw out = law;
  std::visit([](auto& which) { which.options.impulse_selection = laws::ImpulseSelection::Raw; },
             out);
  return out;
}

double distance_from_law(const LawContext& c, const AlgebraicLaw& law, const ImpactResult& result) {
  const auto& algebraic = result.diagnostics.algebraic;
  if (result.status != Status::Ok || !algebraic || algebraic->stages != 1) return kUnknown;
  if (algebraic->fremond_fallback || algebraic->restitution_factor) return kUnknown;
  return std::visit([&](const auto& which) { return distance(c, which, result); }, law);
}

double dishonest(const LawContext& c, const LawTrial& trial, const ImpactResult& result) {
  if ((result.status == Status::NoImpact) == c.approaching() &&
      result.status != Status::NotApplicable) {
    return 1.0;
  }
  if (result.status == Status::Ok || result.status == Status::NoImpact) return 0.0;
  if (result.status == Status::Zeno) return result.diagnostics.residual_velocity ? 0.0 : 1.0;
  return has_reason(c, trial, result) ? 0.0 : 1.0;
}

double difference(const ImpactResult& a, const ImpactResult& b) {
  double worst = largest(a.gap_rate - b.gap_rate);
  for (std::size_t i = 0; i < a.tangential_velocity.size(); ++i) {
    worst = std::max(worst, largest(a.tangential_velocity[i] - b.tangential_velocity[i]));
  }
  return worst;
}

}  // namespace percute::selftest
