// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/law_file.hpp>
#include <percute/laws/compliant.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace percute::io {

/// Refuses a name that no law has.
void require_law_kind(const Value& named);

/// The model of contacts that name none.
ContactModel contact_model(const AnyLaw& law);

/// What a compliant force reads of its contact, and what exponent it prescribes.
struct ForceKeys {
  std::vector<std::string_view> keys;
  std::optional<double> exponent = {};
};
ForceKeys force_keys(laws::Compliant::Force force);

}  // namespace percute::io
