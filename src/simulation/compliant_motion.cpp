// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/compliant_integrator.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>

namespace percute::simulation {

void validate(const CompliantMotion& method) {
  laws::validate(method.law);
  if (!(method.tolerance >= 1e-13 && method.tolerance <= 1e-3)) {
    throw InvalidInput("simulation.tolerance",
                       text(method.tolerance) + " is not between 1e-13 and 1e-3");
  }
  validate(method.run);
}

Run CompliantMotion::operator()(const systems::AnySystem& system, const Moment& start,
                                const Observer& observer) const {
  validate(*this);
  return CompliantIntegrator(*this, system, start, observer).run();
}

}  // namespace percute::simulation
