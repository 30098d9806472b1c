// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <memory>

namespace percute::systems {

/// Solver of systems whose mass matrix is diagonal and never changes, and that have no stiffness.
std::unique_ptr<MassSolver> diagonal_solver(Vector diagonal);

}  // namespace percute::systems
