// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/active_window.hpp"
#include "laws/lzb/frictionless_equations.hpp"
#include "laws/lzb/impact_run.hpp"

namespace percute::laws {

/// An impact without friction by the law Lzb: LzbDynamics of the contacts in the ActiveWindow,
/// solved by HybridIntegrator. Order 8 is used throughout: with the variables that make starts and
/// openings smooth it needs fewer evaluations than order 5 down to errors of 1e-3.
///
/// Elastic contacts change between compression and expansion without any change of dynamics: such
/// *passive* events do not end a step, they are only noted.
class FrictionlessRun : public ImpactRun<FrictionlessRun, 2> {
 public:
  /// Integrates from the start of the impact until it is over.
  Status run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases, Recorder* recorder);

  /// Of all contacts, once the run is over.
  const double* indentation() const {
    return window_.moving() ? window_.indentations() : integrator_.state();
  }
  const double* impulse() const {
    return window_.moving() ? window_.impulses() : integrator_.state() + impulses();
  }
  const std::vector<double>& gap_rates() const {
    return window_.moving() ? window_.gap_rates() : now_.U;
  }
  /// Changes of the velocities of the bodies, if the setup uses them.
  const double* velocities() const { return integrator_.state() + setup_->velocities(); }
  /// The gap rates were not good enough: the run is to be repeated with the velocities of bodies.
  bool lost_digits() const { return lost_digits_; }
  /// Which contacts are integrated.
  ActiveWindow& window() { return window_; }
  RunCounts counts() const;

  // What HybridIntegrator asks.
  static constexpr bool kSized = true;
  static constexpr bool kScreens = true;
  template <class Use>
  auto with_size(Use&& use) {
    return dynamics_.with_lanes([&](auto lanes) {
      WithLanes<lanes()> own{*this};
      return use(own);
    });
  }
  bool slope(double x, double* y, double* out);
  void measure(const double* y);
  double norm(const double* error);
  bool stiff() const { return stiff_.on; }
  void stiff_frame(Matrix& B, Matrix& C) { stiff_step_.frame(B, C); }
  void stiff_part(Matrix& D) { D = stiff_step_.part(); }
  bool trusted();
  bool suspect();
  double at_start(int k) const {
    return guards_[k].value(*phases_, integrator_.state(), now_.U.data());
  }
  double unarmed(int k) const { return guards_[k].floor; }
  template <class Add>
  void terms(int k, Add&& add) const {
    terms(guards_[k], add);
  }
  void passed(double until);
  bool interrupted();

 private:
  friend class ImpactRun<FrictionlessRun, 2>;

  template <int Lanes>
  struct WithLanes {
    static constexpr int kSize = 2 * Lanes;
    FrictionlessRun& run;

    bool slope(double x, double* y, double* out) const {
      return run.dynamics_.template evaluate<Lanes>(x, y, out);
    }
    void measure(const double* y) const {
      run.errors_.template weigh<Lanes>(y, y[run.clock()] - run.time(), run.dynamics_.minus_gains(),
                                        run.tolerance());
    }
    double norm(const double* error) const { return run.errors_.template norm<Lanes>(error); }
  };

  // What ImpactRun asks.
  const ImpactSetup& setup() const { return *setup_; }
  ContactPhases& phases() { return *phases_; }
  const Lzb& law() const { return law_; }
  double tolerance() const { return kStepShare * law_.tolerance; }  ///< of one step
  static double longest() { return std::numeric_limits<double>::infinity(); }
  int clock() const { return setup_->clock(); }
  int impulses() const { return setup_->lanes; }
  int size() const { return dynamics_.size(); }
  void look(const double* slope, const double* y, RowMotion& motion) {
    dynamics_.look(slope, y, motion);
  }
  void follow_variable();
  bool restart();
  bool happen(const Watch& watch, bool moved);
  bool go_on(bool changed, bool more);
  bool passes_over() const { return stiff_.on; }
  bool recovers();
  bool over_limits() { return limit_reached(law_, tries(), phases_->events()) != nullptr; }
  void record();

  // The whole.
  Status integrate();
  void assign();
  bool slower_than(double part);
  bool stopped();
  void take_a_look();
  void move_window();

  // Steps that pass over oscillations too small to matter.
  void look_for_stiffness();
  void leave_stiffness();

  // Events.
  bool suspicious(const Watch& watch) const;
  template <class Add>
  void terms(const Watch& watch, Add&& add) const;
  void correct_end(const Watch& watch);
  void apply(const Watch& watch);
  void apply_simultaneous(const Watch& done);
  void note_passive(int i, double until);
  void change_passively(int i, double theta);

  template <class GapRate>
  void sample(const double* y, GapRate&& gap_rate);
  void sample_inside(const double* y);

  ActiveWindow window_;
  const ImpactSetup* setup_ = nullptr;  ///< of the contacts in the window
  ContactPhases* phases_ = nullptr;
  Lzb law_;
  LzbDynamics dynamics_;
  ImpactErrors errors_;
  StiffStep stiff_step_;
  StiffSteps stiff_;
  std::vector<int> passive_;  ///< contacts with passive events in the step being judged
  bool overrun_ = false;      ///< that step reaches beyond the window
  bool lost_digits_ = false;
  bool balanced_ = false;  ///< at the last look
  long next_look_ = 0;     ///< step of the next one
};

}  // namespace percute::laws
