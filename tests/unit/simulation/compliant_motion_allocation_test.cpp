// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb.hpp"
#include "simulation/moving_mechanism.hpp"

#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <atomic>

/// Counted by the malloc of fixed_step_allocation_test.cpp.
extern std::atomic<long> percute_test_allocations;

namespace percute::simulation {
namespace {

/// A plate that slides and turns on the plane z = 0, on four feet: redundant contacts in space.
struct Plate {
  static constexpr int kFeet = 4;
  Material material = {.friction = 0.5};

  static int coordinates() { return 3; }  // x, y, φ; z is that of the feet
  static int contacts() { return kFeet; }
  static void mass(const Vector&, Matrix& M) { M.setIdentity(); }
  static void force(double, const Vector&, const Vector&, Vector& f) { f.setConstant(-0.1); }
  static void gaps(const Vector&, Vector& h) { h.setConstant(-0.01); }
  static void gradient(int, const Vector&, Vector& column) { column.setZero(); }
  static double gap_curvature(int, const Vector&, const Vector&) { return 0.0; }
  Contact contact(int /*i*/, const Vector& /*q*/) const {
    return {.material = material, .directions = 2};
  }
  static void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) {
    const double angle = q[2] + 1.5 * i;
    T << 1.0, 0.0, 0.0, 1.0, -std::sin(angle), std::cos(angle);
  }
  static double potential_energy(const Vector&) { return 0.0; }
};

/// Allocations of a hundred slopes of a system at q, v, its contacts all loaded: what the
/// right-hand side of compliant motion asks.
long allocated(const systems::AnySystem& system, const Vector& q, const Vector& v) {
  const int m = system.contacts();
  std::vector<Contact> contacts;
  for (int i = 0; i < m; ++i) contacts.push_back(system.contact(i, q));
  const contact::FrictionRows rows = contact::friction_rows(contacts);
  EXPECT_GT(rows.tangential(), 0);
  MovingMechanism mechanism(system, rows);
  mechanism.set_units(1e-3, 1.0);
  Vector y(2 * q.size());
  y << q, v;
  const std::vector<char> loaded(static_cast<std::size_t>(m), 1);
  const auto count = static_cast<std::size_t>(m + rows.tangential());
  std::vector<double> gap(static_cast<std::size_t>(m));
  std::vector<double> U(count);
  std::vector<double> F(count, 1.0);
  std::vector<double> a(count);
  std::vector<double> c(static_cast<std::size_t>(rows.tangential()));
  std::vector<double> slope(static_cast<std::size_t>(2 * q.size()));
  const auto right_hand_side = [&] {
    for (const bool all : {false, true}) {
      mechanism.look(0.0, y.data(), loaded.data(), all, gap.data(), U.data());
    }
    mechanism.drive(F.data(), c.data());
    mechanism.slope(F.data(), slope.data());
    mechanism.accelerations(slope.data(), a.data());
    mechanism.norm(slope.data(), 1e-3);
  };
  right_hand_side();
  const long before = percute_test_allocations;
  for (int k = 0; k < 100; ++k) right_hand_side();
  return percute_test_allocations - before;
}

TEST(CompliantMotionAllocation, SlopesDoNotAllocate) {
  const Material rough{.friction = 0.3};
  const systems::PlanarBody block{.points = {{.at = {-1.0, -0.5}}, {.at = {1.0, -0.5}}},
                                  .material = rough};
  const State on_floor = block.at_contact({0.3, -0.1, 0.2});
  EXPECT_EQ(allocated(block, on_floor.position, on_floor.velocity), 0);

  const systems::DoublePendulum pendulum{.wall = systems::DoublePendulum::Wall::Left,
                                         .material = rough};
  const State swinging = pendulum.at_contact({0.3, -0.2});
  EXPECT_EQ(allocated(pendulum, swinging.position, swinging.velocity), 0);

  EXPECT_EQ(allocated(Plate{}, Vector::Zero(3), Eigen::Vector3d(0.1, 0.2, 0.3)), 0);
}

}  // namespace
}  // namespace percute::simulation
