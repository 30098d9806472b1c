// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/contact_dynamics.hpp"
#include "laws/compliant/frozen_mechanism.hpp"
#include "selftest/elastic_friction.hpp"
#include "selftest/friction_checks.hpp"

#include <gtest/gtest.h>

#include <atomic>

/// Counted by the operator new of lzb_allocation_test.cpp.
extern std::atomic<long> percute_test_allocations;

namespace percute::laws {

namespace {

/// Contacts that are all pressed together, with friction, so that slopes need every force.
class Pressed final : public ContactDynamics {
 public:
  Pressed(const ImpactProblem& problem, const Compliant& law, FrozenMechanism& mechanism,
          const contact::FrictionRows& rows)
      : ContactDynamics(mechanism, rows, law) {
    const auto count = static_cast<int>(problem.contacts.size());
    mechanism.set_units(std::vector<double>(problem.contacts.size(), 1.0), 1.0);
    units_.tolerance = 1e-9;
    for (int i = 0; i < count; ++i) {
      contact(i).law = ContactForce(problem.contacts[static_cast<std::size_t>(i)].material,
                                    law.force, mechanism.effective_mass(i), i);
      contact(i).mode = CompliantContact::Mode::Touching;
      integrator_.state()[i] = -0.01 * (1 + i);
    }
    EXPECT_TRUE(decide());
  }

  /// Allocations of one hundred slopes.
  long allocated() {
    std::vector<double> out(static_cast<std::size_t>(size()));
    EXPECT_TRUE(slope(0.0, integrator_.state(), out.data()));
    const long before = percute_test_allocations;
    for (int k = 0; k < 100; ++k) slope(0.0, integrator_.state(), out.data());
    return percute_test_allocations - before;
  }
  bool redundant() const {
    return friction_.any_sticks() && tangential() > static_cast<int>(mechanism_.size()) - m();
  }

  void passed(double /*until*/) override {}
  bool interrupted() override { return false; }

 private:
  void close(int /*i*/) override {}
  void friction_changed(int /*i*/, bool /*sticks*/) override {}
};

long allocated(ImpactProblem problem, bool& redundant) {
  problem.velocity.setZero();  // all at rest: whoever can stick does
  const Compliant law{.force = Compliant::Force::Power};
  const contact::FrictionRows rows = contact::friction_rows(problem.contacts);
  FrozenMechanism mechanism(problem, rows);
  Pressed pressed(problem, law, mechanism, rows);
  redundant = redundant || pressed.redundant();
  return pressed.allocated();
}

}  // namespace

TEST(CompliantAllocation, SlopesDoNotAllocate) {
  // Planar and spatial bodies on two to six points, redundant ones among them.
  bool redundant = false;
  int spatial = 0;
  for (std::uint64_t k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const ImpactProblem problem = selftest::made_elastic(selftest::random_friction(3, k).problem);
    spatial += problem.contacts[0].directions == 2 ? 1 : 0;
    EXPECT_EQ(allocated(problem, redundant), 0);
  }
  EXPECT_TRUE(redundant);
  EXPECT_GT(spatial, 5);
}

}  // namespace percute::laws
