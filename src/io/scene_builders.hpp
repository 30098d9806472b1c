// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/cradle.hpp>

namespace percute::io {

// Systems as [system] describes them, for an impact and for motion alike: one function per kind.
// What only motion needs (gravity, a base that moves) may be left out of it. They throw FileError
// or InvalidInput.
systems::Cradle build_cradle(const Value& system);

/// [start] of a cradle: angles and rates of the strings, each 0 if left out.
State read_cradle_start(const Value& start, const systems::Cradle& cradle);

}  // namespace percute::io
