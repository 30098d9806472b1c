// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <optional>

namespace percute::analysis {

/// How a law came to its end, and at what cost.
struct Termination {
  enum class Diagnosis {
    NothingToDo,   ///< no impact
    Finite,        ///< the end was reached in finitely many steps
    Accumulation,  ///< infinitely many collisions in finite time, summed up or cut off
    Cycle,         ///< the collisions come back to where they were
    Limit,         ///< a limit on steps, stages or collisions ended it
    NoAnswer,      ///< the law has no outcome here: its status says why
  };

  Diagnosis diagnosis = Diagnosis::Finite;
  long collisions = 0;  ///< of a sequence; changes of contact state of laws with an inner time
  long stages = 0;      ///< times an algebraic law was applied
  long iterations = 0;  ///< pivots, sweeps or Newton steps; integration steps
  std::optional<double> residual = {};  ///< largest approach left when a cascade was cut off, m/s
  /// Sequences that accumulate: by what the impulses at a contact shrink from one visit to the
  /// next.
  std::optional<double> contraction = {};
};

/// Reads it off a result of resolve().
Termination termination(const ImpactResult& result);

/// In words.
constexpr Names<Termination::Diagnosis, 6> names(Termination::Diagnosis) {
  return {{{"nothing to do", Termination::Diagnosis::NothingToDo},
           {"finite", Termination::Diagnosis::Finite},
           {"accumulation", Termination::Diagnosis::Accumulation},
           {"cycle", Termination::Diagnosis::Cycle},
           {"limit", Termination::Diagnosis::Limit},
           {"no answer", Termination::Diagnosis::NoAnswer}}};
}

/// Whether collisions one after another, most approaching contact first, with restitution e at
/// every contact never end. What shrinks is scaled up again, so that rounding does not decide;
/// "never" means more than `limit` collisions.
bool collapses(const ImpactProblem& problem, double restitution, long limit = 20'000);

/// Restitution below which such a sequence never ends, to 1e-6 or so: the number of collisions
/// grows without bound towards it. 0 where every sequence ends. Three equal balls: 7 − 4√3 = 0.0718
/// (McNamara, Young 1992).
double collapse_threshold(const ImpactProblem& problem);

}  // namespace percute::analysis
