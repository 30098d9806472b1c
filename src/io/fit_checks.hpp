// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/fit_file.hpp>

namespace percute::io {

/// Whether a value is `key`, or a part of what `key` holds.
bool is_within(std::string_view path, std::string_view key);

// What the parts of a fit must not say against each other. Each function throws FileError.

/// Two parameters must not set the same value of the same experiment.
void refuse_repeated_keys(const Value& parameters, const FitFile& file);

/// Tables and messages tell parameters apart by their names.
void refuse_repeated_names(const Value& parameters, const FitFile& file);

/// What an experiment sets must not be what is to be found.
void refuse_set_parameters(const Value& experiments, const FitFile& file);

/// Without sigma all measurements have the same one, which quantities of different units cannot.
/// `first_measure` is blamed.
void refuse_mixed_units(const Value& first_measure, const FitFile& file);

}  // namespace percute::io
