// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/law_file.hpp>
#include <percute/model/impact_problem.hpp>

#include <span>
#include <string>
#include <vector>

namespace percute::io {

/// Whether friction of contacts means something to a law.
bool knows_friction(const Law& law);

/// Why friction of these contacts is left out, and of which: "the law newton has no friction
/// (contact 1–2)", "contacts 1–2, 2–3 have no tangents". Empty if it is not.
std::string friction_left_out(const Law& law, std::span<const Contact> contacts,
                              const std::vector<std::string>& names);

}  // namespace percute::io
