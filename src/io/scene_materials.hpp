// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <string>
#include <string_view>

namespace percute::io {

/// The name of a contact with plain hyphens, as it is easier to type: "1-2" for "1–2".
std::string plain_name(std::string_view name);

}  // namespace percute::io
