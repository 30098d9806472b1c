// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/fit_data.hpp"

#include <percute/io/fit_file.hpp>

#include <optional>

namespace percute::io {

/// A measurement as read; whether sigma was stated decides how noise is treated.
struct MeasuredValues {
  std::vector<FitMeasurement> values = {};
  bool has_sigma = false;
};

/// Reads one [[experiment.measure]]. `file` has the names of bodies and contacts, `gravity` is that
/// of the experiment, if known; `data` are the rows of its table, if it has one.
MeasuredValues read_measurement(const Value& value, const ProblemFile& file,
                                const std::optional<double>& gravity, const DataRows& data);

}  // namespace percute::io
