// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/laws/binary.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/laws/cradle_sort.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/moreau.hpp>
#include <percute/laws/newton.hpp>
#include <percute/laws/poisson.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/simultaneous_set.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percute::io {

/// The laws a file can name.
using Law =
    std::variant<laws::Lzb, laws::Moreau, laws::Newton, laws::Poisson, laws::RestitutionMatrix,
                 laws::FremondQuadratic, laws::FremondCone, laws::ImpulseRatios, laws::Binary,
                 laws::SimultaneousSet, laws::ScalarRestitution, laws::CradleSort, laws::Coulomb,
                 laws::DarbouxKellerSingle, laws::Compliant>;

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

/// The law with the one restitution coefficient it takes from the contacts, if it names none.
Law filled_in(const Law& law, const ImpactProblem& problem);

/// Replaces the law of a document by another kind, with its defaults; the options of the same kind
/// are kept. `origin` is how messages about it will begin.
void override_law(Document& document, const std::string& kind, const std::string& origin);

/// Kinds that read_law() knows, in the order of Law.
std::vector<std::string_view> law_kinds();

/// "lzb".
std::string_view kind(const Law& law);

/// "lzb (tol 1e-10)".
std::string title(const Law& law);

/// resolve() with whichever law it is; with `recording`, the result holds the history.
ImpactResult resolve(const ImpactProblem& problem, const Law& law);
ImpactResult resolve(const ImpactProblem& problem, const Law& law, const Recording& recording);

}  // namespace percute::io
