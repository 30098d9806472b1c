// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/lzb.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace percute::selftest {

/// One thing that must hold: value ≤ bound.
struct Check {
  std::string name = {};
  double value = 0.0;
  double bound = 0.0;

  bool holds() const { return value <= bound; }  ///< false for NaN
};

/// What every result of the LZB law must obey, whatever the problem; `result` comes from resolve().
/// Value ≤ bound, with vs, Es and tol_U as in ImpactScales, tol the law's tolerance, and the energy
/// that takes part in the impact, Ei = max(Es, ½ UᵀG⁺U + ΣE0):
///
///     finite       numbers that are not finite ≤ 0
///     momentum     |M (v⁺ − v⁻) − W p| ≤ 1e-10 of the momenta: v⁺ is computed from p
///     work         |T⁺ − T⁻ − ½ pᵀ(U⁺ + U⁻)| ≤ 1e-10 max(T⁻, Es): an identity
///     energy       energy gained ≤ 10 tol Ei: promise of the law
///     ledger       |T⁻ + ΣE0 − T⁺ − ΣD − ΣE| ≤ 10 tol max(T⁻ + ΣE0, Es): the same
///     dissipation  −min D_i ≤ 10 tol Ei: the same
///     push         −min p_i ≤ 0: forces are never negative
///     separation   −min U_i⁺ ≤ tol_U
///     spent        energy still stored ≤ 1e-9 Ei
///     elastic      |energy lost| ≤ 10 tol Ei where e = 1 at every contact
///     restitution  |U⁺ + e U⁻| ≤ 100 tol vs of a single contact: meaning of the tolerance
///     no_impact    that status without its reason, or the reason without it ≤ 0
///     unchanged    no_impact: |v⁺ − v⁻| + |p| ≤ 0
///     status       a status without its reason ≤ 0
///
/// Separation, spent, elastic and restitution are asked only of results that claim to be the end.
/// In the bounds of energies tol stands for tol max(1, steps/100): each step may be off by a tenth
/// of the tolerance, and very many add up. Rounding of Wᵀv (1e-14) is allowed for, because bodies
/// may move together much faster than they approach. Reasons: no_impact: nothing approaches
/// and nothing is stored; zeno: a residual below the collapse velocity; not_terminated: a limit was
/// reached, or forces are in balance and nothing moves; step_underflow has no good reason.
std::vector<Check> check_result(const ImpactProblem& problem, const laws::Lzb& law,
                                const ImpactResult& result);

/// The largest velocity difference two runs of one impact may show: each may be off by
/// 100 tolerance vs, which is the meaning of the tolerance; rounding of v⁻ (1e-14) is added.
double agreement_bound(const ImpactProblem& problem, const laws::Lzb& law);

/// How strongly the impact amplifies small differences: change of v⁺ over change of v⁻, both
/// largest absolute values, for random changes of 1, 30 and 1000 tolerance vs; at least 1. It is a
/// property of the impact: the runs are made at tolerance/100. Infinite if none was accepted.
double amplification(const ImpactProblem& problem, const laws::Lzb& law);

/// FNV-1a hash of the bits of velocities, impulses, losses and status.
std::uint64_t fingerprint(const ImpactResult& result);

}  // namespace percute::selftest
