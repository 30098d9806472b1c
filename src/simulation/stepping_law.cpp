// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/stepping_law.hpp"

#include "numerics/orthogonal_factor.hpp"
#include "simulation/recalled.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

constexpr double kUnknown = -1.0;

/// What a law makes of one impact, or nothing if it has no answer.
bool ask(const AnyLaw& law, const ImpactProblem& problem, Vector& velocity) {
  try {
    const ImpactResult result = law(problem);
    velocity = result.velocity;
    return result.status == Status::Ok && velocity.allFinite();
  } catch (const InvalidInput&) {
    return false;  // a law that needs other contacts than one
  }
}

/// −U_t⁺/U_t⁻ where friction is ample: 1 where a law acts on the mean of sliding velocities before
/// and after an impact (Frémond 1995), 0 where it acts on those after it (Moreau 1988).
double tangential_restitution(const AnyLaw& law) {
  constexpr double kSliding = 0.1;
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.gradients = Matrix(Eigen::Vector2d(0.0, 1.0)).sparseView();
  problem.velocity = Eigen::Vector2d(kSliding, -1.0);
  problem.contacts.emplace_back();
  problem.contacts[0].material.friction = 10.0;
  set_tangents(problem, {Eigen::Vector2d(1.0, 0.0)});
  Vector after;
  if (!ask(law, problem, after)) return 0.0;
  const double restitution = -after[0] / kSliding;
  // A law without friction leaves it as it is.
  return restitution > -0.5 ? std::clamp(restitution, 0.0, 1.0) : 0.0;
}

}  // namespace

SteppingLaw::SteppingLaw(const AnyLaw& law, int contacts, const std::vector<double>& known)
    : law_(law), restitution_(known), tangential_(tangential_restitution(law)) {
  if (known.empty()) restitution_.assign(static_cast<std::size_t>(contacts), kUnknown);
  const Recalled recalled(restitution_);
  recalled.require_size(static_cast<std::size_t>(contacts), "one per contact");
  for (std::size_t i = 0; i < restitution_.size(); ++i) {
    const double e = restitution_[i];
    if (e != kUnknown && !(e >= 0.0 && e <= 1.0)) recalled.refuse(i, "from 0 to 1, or -1");
  }
}

/// −U⁺/U⁻ of contact i alone, without friction, at this speed; found when it is first closed.
double SteppingLaw::restitution(const ImpactProblem& problem, int i, int index, double speed) {
  double& known = restitution_[static_cast<std::size_t>(index)];
  if (known != kUnknown) return known;
  ImpactProblem alone;
  alone.mass = problem.mass;
  alone.gradients = problem.gradients.col(i);
  alone.contacts = {problem.contacts[static_cast<std::size_t>(i)]};
  alone.contacts[0].material.friction = 0.0;
  alone.contacts[0].directions = 0;
  const Vector column = Matrix(problem.gradients.col(i)).col(0);
  const Vector response = problem.mass.solve(column);
  alone.velocity = -speed / column.dot(response) * response;
  Vector after;
  const double e =
      ask(law_, alone, after) ? column.dot(after) / speed : alone.contacts[0].material.restitution;
  known = std::clamp(e, 0.0, 1.0);
  return known;
}

SteppingLaw::Outcome SteppingLaw::operator()(const ImpactProblem& problem,
                                             const std::vector<int>& indices, const Vector& free) {
  const auto m = static_cast<Eigen::Index>(indices.size());
  Eigen::Index rows = m;
  for (const Contact& contact : problem.contacts) rows += contact.directions;
  const Eigen::Index n = free.size();
  Matrix H(n, rows);
  H.leftCols(m) = problem.gradients;
  Eigen::Index row = m;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    if (d > 0) H.middleCols(row, d) = tangents_of(problem, i);
    row += d;
  }
  const Vector U_k = H.transpose() * problem.velocity;
  const Vector U_free = H.transpose() * free;
  const double speed = std::max(U_k.cwiseAbs().maxCoeff(), U_free.cwiseAbs().maxCoeff());

  // ṽ = v_free + M⁻¹ H λ with the rows asked for; the free velocities where nothing was faster.
  Vector change(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double e =
        i < m ? restitution(problem, static_cast<int>(i), indices[static_cast<std::size_t>(i)],
                            U_k[i] < 0.0 ? -U_k[i] : std::max(speed, 1e-12))
              : tangential_;
    change[i] = e / (1.0 + e) * (U_k[i] - U_free[i]);
  }
  ImpactProblem seen = problem;
  seen.velocity = free;
  if (!change.isZero(0.0)) {
    const Matrix response = problem.mass.solve(H);
    const Matrix G = H.transpose() * response;
    seen.velocity += response * numerics::OrthogonalFactor(G).solve(change);
  }

  const ImpactResult result = law_(seen);
  Outcome outcome;
  outcome.status = result.status;
  outcome.reason = result.diagnostics.reason;
  outcome.impulse = result.impulse.size() == m ? result.impulse : Vector(Vector::Zero(m));
  outcome.velocity =
      result.status == Status::NoImpact ? free : Vector(free + result.velocity - seen.velocity);
  outcome.active = result.status != Status::NoImpact && outcome.impulse.cwiseAbs().maxCoeff() > 0.0;
  if (outcome.active) {
    // Work of all impulses: M (v⁺ − ṽ) is their sum.
    const Vector sum = problem.mass * Vector(result.velocity - seen.velocity);
    outcome.lost = -0.5 * sum.dot(problem.velocity + outcome.velocity);
  }
  return outcome;
}

}  // namespace percute::simulation
