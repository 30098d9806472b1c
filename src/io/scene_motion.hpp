// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/law_file.hpp>
#include <percute/model/body.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// A system of a scene that moves in time, where and how it starts.
struct SystemInMotion {
  systems::AnySystem system;
  simulation::Moment start;
  /// Keys of [system] that the file may leave out, with the values then taken; those it gives may
  /// be among them.
  Node defaults = {};
  std::optional<double> first_bending_hz = {};  ///< of a bar
};

/// Reads what a kind of system needs of a scene: [system], [start], [material] and [[contact]].
/// Throws FileError, or InvalidInput with a field of the system, which scene_path() finds.
using MotionReader = SystemInMotion (*)(const Table& scene, const AnyLaw& law);

// One reader per kind of system.
SystemInMotion read_moving_ball_chain(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_bead_column(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_bouncing_ball(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_impacting_bar(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_cradle(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_dimer(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_double_pendulum(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_multiple_pendulum(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_planar_body(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_rocking_block(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_three_ball_rod(const Table& scene, const AnyLaw& law);
SystemInMotion read_moving_v_groove(const Table& scene, const AnyLaw& law);

/// The reader of the kind that [system] names. Throws FileError.
MotionReader find_motion_reader(const Value& system);

/// Kinds of systems that can move, in the order of messages.
std::vector<std::string_view> moving_kinds();

/// Keys of a scene that moves.
std::span<const std::string_view> motion_keys();

/// The material of each contact: its own (default materials if there are none), changed by
/// [material], changed by the [[contact]] of its name. `stiffness_from` is what sets stiffness and
/// exponent, if not [material]. Refuses what no contact can have, and compliant contacts without a
/// stiffness.
std::vector<Material> read_materials(const Table& scene, const AnyLaw& law,
                                     const std::vector<std::string>& contact_names,
                                     std::vector<Material> own = {},
                                     std::string_view stiffness_from = {});

/// [system] gravity, m/s²: explicit in every scene that moves.
double read_gravity(const Table& system);
/// Refuses a [system] without it.
void require_gravity(const Value& system);

/// Refuses more bodies than a system may have in motion, where impacts have dense matrices.
void require_moderate(const Value& system, int bodies, std::string_view key);

/// The system that `build` makes of [system], with gravity and with the materials of its contacts.
template <class System>
System read_moving_system(const Table& scene, const AnyLaw& law, System (*build)(const Value&)) {
  const Value keys = scene.required("system");
  require_gravity(keys);
  System system = build(keys);
  system.materials = read_materials(scene, law, systems::AnySystem(system).contact_names());
  return system;
}

}  // namespace percute::io
