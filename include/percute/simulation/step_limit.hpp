// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <optional>

namespace percute::simulation {

/// Largest ω of K φ = ω² M φ at q, rad/s; none where the system does not tell its stiffness.
/// Methods that are explicit in q blow up at steps of 2/ω and above.
std::optional<double> highest_frequency(const systems::AnySystem& system, const Vector& q);

}  // namespace percute::simulation
