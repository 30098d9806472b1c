// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/compliant_contact.hpp"
#include "laws/compliant/contact_friction.hpp"
#include "laws/recorder.hpp"

#include <percute/numerics/runge_kutta.hpp>

#include <vector>

namespace percute::laws {

/// Integration in time of contacts with compliant forces: state (gap, P, W) of each contact, with
/// W the work done on it, and where there is friction its impulses P_t and the energy D that
/// sliding has taken; velocities of all rows are U = U⁻ + G (P, P_t). Contacts change at events
/// located on the dense output; within a step all modes are frozen.
class CompliantIntegrator {
 public:
  CompliantIntegrator(const ImpactProblem& problem, const Compliant& law, Recorder* recorder);

  Status run();
  /// Whether something approaches at the start.
  bool impact() const;

  Vector impulse() const;
  /// P_t of each contact; empty without friction.
  std::vector<Vector> tangential_impulse(const ImpactProblem& problem) const;
  /// All impulses, normal and tangential rows, and their directions.
  Vector all_impulses() const;
  const SparseMatrix& directions() const { return rows_.directions; }
  Vector dissipated_by_friction() const;  ///< empty without friction
  Vector dissipated() const;
  double stored() const;  ///< still in the contacts
  Diagnostics& diagnostics() { return diagnostics_; }
  std::vector<ImpactEvent>& events() { return events_; }

 private:
  using Mode = CompliantContact::Mode;
  using Change = ContactChange;
  struct Crossing {
    int contact = -1;
    Change change = Change::Close;
    double theta = 2.0;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  ///< Slip: along which
  };

  int m() const { return static_cast<int>(contacts_.size()); }
  double* gaps() { return rk_.state(); }
  double force(int i, double gap, double U) const {
    return contacts_[static_cast<std::size_t>(i)].force(gap, U);
  }
  void gap_rates(const double* P, std::vector<double>& U) const;
  bool slope(const double* y, double* out);
  double norm(const double* error) const;

  bool idle(int i) const;  ///< apart, or touching without force or motion
  bool over() const;
  bool fly();  ///< all contacts apart: on to the next that closes
  bool advance();
  template <class Visit>
  void watches(int i, Visit&& visit) const;
  double watch(int i, Change change, const double* y, const std::vector<double>& velocities);
  Crossing first_crossing(double h);
  void land(const Crossing& crossing, double h);
  void apply(int i, Change change);
  void precompress(int i, double energy);

  // Friction: integrator_friction.cpp.
  int work() const { return 2 * m() + rows_.tangential(); }  ///< first W in the state
  int friction_loss() const { return work() + m(); }         ///< first D
  void normal_forces(const double* y, const std::vector<double>& U, double ahead);
  void begin_friction(const std::vector<int>& contacts);
  bool stop_infinite();
  void apply_friction(const Crossing& crossing);
  void log(int i, EventKind kind);
  void note_progress();
  void find_peaks(double h, double until);
  ContactSample sample(int i, const double* y, double U) const;
  void record();
  void record_times(double h, double until);

  const Compliant& law_;
  Recorder* recorder_;
  ImpactScales scale_;
  FrictionRows rows_;
  SparseMatrix G_;
  Vector U_before_;
  std::vector<CompliantContact> contacts_;
  std::vector<double> length_;  ///< units of the gaps
  double minimum_speed_ = 0.0;
  double time_unit_ = 1.0;
  double tolerance_ = 0.0;

  numerics::RungeKutta<numerics::DormandPrince8> rk_;
  ContactFriction friction_;
  std::vector<double> F_;        ///< scratch: normal forces
  Status status_ = Status::Ok;   ///< other than Ok: why the run cannot go on
  std::vector<double> U_;        ///< now
  std::vector<double> U_stage_;  ///< scratch of right-hand sides
  bool precompressed_ = false;
  bool started_ = false;
  double time_ = 0.0;
  double h_ = 0.0;
  Diagnostics diagnostics_;
  std::vector<ImpactEvent> events_;
};

}  // namespace percute::laws
