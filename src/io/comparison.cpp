// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/comparison.hpp"

#include "io/columns.hpp"
#include "io/text.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace percute::io {

namespace {

/// Splits at a letter that stands outside of brackets, braces and quotes.
std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == separator && depth <= 0) {
      parts.push_back(text.substr(start, k - start));
      start = k + 1;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

LawChoice parse_choice(std::string_view text, const std::string& origin) {
  const std::vector<std::string_view> parts = split_outside(text, ':');
  LawChoice choice{.text = std::string(text), .kind = std::string(trimmed(parts.front()))};
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto equals = parts[k].find('=');
    const std::string_view key = trimmed(parts[k].substr(0, equals));
    if (equals == std::string_view::npos || key.empty()) {
      throw FileError(origin, "",
                      fmt::format("'{}' must be an option of {}, KEY=VALUE; for example "
                                  "coulomb:tangential=0",
                                  printable(parts[k]), printable(choice.kind)));
    }
    choice.options.emplace_back(key, trimmed(parts[k].substr(equals + 1)));
  }
  return choice;
}

/// Runs of one law are repeated to see past the first touch of memory, but not for long.
constexpr int kRepetitions = 5;
constexpr double kLongEnough = 0.1;  // s

LawOutcome outcome_of(const Document& document, const LawChoice& choice,
                      const std::string& origin) {
  Document changed = document;
  override_law(changed, choice, origin);
  LawOutcome outcome{.name = choice.text, .file = read_problem_or_scene(changed), .result = {}};
  const double begin = seconds_now();
  outcome.result = resolve(outcome.file, changed);
  outcome.time = seconds_now() - begin;
  for (int k = 1; k < kRepetitions && seconds_now() - begin < kLongEnough; ++k) {
    const double start = seconds_now();
    resolve(outcome.file.problem, outcome.file.law);
    outcome.time = std::min(outcome.time, seconds_now() - start);
  }
  outcome.other_rule = try_other_reengagement(outcome.file, outcome.result);
  return outcome;
}

/// Whether a law can be read without any option.
bool needs_parameters(std::string_view kind) {
  const Document bare{.file = "", .root = Node::Object{{"kind", kind}}};
  try {
    read_law(Value(bare));
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

/// Laws that need no parameters and can apply, that of the file first.
std::vector<LawChoice> applicable_laws(const ProblemFile& file) {
  const std::string_view own = file.law.kind();
  // Where friction acts, Coulomb's law is one to look at; elsewhere it is Newton's.
  const bool friction = std::ranges::any_of(file.problem.contacts, friction_acts);
  std::vector<LawChoice> choices{{.text = std::string(own), .kind = std::string(own)}};
  for (const std::string_view kind : law_kinds()) {
    const bool pointless = !friction && (kind == "coulomb" || kind == "darboux_keller_single");
    if (kind == own || pointless || needs_parameters(kind)) continue;
    choices.push_back({.text = std::string(kind), .kind = std::string(kind)});
    if (kind == "compliant") choices.back().options.emplace_back("max_steps", kCompliantSteps);
  }
  return choices;
}

/// Why a law that nobody asked for is left out, once its outcome is known.
std::optional<std::string> no_row(const LawChoice& choice, const ImpactResult& result) {
  if (!choice.options.empty() && result.status == Status::NotTerminated) {
    return fmt::format("is not finished after {} steps; to run it to its end, name it in --laws",
                       kCompliantSteps);
  }
  if (result.status == Status::NotApplicable) return result.diagnostics.reason;
  if (result.status == Status::Singular)
    return "needs independent contacts, and these are redundant";
  return {};
}

using analysis::LawFamily;
using analysis::OutcomeSample;

std::string parameters_text(const LawFamily& family, const OutcomeSample& sample) {
  std::string text;
  for (std::size_t k = 0; k < family.parameters.size(); ++k) {
    text += fmt::format("{}{}={:.9g}", k == 0 ? "" : " ", family.parameters[k].name,
                        sample.parameters[static_cast<Eigen::Index>(k)]);
  }
  return text;
}

/// The law of a file with its free parameters; Poisson's law comes twice, with coefficients up to 1
/// and up to 2. A law that has none to vary is itself.
std::vector<LawFamily> families_of(const ProblemFile& file) {
  std::vector<LawFamily> families;
  for (const analysis::FamilyMaker& make : analysis::family_makers(file.law.kind())) {
    families.push_back(make(file.problem));
  }
  if (families.empty()) {
    families.push_back({.name = std::string(file.law.kind()),
                        .resolve = [law = file.law](const ImpactProblem& problem, const Vector&) {
                          return resolve(problem, law);
                        }});
  }
  return families;
}

}  // namespace

std::vector<LawChoice> parse_law_list(std::string_view list, const std::string& origin) {
  std::vector<LawChoice> choices;
  for (const std::string_view part : split_outside(list, ',')) {
    LawChoice choice = parse_choice(trimmed(part), origin);
    if (choice.kind.empty()) {
      const std::vector<std::string_view> kinds = law_kinds();
      throw FileError(origin, "",
                      fmt::format("'{}' has an entry without a law; laws: {}", printable(list),
                                  fmt::join(kinds, ", ")));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

void override_law(Document& document, const LawChoice& choice, const std::string& origin) {
  const std::string place = origin + " " + choice.text;
  override_law(document, choice.kind, place);
  for (const auto& [key, value] : choice.options) {
    override_value(document, "law." + key, value, place);
  }
}

Comparison compare(const Document& document, const std::optional<std::vector<LawChoice>>& laws,
                   const std::string& origin, const std::function<bool()>& stop) {
  // What is wrong with the document is no law's fault.
  const ProblemFile file = read_problem_or_scene(document);
  const bool large = file.problem.contacts.size() > kMostCompliant;
  Comparison comparison;
  for (const LawChoice& choice : laws ? *laws : applicable_laws(file)) {
    std::optional<std::string> reason;
    comparison.stopped = comparison.stopped || (stop && stop());
    if (comparison.stopped) {
      reason = "stopped before its turn";
    } else if (!laws && large && choice.kind == "compliant" && !choice.options.empty()) {
      reason = "takes long with so many contacts; to run it, name it in --laws";
    } else {
      try {
        LawOutcome outcome = outcome_of(document, choice, laws ? origin : "law");
        if (!laws) reason = no_row(choice, outcome.result);
        if (!reason) comparison.outcomes.push_back(std::move(outcome));
      } catch (const FileError& error) {
        const std::string place = origin + " " + choice.text;
        if (laws && error.where() == place) throw;
        if (laws) throw FileError(place + ": " + error.where(), error.field(), error.reason());
        reason = error.field().empty() ? error.reason() : error.field() + ": " + error.reason();
      }
    }
    if (reason) comparison.left_out.push_back({.law = choice.text, .reason = *reason});
  }
  return comparison;
}

Node to_node(const Comparison& comparison) {
  const auto result = [](const LawOutcome& one) { return to_node(one.result, one.file); };
  const auto left_out = [](const Comparison::LeftOut& one) {
    return Node(Node::Object{{"law", one.law}, {"reason", one.reason}});
  };
  Node node(Node::Object{{"format", "percute-comparison/1"},
                         {"results", each(comparison.outcomes, result)}});
  if (!comparison.left_out.empty()) node.add("left_out", each(comparison.left_out, left_out));
  return node;
}

std::vector<LawTransfer> transfer_to(const std::vector<int>& contacts, const Comparison& comparison,
                                     const ProblemFile& reference) {
  const auto nature = [&](const ImpactProblem& problem) { return resolve(problem, reference.law); };
  std::vector<LawTransfer> laws;
  for (const LawOutcome& outcome : comparison.outcomes) {
    for (const analysis::FamilyMaker& make : analysis::family_makers(outcome.file.law.kind())) {
      LawTransfer law{.family = make(outcome.file.problem)};
      const bool known = std::ranges::any_of(
          laws, [&](const LawTransfer& other) { return other.family.name == law.family.name; });
      if (known) continue;
      try {
        law.found = analysis::transferability(reference.problem, make, nature, contacts);
      } catch (const InvalidInput& error) {
        law.reason = error.reason();
      }
      laws.push_back(std::move(law));
    }
  }
  return laws;
}

Node to_node(const std::vector<LawTransfer>& laws) {
  const auto fitted = [](const analysis::Identification& fit) {
    return Node::Object{{"parameters", fit.parameters}, {"misfit", fit.misfit}};
  };
  Node::Array list;
  for (const LawTransfer& law : laws) {
    Node& node = list.emplace_back(
        Node::Object{{"law", law.family.name},
                     {"parameters", each(law.family.parameters, &analysis::Parameter::name)}});
    if (law.found) {
      node.add("whole", fitted(law.found->whole));
      node.add("part", fitted(law.found->part));
      node.add("error", law.found->error);
      node.add("change", law.found->change);
    } else {
      node.add("reason", law.reason);
    }
  }
  return list;
}

std::vector<PlaneLaw> outcome_plane(const Comparison& comparison,
                                    const analysis::CoverageOptions& options) {
  std::vector<PlaneLaw> laws;
  for (const LawOutcome& outcome : comparison.outcomes) {
    const std::size_t contacts = outcome.file.problem.contacts.size();
    if (contacts != 2) {
      throw InvalidInput("contacts", fmt::format("the plane of outcomes is for two contacts; "
                                                 "there {} {}",
                                                 contacts == 1 ? "is" : "are", contacts));
    }
    for (LawFamily& family : families_of(outcome.file)) {
      const bool known = std::ranges::any_of(
          laws, [&family](const PlaneLaw& law) { return law.family.name == family.name; });
      if (known) continue;
      analysis::Coverage coverage = analysis::coverage(outcome.file.problem, family, options);
      laws.push_back({.family = std::move(family), .coverage = std::move(coverage)});
    }
  }
  return laws;
}

void write_outcome_plane(const std::filesystem::path& path, const std::vector<PlaneLaw>& laws) {
  std::string text = "law,parameters,x,y,KER,admissible\n";
  for (const PlaneLaw& law : laws) {
    for (const OutcomeSample& sample : law.coverage.samples) {
      text += fmt::format("{},{},{:.17g},{:.17g},{:.17g},{}\n", law.family.name,
                          parameters_text(law.family, sample), sample.outcome[0], sample.outcome[1],
                          sample.energy_ratio, sample.admissible ? 1 : 0);
    }
  }
  write_text(path, text);
}

}  // namespace percute::io
