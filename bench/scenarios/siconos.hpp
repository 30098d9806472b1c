// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/scenario.hpp"

#include <filesystem>
#include <optional>

namespace percute::bench {

/// The multiple-impact solver of Siconos on a scenario, in a process of its own; nothing if its
/// driver was not built.
std::optional<FirstOrderMethod> siconos(const Scenario& scenario,
                                        const std::filesystem::path& drivers);

}  // namespace percute::bench
