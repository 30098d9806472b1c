// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

#include <cstddef>
#include <string>

namespace percute::cli {

/// One run for people: what moved and how, contacts, energy, where everything ended.
std::string report(const io::MotionFile& file, const simulation::Run& run);

}  // namespace percute::cli
