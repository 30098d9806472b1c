// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/law_family.hpp>
#include <percute/io/problem_file.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percute::io {

/// A law in one word, "coulomb:tangential=0": its kind, and options after colons.
struct LawChoice {
  std::string text = {};  ///< as typed
  std::string kind = {};
  std::vector<std::pair<std::string, std::string>> options = {};  ///< keys and values as typed
};

/// "moreau,coulomb:tangential=0,icr:p_next_over_p_prev=[0.75]" taken apart. Commas and colons
/// inside brackets, braces and quotes belong to the value. Throws FileError that begins with
/// `origin`; whether there is such a law shows when it is read.
std::vector<LawChoice> parse_law_list(std::string_view list, const std::string& origin);

/// Replaces the law of a document; messages about it will begin with `origin` and its text. The
/// options of the same kind are kept where the choice names none.
void override_law(Document& document, const LawChoice& choice, const std::string& origin);

/// One law and what it made of the problem.
struct LawOutcome {
  std::string name;  ///< as asked for: "binary:order=left_right"
  ProblemFile file;  ///< with that law
  ImpactResult result;
  std::optional<laws::OtherReengagement> other_rule = {};  ///< lzb, where the rule plays a part
  double time = 0.0;                                       ///< s, the shortest of a few runs
};

/// The same impact under several laws.
struct Comparison {
  struct LeftOut {
    std::string law;
    std::string reason;
  };

  std::vector<LawOutcome> outcomes = {};
  std::vector<LeftOut> left_out = {};  ///< laws that nobody asked for and that do not cover this
                                       ///< problem, or whose turn did not come
  bool stopped = false;
};

/// The impact of a document under the laws given, in that order. A law of the document's own kind
/// keeps the options it has there. Throws FileError where the document, or a law on it, cannot be
/// used; messages about a law begin with `origin` and its name. Where none are given these are all
/// that need no parameters of their own, and those that cannot take this problem are left out with
/// the reason. `stop` is asked before each law: where it says so the others are left out.
Comparison compare(const Document& document, const std::optional<std::vector<LawChoice>>& laws,
                   const std::string& origin, const std::function<bool()>& stop = {});

/// A `percute-comparison/1` object.
Node to_node(const Comparison& comparison);

/// Where a law can take an impact with two contacts.
struct PlaneLaw {
  analysis::LawFamily family;
  analysis::Coverage coverage;
};

/// Varies the parameters of every law of a comparison, each kind once. Throws InvalidInput unless
/// there are exactly two contacts, without friction and independent.
std::vector<PlaneLaw> outcome_plane(const Comparison& comparison,
                                    const analysis::CoverageOptions& options);

/// What parameters that a law was given by the whole of an impact are worth in a part of it.
struct LawTransfer {
  analysis::LawFamily family = {};               ///< of the whole
  std::optional<analysis::Transfer> found = {};  ///< empty: see the next
  std::string reason = {};                       ///< why they cannot be carried to that part
};

/// Fits every law of a comparison that has parameters, each kind once, to what `reference` makes of
/// the impact, and uses these parameters for some of its contacts alone.
std::vector<LawTransfer> transfer_to(const std::vector<int>& contacts, const Comparison& comparison,
                                     const ProblemFile& reference);

/// What `percute-comparison/1` has under "transfer".
Node to_node(const std::vector<LawTransfer>& laws);

/// CSV with the columns law, parameters, x, y, KER, admissible; (x, y) = U⁺/V, V the largest gap
/// rate before the impact. Throws FileError.
void write_outcome_plane(const std::filesystem::path& path, const std::vector<PlaneLaw>& laws);

}  // namespace percute::io
