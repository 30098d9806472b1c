// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "model/text.hpp"

#include <percute/laws/impulse_ratios.hpp>

#include <cmath>
#include <string>

namespace percute::laws {

namespace {

using Closure = ImpulseRatios::Closure;
using Terminate = ImpulseRatios::Terminate;

void require_direction(const Vector& a, Eigen::Index m) {
  if (a.size() != m) {
    throw InvalidInput("law.direction", "has " + std::to_string(a.size()) + " numbers; there are " +
                                            std::to_string(m) +
                                            " contacts (p_next_over_p_prev and "
                                            "p_prev_over_p_next take one number less)");
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    require_option(std::isfinite(a[i]) && a[i] >= 0.0, "direction", a[i], "a finite number >= 0");
  }
}

/// Scale s of p = s a at gap rates U and a kinetic energy, for the given closure.
Status scale_of_ray(const ImpulseRatios& law, const Stage& stage, const Vector& U, double energy,
                    const Vector& a, double e, double& s) {
  const double b = a.dot(U);
  const Vector Ga = stage.G * a;
  const double c = a.dot(Ga);
  s = 0.0;
  // Approach within the tolerance is none, as everywhere: its sign may be that of rounding.
  if (!(b < -stage.scale.gap_rate_tol * a.sum()) || !(c > 0.0)) return Status::RayNotCompressive;
  if (law.closure == Closure::TotalEnergy) {
    // T⁻ + b s + ½ c s² = KER T⁻, the root that does not vanish with KER → 1
    const double missing = 2.0 * c * (1.0 - law.energy_ratio) * energy;
    const double discriminant = b * b - missing;
    // Rounding must not hide the smallest ratio itself.
    if (discriminant < -1e-14 * std::max(b * b, missing)) {
      stage.diagnostics.energy_bound = 1.0 - b * b / (2.0 * c * energy);
      return Status::EnergyUnreachable;
    }
    s = (-b + std::sqrt(std::max(discriminant, 0.0))) / c;
    return Status::Ok;
  }
  if (law.terminate == Terminate::Primary) {
    // The primary contact alone decides: p_j = −(1 + e) U_j / (G a)_j for a_j = 1.
    Eigen::Index j = 0;
    const double approach = U.minCoeff(&j);
    if (!(Ga[j] > 0.0)) return Status::RayNotCompressive;
    s = -(1.0 + e) * approach / Ga[j];
    return Status::Ok;
  }
  s = -(1.0 + e) * b / c;
  return Status::Ok;
}

/// Rays for the primary contact of the moment, until nothing approaches.
Status solve_incrementally(const ImpulseRatios& law, const Stage& stage, double e, Vector& p) {
  const Eigen::Index k = stage.size();
  Vector U = stage.U;
  double energy = stage.energy;
  long rounds = 0;
  while (U.minCoeff() < -stage.scale.gap_rate_tol) {
    if (++rounds > law.options.max_stages) return Status::NotTerminated;
    Eigen::Index primary = 0;
    U.minCoeff(&primary);
    const Vector all = law.ratios(stage.contacts[static_cast<std::size_t>(primary)]);
    require_direction(all, static_cast<Eigen::Index>(stage.problem.contacts.size()));
    const Vector a = all(stage.contacts);
    double s = 0.0;
    const Status status = scale_of_ray(law, stage, U, energy, a, e, s);
    if (!accepted(status)) return status;
    const Vector dp = s * a;
    energy += dp.dot(U) + 0.5 * dp.dot(stage.G * dp);
    p += dp;
    U = stage.U + stage.G * p;
  }
  stage.diagnostics.iterations += rounds;
  return k > 0 ? Status::Ok : Status::NoImpact;
}

/// Impulses of a row from the ratios of neighbours, the first being 1.
Vector along_row(std::span<const double> ratios, const char* option, bool previous_over_next) {
  Vector a = Vector::Ones(static_cast<Eigen::Index>(ratios.size()) + 1);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const double r = ratios[i];
    require_option(std::isfinite(r) && (previous_over_next ? r > 0.0 : r >= 0.0), option, r,
                   previous_over_next ? "a finite number > 0" : "a finite number >= 0");
    const auto k = static_cast<Eigen::Index>(i);
    a[k + 1] = previous_over_next ? a[k] / r : a[k] * r;
  }
  return a;
}

}  // namespace

ImpactResult ImpulseRatios::operator()(const ImpactProblem& problem) const {
  validate(*this);
  if (!ratios) require_direction(direction, static_cast<Eigen::Index>(problem.contacts.size()));
  const double e =
      closure == Closure::RayEnergetic ? common_restitution(problem, restitution) : 1.0;
  AlgebraicWorkspace workspace;
  // The incremental law starts again by itself: all contacts stay in.
  AlgebraicOptions how = options;
  if (ratios) how.separating = Separating::IncludeRaw;
  return in_stages(
      problem, how, workspace.memory(), Promise::None, [&](const Stage& stage, Vector& p) {
        if (ratios) return solve_incrementally(*this, stage, e, p);
        const Vector a = direction(stage.contacts);
        double s = 0.0;
        const Status status = scale_of_ray(*this, stage, stage.U, stage.energy, a, e, s);
        p = s * a;
        return status;
      });
}

void validate(const ImpulseRatios& law) {
  require_ranges("law", law);
  if (law.ratios) return;
  if (law.direction.size() == 0) {
    throw InvalidInput("law.direction",
                       "is missing; give direction, p_next_over_p_prev or p_prev_over_p_next");
  }
  require_direction(law.direction, law.direction.size());
  if (law.direction.maxCoeff() == 0.0) throw InvalidInput("law.direction", "is zero");
  if (law.closure == Closure::TotalEnergy && law.terminate == Terminate::Primary) {
    throw InvalidInput("law.terminate", "primary is for closure ray_energetic only");
  }
}

Vector from_next_over_previous(std::span<const double> ratios) {
  return along_row(ratios, "p_next_over_p_prev", false);
}

Vector from_previous_over_next(std::span<const double> ratios) {
  return along_row(ratios, "p_prev_over_p_next", true);
}

}  // namespace percute::laws
