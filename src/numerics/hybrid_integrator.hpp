// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/guard_search.hpp"

#include <algorithm>
#include <cmath>

namespace percute::numerics {

/// How a step of HybridIntegrator ended.
struct HybridStep {
  bool failed = false;  ///< steps have become too short, or the client is interrupted
  int event = -1;       ///< guard that ended it
};

/// Error-controlled integration of y' = f(x, y) with a discrete state that changes at events. It
/// owns stepping, error control, the location of events (GuardSearch) and restarts; the client, a
/// HybridClient, supplies the physics:
///
///     bool slope(double x, double* y, double* out)    false: not defined there
///     double norm(const double* error)                over what is allowed
///     double time_scale()                             steps far below it are too short
///     int guards()                                    functions whose fall below 0 is an event
///     void evaluate_guards(double x, const double* y, double* g)      see also HybridClient
///
/// x is time, or whatever the client counts by at present: it may change the variable between
/// steps. Within a step all modes are frozen, so that f is smooth there; a step ends at the first
/// event. Its end is taken from the dense output where that is as good as the step; else a shorter
/// step comes nearer first.
/// The last components may be Quadratures, see RungeKutta.
template <class Client, int Quadratures = 0>
class HybridIntegrator {
 public:
  explicit HybridIntegrator(Client& client)
      : client_(client), step_(client), guards_(client, step_) {}
  HybridIntegrator(const HybridIntegrator&) = delete;
  HybridIntegrator& operator=(const HybridIntegrator&) = delete;

  void resize(int n) { step_.resize(n); }

  double* state() { return step_.start(); }
  const double* state() const { return step_.start(); }
  double* slope() { return step_.slope(); }  ///< at the present state
  const double* slope() const { return step_.slope(); }
  const double* trial() const { return step_.end(); }  ///< the end of the step being judged
  const double* trial_slope() const { return step_.end_slope(); }
  double time() const { return step_.time(); }  ///< x
  void set_time(double time) { step_.set_time(time); }
  double next_step() const { return next_; }
  void set_next_step(double h) { next_ = h; }
  bool restarted() const { return restarted_; }  ///< no step since
  void set_restarted(bool restarted) { restarted_ = restarted; }
  double step() const { return step_.length(); }  ///< length of the one passed() is told about
  double shortest() const { return Guards::kShortest * client_.time_scale(); }  ///< step
  long steps() const { return steps_; }
  long rejected() const { return rejected_; }
  void forget_counts() {
    steps_ = rejected_ = 0;
    step_.forget_evaluations();
  }

  /// After every change that is not a step.
  bool restart() {
    restarted_ = true;
    return client_.slope(time(), step_.start(), step_.slope());
  }

  /// One accepted step, not beyond `end`.
  HybridStep advance(double end) {
    step_.set_implicit(client_.stiff());
    guards_.begin(restarted_);
    bool exceeded = false;  // the tolerance, with a longer step
    const auto reject = [&](double h) {
      ++rejected_;
      next_ = h;
      return !client_.interrupted();
    };
    for (;;) {
      const double left = end - time();
      const double shortest = this->shortest();
      const double h = std::min({next_, left, std::max(client_.longest_step(), 10.0 * shortest)});
      const bool whole = h == next_;
      if (!(h > shortest)) {
        if (left > shortest) return {.failed = true};
        set_time(end);
        return {};
      }
      const double error = step_.attempt(h, restarted_);
      if (!(error <= 1.0)) {
        exceeded = exceeded || std::isfinite(error);
        if (!reject(h * std::min(growth(error, kCloser), kCloser))) return {.failed = true};
        continue;
      }
      if (!client_.trusted()) {
        if (!reject(0.5 * h)) return {.failed = true};
        continue;
      }
      const double factor = std::min(growth(error, kSafety), exceeded ? 1.0 : kLargestGrowth);
      GuardCrossing crossing = guards_.first_crossing();
      // A step cut short by others says nothing of how long steps could be.
      const double next = whole ? h * factor : std::max(next_, h * factor);
      // The end of the step is good, what lies between may not be: then come nearer.
      const double nearer = (step_.defined() ? 0.9 * crossing.theta : 0.5) * h;
      constexpr double kNear = 1e-3;  // of the time scale
      const bool near = h < kNear * client_.time_scale();
      if (!step_.defined() || !guards_.end_at(crossing, near, restarted_)) {
        if (!reject(nearer)) return {.failed = true};
        continue;
      }
      client_.passed(std::min(crossing.theta, 1.0));
      next_ = next;
      ++steps_;
      if (crossing.guard < 0) {
        accept(h == left ? end : time() + h);
        return {};
      }
      const double theta = std::min(crossing.theta, 1.0);
      if (theta > 0.0) {
        if (theta < 1.0) step_.end_inside();
        accept(time() + theta * step_.length());
      }
      return {.event = crossing.guard};
    }
  }

  /// The state at the part θ of the step passed() is told about, and its component i.
  const double* inside(double theta) { return step_.inside(theta); }
  double inside(int i, double theta) { return step_.inside(i, theta); }
  /// What is linear in the state, along that step: see TrialStep.
  template <class Terms>
  auto along(double start, Terms&& terms) {
    return step_.along(start, terms);
  }
  long dense_evaluations() const { return step_.dense_evaluations(); }

 private:
  using Guards = GuardSearch<Client, Quadratures>;
  /// Part of the step that the error would allow: one that is rejected costs more than a short one,
  /// and one that is tried again has shown its error.
  static constexpr double kSafety = 0.8;
  static constexpr double kCloser = 0.9;
  static constexpr double kUndefined = 0.5;  ///< beyond where slopes are defined
  static constexpr double kLargestGrowth = 6.0;
  static constexpr double kSmallestGrowth = 0.1;

  double growth(double error, double part) const {
    if (!std::isfinite(error)) return kUndefined;
    if (error <= 0.0) return kLargestGrowth;
    return std::clamp(part * step_.growth(error), kSmallestGrowth, kLargestGrowth);
  }

  void accept(double time) {
    client_.accept(step_.start(), step_.end());
    step_.move_on(time);
    restarted_ = false;
  }

  Client& client_;
  TrialStep<Client, Quadratures> step_;
  Guards guards_;
  double next_ = 0.0;
  bool restarted_ = true;
  long steps_ = 0;
  long rejected_ = 0;
};

}  // namespace percute::numerics
