// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/reference_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>

namespace percute::io {

namespace {

using Verdict = ReferenceRow::Verdict;

std::string indexed(const char* name, Eigen::Index i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

// The i of "opening_time[i]"; -1 if the text is something else.
Eigen::Index index_in(const std::string& quantity, const std::string& name, Eigen::Index count) {
  for (Eigen::Index i = 0; i < count; ++i) {
    if (quantity == indexed(name.c_str(), i)) return i;
  }
  return -1;
}

// Percent of the kinetic energy in the coordinates that move forward.
double forward_share(const ImpactProblem& problem, const ImpactResult& result) {
  const Vector forward = result.velocity.cwiseMax(0.0);
  return 100.0 * problem.mass.kinetic_energy(forward) / result.energy.after;
}

// Percent of the kinetic energy in the last coordinate.
double last_share(const ImpactProblem& problem, const ImpactResult& result) {
  Vector last = Vector::Zero(result.velocity.size());
  last.tail(1) = result.velocity.tail(1);
  return 100.0 * problem.mass.kinetic_energy(last) / result.energy.after;
}

// Collects the rows of one case.
class Comparison {
 public:
  explicit Comparison(const ReferenceCase& reference)
      : case_(reference),
        converged_(reference.converged),
        result_(resolve(reference.problem.problem, reference.problem.law)) {}

  Reproduction run() {
    compare_status();
    for (const PublishedValues& published : case_.published) compare_published(published);
    if (case_.published.empty()) compare_velocities("converged", converged_.velocity);
    compare_velocities("closed form", case_.closed_form_velocity);
    compare_energies();
    compare_contacts();
    return {.id = case_.id, .title = case_.title, .rows = std::move(rows_)};
  }

 private:
  double velocity(std::size_t k) const {
    return result_.velocity[static_cast<Eigen::Index>(case_.components[k])];
  }

  // Error of T⁺ = ½ vᵀMv that velocity errors of match_tolerance amount to.
  double energy_tolerance() const {
    const Vector momentum = case_.problem.problem.mass * result_.velocity;
    return converged_.match_tolerance * std::max(1.0, momentum.lpNorm<1>());
  }

  double computed(const std::string& quantity) const {
    const ImpactProblem& problem = case_.problem.problem;
    if (quantity == "kinetic_energy") return result_.energy.after;
    if (quantity == "energy_share_forward") return forward_share(problem, result_);
    if (quantity == "energy_share_last") return last_share(problem, result_);
    const auto& contacts = result_.diagnostics.contacts;
    const auto i = index_in(quantity, "opening_time", static_cast<Eigen::Index>(contacts.size()));
    if (i < 0) throw InvalidInput("quantities", "no quantity is called '" + quantity + "'");
    return contacts[static_cast<std::size_t>(i)].opening_time;
  }

  void add(ReferenceRow row, int decimals = 0) {
    rows_.push_back(judged(std::move(row), decimals));
  }

  // A row without a published value.
  void add(const std::string& label, const std::string& quantity, double value, double reference,
           double tolerance, const std::string& note = {}) {
    add({.label = label,
         .quantity = quantity,
         .computed = value,
         .reference = reference,
         .reference_tolerance = tolerance,
         .note = note});
  }

  void compare_status() {
    const std::string status = name(result_.status);
    if (status == converged_.status) return;
    rows_.push_back({.label = "converged",
                     .quantity = "status",
                     .verdict = Verdict::Differs,
                     .note = "status is " + status + ", not " + converged_.status});
  }

  void compare_velocities(const std::string& label, const Vector& reference,
                          const std::string& note = {}) {
    for (Eigen::Index i = 0; i < reference.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      add(label, case_.labels[k], velocity(k), reference[i], converged_.match_tolerance, note);
    }
  }

  void compare_published(const PublishedValues& published) {
    std::string note = published.classification + ": " + published.reason;
    if (!published.statement.empty()) note = "\"" + published.statement + "\", " + note;
    if (published.velocity.size() == 0 && published.quantities.empty()) {
      compare_velocities(published.where, converged_.velocity, note);
    }
    for (Eigen::Index i = 0; i < published.velocity.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      add({.label = published.where,
           .quantity = case_.labels[k],
           .published = published.velocity[i],
           .computed = velocity(k),
           .tolerance = published.compared[k] ? published.tolerance : std::nullopt,
           .reference = converged_.velocity[i],
           .reference_tolerance = converged_.match_tolerance,
           .note = note},
          published.decimals);
    }
    for (const NamedNumber& printed : published.quantities) {
      const auto [reference, tolerance] = converged_quantity(printed.quantity);
      add({.label = published.where,
           .quantity = printed.quantity,
           .published = printed.value,
           .computed = computed(printed.quantity),
           .tolerance = printed.tolerance,
           .reference = reference,
           .reference_tolerance = tolerance,
           .note = note},
          printed.decimals);
    }
  }

  std::pair<double, double> converged_quantity(const std::string& quantity) const {
    if (quantity == "kinetic_energy") {
      return {converged_.kinetic_energy_after, energy_tolerance()};
    }
    for (const NamedNumber& known : converged_.quantities) {
      if (known.quantity == quantity) return {known.value, known.tolerance};
    }
    throw InvalidInput("quantities", "no converged value of '" + quantity + "'");
  }

  void compare_energies() {
    const double tolerance = energy_tolerance();
    add("converged", "kinetic_energy", result_.energy.after, converged_.kinetic_energy_after,
        tolerance);
    if (case_.closed_form_kinetic_energy) {
      add("closed form", "kinetic_energy", result_.energy.after, *case_.closed_form_kinetic_energy,
          tolerance);
    }
  }

  void compare_contacts() {
    const double tolerance = converged_.match_tolerance;
    const auto zero = [&](Eigen::Index i) {
      const auto& list = converged_.exactly_zero;
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    for (Eigen::Index i = 0; i < converged_.impulse.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const ContactSummary& summary = result_.diagnostics.contacts.at(k);
      add("converged", indexed("impulse", i), result_.impulse[i], converged_.impulse[i],
          zero(i) ? 0.0 : tolerance);
      add("converged", indexed("dissipated", i), result_.dissipated[i], converged_.dissipated[i],
          tolerance);
      add("converged", indexed("compressions", i), summary.compressions,
          static_cast<double>(converged_.compressions[k]),
          static_cast<double>(converged_.compressions_tolerance));
      add("converged", indexed("impacts", i), summary.impacts,
          static_cast<double>(converged_.impacts[k]), 0.0);
    }
  }

  const ReferenceCase& case_;
  const ConvergedValues& converged_;
  ImpactResult result_;
  std::vector<ReferenceRow> rows_;
};

}  // namespace

Reproduction reproduce(const ReferenceCase& reference) {
  return Comparison(reference).run();
}

}  // namespace percute::io
