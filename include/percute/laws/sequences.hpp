// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <cstdint>
#include <functional>

namespace percute::laws {

/// A multiple impact as a sequence of collisions at one contact each, with e_i there:
///
///     choose i with U_i < 0;   Δp_i = −(1 + e_i) U_i / G_ii;   until nothing approaches.
///
/// Every collision loses energy and pushes; the outcome may depend on the order. Below some e the
/// sequence never ends (three equal balls: e < 7 − 4√3, inelastic collapse): approach below tol_U
/// counts as none. With Finish::Moreau0 what is left of it is taken out by one plastic step (status
/// Zeno); with Finish::None it stays, and a sequence that stalls above tol_U is NotTerminated.
struct Binary {
  static constexpr std::string_view kKind = "binary";
  enum class Order {
    LargestApproach,  ///< most negative gap rate; ties: smallest index
    LeftRight,        ///< smallest index
    RightLeft,        ///< largest index
    Random,           ///< reproducible from `seed`
    User,             ///< `choose`
  };
  enum class Finish { Moreau0, None };

  Order order = Order::LargestApproach;
  std::uint64_t seed = 0;
  /// Order::User: picks one of the contacts that approach, given all gap rates.
  std::function<int(const Vector& gap_rates)> choose = {};
  Finish finish = Finish::Moreau0;
  long max_collisions = 100'000;
  AlgebraicOptions options = {};  ///< no effect: only contacts that approach collide

  ImpactResult operator()(const ImpactProblem& problem) const;
};

constexpr Names<Binary::Order, 4> names(Binary::Order) {
  return {{{"largest_approach", Binary::Order::LargestApproach},
           {"left_right", Binary::Order::LeftRight},
           {"right_left", Binary::Order::RightLeft},
           {"random", Binary::Order::Random}}};
}
constexpr Names<Binary::Finish, 2> names(Binary::Finish) {
  return {{{"moreau0", Binary::Finish::Moreau0}, {"none", Binary::Finish::None}}};
}
template <Same<Binary> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"order", "which contact collides next"}, law.order);
  visit(Field{"seed", "of order 'random'; the same numbers everywhere", Range::not_negative()}.used(
            law.order == Binary::Order::Random, "order 'random'"),
        law.seed);
  visit(Field{"finish", "the rest of an endless sequence: one plastic step, or left"}, law.finish);
  visit(Field{"max_collisions", "limit; then not_terminated", Range::count()}, law.max_collisions);
  fields(law.options, visit);
}
void validate(const Binary& law);

/// Propagation of simultaneous collisions (after Han, Gilmore 1993). While contacts approach, let S
/// be their set; take the first of S and its subsets R, largest first, for which
///
///     G_RR Δp_R = −(I + E_R) U_R,    Δp_R ≥ 0,
///
/// and no contact of S outside R is driven closer. Neither an acceptable set nor an end is
/// guaranteed: status Infeasible, Cycle, Zeno or NotTerminated. At most 16 contacts may approach at
/// once, for there are 2^|S| subsets; beyond that InvalidInput is thrown.
struct SimultaneousSet {
  static constexpr std::string_view kKind = "simultaneous_set";

  long max_collisions = 100'000;
  AlgebraicOptions options = {};  ///< no effect: only contacts that approach collide

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<SimultaneousSet> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"max_collisions", "limit; then not_terminated", Range::count()}, law.max_collisions);
  fields(law.options, visit);
}

/// Elastic impact of equal balls in a row: velocities after the impact are those before, sorted
/// along the row. It is the outcome of every sequence of elastic binary collisions, whatever their
/// order. Other systems (unequal masses, walls, e < 1, balls with several coordinates): status
/// NotApplicable, with the reason in the diagnostics.
struct CradleSort {
  static constexpr std::string_view kKind = "cradle_sort";

  AlgebraicOptions options = {};  ///< no effect

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<CradleSort> Law>
void fields(Law& law, auto&& visit) {
  fields(law.options, visit);
}

}  // namespace percute::laws
