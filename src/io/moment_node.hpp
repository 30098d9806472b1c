// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

namespace percute::io {

/// An instant of a run with its books, as JSON; read_moment() gives the same bits back.
Node moment_node(const simulation::Moment& moment);

/// Throws FileError unless it fits the system.
simulation::Moment read_moment(const Value& value, const MotionFile& motion);

}  // namespace percute::io
