// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/compliant_contact.hpp"
#include "laws/compliant/contact_friction.hpp"

#include <percute/numerics/runge_kutta.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/run_ledger.hpp>

#include <cmath>
#include <memory>
#include <vector>

namespace percute::simulation {

/// One run of CompliantMotion. State y: q, v, and of each contact its impulse P, the work W done on
/// it, and where there is friction the energy D that sliding has taken. Modes of contacts are
/// frozen within a step.
class CompliantIntegrator {
 public:
  CompliantIntegrator(const CompliantMotion& method, const AnySystem& system, const Moment& start,
                      const Observer& observer);
  Run run();

 private:
  using Change = laws::ContactChange;
  using ContactFriction = laws::ContactFriction;

  struct Phase {
    double start = 0.0;    ///< s
    double impulse = 0.0;  ///< P when it began
    double lost = 0.0;     ///< W + D when it began
  };
  struct Crossing {
    int contact = -1;
    Change change = Change::Close;
    double theta = 2.0;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  ///< Slip: along which
  };
  /// Gaps and their rates at one state, and what of them is rounding.
  struct View {
    Vector h;
    Vector U;
    Vector h_noise;
    Vector U_noise;
    bool rests(int i) const { return std::abs(h[i]) <= h_noise[i] && std::abs(U[i]) <= U_noise[i]; }
    bool presses(int i) const { return h[i] < -h_noise[i] || U[i] < -U_noise[i]; }
    bool parts(int i) const { return h[i] > h_noise[i] || U[i] > U_noise[i]; }
  };

  int impulse(int i) const { return 2 * n_ + i; }
  int work(int i) const { return 2 * n_ + m_ + i; }
  int friction_loss(int i) const { return 2 * n_ + 2 * m_ + i; }
  laws::CompliantContact& contact(int i) { return contacts_[static_cast<std::size_t>(i)]; }
  const laws::CompliantContact& contact(int i) const {
    return contacts_[static_cast<std::size_t>(i)];
  }

  // Right-hand side: compliant_integrator.cpp.
  void look(const double* y, View& view);  ///< all contacts
  bool slope(double t, const double* y, double* out);
  void contact_forces();
  auto rhs() {
    return [this](double t, const double* y, double* out) { return slope(t, y, out); };
  }
  double norm(const double* error);
  void grow_scales(const double* y);

  bool in_flight() const { return loaded_ == 0; }
  bool impact_under_way(int except) const;
  bool advance();
  void finish_step();
  void tell_outputs(double h, double until);
  void find_peaks(double h, double until);
  void note_force(int i, double time, double force);

  // Events: compliant_integrator_events.cpp.
  void look_inside(int i, double theta);
  template <class Visit>
  void watches(int i, Visit&& visit) const;
  double watch(int i, Change change, double theta);
  double first_closing(int i, double h);
  double first_change(int i, Change change, double h);
  Crossing first_crossing(double h);
  void prepare_dense(double h);
  void land(const Crossing& crossing, double h);
  void apply(int i, Change change);
  void make_force(int i);
  void tell(int i, EventKind kind);
  double stored() const;     ///< in all contacts
  double lost(int i) const;  ///< in contact i

  // Ends of a run: compliant_integrator_moment.cpp.
  void begin(const Moment& start);
  void recall(const std::vector<double>& memory);
  double balance();
  Moment moment() const;
  Run finish(RunStatus status, std::string reason);

  // Friction: compliant_integrator_friction.cpp.
  void friction_forces();
  void look_at_tangents();
  void move_friction();
  void look_at_friction(double t, double ahead);
  void look_at_friction_now(double ahead);
  void begin_friction(const std::vector<int>& contacts);
  void stop_infinite();
  void apply_friction(const Crossing& crossing);
  void refresh_friction();

  static constexpr double kFirstStep = 1e-3;  ///< after a touch, of its time scale

  const CompliantMotion& method_;
  const AnySystem& system_;
  RunLedger ledger_;
  std::unique_ptr<systems::MassSolver> solver_;
  int n_;
  int m_;
  std::vector<laws::CompliantContact> contacts_;
  std::vector<double> masses_;  ///< effective when they closed, kg
  std::vector<Phase> phases_;
  std::vector<ContactTotals> totals_;
  int loaded_ = 0;  ///< contacts with a force
  numerics::RungeKutta<numerics::DormandPrince8> rk_;
  double time_;
  double h_ = 0.0;             ///< next step
  double tried_ = 0.0;         ///< step of the last attempt
  double speed_ = 0.0;         ///< largest √(vᵀMv) so far
  double approach_ = 0.0;      ///< fastest closing so far, m/s
  double time_unit_ = 1.0;     ///< of the contact that closed last, s
  bool dense_ = false;         ///< is there dense output of the present attempt?
  bool stop_ = false;          ///< the observer wants to stop
  std::string failure_ = {};   ///< why the run cannot go on
  int zero_steps_ = 0;         ///< events without time between them
  double start_energy_ = 0.0;  ///< J

  View now_;
  View end_;  ///< of the attempt

  // Contact forces at the state looked at last.
  std::vector<double> F_;
  Matrix W_;  ///< gradients of contacts with a force
  View stage_;

  // Friction there.
  std::vector<int> rows_;  ///< m + 1: tangential rows of contact i are rows_[i] … rows_[i+1]
  ContactFriction friction_;
  double fastest_ = 0.0;  ///< of all contact velocities so far, m/s
  Matrix T_;              ///< tangents of contacts with a force
  std::vector<double> U_t_;
  std::vector<double> f_t_;

  // Memory to work in.
  Vector q_;
  Vector v_;
  Vector a_;
  Vector x_;
  Vector y_;
};

}  // namespace percute::simulation
