// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/law_file.hpp>
#include <percute/model/invalid_input.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

// One reader per kind of law; they throw FileError.
Law read_lzb(const Value& value);
Law read_moreau(const Value& value);
Law read_newton(const Value& value);
Law read_poisson(const Value& value);
Law read_restitution_matrix(const Value& value);
Law read_fremond_quadratic(const Value& value);
Law read_fremond_cone(const Value& value);
Law read_icr(const Value& value);
Law read_binary(const Value& value);
Law read_simultaneous_set(const Value& value);
Law read_scalar_restitution(const Value& value);
Law read_cradle_sort(const Value& value);
Law read_coulomb(const Value& value);
Law read_darboux_keller_single(const Value& value);
Law read_compliant(const Value& value);

/// Refuses a name that no law has.
void require_law_kind(const Value& named);

/// The model of contacts that name none.
ContactModel contact_model(const Law& law);

// The `law` object of each, with every option.
Node law_node(const laws::Lzb& law);
Node law_node(const laws::Moreau& law);
Node law_node(const laws::Newton& law);
Node law_node(const laws::Poisson& law);
Node law_node(const laws::RestitutionMatrix& law);
Node law_node(const laws::FremondQuadratic& law);
Node law_node(const laws::FremondCone& law);
Node law_node(const laws::ImpulseRatios& law);
Node law_node(const laws::Binary& law);
Node law_node(const laws::SimultaneousSet& law);
Node law_node(const laws::ScalarRestitution& law);
Node law_node(const laws::CradleSort& law);
Node law_node(const laws::Coulomb& law);
Node law_node(const laws::DarbouxKellerSingle& law);
Node law_node(const laws::Compliant& law);

/// What a compliant force reads of its contact, and what exponent it prescribes.
struct ForceKeys {
  std::vector<std::string_view> keys;
  std::optional<double> exponent = {};
};
ForceKeys force_keys(laws::Compliant::Force force);
std::string_view force_name(laws::Compliant::Force force);

/// "lzb (tol 1e-10)".
std::string law_title(const laws::Lzb& law);
/// "1e-9", without the zero of "1e-09".
std::string tolerance_text(double tolerance);

/// validate(law), with errors located at the option in the file.
template <class L>
void validate_options(const Table& table, const L& law) {
  try {
    validate(law);
  } catch (const InvalidInput& error) {
    // The field is the option, with or without "law." in front.
    table.fail(error.field().substr(error.field().rfind('.') + 1), error.reason());
  }
}

}  // namespace percute::io
