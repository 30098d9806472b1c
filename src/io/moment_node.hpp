// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/io/motion_file.hpp>

namespace percute::io {

/// An instant of a run with its totals, as JSON; read_moment() gives the same bits back.
Node moment_node(simulation::Moment moment);

/// Of a run of this scene. Throws FileError where a field is missing, unknown or of another type.
simulation::Moment read_moment(const Value& value, const MotionFile& motion);

}  // namespace percute::io
