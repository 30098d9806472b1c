// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/random.hpp"
#include "selftest/random_problem.hpp"

namespace percute::selftest {

/// One rigid body in the plane, (x, y, angle), on that many points: redundant from the fourth on.
void draw_planar_body(Random& random, int points, RandomProblem& out);
/// One rigid body in space, six coordinates, on that many points with two tangents each.
void draw_spatial_body(Random& random, int points, RandomProblem& out);
/// Disks in the plane that may spin, (x, y, angle) each; every disk touches an earlier one.
void draw_spinning_disks(Random& random, RandomProblem& out);
/// Balls in space that may spin, six coordinates each; every ball touches an earlier one.
void draw_spinning_balls(Random& random, RandomProblem& out);

/// Tangents for a problem of random_problem() whose bodies are disks or that is dense.
void draw_tangents(Random& random, RandomProblem& out);

}  // namespace percute::selftest
