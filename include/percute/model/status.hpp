// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>

namespace percute {

/// How a law ended. Bad input is not a status: it throws InvalidInput before anything runs.
enum class Status {
  Ok,                 ///< the impact is over and the law answered
  NoImpact,           ///< nothing approaches and nothing is compressed: v⁺ = v⁻
  Zeno,               ///< infinitely many impacts in finite time; the rest was finished plastically
  NotTerminated,      ///< a limit on steps or events was reached; the state reached is returned
  StepUnderflow,      ///< the integrator could not go on; the state reached is returned
  Cycle,              ///< a sequence of collisions came back to where it was
  Singular,           ///< the law needs independent contacts and these are redundant
  EnergyUnreachable,  ///< no impulse in the given direction leaves so little energy
  RayNotCompressive,  ///< impulses in the given direction would compress no contact
  NotApplicable,      ///< the law does not cover this kind of system
  Infeasible,         ///< no impulses satisfy the law
  NoSlipSolution,     ///< Coulomb's law has no solution at a contact
};

/// In files.
constexpr Names<Status, 12> names(Status) {
  return {{{"ok", Status::Ok},
           {"no_impact", Status::NoImpact},
           {"zeno", Status::Zeno},
           {"not_terminated", Status::NotTerminated},
           {"step_underflow", Status::StepUnderflow},
           {"cycle", Status::Cycle},
           {"singular", Status::Singular},
           {"energy_unreachable", Status::EnergyUnreachable},
           {"ray_not_compressive", Status::RayNotCompressive},
           {"not_applicable", Status::NotApplicable},
           {"infeasible", Status::Infeasible},
           {"no_slip_solution", Status::NoSlipSolution}}};
}

/// Ok, NoImpact and Zeno are answers; the others only report how far the law got.
inline bool accepted(Status status) {
  return status == Status::Ok || status == Status::NoImpact || status == Status::Zeno;
}

}  // namespace percute
