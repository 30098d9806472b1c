// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"
#include "laws/recorder.hpp"
#include "numerics/hybrid_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::laws {

/// The independent variable x of a run.
///   * time:     τ = τ₀ + x^k, k = 2 where a contact with a fractional exponent starts;
///   * landing:  ξ = (−x)^k of a contact that opens: x runs up to 0.
struct ImpactVariable {
  int k = 1;
  int landing = -1;         ///< contact, or −1
  double slowest = 0.0;     ///< landing: its rate below which x is no good
  double begin = 1.0;       ///< landing: |x| where it began
  double first = 0.0;       ///< step in τ at the start of a contact
  double dt = 0.0;          ///< next step in τ, beside a landing
  bool no_landing = false;  ///< the last one failed: approach in time first

  bool time() const { return k == 1 && landing < 0; }
};

/// What impacts by the law Lzb with friction and without have in common: they are solved by
/// HybridIntegrator, in time or, where a contact with a fractional exponent starts or opens, in a
/// variable in which it is smooth. Phases of the contacts are frozen within a step.
///
/// A Run (derived from this) has its equations and what follows from an event:
///
///     setup(), phases(), law()                 of the impact
///     size(), clock(), impulses()              of the state, and places in it; it begins with ξ
///     look(slope, y, motion)                   gap rates and accelerations
///     follow_variable()                        variable_ has changed
///     restart(), happen(watch, moved)          after an event; at one, after a step of some length
///     go_on(changed, more)                     after a step: whether phases have changed, and how
///     longest(), passes_over()                 step in τ; whether steps pass over oscillations
///     recovers()                               whether a step that failed is to be tried otherwise
///     over_limits()                            whether the run has come to its limits
template <class Run, int Quadratures = 0>
class ImpactRun : public numerics::HybridClient {
 public:
  ImpactRun(const ImpactRun&) = delete;
  ImpactRun& operator=(const ImpactRun&) = delete;

  double time() const { return integrator_.state()[run().clock()]; }

  // What HybridIntegrator asks.
  int guards() const { return static_cast<int>(guards_.size()); }
  double time_scale() const {
    if (variable_.landing >= 0) return variable_.begin;
    return variable_.k == 2 ? std::sqrt(run().setup().time_scale) : 10.0 * run().setup().time_scale;
  }
  double longest_step() {
    const double longest = in_variable(run().longest());
    if (variable_.landing < 0) return longest;
    // Two equal steps rather than a long one and a tiny one.
    const double left = -integrator_.time();
    return std::min(longest, integrator_.next_step() < left ? 0.55 * left : left);
  }
  bool interrupted() {
    constexpr double kLeast = 1e-3;  // of its way, or a landing makes no headway
    return run().over_limits() ||
           (variable_.landing >= 0 && integrator_.next_step() < kLeast * -integrator_.time());
  }

 protected:
  ImpactRun() : integrator_(run()) {}

  Run& run() { return static_cast<Run&>(*this); }
  const Run& run() const { return static_cast<const Run&>(*this); }

  ImpactInstant instant() {
    return {.setup = run().setup(),
            .phases = run().phases(),
            .time = time(),
            .xi = integrator_.state(),
            .P = integrator_.state() + run().impulses(),
            .U = now_.U.data(),
            .a = now_.a.data()};
  }
  /// Steps and rejected steps.
  long tries() const { return integrator_.steps() + integrator_.rejected(); }

  /// The present state anew.
  void refresh() {
    integrator_.restart();
    run().look(integrator_.slope(), integrator_.state(), now_);
  }
  /// The variable is time, counted from here.
  void begin_time() {
    variable_.k = 1;
    variable_.landing = -1;
    run().follow_variable();
    integrator_.set_time(0.0);
    refresh();
  }
  /// Rounding may leave a spent contact a trace below zero.
  void lift_loaded() {
    for (int i = 0; i < run().setup().m; ++i) {
      double& xi = integrator_.state()[i];
      if (run().phases().loaded(i)) xi = std::max(xi, 0.0);
    }
  }
  /// Contacts with fractional exponents start in √τ.
  void choose_start() {
    const int k = starting_radical(instant());
    if (k == 1) return;
    variable_.k = k;
    variable_.dt = std::min(variable_.dt, variable_.first);
    run().follow_variable();
    std::fill_n(integrator_.slope(), run().size(), 0.0);  // dτ/dx = 0 at x = 0
  }

  /// One step, and what happens at its end. False if the run cannot go on.
  bool advance() {
    const double end = choose_variable();
    const double before = time();
    const double x_before = integrator_.time();
    const numerics::HybridStep step = integrator_.advance(end);
    if (step.failed) {
      if (run().recovers()) return true;
      if (variable_.landing < 0) return run().over_limits();
      variable_.no_landing = true;
      variable_.dt = std::min(variable_.dt, 0.5 * next_opening(instant()).time_left);
      begin_time();
      return true;
    }
    at_once_ = time() > before ? 0 : at_once_ + 1;
    if (variable_.time()) variable_.dt = integrator_.next_step();
    if (step.event >= 0) {
      const bool moved = integrator_.time() > x_before;
      run().look(integrator_.slope(), integrator_.state(), now_);
      return run().happen(guards_[static_cast<std::size_t>(step.event)], moved);
    }
    std::swap(now_, end_);
    variable_.no_landing = false;
    if (variable_.landing >= 0) {
      if (integrator_.time() < 0.0) return true;
      variable_.dt = std::max(variable_.dt, time() - before);
      return finish_landing();
    }
    if (variable_.k == 2) {
      const double x = integrator_.time();
      const double next = x + std::min(integrator_.next_step(), kStartGrowth * integrator_.step());
      variable_.dt = next * next - x * x;
      if (integrator_.next_step() * 2.0 * x < x * x) leave_start();
    }
    const long events = run().phases().events();
    const bool changed = follow_magnitudes(instant());
    const bool more = run().phases().events() > events;
    if (recorder_ != nullptr && (more || recorder_->due())) run().record();
    return run().go_on(changed, more);
  }

  /// Calls sample(time, y) for the instants asked for in the step, up to the part `until` of it.
  template <class Sample>
  void record_times(double until, Sample&& sample) {
    if (recorder_ == nullptr) return;
    const int clock = run().clock();
    const double end = until < 1.0 ? integrator_.inside(clock, until) : integrator_.trial()[clock];
    double asked = 0.0;
    while (recorder_->next_time(end, asked)) {
      const auto late = [&](double theta) { return integrator_.inside(clock, theta) - asked; };
      sample(asked, integrator_.inside(numerics::bracketed_root(late, 0.0, until, 1e-15)));
    }
  }

  numerics::HybridIntegrator<Run, Quadratures> integrator_;
  ImpactVariable variable_;
  RowMotion now_;    ///< at the present state
  RowMotion end_;    ///< at the end of the step being judged
  int at_once_ = 0;  ///< events without time between them
  std::vector<Watch> guards_;
  Recorder* recorder_ = nullptr;
  RunCounts counts_;

 private:
  /// Chooses the variable of the next step; returns where it ends at the latest.
  double choose_variable() {
    double dt = variable_.dt;
    if (!run().passes_over()) {
      const double tolerance = run().law().tolerance;
      const double blind = 1e4 * kStepShare * tolerance * run().setup().velocity_scale;
      dt = limit_blind_step(dt, instant(), blind);
    }
    const Opening opening = next_opening(instant());
    const bool blocked =
        variable_.no_landing || run().passes_over() || (variable_.landing < 0 && variable_.k == 2);
    if (!blocked && opening.lands(dt, variable_.landing)) {
      if (variable_.landing != opening.contact) begin_landing(opening.contact);
      return 0.0;
    }
    if (variable_.landing >= 0) begin_time();
    variable_.dt = std::min(dt, opening.longest_step());
    integrator_.set_next_step(in_variable(variable_.dt));
    return std::numeric_limits<double>::infinity();
  }

  /// The step in x that goes on by dt in τ.
  double in_variable(double dt) const {
    if (variable_.landing >= 0) {
      const double pace = integrator_.slope()[run().clock()];
      return pace > 0.0 ? dt / pace : std::numeric_limits<double>::infinity();
    }
    const double x = integrator_.time();
    return variable_.k == 1 ? dt : std::sqrt(x * x + dt) - x;
  }

  void begin_landing(int i) {
    const double xi = integrator_.state()[i];
    variable_.k = run().setup().contact[i].radical();
    variable_.landing = i;
    variable_.slowest = 0.05 * std::abs(run().phases()[i].gain * now_.U[i]);
    variable_.begin = variable_.k == 2 ? std::sqrt(xi) : xi;
    run().follow_variable();
    integrator_.set_time(-variable_.begin);
    integrator_.set_next_step(variable_.begin);
    integrator_.restart();
  }
  bool finish_landing() {
    run().record();
    open_together(instant(), variable_.landing);
    follow_magnitudes(instant());
    return run().restart();
  }

  /// Far enough from the start of a contact: slopes in √τ become slopes in τ.
  void leave_start() {
    const double pace = 2.0 * integrator_.time();
    for (int k = 0; k < run().size(); ++k) integrator_.slope()[k] /= pace;
    integrator_.set_time(0.0);
    variable_.k = 1;
    run().follow_variable();
  }
};

}  // namespace percute::laws
