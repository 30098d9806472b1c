// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/systems/system.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// A system of a scene at the instant of contact, with the names it gives to its parts.
struct SystemAtContact {
  ImpactProblem problem;  ///< contacts have the materials of the system itself
  std::vector<Body> bodies;
  std::vector<std::string> contact_names;
  std::string_view stiffness_from = {};  ///< what sets stiffness and exponent, if not [material]
};

template <systems::System S>
SystemAtContact touching(const S& system, const State& state) {
  return {.problem = system.impact(state),
          .bodies = system.bodies(),
          .contact_names = system.contact_names(state)};
}

// One reader per kind of system: [system] and [start]. They throw FileError, or InvalidInput with a
// field of the system, which scene_path() finds in the scene.
SystemAtContact read_ball_chain(const Value& system, const Value& start);
SystemAtContact read_ball_cluster(const Value& system, const Value& start);
SystemAtContact read_bead_column(const Value& system, const Value& start);
SystemAtContact read_cradle(const Value& system, const Value& start);
SystemAtContact read_block_stack(const Value& system, const Value& start);
SystemAtContact read_dimer(const Value& system, const Value& start);
SystemAtContact read_double_pendulum(const Value& system, const Value& start);
SystemAtContact read_four_foot_plate(const Value& system, const Value& start);
SystemAtContact read_multiple_pendulum(const Value& system, const Value& start);
SystemAtContact read_planar_body(const Value& system, const Value& start);
SystemAtContact read_rocking_block(const Value& system, const Value& start);
SystemAtContact read_rotating_chain(const Value& system, const Value& start);
SystemAtContact read_spatial_body(const Value& system, const Value& start);
SystemAtContact read_sphere_on_plane(const Value& system, const Value& start);
SystemAtContact read_stacked_balls(const Value& system, const Value& start);
SystemAtContact read_three_ball_rod(const Value& system, const Value& start);
SystemAtContact read_two_spheres(const Value& system, const Value& start);
SystemAtContact read_v_groove(const Value& system, const Value& start);

/// Gives every contact its material: that of the system, changed by [material], changed by the
/// [[contact]] of its name.
void read_materials(const Table& scene, const AnyLaw& law, SystemAtContact& system);

}  // namespace percute::io
