// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/stick_set.hpp"

namespace percute::contact {

/// Bodies as their contacts see them. Rows 0 … m − 1 are the gaps, the others sliding velocities,
/// in the order of FrictionRows; state y holds what the mechanism needs, positions and velocities.
class Mechanism {
 public:
  Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;
  virtual ~Mechanism() = default;

  virtual int size() const = 0;  ///< numbers in its state

  /// Gaps (m) and velocities U of all rows at a state. `loaded`: which contacts have a force; of
  /// the others gap rates are told only if `all`, and no sliding velocities. All functions below
  /// speak of the state looked at last.
  virtual bool look(double time, const double* y, const char* loaded, bool all, double* gap,
                    double* U) = 0;
  /// What rounding leaves of a gap, and of its rate.
  virtual double gap_noise(int /*i*/) const { return 0.0; }
  virtual double rate_noise(int /*i*/) const { return 0.0; }

  /// Slope of the state under forces of all rows.
  virtual bool slope(const double* forces, double* out) = 0;
  /// Accelerations of all rows where the state has this slope.
  virtual void accelerations(const double* slope, double* a) = 0;
  /// Accelerations of the tangential rows under normal forces F, without friction.
  virtual void drive(const double* F, double* c) = 0;
  /// Mobility of the tangential rows, kept until the next look().
  virtual Mobility mobility() = 0;
  virtual bool frozen() const = 0;  ///< whether it never changes
  /// Change of the state by impulses p of the tangential rows.
  virtual void respond(const double* p, double* change) = 0;
  /// Tangential row k as a linear function of the state: U_k = row · y, but for its positions.
  virtual void sense(int k, double* row) = 0;

  /// 1/G_ii, kg
  virtual double effective_mass(int i) = 0;

  /// Lets the scales of the motion grow to this state. One that is not accepted, the end of a step
  /// that may yet be rejected, counts for the judgement of that step only.
  virtual void measure(const double* /*y*/, bool /*accepted*/) {}
  /// Size of an error of the state over the scales of the motion.
  virtual double norm(const double* error, double step) = 0;
};

}  // namespace percute::contact
