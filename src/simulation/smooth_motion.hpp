// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/hybrid_integrator.hpp"
#include "simulation/contact_gaps.hpp"
#include "simulation/held_contacts.hpp"

#include <percute/simulation/event_driven.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace percute::simulation {

/// What errors of steps are measured by, unless options say it. Velocities: V_i with ½ M_ii V_i²
/// the largest kinetic energy of a coordinate met so far, that at the end of the step, or what
/// forces do in it. Positions: the largest distance covered so far, or V_i h.
class ErrorScales {
 public:
  /// `memory`: energy, origin and reach are kept there.
  ErrorScales(const EventDriven& method, const AnySystem& system, EventDrivenMemory& memory)
      : method_(method),
        system_(system),
        memory_(memory),
        M_(system.coordinates(), system.coordinates()),
        mass_(system.coordinates()),
        unit_(2 * system.coordinates()) {}

  /// Largest energies and distances met, after a step or an impact.
  void update(const MotionState& state) {
    memory_.reach = memory_.reach.cwiseMax((state.q - memory_.origin).cwiseAbs());
    if (given()) return;
    system_.mass(state.q, M_);
    mass_ = M_.diagonal();
    memory_.energy =
        std::max(memory_.energy, 0.5 * (mass_.array() * state.v.array().square()).maxCoeff());
  }
  /// Of what would move without contacts.
  void set_acceleration(const double* acceleration) {
    if (given()) return;
    const Eigen::Map<const Vector> a(acceleration, mass_.size());
    forced_ = 0.5 * (mass_.array() * a.array().square()).maxCoeff();
  }
  /// For a step of length h from q to `end`.
  void measure(const Vector& q, const double* end, double h) {
    const Eigen::Index n = q.size();
    const bool given_q = method_.position_scale.size() > 0;
    const bool given_v = method_.velocity_scale.size() > 0;
    if (given_q) unit_.head(n) = method_.position_scale;
    if (given_v) unit_.tail(n) = method_.velocity_scale;
    if (given_q && given_v) return;
    const Eigen::Map<const Vector> v(end + n, n);
    const double energy = std::max(
        {memory_.energy, 0.5 * (mass_.array() * v.array().square()).maxCoeff(), forced_ * h * h});
    for (Eigen::Index i = 0; i < n; ++i) {
      const double V = std::sqrt(2.0 * energy / mass_[i]);
      if (!given_v) unit_[n + i] = std::max(V, 1e-150);
      if (!given_q) {
        const double scale = given_v ? method_.velocity_scale[i] : V;
        unit_[i] = std::max({memory_.reach[i], std::abs(end[i] - q[i]), scale * h, 1e-150});
      }
    }
  }
  /// Of an error of that step, over the tolerance.
  double norm(const double* error) const {
    const Eigen::Map<const Vector> e(error, unit_.size());
    if (!e.allFinite()) return std::numeric_limits<double>::infinity();
    return (e.array() / unit_.array()).abs().maxCoeff() / method_.tolerance;
  }

 private:
  bool given() const {
    return method_.position_scale.size() > 0 && method_.velocity_scale.size() > 0;
  }

  const EventDriven& method_;
  const AnySystem& system_;
  EventDrivenMemory& memory_;
  double forced_ = 0.0;  // energy that forces would give to a coordinate in a second, from rest
  Matrix M_;
  Vector mass_;  // diagonal of M at the start of the step
  Vector unit_;  // of each number of the state, in the present attempt
};

/// Motion between events, the set of held contacts fixed: steps, and what ends them. State of the
/// integrator: q, v, and the energy that sliding of held contacts has taken in the step.
class SmoothMotion : public numerics::HybridClient {
 public:
  /// What a step must not pass.
  struct Guard {
    enum class Kind {
      Gap,      ///< of a free contact reaches 0
      Load,     ///< a held contact would pull, or moves away
      Grip,     ///< friction of a sticking contact reaches its limit
      Sliding,  ///< stops
      Forces,   ///< no forces keep all held contacts as they are
    };
    Kind kind = Kind::Gap;
    int index = -1;      ///< contact, or place among those held
    double above = 0.0;  ///< gaps must be so wide: rounding, where it has not been seen open
  };

  /// References are kept; `now` is the present state, which events may change.
  SmoothMotion(const EventDriven& method, const AnySystem& system, MotionState& now,
               ContactGaps& gaps, HeldContacts& held, RunLedger& ledger, EventDrivenMemory& memory);

  ErrorScales& scales() { return scales_; }
  const Guard& guard(int k) const { return guards_[static_cast<std::size_t>(k)]; }
  double time() const { return integrator_.time(); }  ///< later than the state before take_step()
  double next_step() const { return integrator_.next_step(); }
  void set_next_step(double h) { integrator_.set_next_step(h); }
  double shortest_step() const { return integrator_.shortest(); }
  void set_time(double time);
  /// In the next step contact i, which closes without having been seen open, may sink until it
  /// approaches: the time in which it is open is too short to be seen.
  void let_sink(int i) { sinks_ = i; }

  /// Slopes, gaps and scales where velocities or the set of held contacts have changed. False where
  /// forces are not finite or masses not positive.
  bool restart();
  /// The length of the first step after that; `flight`: time until the next impact, as foreseen.
  void set_first_step(double flight);
  /// One step, to `limit` at most; take_step() follows if time has passed.
  numerics::HybridStep advance(double limit);
  bool take_step();
  void measure_gaps() { gaps_.measure(now_); }
  void note_sliding(int contact) { held_.note_sliding(contact, now_, integrator_.next_step()); }

  // What HybridIntegrator asks.
  bool slope(double t, double* y, double* out);
  double norm(const double* error) const { return scales_.norm(error); }
  void measure(const double* end) { scales_.measure(now_.q, end, integrator_.step()); }
  double time_scale() const { return std::abs(now_.time); }
  double longest_step() const { return system_.longest_step(now_.time); }
  bool trusted();
  bool exact() const { return true; }
  bool prepare_guards();
  int guards() const { return static_cast<int>(guards_.size()); }
  void evaluate_guards(double t, const double* y, double* g, int which);
  bool costly(int k) const { return guard(k).kind != Guard::Kind::Gap; }
  bool oversteps(int k) const { return costly(k); }
  Late late(int k, double g, double t) const;
  int looks(double h) const;
  void passed(double until);

 private:
  double closing_step(double h);
  double held_margin(const Guard& guard);

  const AnySystem& system_;
  MotionState& now_;
  ContactGaps& gaps_;
  HeldContacts& held_;
  RunLedger& ledger_;
  ErrorScales scales_;
  numerics::HybridIntegrator<SmoothMotion, 1> integrator_;
  int n_;
  std::vector<Guard> guards_;
  int sinks_ = -1;      // contact
  MotionState inside_;  // of a step
  Vector acceleration_;
  Vector end_acceleration_;
};

}  // namespace percute::simulation
