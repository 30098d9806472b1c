// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/laws/lzb.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace percute::io {

/// The laws a file can name.
using Law = std::variant<laws::Lzb>;

/// Names of the contact models in files.
inline constexpr Names<ContactModel, 3> kContactModels{{
    {"bi_stiffness", ContactModel::BiStiffness},
    {"mono_stiffness", ContactModel::MonoStiffness},
    {"tri_stiffness", ContactModel::TriStiffness},
}};

/// Reads a `law` object. Without one the law is lzb with its defaults.
Law read_law(const std::optional<Value>& value);

/// The `law` object with every option, defaults filled in; read_law() accepts it.
Node to_node(const Law& law);

/// "lzb".
std::string_view kind(const Law& law);

/// "lzb (tol 1e-10)".
std::string title(const Law& law);

/// resolve() with whichever law it is; with `recording`, the result holds the history.
ImpactResult resolve(const ImpactProblem& problem, const Law& law);
ImpactResult resolve(const ImpactProblem& problem, const Law& law, const Recording& recording);

}  // namespace percute::io
