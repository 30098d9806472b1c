// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

/// Every property is tried on 1000 problems from a fixed seed, so that a red run can be repeated.
/// PERCUTE_PROPERTY_SCALE multiplies their number (sanitizers take fewer, long hunts more);
/// RC_PARAMS, RapidCheck's own variable, overrides everything.
[[maybe_unused]] const bool configured = [] {
  const char* scale = std::getenv("PERCUTE_PROPERTY_SCALE");
  const double factor = scale ? std::atof(scale) : 1.0;
  const long count = std::max(1L, static_cast<long>(1000.0 * factor));
  const std::string parameters = "seed=2009 max_success=" + std::to_string(count);
  setenv("RC_PARAMS", parameters.c_str(), /*overwrite=*/0);
  return true;
}();

}  // namespace
