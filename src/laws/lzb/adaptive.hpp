// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/active_window.hpp"
#include "laws/lzb/event_search.hpp"
#include "laws/lzb/phase_rules.hpp"
#include "laws/lzb/step_control.hpp"
#include "laws/lzb/stiff_step.hpp"
#include "laws/recorder.hpp"

namespace percute::laws {

/// Counters of one run.
struct RunCounts {
  long steps = 0;
  long rejected = 0;
  long event_evaluations = 0;
};

/// Error-controlled integration of the LZB dynamics.
///
/// Phases are frozen within a step, so the right-hand side is smooth there and a step may overshoot
/// an event; the earliest event inside is found on the dense output, and the step ends there.
/// Contacts with fractional exponents start in √τ and open in √ξ, where they are smooth.
class AdaptiveIntegrator {
 public:
  /// Integrates from the start of the impact until it is over.
  Status run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases, Recorder* recorder);

  /// Of all contacts, once the run is over.
  const double* indentation() const {
    return window_.moving() ? window_.indentations() : step_.rk.state();
  }
  const double* impulse() const { return window_.moving() ? window_.impulses() : step_.impulse(); }
  const std::vector<double>& gap_rates() const {
    return window_.moving() ? window_.gap_rates() : step_.U0;
  }
  /// Changes of the velocities of the bodies, if the setup uses them.
  const double* velocities() const { return step_.rk.state() + setup_->velocities(); }
  /// The gap rates were not good enough: the run is to be repeated with the velocities of bodies.
  bool lost_digits() const { return lost_digits_; }
  /// Of a status that is no answer; null if there is nothing to say.
  const char* reason() const { return reason_; }
  double time() const { return step_.time(); }
  /// Which contacts are integrated.
  ActiveWindow& window() { return window_; }
  const RunCounts& counts() const { return counts_; }
  long evaluations() const { return step_.dynamics.evaluations(); }

 private:
  // Segments between events.
  void prepare(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases, Recorder* recorder);
  Status integrate();
  void look();
  bool stopped();
  bool slower_than(double part);
  void begin_segment();
  void move_window();
  void enter_landing_mode(int i);
  void return_to_time();

  // One step.
  bool advance();
  double plan();
  bool resting_contact_missed_its_phase() const;
  bool reject(double factor);
  void accept(double h);
  void adapt(double h, double error);
  void finish_landing();

  // Steps that pass over oscillations too small to matter.
  void look_for_stiffness();
  void leave_stiffness();
  double allowed_growth(double error) const;

  // Events.
  bool prepare_dense(double h);
  bool land_on(const Crossing& crossing, double h);
  void polish(const Watch& w, double& x);
  void apply(const Watch& w);
  void apply_simultaneous(const Watch& done);

  /// Of the contacts in the window.
  const double* xi() const { return step_.rk.state(); }
  ImpactInstant now() {
    return {.time = time(),
            .xi = step_.rk.state(),
            .P = step_.impulse(),
            .U = step_.U0.data(),
            .a = step_.a0.data()};
  }

  // History.
  void record();
  void note_passive(double until);
  void record_inside(double theta);
  void record_times(double h, double until);
  template <class GapRate>
  void sample(double time, const double* y, GapRate&& gap_rate);
  ContactSample contact_sample(int i, const double* y, double U) const;
  ContactSample outside_sample(int contact) const;

  ActiveWindow window_;
  const ImpactSetup* setup_ = nullptr;
  ContactPhases* phases_ = nullptr;
  Recorder* recorder_ = nullptr;
  Lzb law_;
  double tolerance_ = 0.0;  ///< of one step
  ImpactStep step_;
  StiffStep stiff_step_;
  EventSearch events_;
  RunCounts counts_;
  Status status_ = Status::Ok;
  const char* reason_ = nullptr;

  StepControl at_;
  bool dense_ready_ = false;
  bool lost_digits_ = false;
  bool balanced_ = false;         ///< at the last look
  long next_look_ = 0;            ///< step of the next one
  bool stiff_ = false;            ///< steps are those of stiff_step_
  bool entering_ = false;         ///< the first of them has not been made
  double fastest_ = 0.0;          ///< while stiff: frequency of the fastest oscillation
  long next_stiffness_look_ = 0;  ///< step of the next look whether they could be
  long patience_ = 0;             ///< steps between two looks
};

}  // namespace percute::laws
