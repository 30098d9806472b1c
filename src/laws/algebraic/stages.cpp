// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"

#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace percute::laws {

namespace {

std::string contact_name(std::size_t i) {
  return "contacts[" + std::to_string(i) + "]";
}

}  // namespace

AlgebraicWorkspace::Memory& AlgebraicWorkspace::memory() {
  if (!memory_) memory_ = std::make_shared<Memory>();
  return *memory_;
}

void NormalSpace::assign(const ImpactProblem& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  problem.mass.whiten(problem.gradients, X_);
  G.resize(m, m);
  for (Eigen::Index j = 0; j < m; ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      G(i, j) = X_.col(i).dot(X_.col(j));
      G(j, i) = G(i, j);
    }
  }
  U.noalias() = problem.gradients.transpose() * problem.velocity;
  scale = scales(problem, Vector(G.diagonal()));
}

NormalRows::NormalRows(const ImpactProblem& problem, AlgebraicWorkspace::Memory& memory,
                       bool redundant)
    : problem_(problem),
      memory_(memory),
      redundant_(redundant),
      energy_(problem.mass.kinetic_energy(problem.velocity)),
      total_(Vector::Zero(memory.space.U.size())) {}

Stage NormalRows::stage(const StageContacts& contacts, const Vector& U, Vector& p) {
  const bool all = static_cast<Eigen::Index>(contacts.contacts.size()) == U.size();
  if (!all) {
    memory_.A = memory_.space.G(contacts.contacts, contacts.contacts);
    memory_.U = U(contacts.contacts);
  }
  p.setZero(static_cast<Eigen::Index>(contacts.contacts.size()));
  return {contacts,   all ? memory_.space.G : memory_.A, all ? U : memory_.U, redundant_, energy_,
          memory_.lcp};
}

void NormalRows::add(const Stage& stage, const Vector& p, Vector& U) {
  // Work of the stage, ½ pᵀ(U + U⁺), before the gap rates move on.
  memory_.scratch = stage.G * p;
  energy_ += p.dot(stage.U) + 0.5 * p.dot(memory_.scratch);
  if (p.size() == total_.size()) {
    total_ += p;
  } else {
    total_(stage.contacts) += p;
  }
  U = memory_.space.U;
  U.noalias() += memory_.space.G * total_;
}

ImpactResult start_result(const ImpactProblem& problem) {
  ImpactResult result;
  result.velocity = problem.velocity;
  result.impulse = Vector::Zero(static_cast<Eigen::Index>(problem.contacts.size()));
  result.status = Status::NoImpact;
  notes_of(result) = {};
  return result;
}

void set_impulses(const ImpactProblem& problem, const Vector& p, ImpactResult& result) {
  result.impulse = p;
  result.velocity = problem.velocity + problem.mass.solve(Vector(problem.gradients * p));
}

void note_stored(const ImpactProblem& problem, ImpactResult& result) {
  for (const Contact& contact : problem.contacts) result.energy.stored += contact.stored_energy;
}

void note_common(const ImpactProblem& problem, const NormalSpace& space, ImpactResult& result) {
  note_stored(problem, result);
  result.non_unique_impulse = numerics::semidefinite_rank(space.G) < space.G.rows();
}

void require_restitution(const ImpactProblem& problem, double largest) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double e = problem.contacts[i].material.restitution;
    if (e >= 0.0 && e <= largest) continue;
    throw InvalidInput(contact_name(i) + ".restitution",
                       text(e) + " is not in [0, " + text(largest) + "]");
  }
}

double common_restitution(const ImpactProblem& problem, const std::optional<double>& given) {
  if (given) return *given;
  require_restitution(problem);
  if (problem.contacts.empty()) return 0.0;
  const double first = problem.contacts.front().material.restitution;
  for (std::size_t i = 1; i < problem.contacts.size(); ++i) {
    const double e = problem.contacts[i].material.restitution;
    if (e == first) continue;
    throw InvalidInput("law.restitution", "is missing: this law takes one coefficient, and the " +
                                              std::string("contacts have different ones, ") +
                                              text(first) + " at " + contact_name(0) + " and " +
                                              text(e) + " at " + contact_name(i));
  }
  return first;
}

Status solve_lcp(const Stage& stage, const Matrix& A, const Vector& b,
                 numerics::LcpSolution& solution) {
  stage.lcp.solve(A, b, {.scale = stage.scale.velocity}, solution);
  const Status status = note_work(stage, solution);
  // Extreme mass ratios: as good as rounding of G p allows, and good enough.
  if (status == Status::NotTerminated &&
      solution.error <= std::min(8.0 * solution.rounding, 1e-9)) {
    return Status::Ok;
  }
  // Where nothing separates there is a solution, which rounding may hide.
  const bool hidden = stage.U.maxCoeff() <= stage.scale.gap_rate_tol;
  return status == Status::Infeasible && hidden ? Status::NotTerminated : status;
}

Status solve_impulses(const Stage& stage, const Vector& b, numerics::LcpSolution& solution,
                      Vector& p) {
  solution.z.resize(0);
  const Status status = solve_lcp(stage, stage.G, b, solution);
  p = solution.z;
  select_impulses(stage, p);
  return status;
}

Status solve_equations(const Stage& stage, const Vector& rhs, Vector& p) {
  if (numerics::semidefinite_rank(stage.G) < stage.size()) return Status::Singular;
  const auto factors = stage.G.ldlt();
  p = factors.solve(rhs);
  // Nearly dependent contacts: refine with residuals that are more accurate than the matrix.
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  for (int pass = 0; pass < 2; ++pass) {
    Wide residual = rhs.cast<long double>();
    for (Eigen::Index j = 0; j < p.size(); ++j) {
      residual -= stage.G.col(j).cast<long double>() * static_cast<long double>(p[j]);
    }
    p += factors.solve(Vector(residual.cast<double>()));
  }
  const double sum = (stage.G.cwiseAbs() * p.cwiseAbs()).maxCoeff();
  const double rounding = std::numeric_limits<double>::epsilon() * sum;
  // Later stages may be faster than the first.
  const double visible = std::max(stage.scale.gap_rate_tol, 1e-10 * rhs.cwiseAbs().maxCoeff());
  return rounding <= 0.25 * visible ? Status::Ok : Status::Singular;
}

void select_impulses(const Stage& stage, Vector& p) {
  // A part of independent contacts is independent.
  if (stage.redundant && stage.options.impulse_selection == ImpulseSelection::LeastNorm) {
    // Contacts that only nearly depend on one another may have no choice after all.
    const Vector least = numerics::least_norm_impulse(stage.G, p);
    const double change = (stage.G * (least - p)).cwiseAbs().maxCoeff();
    // Large impulses (a heavy body between light ones) change by their own rounding.
    const double sum = (stage.G.cwiseAbs() * p.cwiseAbs()).maxCoeff();
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * sum;
    const double tolerance = stage.scale.gap_rate_tol;
    if (change <= std::max(0.1 * tolerance, std::min(rounding, 0.5 * tolerance))) p = least;
  }
}

}  // namespace percute::laws
