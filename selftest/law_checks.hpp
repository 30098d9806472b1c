// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/invariants.hpp"
#include "selftest/random_laws.hpp"

#include <optional>
#include <string>
#include <vector>

namespace percute::selftest {

/// What was found out about one law, one solver, or laws in relation to each other.
struct LawReport {
  std::string name = {};  ///< of the trial, "lcp lemke", "friction nsgs", "relations"
  std::optional<Status> status = {};
  bool answered = true;     ///< false: an honest "no answer"
  bool non_unique = false;  ///< friction: several outcomes satisfy the law
  bool sensitive = false;   ///< a comparison says nothing: tiny changes explain what it shows
  std::vector<Check> checks = {};
};

/// Applies every law of the trials and checks, value ≤ bound, with vs, tol_U, Es, m_i as in
/// ImpactScales:
///
///     finite      numbers that are not finite ≤ 0
///     momentum    |M (v⁺ − v⁻) − W p − T p_t| ≤ 1e-10 of the momenta
///     work        |T⁺ − T⁻ − ½ p·(U⁺ + U⁻)| ≤ 1e-10 max(T⁻, T⁺, Es), an identity
///     status      a status without its reason ≤ 0; laws with an answer to everything have one
///     energy      energy gained ≤ 1e-10 Es, where the law promises that none is
///     separation  −min U_i⁺ ≤ tol_U, where the law promises that nothing approaches
///     push        −min p_i/(m_i vs) ≤ 1e-10, all laws but restitution matrices
///     cone        |p_t| − μ p ≤ 1e-10 m_i vs, μ finite
///     law         how far the outcome is from the equations of the law, recomputed from v⁺ and p,
///                 over vs ≤ 1e-10
///     selection   |ΔU⁺| ≤ 1e-9 vs where redundant contacts are given the least impulses: then
///     `law`
///                 is asked of the impulses the solver came to
///     least       the energy lost less that lost in the plastic impact ≤ 1e-10 Es, both as work
///                 of the impulses: nothing that only pushes can lose more
///     reuse       the same bits from a workspace that has solved other problems
///     contacts, shift, units, twice   |ΔU⁺| ≤ 1e-9 vs, normal and tangential, with contacts in
///                 reverse order, for a moving observer, in other units, with a contact repeated
///
/// To all bounds on gap rates, momenta and energies rounding (1e-14) is added; to those on the work
/// of impulses that of U⁺ = U⁻ + G p, 4 ε |p|ᵀ|G||p|, where ε = 2⁻⁵²: where a body is caught
/// between others impulses can be a thousand times m_i vs. Frictional laws may have several
/// outcomes; two that differ and both satisfy the law count as that, not as a failure.
std::vector<LawReport> check_laws(const RandomLaws& random, laws::AlgebraicWorkspace& workspace);

/// Outcomes that must coincide, |ΔU⁺| ≤ 1e-9 vs: every law at e = 0 with Moreau's at e = 0;
/// Newton's and Poisson's with Moreau's at equal e; the cone law with B = I, and the ray of
/// Moreau's impulses, with Moreau's; Coulomb's with Newton's at μ = 0; sorting with elastic binary
/// collisions; κ of a single contact with its e. Moreau's, Newton's and binary collisions conserve
/// energy at e = 1.
LawReport check_relations(const RandomLaws& random);

/// Every solver of linear complementarity problems on the problem of Newton's law, every solver of
/// Coulomb problems on that of Coulomb's law at θ = 0 and 1 (enumeration up to 10 and 4 contacts):
///
///     solved   a solver that must be able to, and gives up ≤ 0 (Gauss–Seidel, Newton methods on
///              friction may reach their limit)
///     error    natural-map error, recomputed ≤ 1e-10 (or what rounding explains)
///     agree    |ΔU⁺| from the first that solved it ≤ 1e-9 vs, unless there are several outcomes;
///              where friction amplifies small changes, that is measured and the bound grows with
///              it
std::vector<LawReport> check_solvers(const RandomLaws& random);

}  // namespace percute::selftest
