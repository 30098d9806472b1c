// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/indices.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/io/law_cases.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/numerics/coulomb.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

namespace percute::io {

namespace {

// "tangential_impulse[0][1]" in its parts.
struct Name {
  std::string word;
  std::vector<std::size_t> indices = {};
};

Name split(const std::string& text) {
  Name name{.word = text.substr(0, text.find('['))};
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    name.indices.push_back(std::stoul(text.substr(at + 1)));
  }
  return name;
}

// The contacts as a Coulomb problem; θ is that of the law, 0 for others.
numerics::CoulombProblem coulomb_problem(const ProblemFile& file) {
  const auto* law = file.law.as<laws::Coulomb>();
  return laws::coulomb_impact(file.problem,
                              law != nullptr ? *law : laws::Coulomb{.tangential = 0.0})
      .problem;
}

double total(const std::vector<Vector>& list) {
  double sum = 0.0;
  for (const Vector& entry : list) sum += entry.sum();
  return sum;
}

// Numbers about the problem, or about all outcomes it may have.
std::optional<double> of_problem(const Name& name, const ProblemFile& file) {
  if (name.word == "kinetic_angle") {
    return analysis::analyze(file.problem).kinetic_angles(0, 1) * 180.0 / std::numbers::pi;
  }
  if (name.word == "rank") return analysis::analyze(file.problem).rank;
  if (name.word == "delassus") {
    return coulomb_problem(file).A.coeff(static_cast<Eigen::Index>(name.indices.at(0)),
                                         static_cast<Eigen::Index>(name.indices.at(1)));
  }
  if (name.word == "solutions") {
    const numerics::CoulombProblem problem = coulomb_problem(file);
    const auto solutions = numerics::enumerate_coulomb(problem);
    return static_cast<double>(numerics::distinct_velocities(problem, solutions).size());
  }
  return {};
}

// Verdicts and counts.
std::optional<double> of_verdict(const Name& name, const ImpactResult& result) {
  const auto& algebraic = result.diagnostics.algebraic;
  if (name.word == "energetic") return result.consistency.energetic ? 1.0 : 0.0;
  if (name.word == "kinematic") return result.consistency.kinematic ? 1.0 : 0.0;
  if (name.word == "non_unique_impulse") return result.non_unique_impulse ? 1.0 : 0.0;
  const std::vector<ImpactPhase>& phases = result.diagnostics.phases;
  if (name.word == "phases") return static_cast<double>(phases.size());
  if (name.word == "phase_end") return phases.at(name.indices.at(0)).to;
  if (!algebraic) return {};
  if (name.word == "multiple_solutions") return algebraic->multiple_solutions ? 1.0 : 0.0;
  if (name.word == "energy_bound") return algebraic->energy_bound;
  if (name.word == "restitution_factor") return algebraic->restitution_factor;
  if (name.word == "collisions") return static_cast<double>(algebraic->sequence.size());
  if (name.word == "sequence") return algebraic->sequence.at(name.indices.at(0)).contact;
  return {};
}

// Velocities, impulses and energies.
std::optional<double> of_outcome(const Name& name, const ProblemFile& file,
                                 const ImpactResult& result) {
  const auto index = [&](std::size_t k) { return static_cast<Eigen::Index>(name.indices.at(k)); };
  if (name.word.starts_with("v") &&
      name.word.find_first_not_of("0123456789", 1) == std::string::npos) {
    return result.velocity[std::stol(name.word.substr(1)) - 1];
  }
  if (name.word == "impulse") return result.impulse[index(0)];
  if (name.word == "gap_rate") return result.gap_rate[index(0)];
  if (name.word == "tangential_impulse") {
    return result.tangential_impulse.at(name.indices.at(0))[index(1)];
  }
  if (name.word == "tangential_velocity") {
    return result.tangential_velocity.at(name.indices.at(0))[index(1)];
  }
  if (name.word == "total_tangential_impulse") return total(result.tangential_impulse);
  if (name.word == "energy_ratio") return result.energy.after / result.energy.before;
  if (name.word == "kinetic_energy") {
    return index(0) == 0 ? result.energy.before : result.energy.after;
  }
  if (name.word == "dispersion") {
    return analysis::dispersion(file.problem.mass, result.velocity, file.bodies);
  }
  return {};
}

}  // namespace

double quantity(const std::string& name, const ProblemFile& file, const ImpactResult& result) {
  const Name parts = split(name);
  if (const auto value = of_outcome(parts, file, result)) return *value;
  if (const auto value = of_verdict(parts, result)) return *value;
  if (const auto value = of_problem(parts, file)) return *value;
  throw InvalidInput("expected", "the outcome has no quantity called '" + name + "'");
}

}  // namespace percute::io
