// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/termination.hpp>
#include <percute/model/fields.hpp>

#include <algorithm>

namespace percute::analysis {

namespace {

using Diagnosis = Termination::Diagnosis;

Diagnosis diagnosis_of(const ImpactResult& result) {
  switch (result.status) {
    case Status::NoImpact:
      return Diagnosis::NothingToDo;
    case Status::Ok:
      return Diagnosis::Finite;
    case Status::Zeno:
      return Diagnosis::Accumulation;
    case Status::Cycle:
      return Diagnosis::Cycle;
    case Status::NotTerminated:
      // A cascade that was told not to finish leaves its residual.
      return result.diagnostics.residual_velocity ? Diagnosis::Accumulation : Diagnosis::Limit;
    case Status::StepUnderflow:
      return Diagnosis::Limit;
    default:
      return Diagnosis::NoAnswer;
  }
}

/// Impulse of the last collision over that of the same contact before.
std::optional<double> contraction(const std::vector<Collision>& sequence) {
  if (sequence.empty()) return {};
  const Collision& last = sequence.back();
  const auto before = std::find_if(sequence.rbegin() + 1, sequence.rend(),
                                   [&](const Collision& c) { return c.contact == last.contact; });
  if (before == sequence.rend() || !(before->impulse > 0.0)) return {};
  return last.impulse / before->impulse;
}

}  // namespace

Termination termination(const ImpactResult& result) {
  const Diagnostics& diagnostics = result.diagnostics;
  Termination out;
  out.diagnosis = diagnosis_of(result);
  out.residual = diagnostics.residual_velocity;
  out.collisions = diagnostics.events;
  out.iterations = diagnostics.steps;
  if (!diagnostics.algebraic) return out;
  const AlgebraicDiagnostics& algebraic = *diagnostics.algebraic;
  out.collisions = static_cast<long>(algebraic.sequence.size());
  out.stages = algebraic.stages;
  out.iterations = algebraic.iterations;
  if (out.diagnosis == Diagnosis::Accumulation) out.contraction = contraction(algebraic.sequence);
  return out;
}

bool collapses(const ImpactProblem& problem, double restitution, long limit) {
  validate(problem);
  constexpr double kFar = 1e100;  // so much faster than what is left that it will not come back
  const Matrix G = problem.mass.delassus(problem.gradients);
  Vector U = problem.gradients.transpose() * problem.velocity;
  if (U.size() == 0) return false;
  U /= std::max(U.cwiseAbs().maxCoeff(), scales(problem).velocity);
  const double rounding = 1e-14;
  for (long n = 0; n < limit; ++n) {
    Eigen::Index i = 0;
    const double approach = -U.minCoeff(&i);
    if (!(approach > (n == 0 ? rounding : 0.0))) return false;
    // Δp = −(1 + e) U_i/G_ii; only ratios of gap rates matter, so the approach is the unit.
    U = (U + G.col(i) * ((1.0 + restitution) * approach / G(i, i))) / approach;
    U[i] = restitution;
    U = U.cwiseMin(kFar);
  }
  return true;
}

double collapse_threshold(const ImpactProblem& problem) {
  constexpr int kHalvings = 24;
  if (!collapses(problem, 0.0)) return 0.0;
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (collapses(problem, middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace percute::analysis
