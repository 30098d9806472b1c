// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

namespace percute::selftest {

/// The same impact with its contacts in reverse order.
ImpactProblem with_contacts_reversed(const ImpactProblem& problem);

/// Contact i once more, as the last one.
void repeat_contact(ImpactProblem& problem, int i);

/// Contact 0 as two contacts that share its force: λ = K ξ^η is additive in K.
ImpactProblem with_a_contact_halved(const ImpactProblem& problem);

/// Other tangents of the same planes: turned by 0.7 radians, or the other way in the plane.
ImpactProblem with_tangents_turned(const ImpactProblem& problem);

/// All coefficients of friction that are not 0 replaced by one.
ImpactProblem with_friction(const ImpactProblem& problem, double friction);

}  // namespace percute::selftest
