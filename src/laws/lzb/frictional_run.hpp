// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/frictional_equations.hpp"
#include "laws/lzb/impact_run.hpp"

#include <vector>

namespace percute::laws {

/// An impact with friction by the law Lzb: FrictionalEquations, solved by HybridIntegrator. Phases
/// of the contacts and modes of friction are frozen within a step; here is what ends it, and what
/// happens there.
class FrictionalRun : public ImpactRun<FrictionalRun> {
 public:
  Status run(const ImpactSetup& setup, const FrictionSetup& rows, const Lzb& law,
             ContactPhases& phases, Recorder* recorder);

  const double* indentation() const { return integrator_.state(); }
  // Of all rows, contacts first.
  const std::vector<double>& gap_rates() const { return now_.U; }
  const double* impulse() const { return integrator_.state() + equations_.impulses(); }
  const double* friction_loss() const { return integrator_.state() + equations_.losses(); }
  RunCounts counts() const {
    RunCounts counts = counts_;
    counts.steps = integrator_.steps();
    counts.rejected = integrator_.rejected();
    return counts;
  }
  /// Contact that infinite friction parts as it touches, or −1.
  int without_solution() const;
  const std::vector<ImpactEvent>& log() const { return log_; }

  // What HybridIntegrator asks.
  bool slope(double x, double* y, double* out);
  double norm(const double* error) { return equations_.norm(error); }
  void measure(const double* y);
  bool stiff();
  void stiff_frame(Matrix& B, Matrix& C);
  void stiff_part(Matrix& D);
  bool trusted();
  bool prepare_guards();
  void evaluate_guards(double x, const double* y, double* g);
  double unarmed(int k) const;
  Late late(int k, double g, double x) const;
  int looks(double h);
  bool linear(int k, double* w);
  void passed(double until);
  void accept(const double* from, double* to) {
    equations_.friction().share(from + impulses(), to + impulses());
  }

  // What contact::InstantDecision asks.
  contact::Coulomb& friction() { return equations_.friction(); }
  const std::vector<double>& velocities() const { return now_.U; }  ///< all rows
  const std::vector<double>& accelerations() const { return now_.a; }
  double force(int i) const { return force_ahead(i, 0.0, 0.0); }
  double force_ahead(int i, double way, double /*U*/) const {
    return equations_.force_ahead(integrator_.state(), i, way);
  }
  double first_force(int i, double d) const { return setup().contact[i].force(d, false); }
  const std::vector<double>& respond(const double* F);
  const double* drive(const double* F) { return equations_.drive(integrator_.state(), F); }
  bool compressed(int i) const { return integrator_.state()[i] > setup().contact[i].spent; }
  bool touches(int i) const { return phases()[i].phase != Phase::Open; }
  double slow() const { return setup().gap_rate_tol; }
  void add_impulses(const double* p);
  void follow_jump(const std::vector<double>& before);
  void renew() { refresh(); }
  void friction_changed(int i, bool sticks);

 private:
  friend class ImpactRun<FrictionalRun>;
  using Kind = Watch::Kind;

  int m() const { return equations_.m(); }
  /// What rounding would press together in the moment that a decision looks ahead.
  double least_indentation() const { return slow() * friction().patience(); }
  const ImpactSetup& setup() const { return equations_.setup(); }
  const FrictionSetup& rows() const { return equations_.rows(); }
  ContactPhases& phases() { return equations_.phases(); }
  const ContactPhases& phases() const { return equations_.phases(); }
  const contact::Coulomb& friction() const { return equations_.friction(); }
  const double* sliding_rates() const { return now_.U.data() + m(); }
  const double* a_t() const { return now_.a.data() + m(); }

  // What ImpactRun asks.
  const Lzb& law() const { return equations_.law(); }
  int size() const { return equations_.size(); }
  int clock() const { return equations_.clock(); }
  int impulses() const { return equations_.impulses(); }
  void look(const double* slope, const double* y, RowMotion& motion) {
    equations_.look(slope, y, motion);
  }
  void follow_variable() { guards_known_ = false; }
  double longest() const { return friction().longest_step(sliding_rates(), a_t()); }
  static bool passes_over() { return false; }
  static bool recovers() { return false; }
  bool over_limits() const { return stopped_by() != nullptr; }
  bool restart();
  bool happen(const Watch& guard, bool moved);
  bool go_on(bool changed, bool more);
  void record();

  // The whole: frictional_run.cpp.
  Status integrate();
  const char* stopped_by() const;
  bool wedged() const;
  void apply(const Watch& guard);
  void apply_simultaneous(const Watch& done);
  bool stops_now() const;
  bool closes_and_opens();

  // What ends a step: frictional_events.cpp.
  void add_guards(int i);
  double guard_value(const Watch& guard, const double* y, const double* U) const;
  double guard_slope(const Watch& guard, const double* slope, const double* a) const;

  // Decisions about friction: frictional_events.cpp.
  void follow_phases();

  // History.
  void sample(double time, const double* y, const double* U);

  FrictionalEquations equations_;
  double pace_ = 1.0;  ///< dτ/dx of the last slope
  bool guards_known_ = false;
  long revision_ = -1;  ///< of the phases that the slope belongs to
  std::vector<ImpactEvent> log_;
  contact::InstantDecision decision_;
  int closes_and_opens_ = -1;  ///< contact that does so without end
  std::vector<double> U_;      ///< rows, memory to work in
};

}  // namespace percute::laws
