// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/closed_contact.hpp"

#include <utility>

namespace percute::systems {

ImpactProblem assemble(MassMatrix mass, const Vector& velocity, std::vector<ClosedContact> closed) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> contacts;
  contacts.reserve(closed.size());
  std::vector<Matrix> tangents;
  tangents.reserve(closed.size());
  for (ClosedContact& contact : closed) {
    const auto column = static_cast<int>(contacts.size());
    for (int k = 0; k < static_cast<int>(contact.gradient.size()); ++k) {
      if (contact.gradient[k] != 0.0) entries.emplace_back(k, column, contact.gradient[k]);
    }
    contacts.push_back({.material = contact.material});
    tangents.push_back(std::move(contact.tangents));
  }
  SparseMatrix W(velocity.size(), static_cast<Eigen::Index>(contacts.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  ImpactProblem problem{.mass = std::move(mass),
                        .gradients = W,
                        .velocity = velocity,
                        .contacts = std::move(contacts)};
  set_tangents(problem, tangents);
  return problem;
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
