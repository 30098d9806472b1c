// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/active_window.hpp"
#include "laws/lzb/event_search.hpp"
#include "laws/lzb/stiff_step.hpp"
#include "laws/recorder.hpp"

namespace percute::laws {

/// Where an integration stands in its independent variable, and how far the next step may go.
///
/// The variable is time τ; √τ where contacts with fractional exponents start (radical 2); or √ξ, or
/// ξ, of the contact that opens next, which runs down to zero: a landing.
struct StepControl {
  double x = 0.0;
  double first = 0.0;            ///< step in τ at the start of a contact
  double dt = 0.0;               ///< next step in τ
  double fraction = 1.0;         ///< landing: part of the way to try
  bool landing_blocked = false;  ///< the last landing failed: approach in time first

  /// The variable is time, counted from here.
  void count_time() {
    fraction = 1.0;
    x = 0.0;
  }
};

/// Error-controlled integration of the LZB dynamics without friction.
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
  double time() const { return step_.time(); }
  /// Which contacts are integrated.
  ActiveWindow& window() { return window_; }
  RunCounts counts() const {
    RunCounts counts = counts_;
    counts.evaluations = step_.dynamics.evaluations();
    return counts;
  }

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
  void correct_end(const Watch& w, double& x);
  void apply(const Watch& w);
  void apply_simultaneous(const Watch& done);

  double tolerance() const { return kStepShare * law_.tolerance; }  ///< of one step
  /// Of the contacts in the window.
  ImpactInstant now() {
    return {.setup = *setup_,
            .phases = *phases_,
            .time = time(),
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

  ActiveWindow window_;
  const ImpactSetup* setup_ = nullptr;
  ContactPhases* phases_ = nullptr;
  Recorder* recorder_ = nullptr;
  Lzb law_;
  ImpactStep step_;
  StiffStep stiff_step_;
  StiffSteps stiff_;
  EventSearch events_;
  RunCounts counts_;
  StepControl at_;
  bool dense_ready_ = false;
  bool lost_digits_ = false;
  bool balanced_ = false;  ///< at the last look
  long next_look_ = 0;     ///< step of the next one
};

}  // namespace percute::laws
