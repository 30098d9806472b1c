// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/systems/ball_rod.hpp>
#include <percute/systems/bead_column.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/rocking_block.hpp>
#include <percute/systems/v_groove.hpp>

#include <string_view>

namespace percute::io {

// Systems as [system] describes them, for an impact and for motion alike: one function per kind.
// What only motion needs (gravity, a base that moves) may be left out there. They throw FileError
// or InvalidInput.
systems::BallChain build_ball_chain(const Value& system);
systems::BeadColumn build_bead_column(const Value& system);
systems::Cradle build_cradle(const Value& system);
systems::BallRod build_dimer(const Value& system);
systems::DoublePendulum build_double_pendulum(const Value& system);
systems::MultiplePendulum build_multiple_pendulum(const Value& system);
systems::PlanarBody build_planar_body(const Value& system);
systems::RockingBlock build_rocking_block(const Value& system);
systems::BallRod build_three_ball_rod(const Value& system);
systems::VGroove build_v_groove(const Value& system);

/// The key of [system] that sets the stiffnesses of a bead column; empty if [material] does.
std::string_view bead_stiffness_from(const Value& system);

// [start] of those that start alike in an impact and in motion.
State read_ball_chain_start(const Value& start, const systems::BallChain& chain);
State read_cradle_start(const Value& start, const systems::Cradle& cradle);
State read_multiple_pendulum_start(const Value& start, const systems::MultiplePendulum& pendulum);

/// {acceleration, frequency, phase_deg, start, cycles}.
systems::BaseMotion read_base(const Value& value);
/// {horizontal = {…}, vertical = {…}}, one of them at least.
systems::PlanarBaseMotion read_planar_base(const Value& value);

}  // namespace percute::io
