// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/closed_contact.hpp"

#include <utility>

namespace percute::systems {

namespace {

void add_column(const Eigen::Ref<const Vector>& values, Eigen::Index column,
                std::vector<Eigen::Triplet<double>>& entries) {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (values[k] == 0.0) continue;
    entries.emplace_back(static_cast<int>(k), static_cast<int>(column), values[k]);
  }
}

}  // namespace

void ClosedContacts::add(const ClosedContact& contact) {
  const auto i = static_cast<Eigen::Index>(contacts_.size());
  const Eigen::Index d = contact.tangents.cols();
  add_column(contact.gradient, i, gradients_);
  for (Eigen::Index k = 0; k < d; ++k) add_column(contact.tangents.col(k), 2 * i + k, tangents_);
  contacts_.push_back({.material = contact.material, .directions = static_cast<int>(d)});
}

ImpactProblem ClosedContacts::problem(MassMatrix mass, const Vector& velocity) const {
  const auto m = static_cast<Eigen::Index>(contacts_.size());
  ImpactProblem problem{.mass = std::move(mass),
                        .gradients = SparseMatrix(velocity.size(), m),
                        .velocity = velocity,
                        .contacts = contacts_,
                        .tangents = SparseMatrix(velocity.size(), 2 * m)};
  problem.gradients.setFromTriplets(gradients_.begin(), gradients_.end());
  problem.tangents.setFromTriplets(tangents_.begin(), tangents_.end());
  return problem;
}

ImpactProblem assemble(MassMatrix mass, const Vector& velocity,
                       const std::vector<ClosedContact>& closed) {
  ClosedContacts contacts;
  for (const ClosedContact& contact : closed) contacts.add(contact);
  return contacts.problem(std::move(mass), velocity);
}

std::vector<int> closed_contacts(const AnySystem& system, const Vector& q, double touching) {
  Vector h(system.contacts());
  system.gaps(q, h);
  std::vector<int> closed;
  closed.reserve(static_cast<std::size_t>(h.size()));
  for (int i = 0; i < system.contacts(); ++i) {
    if (h[i] <= touching) closed.push_back(i);
  }
  return closed;
}

std::vector<std::string> closed_names(const AnySystem& system, const Vector& q, double touching) {
  const std::vector<std::string> all = system.contact_names();
  std::vector<std::string> names;
  for (const int i : closed_contacts(system, q, touching)) {
    names.push_back(all[static_cast<std::size_t>(i)]);
  }
  return names;
}

}  // namespace percute::systems
