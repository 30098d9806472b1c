// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/impact_problem.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace percute {

namespace {

void validate_tri_stiffness(const Material& material, const std::string& contact) {
  const std::string field = contact + ".tri_stiffness";
  if (!material.tri_stiffness) {
    if (material.contact_model == ContactModel::TriStiffness) {
      throw InvalidInput(field,
                         "is missing; contact_model tri_stiffness needs yield_indentation, "
                         "plastic_stiffness and unloading_stiffness");
    }
    return;
  }
  const TriStiffness& tri = *material.tri_stiffness;
  require_ranges(field, tri);
  const double least = std::max(material.stiffness, tri.plastic_stiffness);
  if (tri.unloading_stiffness < least) {
    throw InvalidInput(
        field + ".unloading_stiffness",
        text(tri.unloading_stiffness) +
            " is below the loading slopes; it must be a finite number >= " + text(least));
  }
}

void validate_contact(const Contact& contact, const std::string& name) {
  const double e = contact.material.restitution;
  if (!(e >= 0.0 && e <= 2.0)) {
    // Laws that are not Poisson's narrow this to [0, 1].
    throw InvalidInput(name + ".restitution", text(e) + " is not in [0, 1] (law poisson: [0, 2])");
  }
  require_ranges(name, contact.material);
  require_in_range(name, {"stored_energy", "", Range::not_negative()}, contact.stored_energy);
  validate_tri_stiffness(contact.material, name);
}

/// The columns of contact i, none of which is zero.
void validate_tangents(const ImpactProblem& problem, std::size_t i, const std::string& name) {
  const int d = problem.contacts[i].directions;
  if (d < 0 || d > 2) {
    throw InvalidInput(name + ".directions", std::to_string(d) + " is not 0, 1 or 2");
  }
  const Eigen::Index n = problem.mass.size();
  const auto columns = 2 * static_cast<Eigen::Index>(problem.contacts.size());
  if (d > 0 && (problem.tangents.rows() != n || problem.tangents.cols() != columns)) {
    throw InvalidInput(name + ".tangents",
                       "must be one or two rows of " + std::to_string(n) +
                           " numbers, one per coordinate: the matrix of all tangents is " +
                           std::to_string(problem.tangents.rows()) + " x " +
                           std::to_string(problem.tangents.cols()) + ", not " + std::to_string(n) +
                           " x " + std::to_string(columns));
  }
  for (Eigen::Index k = 0; k < 2 && problem.tangents.cols() == columns; ++k) {
    double largest = 0.0;
    for (SparseMatrix::InnerIterator entry(problem.tangents, 2 * static_cast<Eigen::Index>(i) + k);
         entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        throw InvalidInput(name + ".tangents", "holds a number that is not finite");
      }
      largest = std::max(largest, std::abs(entry.value()));
    }
    if (k >= d && largest > 0.0) {
      throw InvalidInput(name + ".directions", std::to_string(d) + " is less than its tangents");
    }
    if (k >= d || largest > 0.0) continue;
    throw InvalidInput(name + ".tangents[" + std::to_string(k) + "]",
                       "is zero; a tangent must move some coordinate (leave it out where nothing "
                       "can slide)");
  }
}

/// Finite velocities may still be too large: what all laws compute first must be finite as well.
void validate_size(const ImpactProblem& problem) {
  if (!std::isfinite(problem.mass.kinetic_energy(problem.velocity))) {
    throw InvalidInput("velocity", "is too large: the kinetic energy is not a finite number");
  }
  if (problem.contacts.empty()) return;
  const Vector U = problem.gradients.transpose() * problem.velocity;
  for (Eigen::Index i = 0; i < U.size(); ++i) {
    if (std::isfinite(U[i])) continue;
    throw InvalidInput("contacts[" + std::to_string(i) + "].gradient",
                       "is too large: the gap rate, gradient · velocity, is not a finite number");
  }
}

}  // namespace

void set_tangents(ImpactProblem& problem, const std::vector<Matrix>& tangents) {
  const Eigen::Index n = problem.velocity.size();
  if (tangents.size() != problem.contacts.size()) {
    throw InvalidInput("tangents", "are " + std::to_string(tangents.size()) + " matrices for " +
                                       std::to_string(problem.contacts.size()) + " contacts");
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    const Matrix& T = tangents[i];
    if (T.cols() > 2 || (T.cols() > 0 && T.rows() != n)) {
      throw InvalidInput(
          "contacts[" + std::to_string(i) + "].tangents",
          "must be one or two rows of " + std::to_string(n) + " numbers, one per coordinate");
    }
    problem.contacts[i].directions = static_cast<int>(T.cols());
    for (Eigen::Index d = 0; d < T.cols(); ++d) {
      for (Eigen::Index k = 0; k < T.rows(); ++k) {
        if (T(k, d) == 0.0) continue;
        entries.emplace_back(static_cast<int>(k), static_cast<int>(2 * i) + static_cast<int>(d),
                             T(k, d));
      }
    }
  }
  problem.tangents.resize(n, 2 * static_cast<Eigen::Index>(tangents.size()));
  problem.tangents.setFromTriplets(entries.begin(), entries.end());
}

void validate(const ImpactProblem& problem) {
  const Eigen::Index n = problem.mass.size();
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  if (problem.velocity.size() != n) {
    throw InvalidInput("velocity", "has " + std::to_string(problem.velocity.size()) +
                                       " numbers; the mass matrix has " + std::to_string(n) +
                                       " coordinates");
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!std::isfinite(problem.velocity[i])) {
      throw InvalidInput("velocity[" + std::to_string(i) + "]",
                         text(problem.velocity[i]) + " is not finite");
    }
  }
  if (problem.gradients.cols() != m || (m > 0 && problem.gradients.rows() != n)) {
    throw InvalidInput(
        "contacts", "the gradients are a " + std::to_string(problem.gradients.rows()) + " x " +
                        std::to_string(problem.gradients.cols()) + " matrix; " + std::to_string(n) +
                        " coordinates and " + std::to_string(m) + " contacts need " +
                        std::to_string(n) + " x " + std::to_string(m));
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    const std::string name = "contacts[" + std::to_string(i) + "]";
    double largest = 0.0;
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        throw InvalidInput(name + ".gradient", text(entry.value()) + " is not finite");
      }
      largest = std::max(largest, std::abs(entry.value()));
    }
    if (largest == 0.0) {
      throw InvalidInput(name + ".gradient", "is zero; a contact must move some coordinate");
    }
    validate_contact(problem.contacts[static_cast<std::size_t>(i)], name);
    validate_tangents(problem, static_cast<std::size_t>(i), name);
  }
  validate_size(problem);
}

ImpactScales scales(const ImpactProblem& problem) {
  return scales(problem, problem.mass.delassus_diagonal(problem.gradients));
}

ImpactScales scales(const ImpactProblem& problem, const Vector& diagonal) {
  ImpactScales result;
  const double largest = diagonal.size() > 0 ? diagonal.maxCoeff() : 0.0;
  result.effective_mass.resize(problem.gradients.cols());
  double heaviest = 0.0;
  double summands = 0.0;  // of a gap rate: Σ |W_ki v_k|
  for (Eigen::Index i = 0; i < problem.gradients.cols(); ++i) {
    // Contacts without mobility: no impulse could change their gap rate.
    if (!(diagonal[i] > 1e-14 * largest) || !std::isfinite(diagonal[i])) {
      throw InvalidInput("contacts[" + std::to_string(i) + "].gradient",
                         "no impulse could move this contact: its inverse effective mass " +
                             text(diagonal[i]) + " is below 1e-14 of the largest one, " +
                             text(largest));
    }
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const double mass = 1.0 / diagonal[i];
    result.effective_mass[i] = mass;
    heaviest = std::max(heaviest, mass);
    double U = 0.0;
    double sum = 0.0;
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      const double term = entry.value() * problem.velocity[entry.row()];
      U += term;
      sum += std::abs(term);
    }
    summands = std::max(summands, sum);
    result.velocity =
        std::max({result.velocity, std::abs(U), std::sqrt(2.0 * contact.stored_energy / mass)});
    // Sliding is felt only where there is friction: without, all is as if there were no tangents.
    if (friction_acts(contact)) {
      const Vector sliding =
          tangents_of(problem, static_cast<std::size_t>(i)).transpose() * problem.velocity;
      result.velocity = std::max(result.velocity, sliding.cwiseAbs().maxCoeff());
    }
  }
  // Bodies that move together may approach each other by no more than rounding: that is no
  // approach.
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  result.gap_rate_tol = std::max(1e-10 * result.velocity, kRounding * summands);
  result.energy = 0.5 * result.velocity * result.velocity * heaviest;
  return result;
}

}  // namespace percute
