// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/model/elastic_material.hpp>

#include <vector>

namespace percute::io {

/// A material by its name, or {youngs_modulus, poisson_ratio, density}; the density may be missing
/// and is 0 then.
ElasticMaterial read_elastic(const Value& value);

/// One for all balls; or a list with one per ball; or {repeat = […]}, in turn along the balls. The
/// result has one entry, or one per ball.
std::vector<ElasticMaterial> read_made_of(const Value& value, int balls);

/// Refuses materials without a density where masses follow from it.
void require_density(const Value& value, const std::vector<ElasticMaterial>& materials);

}  // namespace percute::io
