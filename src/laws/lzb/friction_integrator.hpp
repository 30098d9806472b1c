// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/adaptive.hpp"
#include "laws/lzb/friction_events.hpp"

#include <string>

namespace percute::laws {

/// Error-controlled integration of an impact with friction. Phases of the contacts and modes of
/// friction are frozen within a step, so that the right-hand side is smooth there; the earliest
/// event inside is found on the dense output, and the step ends there.
class FrictionIntegrator {
 public:
  Status run(const ImpactSetup& setup, const FrictionSetup& friction, const Lzb& law,
             ContactPhases& phases, Recorder* recorder);

  const double* indentation() const { return step_.rk.state(); }
  const double* impulse() const { return step_.rk.state() + step_.impulses(); }  ///< all rows
  const double* friction_loss() const { return step_.rk.state() + step_.losses(); }
  const std::vector<double>& velocities() const { return step_.U0; }  ///< all rows
  double time() const { return step_.time(); }
  const RunCounts& counts() const { return counts_; }
  long evaluations() const { return step_.evaluations(); }
  long friction_events() const { return changes_; }
  const std::vector<ImpactEvent>& log() const { return log_; }
  /// The bodies have come to rest with contacts still loaded.
  bool came_to_rest() const { return wedged_; }
  /// Steps have become so long that nothing is going to happen.
  bool endless() const { return at_.dt > 1e15 * setup_->time_scale; }
  /// Contacts took turns to slide and to stick, and time stood still.
  bool undecided() const { return slips_.count > 100 + 10 * setup_->m || stalls_.count > 5000; }
  int without_solution() const { return without_solution_; }  ///< contact of NoSlipSolution

 private:
  // Segments between events.
  Status integrate();
  bool wedged();
  void begin_segment();
  bool closes_and_opens();
  void enter_landing(int i);
  void return_to_time();

  // One step.
  bool advance();
  double plan();
  bool resting_contact_missed_its_phase() const;
  bool balances() const;
  bool reject(double factor);
  void accept(double h);
  void adapt(double h, double error);
  void finish_landing();

  // Events.
  bool prepare_dense(double h);
  bool land_on(const FrictionCrossing& crossing, double h);
  void look_beyond(const FrictionCrossing& crossing);
  void polish(const FrictionWatch& w, double& x);
  void apply(const FrictionWatch& w);
  void apply_simultaneous(const FrictionWatch& done);

  // Friction: friction_changes.cpp.
  struct Fade {
    int contact = -1;
    double time_left = 0.0;
    bool slow = false;  ///< so slow that errors would decide where it slides
  };
  Fade next_fade() const;
  bool follow_directions();
  void leave_slow();
  bool hurry_slow();
  bool follow_loads();
  bool stop_infinite();
  void follow_jump();
  bool stops(int j, double alike) const;
  int stops_too(const FrictionWatch& w) const;
  bool idles(int i) const;
  void stop(int i, bool sure = false);
  void slip(int i, bool armed);
  void settle_resting();
  void end_creep();
  void end_sliding(const std::vector<int>& contacts);
  double moment();
  void note(int i, EventKind kind);

  ImpactInstant now() {
    return {.time = time(),
            .xi = step_.rk.state(),
            .P = impulse(),
            .U = step_.U0.data(),
            .a = step_.a0.data()};
  }

  // History.
  void record();
  void record_times(double h, double until);
  void sample(double time, const double* y, const double* U);

  const ImpactSetup* setup_ = nullptr;
  const FrictionSetup* friction_ = nullptr;
  ContactPhases* phases_ = nullptr;
  Recorder* recorder_ = nullptr;
  Lzb law_;
  double tolerance_ = 0.0;
  FrictionStep step_;
  FrictionEvents events_;
  RunCounts counts_;
  Status status_ = Status::Ok;
  int without_solution_ = -1;
  bool wedged_ = false;
  long changes_ = 0;
  std::vector<ImpactEvent> log_;
  StickSet stopping_;            ///< contacts whose sliding an impulse ends
  std::vector<int> creeping_;    ///< scratch
  std::vector<double> drive_;    ///< rows of stopping_
  std::vector<double> held_;     ///< rows of stopping_
  std::vector<double> ones_;     ///< m
  std::vector<int> list_;        ///< scratch
  std::vector<int> resting_;     ///< contacts to be settled
  std::vector<double> lambda_;   ///< scratch, m
  std::vector<double> scratch_;  ///< rows
  std::vector<double> before_;   ///< rows
  std::vector<double> beyond_;   ///< m, λ where contacts are past their limits
  double last_change_ = -1.0;    ///< τ of the last decision about friction
  double moment_ = 0.0;
  int repeats_ = 0;  ///< decisions at the same instant
  /// How often something has happened at one instant.
  struct Tally {
    double first = -1.0;
    int count = 0;

    void add(double time, double instant) {
      const bool same = time - first <= instant;
      count = same ? count + 1 : 0;
      if (!same) first = time;
    }
  };
  Tally slips_;           ///< contacts could not be held
  Tally stalls_;          ///< contacts stopped before they had moved, and began to slide again
  Tally events_at_once_;  ///< of the normal law

  StepControl at_;
  double dx_ = 0.0;  ///< next step while a contact fades
  bool dense_ready_ = false;
};

}  // namespace percute::laws
