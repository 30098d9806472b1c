// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>
#include <percute/io/reader.hpp>

namespace percute::io {

/// Throws FileError, with its place in the checkpoint, unless a run of this scene could have ended
/// in this moment, as far as can be known without running it: bodies overlap by no more than the
/// method lets them, the energy is that of the state, sums and times agree, and the method can go
/// on from what it remembers.
void check_moment(const simulation::Moment& moment, const MotionFile& motion, const Value& written);

}  // namespace percute::io
