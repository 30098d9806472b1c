// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/first_order.hpp"

#include <optional>

namespace percute::bench {

/// Is the program `lmp` of LAMMPS installed?
bool lammps_installed();

/// An elastic Hertz chain of unit masses and stiffnesses, struck by its first ball at 1 m/s, as a
/// discrete-element simulation (pair_style gran/hertz/history without damping and friction,
/// velocity Verlet with a fixed time step) until the wave has left it. The script is written for
/// the run; the time is the CPU time of its loop of steps. Nothing if it did not end well.
std::optional<Run> run_lammps(int balls, double time_step);

}  // namespace percute::bench
