// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/lcp.hpp"

#include <percute/analysis/identify_icr.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace percute::analysis {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

void require_size(const char* field, const Vector& values, Eigen::Index wanted, const char* of) {
  if (values.size() != wanted) {
    throw InvalidInput(field, "has " + std::to_string(values.size()) + " numbers; there are " +
                                  std::to_string(wanted) + " " + of);
  }
  for (Eigen::Index i = 0; i < wanted; ++i) {
    if (!std::isfinite(values[i])) {
      throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "]", "is not finite");
    }
  }
}

void require_impulses(const Vector& p) {
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    if (p[i] < 0.0) {
      throw InvalidInput("impulse[" + std::to_string(i) + "]",
                         text(p[i]) + " is negative: contacts only push");
    }
  }
  if (p.size() == 0 || p.maxCoeff() == 0.0) {
    throw InvalidInput("impulse", "all impulses are zero: ratios mean nothing without an impact");
  }
}

/// What follows from impulses p and velocities v⁺.
IcrIdentification identified(const ImpactProblem& problem, const Matrix& G, const Vector& p,
                             const Vector& velocity_after) {
  require_impulses(p);
  IcrIdentification out;
  out.impulse = p;
  out.direction = p / p.maxCoeff();
  const Eigen::Index m = p.size();
  out.next_over_previous = Vector::Constant(m - 1, kUndefined);
  out.previous_over_next = Vector::Constant(m - 1, kUndefined);
  for (Eigen::Index i = 0; i + 1 < m; ++i) {
    if (p[i] > 0.0) out.next_over_previous[i] = p[i + 1] / p[i];
    if (p[i + 1] > 0.0) out.previous_over_next[i] = p[i] / p[i + 1];
  }
  // e = −s c/b − 1 with p = s a: the scale of a drops out.
  const double b = p.dot(problem.gradients.transpose() * problem.velocity);
  out.restitution = b < 0.0 ? -p.dot(G * p) / b - 1.0 : kUndefined;
  const double before = problem.mass.kinetic_energy(problem.velocity);
  const double after = problem.mass.kinetic_energy(velocity_after);
  out.energy_ratio = before > 0.0 ? after / before : kUndefined;
  out.non_unique = numerics::semidefinite_rank(G) < m;
  return out;
}

Vector after_impulses(const ImpactProblem& problem, const Vector& p) {
  return problem.velocity + problem.mass.solve(Vector(problem.gradients * p));
}

double in_unit_interval(double value, const char* field, const char* above, double tolerance) {
  if (!(value >= -tolerance && value <= 1.0 + tolerance)) {
    const char* why = value > 1.0   ? above
                      : value < 0.0 ? "the impact ended before the end of compression"
                                    : "the impulses compress no contact";
    throw InvalidInput(field, text(value) + " is not in [0, 1]: " + why);
  }
  return std::clamp(value, 0.0, 1.0);
}

}  // namespace

laws::ImpulseRatios IcrIdentification::law(laws::ImpulseRatios::Closure closure,
                                           double tolerance) const {
  laws::ImpulseRatios law;
  law.direction = direction;
  law.closure = closure;
  // Impulses may well have passed contacts that were separating before.
  law.options.separating = laws::Separating::IncludeRaw;
  const double e = in_unit_interval(restitution, "restitution", "energy was created", tolerance);
  if (closure == laws::ImpulseRatios::Closure::RayEnergetic) {
    law.restitution = e;
  } else {
    law.energy_ratio =
        in_unit_interval(energy_ratio, "energy_ratio", "energy was created", tolerance);
  }
  return law;
}

IcrIdentification identify_icr_from_impulses(const ImpactProblem& problem, const Vector& impulse) {
  validate(problem);
  require_size("impulse", impulse, static_cast<Eigen::Index>(problem.contacts.size()), "contacts");
  const Matrix G = problem.mass.delassus(problem.gradients);
  return identified(problem, G, impulse, after_impulses(problem, impulse));
}

IcrIdentification identify_icr(const ImpactProblem& problem, const ImpactResult& result) {
  for (std::size_t i = 0; i < result.tangential_impulse.size(); ++i) {
    const Vector& tangential = result.tangential_impulse[i];
    if (tangential.size() > 0 && tangential.cwiseAbs().maxCoeff() > 0.0) {
      throw InvalidInput("tangential_impulse[" + std::to_string(i) + "]",
                         "friction acted; impulse ratios are for contacts without it");
    }
  }
  return identify_icr_from_impulses(problem, result.impulse);
}

IcrIdentification identify_icr_from_velocities(const ImpactProblem& problem,
                                               const Vector& velocity_after) {
  validate(problem);
  require_size("velocity", velocity_after, problem.velocity.size(), "coordinates");
  const Matrix G = problem.mass.delassus(problem.gradients);
  const Vector jump = velocity_after - problem.velocity;
  // min ½ pᵀGp − pᵀWᵀΔv over p ≥ 0 has the conditions 0 ≤ G p − WᵀΔv ⟂ p ≥ 0.
  const Vector wanted = problem.gradients.transpose() * jump;
  const numerics::LcpSolution solution = numerics::solve_lcp(G, -wanted);
  if (!solution.solved()) {
    throw InvalidInput("velocity", "no impulses were found that explain these velocities");
  }
  const Vector p = numerics::least_norm_impulse(G, solution.z.cwiseMax(0.0));
  IcrIdentification out = identified(problem, G, p, velocity_after);
  const Vector rest = velocity_after - after_impulses(problem, p);
  out.unexplained =
      std::sqrt(problem.mass.kinetic_energy(rest) / problem.mass.kinetic_energy(jump));
  return out;
}

}  // namespace percute::analysis
