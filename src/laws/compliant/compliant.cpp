// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
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
  return result;
}

}  // namespace

ImpactResult Compliant::operator()(const ImpactProblem& problem) const {
  return solve(problem, *this, nullptr);
}

ImpactResult Compliant::operator()(const ImpactProblem& problem, const Recording& recording) const {
  return solve(problem, *this, &recording);
}

bool Compliant::uses_restitution() const {
  return force == Force::LankaraniNikravesh || force == Force::ExactRestitution ||
         force == Force::BiStiffness;
}

std::string title(const Compliant& law) {
  return "compliant (" + std::string(name_of(law.force)) + ", tol " +
         tolerance_text(law.tolerance) + ")";
}

void validate(const Compliant& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws
