// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/elastic_friction.hpp"

#include "selftest/measures.hpp"
#include "selftest/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::selftest {

namespace {

constexpr double kTolerance = 1e-10;
/// A tenth of the 100 tolerances by which an answer may be off: so small that it tells the slope of
/// the outcome, and well above the rounding of the data.
constexpr double kChange = 1e-9;
constexpr double kErrors = 100.0 * kTolerance / kChange;

/// v⁻ changed by 1e-9 of itself, so that what rests stays at rest; with `geometry` gradients and
/// tangents likewise.
ImpactProblem changed(const ImpactProblem& problem, bool geometry, Random random) {
  const auto change = [&](double& x) { x *= 1.0 + random.uniform(-kChange, kChange); };
  ImpactProblem out = problem;
  for (double& v : out.velocity) change(v);
  if (!geometry) return out;
  for (SparseMatrix* H : {&out.gradients, &out.tangents}) {
    for (int i = 0; i < H->outerSize(); ++i) {
      for (SparseMatrix::InnerIterator entry(*H, i); entry; ++entry) change(entry.valueRef());
    }
  }
  return out;
}

/// It went on until it was told to stop.
bool cut(const laws::Lzb& law, const Diagnostics& d) {
  return d.events >= law.max_events || d.steps + d.rejected >= law.max_steps;
}

}  // namespace

ImpactProblem made_elastic(ImpactProblem problem) {
  for (Contact& contact : problem.contacts) {
    Material& material = contact.material;
    material = {.restitution = 1.0,
                .stiffness = material.stiffness,
                .exponent = material.exponent,
                .friction = material.friction};
  }
  return problem;
}

laws::Lzb lzb_of_elastic_contacts() {
  laws::Lzb law;
  law.reengagement = laws::Lzb::Reengagement::TrackedGap;
  law.tolerance = kTolerance;
  // Bodies caught between others go to and fro for ever.
  law.max_steps = 20'000;
  law.max_events = 2'000;
  return law;
}

laws::Compliant compliant_of_elastic_contacts() {
  laws::Compliant law;
  law.force = laws::Compliant::Force::Power;
  law.tolerance = kTolerance;
  // More than what `lzb` may use: where that has an answer this one has no excuse.
  law.max_steps = 50'000;
  law.max_events = 5'000;
  return law;
}

bool ElasticFriction::sensitive() const {
  return compared && !agree() && std::isfinite(difference) && difference <= kErrors * spread;
}

ElasticFriction compare_elastic(const ImpactProblem& problem) {
  ElasticFriction out;
  out.problem = made_elastic(problem);
  const laws::Lzb law = lzb_of_elastic_contacts();
  out.lzb = percute::resolve(out.problem, law);
  if (out.lzb.status == Status::NotTerminated && cut(law, out.lzb.diagnostics)) {
    return out;  // what one law cannot bring to an end is not asked of the other
  }
  out.asked = true;
  laws::Compliant compliant = compliant_of_elastic_contacts();
  const Diagnostics& d = out.lzb.diagnostics;
  compliant.max_steps = std::min(compliant.max_steps, 5'000 + 20 * (d.steps + d.rejected));
  out.compliant = percute::resolve(out.problem, compliant, Recording{.every = 1});
  out.compared = out.lzb.ok();
  if (!out.compared) return out;
  const double velocity = std::max(largest(out.problem.velocity), scales(out.problem).velocity);
  out.allowed = 1e-7 * velocity;
  out.answered = out.compliant.ok() || out.lzb.status == Status::Zeno;
  out.difference = out.answered ? largest(out.compliant.velocity - out.lzb.velocity)
                                : std::numeric_limits<double>::infinity();
  if (!out.agree() && out.answered) out.spread = outcome_spread(out.problem, out.lzb);
  return out;
}

double outcome_spread(const ImpactProblem& elastic, const ImpactResult& lzb) {
  constexpr std::uint64_t kTrials = 4;
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  const Diagnostics& d = lzb.diagnostics;
  laws::Lzb law = lzb_of_elastic_contacts();
  law.max_steps = std::min(law.max_steps, 1000 + 4 * (d.steps + d.rejected));
  law.max_events = std::min(law.max_events, 100 + 4 * d.events);
  double worst = 0.0;
  int answers = 0;
  for (const bool geometry : {false, true}) {
    for (std::uint64_t k = 0; k < kTrials; ++k) {
      const Random random(0x73707264U, k);
      const ImpactResult other = percute::resolve(changed(elastic, geometry, random), law);
      // Whether infinite friction has an answer at all hangs on less than 1e-9.
      if (other.status == Status::NoSlipSolution) return kUnknown;
      // One that does not end measures nothing: contacts that were redundant have become nearly so,
      // which may be much harder.
      if (!other.ok()) continue;
      ++answers;
      worst = std::max(worst, largest(other.velocity - lzb.velocity));
    }
  }
  return answers > 0 ? worst : kUnknown;
}

double beyond_coulomb(const ImpactProblem& problem, const ImpactHistory& history) {
  if (history.tangential_impulse.size() == 0) return 0.0;
  const ImpactScales scale = scales(problem);
  double worst = 0.0;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    const double friction = problem.contacts[i].material.friction;
    const auto contact = static_cast<Eigen::Index>(i);
    const double unit = scale.effective_mass[contact] * scale.velocity;
    for (Eigen::Index k = 1; k < history.time.size() && d > 0 && std::isfinite(friction); ++k) {
      const double pressed = history.impulse(contact, k) - history.impulse(contact, k - 1);
      const auto sheared = history.tangential_impulse.block(row, k, d, 1) -
                           history.tangential_impulse.block(row, k - 1, d, 1);
      worst = std::max(worst, (sheared.norm() - friction * pressed) / unit);
    }
    row += d;
  }
  return worst;
}

double energy_gained(const ImpactHistory& history) {
  double least = std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (Eigen::Index k = 0; k < history.time.size(); ++k) {
    const double energy = history.kinetic_energy[k] + history.stored_energy.col(k).sum();
    worst = std::max(worst, energy - least);
    least = std::min(least, energy);
  }
  return worst;
}

}  // namespace percute::selftest
