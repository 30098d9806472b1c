// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/invariants.hpp"

#include "numerics/delassus_operator.hpp"
#include "selftest/measures.hpp"
#include "selftest/random.hpp"

#include <percute/analysis/problem_analysis.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace percute::selftest {

namespace {

/// What the checks refer to.
struct Context {
  const ImpactProblem& problem;
  const laws::Lzb& law;
  const ImpactResult& result;
  ImpactScales scale;
  Vector approach;  ///< U⁻
  double stored = 0.0;
  double energy = 0.0;  ///< that takes part in the impact

  Context(const ImpactProblem& p, const laws::Lzb& l, const ImpactResult& r)
      : problem(p),
        law(l),
        result(r),
        scale(scales(p)),
        approach(p.gradients.transpose() * p.velocity) {
    for (const Contact& contact : p.contacts) stored += contact.stored_energy;
    energy = std::max(scale.energy, analysis::analyze(p).reachable_energy + stored);
  }

  ContactModel model(std::size_t i) const {
    return problem.contacts[i].material.contact_model.value_or(law.contact_model);
  }
};

/// Rounding of Wᵀ v: bodies may move together much faster than they approach.
double gap_rate_rounding(const Context& c) {
  double sum = 0.0;
  for (int i = 0; i < c.problem.gradients.outerSize(); ++i) {
    double row = 0.0;
    for (SparseMatrix::InnerIterator entry(c.problem.gradients, i); entry; ++entry) {
      row += std::abs(entry.value() * c.result.velocity[entry.row()]);
    }
    sum = std::max(sum, row);
  }
  return 1e-14 * sum;
}

/// What the law promises about energies, 10 tolerances, for up to 100 steps: each may be off by a
/// tenth of the tolerance, and the errors of further ones add up.
double energy_accuracy(const Context& c) {
  const double many = static_cast<double>(c.result.diagnostics.steps) / 100.0;
  return 10.0 * c.law.tolerance * std::max(1.0, many);
}

/// The same in J, and what rounding of the gap rates does to the work of the impulses.
double energy_bound(const Context& c) {
  return energy_accuracy(c) * c.energy + gap_rate_rounding(c) * c.result.impulse.sum();
}

/// Balances that hold at any instant of an impact, finished or not.
void check_balances(const Context& c, std::vector<Check>& checks) {
  const ImpactResult& result = c.result;
  const Vector before = c.problem.mass * c.problem.velocity;
  const Vector after = c.problem.mass * result.velocity;
  const Vector transferred = c.problem.gradients * result.impulse;
  const double momenta = std::max({largest(before), largest(after), largest(transferred)});
  checks.push_back({"momentum", largest(after - before - transferred), 1e-10 * momenta});

  const double kinetic = std::max(result.energy.before, c.scale.energy);
  checks.push_back({"work", std::abs(result.consistency.margins.identity), 1e-10 * kinetic});

  const double unsure = energy_bound(c);
  checks.push_back({"energy", -result.consistency.margins.energetic, unsure});
  checks.push_back({"ledger", std::abs(result.energy.balance_error), energy_accuracy(c)});
  if (result.impulse.size() > 0) {
    checks.push_back({"dissipation", -result.dissipated.minCoeff(), unsure});
    checks.push_back({"push", -result.impulse.minCoeff(), 0.0});
  }
}

/// What holds once the impact is over.
void check_end(const Context& c, std::vector<Check>& checks) {
  const ImpactResult& result = c.result;
  if (!result.ok() || result.impulse.size() == 0) return;
  checks.push_back(
      {"separation", -result.gap_rate.minCoeff(), c.scale.gap_rate_tol + gap_rate_rounding(c)});
  checks.push_back({"spent", result.energy.stored, 1e-9 * c.energy});

  bool elastic = true;
  for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
    const Material& material = c.problem.contacts[i].material;
    elastic = elastic && material.restitution == 1.0 && c.model(i) != ContactModel::TriStiffness;
  }
  // A cascade that was cut short loses what was left, also with elastic contacts.
  if (elastic && result.status == Status::Ok) {
    checks.push_back({"elastic", std::abs(result.consistency.margins.energetic), energy_bound(c)});
  }
  const bool single =
      c.problem.contacts.size() == 1 && c.stored == 0.0 && c.model(0) != ContactModel::TriStiffness;
  if (single && result.status == Status::Ok) {
    const double e = c.problem.contacts[0].material.restitution;
    checks.push_back({"restitution", std::abs(result.gap_rate[0] + e * c.approach[0]),
                      100.0 * c.law.tolerance * c.scale.velocity + gap_rate_rounding(c)});
  }
}

/// A status without its reason counts as 1.
double dishonest(const Context& c) {
  const Diagnostics& d = c.result.diagnostics;
  switch (c.result.status) {
    case Status::Ok:
    case Status::NoImpact:
      return 0.0;
    case Status::Zeno: {
      // Many contacts: cascades may end where the tolerance resolves them no longer.
      const bool many = c.result.impulse.size() > numerics::DelassusOperator::kLargestSmall;
      const double slow = std::max(c.law.collapse_velocity, many ? 10.0 * c.law.tolerance : 0.0);
      const bool told = d.residual_velocity && *d.residual_velocity <= slow * c.scale.velocity;
      return told && d.events > 10 ? 0.0 : 1.0;
    }
    case Status::NotTerminated: {
      const bool limit = d.events >= c.law.max_events || d.steps + d.rejected >= c.law.max_steps;
      // Precompressed contacts whose forces cancel push for ever and move nothing.
      const bool balance =
          c.result.energy.stored > 0.0 && largest(c.result.gap_rate) <= c.scale.gap_rate_tol;
      return limit || balance ? 0.0 : 1.0;
    }
    default:
      return 1.0;
  }
}

void check_status(const Context& c, std::vector<Check>& checks) {
  const bool approaching = c.approach.size() > 0 && c.approach.minCoeff() < -c.scale.gap_rate_tol;
  const bool expected = !approaching && c.stored == 0.0;
  const bool found = c.result.status == Status::NoImpact;
  checks.push_back({"no_impact", expected == found ? 0.0 : 1.0, 0.0});
  if (found) {
    const double change =
        largest(c.result.velocity - c.problem.velocity) + largest(c.result.impulse);
    checks.push_back({"unchanged", change, 0.0});
  }
  checks.push_back({"status", dishonest(c), 0.0});
}

}  // namespace

std::vector<Check> check_result(const ImpactProblem& problem, const laws::Lzb& law,
                                const ImpactResult& result) {
  const Context context(problem, law, result);
  std::vector<Check> checks;
  checks.push_back({"finite", not_finite(result), 0.0});
  check_balances(context, checks);
  check_end(context, checks);
  check_status(context, checks);
  return checks;
}

double agreement_bound(const ImpactProblem& problem, const laws::Lzb& law) {
  const double vs = scales(problem).velocity;
  // Velocities of bodies that move together are known to their own rounding only.
  return 200.0 * law.tolerance * vs + 1e-14 * largest(problem.velocity);
}

double amplification(const ImpactProblem& problem, const laws::Lzb& law) {
  const double vs = scales(problem).velocity;
  // The runs compared must be far more accurate than the changes are small.
  laws::Lzb fine = law;
  fine.tolerance = std::max(1e-13, 0.01 * law.tolerance);
  const Vector exact = fine(problem).velocity;
  double factor = 1.0;
  bool compared = false;
  Random random(/*seed=*/1, /*stream=*/0);
  for (const double steps : {1.0, 1.0, 30.0, 30.0, 1000.0, 1000.0}) {
    const double size = steps * law.tolerance * vs;
    ImpactProblem changed = problem;
    for (double& v : changed.velocity) v += random.chance(0.5) ? size : -size;
    const ImpactResult result = fine(changed);
    if (!result.ok()) continue;
    compared = true;
    factor = std::max(factor, largest(result.velocity - exact) / size);
  }
  return compared ? factor : std::numeric_limits<double>::infinity();
}

std::uint64_t fingerprint(const ImpactResult& result) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&hash](std::uint64_t word) {
    for (unsigned byte = 0; byte < 8; ++byte) {
      hash = (hash ^ ((word >> (8U * byte)) & 0xFFU)) * 0x100000001B3U;
    }
  };
  for (const Vector* values : {&result.velocity, &result.impulse, &result.dissipated}) {
    add(static_cast<std::uint64_t>(values->size()));
    for (const double value : *values) add(std::bit_cast<std::uint64_t>(value));
  }
  add(static_cast<std::uint64_t>(result.status));
  return hash;
}

}  // namespace percute::selftest
