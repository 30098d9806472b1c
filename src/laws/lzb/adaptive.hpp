// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"
#include "laws/lzb/dynamics.hpp"
#include "laws/lzb/recorder.hpp"

#include <percute/numerics/runge_kutta.hpp>

#include <array>
#include <vector>

namespace percute::laws {

/// Counters of one run.
struct RunCounts {
  long steps = 0;
  long rejected = 0;
  long event_evaluations = 0;
};

/// Error-controlled integration of the LZB dynamics with an embedded pair (lzb.md section 5.1).
///
/// Phases are frozen within a step, so the right-hand side is smooth there and a step may overshoot
/// an event; the earliest event inside is found on the dense output, and the step is repeated up to
/// it and polished until the event function vanishes. Openings of contacts with fractional exponents
/// are reached by integrating in ξ^(1/k) instead. Elastic contacts change between compression and
/// expansion without any change of dynamics: these events are only noted, from the dense output.
template <class Pair>
class AdaptiveIntegrator {
 public:
  /// Integrates until the impact is over. `y` in and out: (ξ, P, W, τ).
  Status run(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases, Recorder* recorder);

  const double* indentation() const { return rk_.state(); }
  const double* impulse() const { return rk_.state() + setup_->m; }
  const double* work() const { return rk_.state() + 2 * setup_->m; }
  double time() const { return rk_.state()[3 * setup_->m]; }
  const std::vector<double>& gap_rates() const { return U0_; }
  const RunCounts& counts() const { return counts_; }
  long evaluations() const { return dynamics_.evaluations(); }

 private:
  /// Something that must be watched: positive until the event.
  struct Watch {
    int contact = 0;
    bool on_gap_rate = false;  ///< g = ±U, else g = ±(ξ − target)
    double sign = 1.0;
    double floor = 0.0;  ///< below it, g counts as zero
  };
  using RK = numerics::RungeKutta<Pair>;
  using Coefficients = std::array<double, RK::kDense>;
  struct Crossing {
    Watch watch;
    double theta = 2.0;
  };

  void prepare(const ImpactSetup& setup, const Lzb& law, ContactPhases& phases, Recorder* recorder);
  bool finished() const;
  bool collapsed() const;
  void begin_segment();
  bool settle();
  void measure_start();

  bool step();
  double plan(double& dt);
  double largest_safe_step() const;
  int next_opening(double& time_left, double& growth) const;
  void enter_time_mode(int k);
  void enter_landing_mode(int i);
  bool reject(double factor);
  double error(double h);
  void adapt(double h, double error);
  void accept(double h);
  void finish_landing();
  bool tidy();
  /// Accelerations below it do not decide in which direction a contact moves.
  double sure_acceleration() const {
    return 1e-9 * setup_->velocity_scale / setup_->time_scale;
  }

  template <class Visit>
  void for_each_watch(int i, Visit&& visit) const;
  double watch_value(const Watch& w, const double* y, const double* U) const;
  double watch_slope(const Watch& w, const double* f, const double* acceleration) const;
  bool suspicious(const Watch& w, double h) const;
  Crossing earliest_crossing(double h);
  Coefficients watch_coefficients(const Watch& w) const;
  double crossing_of(const Watch& w) const;
  void note_passive_events(double until);
  bool land_on(const Crossing& crossing, double h);
  void apply(const Watch& w);
  void apply_simultaneous(const Watch& done);
  ContactPoint point(int i) const;
  ContactPoint dense_point(int i, double theta, double U) const;
  void record_times(double h);
  void record();
  ContactSample contact_sample(int i, const double* y, double U) const;

  const ImpactSetup* setup_ = nullptr;
  ContactPhases* phases_ = nullptr;
  Recorder* recorder_ = nullptr;
  Lzb law_;
  double tolerance_ = 0.0;  ///< of one step
  LzbDynamics dynamics_;
  RK rk_;
  RunCounts counts_;
  Status status_ = Status::Ok;

  double x_ = 0.0;                 ///< independent variable
  double dt_ = 0.0;                ///< next step in τ
  double fraction_ = 1.0;          ///< landing mode: part of the way to try
  bool landing_blocked_ = false;   ///< the last landing failed: approach in time first
  bool dense_ready_ = false;
  std::vector<double> U0_, U1_;    ///< m, gap rates at the start and the end of the step
  std::vector<double> a0_, a1_;    ///< m, dU/dτ there
  std::vector<double> scratch_;    ///< m
  std::vector<Watch> suspects_;    ///< hard events that may lie in the step
  std::vector<int> passive_;       ///< contacts whose phase may change without consequence
};

extern template class AdaptiveIntegrator<numerics::DormandPrince5>;
extern template class AdaptiveIntegrator<numerics::DormandPrince8>;

}  // namespace percute::laws
