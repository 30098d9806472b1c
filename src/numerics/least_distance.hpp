// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::numerics {

/// min |E u − f| over u ≥ 0, active sets (Lawson & Hanson 1974, ch. 23). Small and dense.
Vector nonnegative_least_squares(const Matrix& E, const Vector& f);

/// argmin |x| subject to G x ≥ g (Lawson & Hanson 1974, ch. 23, problem LDP). False: no such x.
bool least_distance(const Matrix& G, const Vector& g, Vector& x);

}  // namespace percute::numerics
