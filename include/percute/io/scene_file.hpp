// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <string>

namespace percute::io {

/// Reads a scene: a named system ([system], [material]) at the instant of contact ([start]) and
/// the law to apply ([law]). [simulation] is for runs in time and is left alone here.
/// Throws FileError.
ProblemFile read_scene(const Document& document);

/// Where in a scene the field of a problem was given: "contacts[1].restitution" is
/// "material.restitution", "velocity" is "start.velocity".
std::string scene_path(const std::string& problem_path, const Document& document);

}  // namespace percute::io
