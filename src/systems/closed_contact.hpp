// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/systems/any_system.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace percute::systems {

/// A closed contact of a system that has few coordinates.
struct ClosedContact {
  Vector gradient;       ///< ∇h, n
  Matrix tangents = {};  ///< n × d
  Material material = {};
};

/// Takes closed contacts one by one, so that of many only one is ever written out in full.
class ClosedContacts {
 public:
  void add(const ClosedContact& contact);
  /// The problem with these contacts, in this order.
  ImpactProblem problem(MassMatrix mass, const Vector& velocity) const;

 private:
  std::vector<Contact> contacts_;
  std::vector<Eigen::Triplet<double>> gradients_;
  std::vector<Eigen::Triplet<double>> tangents_;
};

ImpactProblem assemble(MassMatrix mass, const Vector& velocity,
                       const std::vector<ClosedContact>& closed);

/// Contacts of a moving system whose gap is `touching` (m) at most, and what they are called.
std::vector<int> closed_contacts(const AnySystem& system, const Vector& q, double touching);
std::vector<std::string> closed_names(const AnySystem& system, const Vector& q, double touching);

/// Material of contact i: its entry of the list, or the common one.
inline const Material& each(const std::vector<Material>& list, const Material& one, std::size_t i) {
  return list.empty() ? one : list[i];
}

}  // namespace percute::systems
