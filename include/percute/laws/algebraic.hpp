// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/fields.hpp>

#include <memory>

namespace percute::laws {

/// What an algebraic law does with closed contacts that separate before the impact (U_i⁻ > 0). An
/// admissible motion has none, but sub-impacts and tests do.
enum class Separating {
  /// Leave them out; if one of them approaches afterwards, apply the law again to the outcome.
  ExcludeAndRepeat,
  Include,     ///< keep them; where the law multiplies U_i⁻ by a restitution, use min(U_i⁻, 0)
  IncludeRaw,  ///< keep them with U_i⁻ as it is: may leave U_i⁺ < 0
};
constexpr Names<Separating, 3> names(Separating) {
  return {{{"exclude_and_repeat", Separating::ExcludeAndRepeat},
           {"include", Separating::Include},
           {"include_raw", Separating::IncludeRaw}}};
}

/// Which impulses to report where contacts are redundant: velocities are unique, impulses are not.
enum class ImpulseSelection {
  LeastNorm,  ///< the smallest, argmin |p|² with p ≥ 0 and the same velocities
  Raw,        ///< whatever the solver came to first
};
constexpr Names<ImpulseSelection, 2> names(ImpulseSelection) {
  return {{{"least_norm", ImpulseSelection::LeastNorm}, {"raw", ImpulseSelection::Raw}}};
}

/// Options all algebraic laws share.
struct AlgebraicOptions {
  Separating separating = Separating::ExcludeAndRepeat;
  ImpulseSelection impulse_selection = ImpulseSelection::LeastNorm;
  long max_stages = 1000;
};

template <Same<AlgebraicOptions> Options>
void fields(Options& options, auto&& visit) {
  visit(Field{"separating", "what becomes of contacts that separate before the impact"},
        options.separating);
  visit(Field{"impulse_selection", "which impulses to report where contacts are redundant"},
        options.impulse_selection);
  visit(
      Field{"max_stages", "repetitions of exclude_and_repeat; then not_terminated", Range::count()},
      options.max_stages);
}

/// Scratch memory of the algebraic laws. Reusing it saves allocations and never changes a result;
/// one workspace serves one thread at a time.
class AlgebraicWorkspace {
 public:
  AlgebraicWorkspace() = default;
  AlgebraicWorkspace(AlgebraicWorkspace&&) = default;
  AlgebraicWorkspace& operator=(AlgebraicWorkspace&&) = default;

  struct Memory;
  Memory& memory();  ///< made anew after a move

 private:
  std::shared_ptr<Memory> memory_;  ///< never shared: its type is not known here
};

}  // namespace percute::laws
