// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/law_file.hpp>
#include <percute/model/body.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percute::io {

/// The methods a scene can name. Compliant contacts are no impacts: a scene that names them moves
/// by CompliantMotion where it asks for the adaptive event-driven method.
using Method =
    std::variant<simulation::EventDriven, simulation::Newmark, simulation::PaoliSchatzman,
                 simulation::MoreauJean, simulation::CompliantMotion>;

/// Name in files: "event_driven_adaptive", "event_driven", "paoli_schatzman", "moreau_jean".
std::string_view kind(const Method& method);
/// "event_driven_adaptive (tol 1e-10)", "moreau_jean (step 0.0001 s)".
std::string title(const Method& method);
/// What every method is asked.
const simulation::RunOptions& run_options(const Method& method);
simulation::RunOptions& run_options(Method& method);

/// All that a scene says about a motion in time.
struct MotionFile {
  std::string name;
  systems::AnySystem system;
  simulation::Moment start;
  AnyLaw law;
  Method method;
  std::vector<Body> bodies;  ///< each coordinate belongs to exactly one
  std::vector<std::string> contact_names;
  std::optional<double> first_bending_hz = {};  ///< of a bar
  Node system_keys;                             ///< [system], defaults filled in
  Node impact_keys;      ///< law and restitution, as percute-run/1 tells them
  Node simulation_keys;  ///< [simulation], defaults filled in
};

/// Reads a scene that moves: [system], [material], [[contact]], [start], [law] (for the bar
/// [impact]) and [simulation]. Throws FileError.
MotionFile read_motion(const Document& document);

/// Moves it, from its start or from where a part of the run ended. What the method refuses is
/// reported as a FileError with its place in the scene.
simulation::Run simulate(const MotionFile& file, const Document& document,
                         const simulation::Observer& observer = {});
simulation::Run simulate(const MotionFile& file, const Document& document,
                         const simulation::Moment& from, const simulation::Observer& observer);

/// A `percute-run/1` object.
Node to_node(const simulation::Run& run, const MotionFile& file);

}  // namespace percute::io
