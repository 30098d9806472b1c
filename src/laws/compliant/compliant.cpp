// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "laws/compliant/applicable.hpp"
#include "laws/compliant/compliant_run.hpp"
#include "model/text.hpp"

#include <percute/laws/compliant.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::laws {

void check_applicable(const ImpactProblem& problem, const Compliant& law) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const std::string name = "contacts[" + std::to_string(i) + "]";
    if (contact.material.restitution > 1.0) {
      throw InvalidInput(name + ".restitution",
                         text(contact.material.restitution) + " is not in [0, 1]");
    }
    if (law.regularisation_velocity && std::isinf(contact.material.friction)) {
      throw InvalidInput(name + ".friction",
                         "inf is not finite, as law.regularisation_velocity needs it");
    }
    if (contact.stored_energy > 0.0 && !ContactForce::precompressible(law.force)) {
      throw InvalidInput(name + ".stored_energy",
                         text(contact.stored_energy) +
                             " is not 0: with this force an energy does not tell how far a contact "
                             "is compressed");
    }
  }
}

bool ignores_restitution(const ImpactProblem& problem, Compliant::Force force) {
  using Force = Compliant::Force;
  if (force == Force::LankaraniNikravesh || force == Force::ExactRestitution ||
      force == Force::BiStiffness) {
    return false;
  }
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return contact.material.restitution < 1.0; });
}

namespace {

ImpactResult solve(const ImpactProblem& problem, const Compliant& law, const Recording* recording) {
  validate(law);
  check_applicable(problem, law);
  const int m = static_cast<int>(problem.contacts.size());
  std::optional<Recorder> recorder;
  if (recording != nullptr) recorder.emplace(m, *recording);
  const contact::FrictionRows rows = contact::friction_rows(problem.contacts);
  FrozenMechanism mechanism(problem, rows);
  ImpactResult result =
      CompliantRun(problem, law, mechanism, rows, recorder ? &*recorder : nullptr).run();
  result.diagnostics.tolerance = law.tolerance;
  result.diagnostics.friction_ignored = friction_without_tangents(problem);
  result.diagnostics.restitution_ignored = ignores_restitution(problem, law.force);
  return result;
}

}  // namespace

ImpactResult Compliant::operator()(const ImpactProblem& problem) const {
  return solve(problem, *this, nullptr);
}

ImpactResult Compliant::operator()(const ImpactProblem& problem, const Recording& recording) const {
  return solve(problem, *this, &recording);
}

void validate(const Compliant& law) {
  require_option(law.tolerance >= 1e-12 && law.tolerance <= 1e-3, "tolerance", law.tolerance,
                 "between 1e-12 and 1e-3");
  if (law.regularisation_velocity) {
    require_option(
        std::isfinite(*law.regularisation_velocity) && *law.regularisation_velocity > 0.0,
        "regularisation_velocity", *law.regularisation_velocity, "a finite number > 0");
  }
  if (law.minimum_speed) {
    require_option(std::isfinite(*law.minimum_speed) && *law.minimum_speed > 0.0, "minimum_speed",
                   *law.minimum_speed, "a finite number > 0");
  }
  require_option(law.max_steps > 0, "max_steps", static_cast<double>(law.max_steps), "at least 1");
  require_option(law.max_events > 0, "max_events", static_cast<double>(law.max_events),
                 "at least 1");
}

}  // namespace percute::laws
