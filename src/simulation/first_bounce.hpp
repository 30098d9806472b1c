// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Measures the first bounce of a body on its only contact while a run goes (Paoli & Schatzman
/// 2007, section 5): clusters of its contacts up to the first long flight, and the apparent
/// restitution of that flight.
class FirstBounce {
 public:
  struct Instant {
    double time;
    const Vector& q;
    const Vector& v;
  };

  /// Throws InvalidInput if the options are wrong or the system has not one contact. References are
  /// kept.
  FirstBounce(const systems::AnySystem& system, const BounceOptions& options, Bounce& bounce);

  /// In contact from one time to another, with so many impacts; there it is at q.
  void touch(double from, double to, int impacts, const Vector& q);
  /// An impact in the contact told last.
  void count_impact();
  /// A step of the motion; `arrival` is the speed before the first impact, m/s.
  void step(const Instant& from, const Instant& to, double arrival);

 private:
  double gap(const Vector& q);
  double gap_rate(const Instant& at);

  const systems::AnySystem& system_;
  const BounceOptions& options_;
  Bounce& bounce_;
  Vector gap_;
  Vector gradient_;
};

}  // namespace percute::simulation
