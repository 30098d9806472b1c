// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <concepts>
#include <type_traits>

namespace percute {

/// A law is any value that turns a problem into a result; there is no base class.
template <class Law>
concept ImpactLaw = requires(const Law& law, const ImpactProblem& problem) {
  { law(problem) } -> std::convertible_to<ImpactResult>;
};

/// A law with an inner time, which can also tell how the impact went.
template <class Law>
concept RecordingLaw =
    ImpactLaw<Law> && requires(const Law& law, const ImpactProblem& problem, const Recording& r) {
      { law(problem, r) } -> std::convertible_to<ImpactResult>;
    };

/// A law that can work in memory it has used before: one per thread, from problem to problem.
template <class Law, class Workspace>
concept ReusingLaw = ImpactLaw<Law> && !std::same_as<std::remove_const_t<Workspace>, Recording> &&
                     requires(const Law& law, const ImpactProblem& problem, Workspace& workspace) {
                       { law(problem, workspace) } -> std::convertible_to<ImpactResult>;
                     };

/// Completes what a law left open in its result: gap rates, energies, dissipated shares and the
/// consistency report.
void complete(const ImpactProblem& problem, ImpactResult& result);

/// Validates the problem, applies the law, and judges the outcome.
template <ImpactLaw Law>
ImpactResult resolve(const ImpactProblem& problem, const Law& law) {
  validate(problem);
  ImpactResult result = law(problem);
  complete(problem, result);
  return result;
}

/// The same without taking memory anew for the law's own work; not a bit of the result changes.
template <class Workspace, ReusingLaw<Workspace> Law>
ImpactResult resolve(const ImpactProblem& problem, const Law& law, Workspace& workspace) {
  validate(problem);
  ImpactResult result = law(problem, workspace);
  complete(problem, result);
  return result;
}

/// The same, with the evolution during the impact in result.history.
template <RecordingLaw Law>
ImpactResult resolve(const ImpactProblem& problem, const Law& law, const Recording& recording) {
  validate(problem);
  ImpactResult result = law(problem, recording);
  complete(problem, result);
  return result;
}

}  // namespace percute
