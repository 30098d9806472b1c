// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/problem_analysis.hpp>
#include <percute/io/document.hpp>

namespace percute::io {

/// A `percute-analysis/1` object. Contacts count from 0, angles are in degrees.
Node to_node(const analysis::ProblemAnalysis& analysis);

}  // namespace percute::io
