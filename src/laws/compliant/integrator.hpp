// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/contact_force.hpp"
#include "laws/recorder.hpp"

#include <percute/numerics/runge_kutta.hpp>

#include <vector>

namespace percute::laws {

/// Integration in time of contacts with compliant forces: state (gap, P, W) of each contact, with
/// W the work done on it, and gap rates U = U⁻ + G P. Contacts change between
///
///     Apart      no force until the gap has closed,
///     Touching   force of the present branch,
///     Released   still indented, but the force has reached 0 and must not pull,
///
/// at events located on the dense output; within a step all modes are frozen.
class CompliantIntegrator {
 public:
  CompliantIntegrator(const ImpactProblem& problem, const Compliant& law, Recorder* recorder);

  Status run();
  /// Whether something approaches at the start.
  bool impact() const;

  Vector impulse() const;
  Vector dissipated() const;
  double stored() const;  ///< still in the contacts
  Diagnostics& diagnostics() { return diagnostics_; }
  std::vector<ImpactEvent>& events() { return events_; }

 private:
  enum class Mode { Apart, Touching, Released };
  struct ContactState {
    ContactForce force;
    ContactMemory memory;
    Mode mode = Mode::Apart;
    double length = 1.0;  ///< unit of its gap
    bool compressing = false;
  };
  /// What may end a step.
  enum class Change {
    Close,
    Release,
    Reopen,
    Reload,
    Turn,
    Return,
    Yield,
    CompressionEnd,
    Recompress
  };
  struct Crossing {
    int contact = -1;
    Change change = Change::Close;
    double theta = 2.0;
  };

  int m() const { return static_cast<int>(contacts_.size()); }
  double* gaps() { return rk_.state(); }
  double force(int i, double gap, double U) const;
  void gap_rates(const double* P, std::vector<double>& U) const;
  bool slope(const double* y, double* out);
  double norm(const double* error) const;

  bool idle(int i) const;  ///< apart, or touching without force or motion
  bool over() const;
  bool fly();  ///< all contacts apart: on to the next that closes
  bool advance();
  template <class Visit>
  void watches(int i, Visit&& visit) const;
  double watch(int i, Change change, double gap, double U) const;
  Crossing first_crossing(double h);
  void land(const Crossing& crossing, double h);
  void apply(int i, Change change);
  void log(int i, EventKind kind);
  void note_progress();
  ContactSample sample(int i, const double* y, double U) const;
  void record();
  void record_times(double h, double until);

  const Compliant& law_;
  Recorder* recorder_;
  ImpactScales scale_;
  SparseMatrix G_;
  Vector U_before_;
  std::vector<ContactState> contacts_;
  double minimum_speed_ = 0.0;
  double time_unit_ = 1.0;
  double tolerance_ = 0.0;

  numerics::RungeKutta<numerics::DormandPrince8> rk_;
  std::vector<double> U_;        ///< now
  std::vector<double> U_stage_;  ///< scratch of right-hand sides
  double time_ = 0.0;
  double h_ = 0.0;
  Diagnostics diagnostics_;
  std::vector<ImpactEvent> events_;
};

}  // namespace percute::laws
