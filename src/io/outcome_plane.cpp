// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/outcome_plane.hpp"

#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace percute::io {

namespace {

using analysis::LawFamily;
using analysis::OutcomeSample;

struct Varied {
  std::string_view kind;
  LawFamily (*make)(const ImpactProblem&);
};

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

}  // namespace

std::vector<LawFamily> families_of(const ProblemFile& file) {
  std::vector<LawFamily> families;
  for (const Varied& varied : kFamilies) {
    if (varied.kind == file.law.kind()) families.push_back(varied.make(file.problem));
  }
  if (families.empty()) {
    families.push_back({.name = std::string(file.law.kind()),
                        .resolve = [law = file.law](const ImpactProblem& problem, const Vector&) {
                          return resolve(problem, law);
                        }});
  }
  return families;
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
