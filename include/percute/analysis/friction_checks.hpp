// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/law_checks.hpp>

namespace percute::analysis {

/// Laws that follow friction through the impact, on problems with friction: "lzb" (tolerance 1e-9,
/// cut at 2000 events and 20 000 steps; stiffnesses 1, 4 and ¼ and exponents 1.5 and 1 in turn) and
/// "darboux_keller_single". Checks, value ≤ bound, with vs, tol_U, Es, m_i as in ImpactScales:
///
///     finite, momentum, work    as check_laws()
///     status      a status without its reason ≤ 0: limits reached, bodies wedged at rest, sliding
///                 that infinite friction stops without pressure
///     energy      energy gained ≤ 10 tolerances m Es; closed forms 1e-10 Es
///     ledger      |balance error| ≤ 10 tolerances per contact
///     separation, push, cone    as check_laws(); infinite friction needs a pressure
///     loss        −min of what friction takes at a contact, or with infinite friction at all of
///                 them, within the same bounds as the energy
///     closed form |ΔU⁺| ≤ 1e-8 vs: lzb integrated in time against a single contact in closed form
///     contacts, units, basis
///                 |ΔU⁺| ≤ 200 tolerances vs, with contacts in reverse order, in other units, with
///                 other tangent vectors of the same planes; where small changes of v⁻ are
///                 amplified, that is measured and the bound grows with it
std::vector<LawReport> check_friction(const RandomLaws& random);

}  // namespace percute::analysis
