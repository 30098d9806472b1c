// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <string>
#include <vector>

namespace percute::io {

/// Reads a scene: a named system ([system]) with its materials ([material], and [[contact]] for
/// single contacts) at the instant of contact ([start]), and the law to apply ([law]).
/// [simulation] is for runs in time and is left alone here. Throws FileError.
ProblemFile read_scene(const Document& document);

/// Where in a scene the field of a problem or of a system was given: "contacts[1].restitution" is
/// "material.restitution", "material.restitution[1]" or, where a [[contact]] has the name of
/// contact 1, "contact[0].restitution"; "velocity" is "start.velocity".
std::string scene_path(const std::string& problem_path, const Document& document,
                       const std::vector<std::string>& contact_names = {});

}  // namespace percute::io
