// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <optional>
#include <string>

namespace percute::simulation {

/// Throws InvalidInput, naming the step, unless steps of this length make a run.
void validate_step(double step, const RunOptions& run);

/// Largest ω of K φ = ω² M φ at q, rad/s; none where the system does not tell its stiffness.
/// Methods that are explicit in q blow up at steps of 2/ω and above.
std::optional<double> highest_frequency(const systems::AnySystem& system, const Vector& q);

/// Steps that are too long for the fastest vibration, which then is not resolved, in words for the
/// warnings of a run; empty where they are not.
std::string unresolved_vibration(const systems::AnySystem& system, const Vector& q, double step);

/// The same of forces that change in time: fewer than four steps in a cycle of a base that shakes.
std::string unresolved_forces(const systems::AnySystem& system, double time, double step);

}  // namespace percute::simulation
