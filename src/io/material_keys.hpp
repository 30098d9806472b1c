// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/laws/compliant.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace percute::io {

/// Keys of a scene's `material`, which contacts of problems have, too.
inline constexpr auto kMaterialKeys = field_keys<Material>();

/// Looks up the value of a key; nothing if it was not given.
using MaterialKeys = std::function<std::optional<Value>(std::string_view)>;

/// `base` changed by the keys that are given. `owner` is blamed for keys that are missing.
Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base = {});

/// Whether a key is written with a contact: slopes, exponents and parameters of forces are where
/// the law uses them.
bool is_written(std::string_view key, const Material& material, const AnyLaw& law);

/// Refuses a name that no law has.
void require_law_kind(const Value& named);

/// The model of contacts that name none.
ContactModel contact_model(const AnyLaw& law);

}  // namespace percute::io
