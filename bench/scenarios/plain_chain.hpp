// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::bench {

/// Velocities after the first ball of an elastic Hertz chain, unit masses and stiffnesses, has
/// struck at unit speed: the equations of motion x'' = F_left − F_right, F = max(overlap, 0)^(3/2),
/// by classical Runge–Kutta steps that are small and graded towards the singular start. Shares
/// nothing with the law but the physics: displacements instead of impulses, and no events.
Vector plain_chain(int balls);

}  // namespace percute::bench
