// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/compliant_run.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>

#include <numeric>

namespace percute::simulation {

void validate(const CompliantMotion& method) {
  laws::validate(method.law);
  require_ranges("simulation", method);
  validate(method.run);
}

Run CompliantMotion::operator()(const systems::AnySystem& system, const Moment& start,
                                const Observer& observer) const {
  validate(*this);
  if (system.joints() > 0) {
    throw InvalidInput("simulation.method",
                       "moves compliant contacts of systems without joints only; this one has " +
                           std::to_string(system.joints()));
  }
  std::vector<int> all(static_cast<std::size_t>(system.contacts()));
  std::iota(all.begin(), all.end(), 0);
  const ImpactProblem problem =
      systems::impact_problem(system, start.state.position, start.state.velocity, all);
  laws::check_applicable(problem, law);
  const contact::FrictionRows rows = contact::friction_rows(problem.contacts);
  MovingMechanism mechanism(system, rows);
  CompliantRun motion(*this, system, mechanism, rows, start, observer);
  const bool lossy =
      std::any_of(problem.contacts.begin(), problem.contacts.end(),
                  [](const Contact& contact) { return contact.material.restitution < 1.0; });
  if (lossy && !law.uses_restitution()) {
    motion.warn("this force has no coefficient of restitution: material.restitution is not used");
  }
  return motion.run();
}

}  // namespace percute::simulation
