// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/comparison.hpp"

#include <percute/io/result_file.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

namespace percute::io {

namespace {

/// Runs of one law are repeated to see past the first touch of memory, but not for long.
constexpr int kRepetitions = 5;
constexpr double kLongEnough = 0.1;  // s

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

LawOutcome outcome_of(const Document& document, const LawChoice& choice,
                      const std::string& origin) {
  Document changed = document;
  override_law(changed, choice, origin);
  LawOutcome outcome{.name = choice.text, .file = read_problem_or_scene(changed), .result = {}};
  const auto begin = Clock::now();
  outcome.result = resolve(outcome.file, changed);
  outcome.time = seconds_since(begin);
  for (int k = 1; k < kRepetitions && seconds_since(begin) < kLongEnough; ++k) {
    const auto start = Clock::now();
    resolve(outcome.file.problem, outcome.file.law);
    outcome.time = std::min(outcome.time, seconds_since(start));
  }
  outcome.other_rule = try_other_reengagement(outcome.file, outcome.result);
  return outcome;
}

/// Whether a law can be read without any option.
bool needs_parameters(std::string_view kind) {
  Document bare;
  Node law;
  law.add("kind", kind);
  bare.root.add("law", std::move(law));
  try {
    read_law(Value(bare, *bare.root.find("law"), "law"));
  } catch (const FileError&) {
    return true;
  }
  return false;
}

/// Compliant contacts are all integrated all the time, and many of them collide for long.
constexpr std::size_t kMostCompliant = 64;
/// Most impacts of fewer contacts are over in a tenth of these steps; slow sliding in space takes
/// millions.
constexpr const char* kCompliantSteps = "20000";

/// Where friction acts, Coulomb's law is one to look at; elsewhere it is Newton's.
bool has_friction(const ImpactProblem& problem) {
  return std::ranges::any_of(problem.contacts, friction_acts);
}

/// Why a law has nothing to say about this system, if its status says so.
std::optional<std::string> not_covered(const ImpactResult& result) {
  if (result.status == Status::NotApplicable) return result.diagnostics.reason;
  if (result.status == Status::Singular)
    return "needs independent contacts, and these are redundant";
  return {};
}

/// Whether the comparison ends before this law.
bool stops_before(const LawChoice& choice, const std::function<bool()>& stop,
                  Comparison& comparison) {
  if (!comparison.stopped) comparison.stopped = stop && stop();
  if (comparison.stopped) {
    comparison.left_out.push_back({.law = choice.text, .reason = "stopped before its turn"});
  }
  return comparison.stopped;
}

}  // namespace

Comparison compare(const Document& document, const std::vector<LawChoice>& laws,
                   const std::string& origin, const std::function<bool()>& stop) {
  // What is wrong with the document is no law's fault.
  read_problem_or_scene(document);
  Comparison comparison;
  for (const LawChoice& choice : laws) {
    if (stops_before(choice, stop, comparison)) continue;
    try {
      comparison.outcomes.push_back(outcome_of(document, choice, origin));
    } catch (const FileError& error) {
      const std::string place = origin + " " + choice.text;
      if (error.where() == place) throw;
      throw FileError(place + ": " + error.where(), error.field(), error.reason());
    }
  }
  return comparison;
}

Comparison compare_all(const Document& document, const std::function<bool()>& stop) {
  const ProblemFile file = read_problem_or_scene(document);
  const std::string_view own = file.law.kind();
  const bool friction = has_friction(file.problem);
  std::vector<LawChoice> choices;
  const auto add = [&choices](std::string_view kind) {
    choices.push_back({.text = std::string(kind), .kind = std::string(kind)});
  };
  add(own);
  for (const std::string_view kind : law_kinds()) {
    const bool pointless = !friction && (kind == "coulomb" || kind == "darboux_keller_single");
    if (kind != own && !pointless && !needs_parameters(kind)) add(kind);
    if (kind == "compliant" && kind != own) {
      choices.back().options.emplace_back("max_steps", kCompliantSteps);
    }
  }

  Comparison comparison;
  for (const LawChoice& choice : choices) {
    if (stops_before(choice, stop, comparison)) continue;
    std::optional<std::string> reason;
    if (choice.kind == "compliant" && choice.kind != own &&
        file.problem.contacts.size() > kMostCompliant) {
      comparison.left_out.push_back(
          {.law = choice.text,
           .reason = "takes long with so many contacts; to run it, name it in --laws"});
      continue;
    }
    try {
      LawOutcome outcome = outcome_of(document, choice, "law");
      reason = not_covered(outcome.result);
      if (!choice.options.empty() && outcome.result.status == Status::NotTerminated) {
        reason = std::string("is not finished after ") + kCompliantSteps +
                 " steps; to run it to its end, name it in --laws";
      }
      if (!reason) comparison.outcomes.push_back(std::move(outcome));
    } catch (const FileError& error) {
      reason = error.field().empty() ? error.reason() : error.field() + ": " + error.reason();
    }
    if (reason) comparison.left_out.push_back({.law = choice.text, .reason = *reason});
  }
  return comparison;
}

Node to_node(const Comparison& comparison) {
  Node node;
  node.add("format", "percute-comparison/1");
  Node::Array results;
  results.reserve(comparison.outcomes.size());
  for (const LawOutcome& outcome : comparison.outcomes) {
    results.push_back(to_node(outcome.result, outcome.file));
  }
  node.add("results", std::move(results));
  if (comparison.left_out.empty()) return node;
  Node::Array left_out;
  for (const Comparison::LeftOut& law : comparison.left_out) {
    Node entry;
    entry.add("law", law.law);
    entry.add("reason", law.reason);
    left_out.push_back(std::move(entry));
  }
  node.add("left_out", std::move(left_out));
  return node;
}

}  // namespace percute::io
