// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

#include <cstddef>
#include <string>

namespace percute::cli {

/// One run for people: what moved and how, contacts, energy, where everything ended.
std::string report(const io::MotionFile& file, const simulation::Run& run);

/// Whether energy at the end and what contacts took must add up to that at the start: what friction
/// takes of contacts that stay is not counted, nor the work of a base that moves.
bool adds_up(const io::MotionFile& file);

}  // namespace percute::cli
