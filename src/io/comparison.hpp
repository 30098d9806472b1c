// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/law_list.hpp"

#include <percute/io/problem_file.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace percute::io {

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
  std::vector<LeftOut> left_out = {};  ///< laws that do not cover this problem, of compare_all(),
                                       ///< or whose turn did not come
  bool stopped = false;
};

/// The impact of a document under the laws given, in that order. A law of the document's own kind
/// keeps the options it has there. Throws FileError where the document, or a law on it, cannot be
/// used; messages about a law begin with `origin` and its name. `stop` is asked before each law:
/// where it says so the others are left out.
Comparison compare(const Document& document, const std::vector<LawChoice>& laws,
                   const std::string& origin, const std::function<bool()>& stop = {});

/// The same under every law that needs no parameters of its own, the document's law first among
/// them if it does. Laws that cannot take this problem are left out with the reason.
Comparison compare_all(const Document& document, const std::function<bool()>& stop = {});

/// A `percute-comparison/1` object.
Node to_node(const Comparison& comparison);

}  // namespace percute::io
