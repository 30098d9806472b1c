// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <array>
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

}  // namespace percute::io
