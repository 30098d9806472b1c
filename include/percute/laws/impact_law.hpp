// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <concepts>
#include <optional>

namespace percute {

/// A law that can be given more than the problem: a workspace of its own, memory it has used before
/// (one per thread, from problem to problem), or a Recording, or both.
template <class Law, class... More>
concept LawTaking = requires(const Law& law, const ImpactProblem& problem, More&... more) {
  { law(problem, more...) } -> std::convertible_to<ImpactResult>;
};

/// A law is any value that turns a problem into a result; there is no base class.
template <class Law>
concept ImpactLaw = LawTaking<Law>;

/// A law with an inner time, which can also tell how the impact went.
template <class Law>
concept RecordingLaw = ImpactLaw<Law> && LawTaking<Law, const Recording>;

/// Whether a law makes use of the friction of contacts, as its uses_friction() says. Of a law that
/// does not say, its tangential impulses tell.
template <class Law>
std::optional<bool> uses_friction(const Law& law) {
  if constexpr (requires { law.uses_friction(); }) return law.uses_friction();
  return {};
}

/// Whether it makes use of their restitution, or of something else in its place.
template <class Law>
bool uses_restitution(const Law& law) {
  if constexpr (requires { law.uses_restitution(); }) return law.uses_restitution();
  return true;
}

/// Notes friction and restitution of contacts that a law has left out, in the consistency report.
void note_left_out(const ImpactProblem& problem, std::optional<bool> uses_friction,
                   bool uses_restitution, ImpactResult& result);

namespace laws {

/// Throws InvalidInput, naming the option, unless all options are in range. Laws that ask for more
/// have a validate() of their own.
template <HasFields Law>
void validate(const Law& law) {
  require_ranges("law", law);
}

}  // namespace laws

/// Completes what a law left open in its result: gap rates, energies, dissipated shares and the
/// consistency report.
void complete(const ImpactProblem& problem, ImpactResult& result);

/// Validates the problem, applies the law, and judges the outcome. With a workspace of the law, its
/// work takes no memory anew; not a bit of the result changes. With a Recording, result.history
/// holds the evolution during the impact.
///
///     resolve(problem, laws::Lzb{});
///     resolve(problem, laws::Lzb{}, workspace);
///     resolve(problem, laws::Lzb{}, Recording{.every = 10});
///     resolve(problem, laws::Lzb{}, workspace, Recording{});
template <class Law, class... More>
  requires LawTaking<Law, More...>
ImpactResult resolve(const ImpactProblem& problem, const Law& law, More&&... more) {
  validate(problem);
  ImpactResult result = law(problem, more...);
  note_left_out(problem, uses_friction(law), uses_restitution(law), result);
  complete(problem, result);
  return result;
}

}  // namespace percute
