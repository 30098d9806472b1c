// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <functional>
#include <vector>

namespace percute::systems {

/// Calls `visit(i, j)`, i < j, once for every pair of discs whose centres are at most
/// (1 + reach) (r_i + r_j) apart, and for some that are further apart, in no particular but always
/// the same order. `position` is (x_0, y_0, x_1, y_1, …). For discs that do not overlap the time
/// grows like n log n, whatever their sizes; an exception of `visit` ends the search.
void for_each_near_pair(const Vector& position, const std::vector<double>& radii, double reach,
                        const std::function<void(int, int)>& visit);

}  // namespace percute::systems
