// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/fit_file.hpp>

#include <string>

namespace percute::cli {

/// A fit for people: parameters with their intervals, residuals, correlations, warnings.
std::string report(const io::FitFile& file, const fit::Fit& fit);

}  // namespace percute::cli
