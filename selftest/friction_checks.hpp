// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/law_checks.hpp"

namespace percute::selftest {

/// Problem number `index` of a seed, the same one everywhere, as random_problem(); every one has
/// friction. A third are single contacts, planar and spatial; the others planar and spatial bodies
/// on two to six points (more than needed, some of them twice), spinning disks and balls that
/// touch, clusters, packings and dense problems with tangents. Coefficients of friction 0, small,
/// 1, infinite, equal or mixed; restitution 0, 1 and between; stiffnesses over eight octaves,
/// exponents 1, 1.5 and 2; bi-, mono- and tri-stiffness; both re-engagement rules; precompression.
/// The law is cut at 2000 events and 20 000 steps.
RandomProblem random_friction(std::uint64_t seed, std::uint64_t index);

/// Laws that follow friction through the impact: "lzb"; "darboux_keller_single" and "lzb
/// integrated" (in time all the same) where a single contact has a closed form; "lzb frictionless".
/// Checks, value ≤ bound, with vs, tol_U, Es, m_i as in ImpactScales:
///
///     finite, momentum, work    as check_laws()
///     status      a status without its reason ≤ 0: limits reached, bodies wedged at rest, sliding
///                 that infinite friction stops without pressure
///     energy      energy gained ≤ 1e-9 Es, closed forms 1e-10 Es
///     ledger      |balance error|, with what sliding takes ≤ 1e-9, closed forms 1e-10; of runs
///                 without an answer 1e-8 per contact
///     separation, push, cone    as check_laws(); infinite friction needs a pressure
///     loss        −min of what friction takes at a contact, or with infinite friction at all of
///                 them, within the same bounds as the energy
///     closed form |ΔU⁺| ≤ 1e-8 vs: integrated in time against the closed form
///     contacts, units, basis, shift, halves
///                 |ΔU⁺| ≤ 200 tolerances vs, with contacts in reverse order, in other units, with
///                 other tangent vectors of the same planes, for a moving observer, with a contact
///                 split into two halves; where small changes of v⁻ are amplified, that is
///                 measured and the bound grows with it; a run that reached its limits says nothing
///     same bits   without friction, v⁺ as if there were no tangents: 0 if the bits are equal
///     limit       |ΔU⁺| between friction 1e-13 and none, bounded as the guises
///
/// The same contacts made elastic (restitution 1, tolerance 1e-10; infinite friction, redundancy
/// and precompression stay), under two laws that are one there: "lzb tracked gaps" and "compliant"
/// with force `power`. Of every step, and of the whole:
///
///     cone of steps    |ΔP_t| − μ ΔP_n of a step, over m_i vs ≤ 100 tolerances, μ finite
///     energy of steps  rise of kinetic and stored energy ≤ 10 tolerances for each contact
///     answer      no answer of "compliant" where "lzb tracked gaps" has one ≤ 0
///     as lzb      |Δv⁺| ≤ 1e-7 max(|v⁻|, vs); `sensitive` instead where changes of 1e-9 of v⁻,
///                 gradients and tangents move the outcome of lzb by more than a tenth of it
///
/// "referee" (regularised friction, see FrictionReferee) is asked where they differ, and always
/// if `referee` is set; it has no opinion on infinite friction:
///
///     lzb, compliant   |Δv⁺| from its own ≤ 1e-7 max(|v⁻|, vs) and its error
std::vector<LawReport> check_friction(const RandomProblem& random, bool referee = false);

/// Those of the checks that one result of the law must pass: all but the comparisons.
std::vector<Check> check_frictional_result(const RandomProblem& random, const ImpactResult& result);

}  // namespace percute::selftest
