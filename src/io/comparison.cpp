// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/comparison.hpp"

#include "io/text.hpp"

#include <percute/io/law_file.hpp>
#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
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

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
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

using analysis::LawFamily;
using analysis::OutcomeSample;

using Varied = std::pair<std::string_view, LawFamily (*)(const ImpactProblem&)>;

constexpr std::array<Varied, 11> kFamilies{{
    {"moreau", analysis::moreau_family},
    {"newton", analysis::newton_family},
    {"poisson", analysis::poisson_family},
    {"poisson", analysis::poisson_family_to_two},
    {"restitution_matrix", analysis::restitution_matrix_family},
    {"fremond_quadratic", analysis::fremond_quadratic_family},
    {"icr", analysis::impulse_ratios_family},
    {"binary", analysis::binary_family},
    {"simultaneous_set", analysis::simultaneous_set_family},
    {"scalar_restitution", analysis::scalar_restitution_family},
    {"lzb", analysis::lzb_family},
}};

std::string parameters_text(const LawFamily& family, const OutcomeSample& sample) {
  std::string text;
  for (std::size_t k = 0; k < family.parameters.size(); ++k) {
    text += fmt::format("{}{}={:.9g}", k == 0 ? "" : " ", family.parameters[k].name,
                        sample.parameters[static_cast<Eigen::Index>(k)]);
  }
  return text;
}

/// The free parameters of the law of a file; Poisson's law comes twice, with coefficients up to 1
/// and up to 2. Empty for a law that has none to vary.
std::vector<analysis::FamilyMaker> family_makers(const ProblemFile& file) {
  std::vector<analysis::FamilyMaker> makers;
  for (const auto& [kind, make] : kFamilies) {
    if (kind == file.law.kind()) makers.emplace_back(make);
  }
  return makers;
}

/// These for its problem; a law that has none to vary is itself.
std::vector<LawFamily> families_of(const ProblemFile& file) {
  std::vector<LawFamily> families;
  for (const analysis::FamilyMaker& make : family_makers(file)) {
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

Node fitted_node(const analysis::Identification& fitted) {
  return Node::Object{{"parameters", fitted.parameters}, {"misfit", fitted.misfit}};
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
  for (const LawOutcome& outcome : comparison.outcomes) {
    results.push_back(to_node(outcome.result, outcome.file));
  }
  node.add("results", std::move(results));
  Node::Array left_out;
  for (const Comparison::LeftOut& law : comparison.left_out) {
    left_out.emplace_back(Node::Object{{"law", law.law}, {"reason", law.reason}});
  }
  if (!left_out.empty()) node.add("left_out", std::move(left_out));
  return node;
}

std::vector<LawTransfer> transfer_to(const std::vector<int>& contacts, const Comparison& comparison,
                                     const ProblemFile& reference) {
  const auto nature = [&](const ImpactProblem& problem) { return resolve(problem, reference.law); };
  std::vector<LawTransfer> laws;
  for (const LawOutcome& outcome : comparison.outcomes) {
    for (const analysis::FamilyMaker& make : family_makers(outcome.file)) {
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
  Node::Array list;
  for (const LawTransfer& law : laws) {
    Node node;
    node.add("law", law.family.name);
    Node::Array names;
    for (const auto& parameter : law.family.parameters) names.emplace_back(parameter.name);
    node.add("parameters", std::move(names));
    if (law.found) {
      node.add("whole", fitted_node(law.found->whole));
      node.add("part", fitted_node(law.found->part));
      node.add("error", law.found->error);
      node.add("change", law.found->change);
    } else {
      node.add("reason", law.reason);
    }
    list.push_back(std::move(node));
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
