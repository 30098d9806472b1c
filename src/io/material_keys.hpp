// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace percute::io {

/// Keys of `contacts[]`. The last five belong to laws that integrate contact forces in time.
inline constexpr std::array<std::string_view, 14> kContactKeys{
    "gradient",         "tangents",      "restitution",         "stiffness",
    "exponent",         "friction",      "stored_energy",       "contact_model",
    "tri_stiffness",    "damping",       "unloading_stiffness", "effective_modulus",
    "effective_radius", "yield_pressure"};

/// Keys of a scene's `material`.
inline constexpr std::array<std::string_view, 11> kMaterialKeys{
    "restitution",       "stiffness",        "exponent",      "friction",
    "contact_model",     "tri_stiffness",    "damping",       "unloading_stiffness",
    "effective_modulus", "effective_radius", "yield_pressure"};

/// Those of them that only the law 'compliant' reads.
inline constexpr std::array<std::string_view, 5> kCompliantKeys{
    "damping", "unloading_stiffness", "effective_modulus", "effective_radius", "yield_pressure"};

/// Looks up the value of a key; nothing if it was not given.
using MaterialKeys = std::function<std::optional<Value>(std::string_view)>;

/// `base` changed by the keys that are given. `owner` is blamed for keys that are missing.
Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base = {});

}  // namespace percute::io
