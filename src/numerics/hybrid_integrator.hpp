// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/low_rank_radau.hpp"

#include <percute/numerics/bracketed_root.hpp>
#include <percute/numerics/runge_kutta.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::numerics {

/// Where in a step, from 0 to 1, which guard falls below 0; beyond 1: none does.
struct GuardCrossing {
  int guard = -1;
  double theta = 2.0;
};

/// How a step of HybridIntegrator ended.
struct HybridStep {
  bool failed = false;  ///< steps have become too short, or the client is interrupted
  int event = -1;       ///< guard that ended it
};

/// Error-controlled integration of y' = f(x, y) with a discrete state that changes at events. It
/// owns stepping, error control, the location of events on dense output and restarts; the client
/// supplies the physics:
///
///     bool slope(double x, double* y, double* out)    false: not defined there
///     double norm(const double* error)                over what is allowed
///     void measure(const double* y)                   scales of errors may grow by this state
///     double time_scale()                             steps far below it are too short
///     double longest_step()                           from the present state
///     bool stiff()                                    is an implicit step needed there? If so
///                                                     stiff_frame() and stiff_part(), LowRankRadau
///     void prepare_guards()                           before each step
///     int guards()                                    functions whose fall below 0 is an event
///     void evaluate_guards(double x, const double* y, double* g)
///     double unarmed(int k)                           a guard that begins a step at or below this
///                                                     has just been set: it must rise first
///     enum class Late { AtOnce, AtEnd, Ignore }
///     Late late(int k, double g, double x)            what to do about one that has not risen in
///                                                     the step and is g < 0 at its end
///     int looks(double h)                             parts of the step to be looked at for events
///     void passed(double until)                       the step is taken up to this part: outputs
///     void accept(const double* from, double* to)     so it is; may change what slopes do not
///                                                     depend on
///     bool interrupted()                              asked after a step that was rejected
///
/// Within a step all modes are frozen, so that f is smooth there; a step ends at the first event.
/// It is taken again up to there, so that its end has the full order.
template <class Client>
class HybridIntegrator {
 public:
  explicit HybridIntegrator(Client& client) : client_(client) {}

  void resize(int n) {
    rk_.resize(n);
    radau_.resize(n);
    point_.assign(static_cast<std::size_t>(n) + 1, 0.0);
  }

  double* state() { return rk_.state(); }
  const double* state() const { return rk_.state(); }
  const double* slope() const { return rk_.slope(); }  ///< at the present state
  double time() const { return time_; }
  void set_time(double time) { time_ = time; }
  double next_step() const { return next_; }
  void set_next_step(double h) { next_ = h; }
  bool restarted() const { return restarted_; }  ///< no step since
  void set_restarted(bool restarted) { restarted_ = restarted; }
  double step() const { return h_; }  ///< length of the step passed() is told about
  long steps() const { return steps_; }
  long rejected() const { return rejected_; }

  /// After every change that is not a step.
  bool restart() {
    restarted_ = true;
    return client_.slope(time_, rk_.state(), slope_at_start());
  }

  /// One accepted step, not beyond `end`.
  HybridStep advance(double end);

  /// The state at the part θ of the step passed() is told about.
  const double* inside(double theta) {
    prepare_dense();
    if (implicit_) {
      radau_.interpolate(theta, rk_.state(), point_.data());
      return point_.data();
    }
    rk_.interpolate(theta);
    return rk_.inside();
  }

 private:
  static constexpr double kSafety = 0.9;
  static constexpr double kLargestGrowth = 6.0;
  static constexpr double kSmallestGrowth = 0.1;
  static constexpr double kShortest = 1e-15;  ///< step, over the time scale

  double* slope_at_start() { return rk_.slope(); }
  double attempt(double h);
  double growth(double error) const;
  void prepare_dense();
  void look(double theta, std::vector<double>& g);
  GuardCrossing first_crossing();
  double locate(int k, double from, double to);
  void look_before(GuardCrossing& first, double from);
  double locate_unarmed(int k);
  bool land(const GuardCrossing& crossing);
  void accept();

  Client& client_;
  RungeKutta<DormandPrince8> rk_;
  LowRankRadau radau_;
  double time_ = 0.0;
  double next_ = 0.0;
  double h_ = 0.0;
  bool implicit_ = false;
  bool dense_ = false;
  bool restarted_ = true;  ///< no step since
  long steps_ = 0;
  long rejected_ = 0;
  std::vector<double> before_;  ///< guards at the start of the step
  std::vector<double> after_;
  std::vector<char> armed_;    ///< guards that have been positive since they were set
  std::vector<double> point_;  ///< a state inside the step
};

/// Tries a step of length h; returns its error over the tolerance.
template <class Client>
double HybridIntegrator<Client>::attempt(double h) {
  dense_ = false;
  if (implicit_) {
    const double error = radau_.attempt(client_, time_, h, rk_.state(), restarted_);
    if (!(error < std::numeric_limits<double>::infinity())) return error;
    std::copy_n(radau_.end(), rk_.size(), rk_.trial());
    if (!client_.slope(time_ + h, rk_.trial(), rk_.trial_slope())) return INFINITY;
    return error;
  }
  const auto f = [this](double x, double* y, double* out) { return client_.slope(x, y, out); };
  if (!rk_.attempt(f, time_, h)) return INFINITY;
  client_.measure(rk_.trial());
  return rk_.error(h, [this](const double* e) { return client_.norm(e); });
}

template <class Client>
double HybridIntegrator<Client>::growth(double error) const {
  if (!std::isfinite(error)) return kSmallestGrowth;
  if (error <= 0.0) return kLargestGrowth;
  const double factor = implicit_ ? std::pow(error, -0.25) : rk_.growth(error);
  return std::clamp(kSafety * factor, kSmallestGrowth, kLargestGrowth);
}

template <class Client>
HybridStep HybridIntegrator<Client>::advance(double end) {
  implicit_ = client_.stiff();
  client_.prepare_guards();
  before_.resize(static_cast<std::size_t>(client_.guards()));
  after_.resize(before_.size());
  client_.evaluate_guards(time_, rk_.state(), before_.data());
  bool shrunk = false;
  for (;;) {
    const double left = end - time_;
    const double shortest = kShortest * client_.time_scale();
    h_ = std::min({next_, left, std::max(client_.longest_step(), 10.0 * shortest)});
    const bool whole = h_ == next_;
    if (!(h_ > shortest)) {
      if (left > shortest) return {.failed = true};
      time_ = end;
      return {};
    }
    const double error = attempt(h_);
    if (!(error <= 1.0)) {
      ++rejected_;
      shrunk = true;
      next_ = h_ * std::min(growth(error), 0.9);
      if (client_.interrupted()) return {.failed = true};
      continue;
    }
    double factor = growth(error);
    if (shrunk) factor = std::min(factor, 1.0);
    const GuardCrossing crossing = first_crossing();
    client_.passed(std::min(crossing.theta, 1.0));
    // A step cut short by others says nothing of how long steps could be.
    next_ = whole ? h_ * factor : std::max(next_, h_ * factor);
    ++steps_;
    if (crossing.guard >= 0) return {.failed = !land(crossing), .event = crossing.guard};
    time_ = h_ == left ? end : time_ + h_;
    accept();
    return {};
  }
}

template <class Client>
void HybridIntegrator<Client>::accept() {
  client_.accept(rk_.state(), rk_.trial());
  rk_.accept();
  restarted_ = false;
}

/// Takes the step again up to the event.
template <class Client>
bool HybridIntegrator<Client>::land(const GuardCrossing& crossing) {
  if (crossing.theta < 1.0) {
    const double part = crossing.theta * h_;
    if (!(part > 0.0)) return true;
    if (!std::isfinite(attempt(part))) return false;
    time_ += part;
  } else {
    time_ += h_;
  }
  accept();
  return true;
}

template <class Client>
void HybridIntegrator<Client>::prepare_dense() {
  if (dense_) return;
  dense_ = true;
  if (implicit_) return;
  rk_.prepare_dense([this](double x, double* y, double* out) { return client_.slope(x, y, out); },
                    time_, h_);
}

/// Guards at θ: on the dense output if there is one, or a cubic through both ends.
template <class Client>
void HybridIntegrator<Client>::look(double theta, std::vector<double>& g) {
  const double* y = nullptr;
  if (theta >= 1.0) {
    y = rk_.trial();
  } else if (theta <= 0.0) {
    y = rk_.state();
  } else if (dense_) {
    y = inside(theta);
  } else {
    const double rest = 1.0 - theta;
    const double* y0 = rk_.state();
    const double* y1 = rk_.trial();
    const double* k0 = rk_.slope();
    const double* k1 = rk_.trial_slope();
    for (int i = 0; i < rk_.size(); ++i) {
      const double jump = y1[i] - y0[i];
      point_[i] =
          y0[i] +
          theta * (jump + rest * (h_ * k0[i] - jump + theta * (2.0 * jump - h_ * (k0[i] + k1[i]))));
    }
    y = point_.data();
  }
  client_.evaluate_guards(time_ + theta * h_, y, g.data());
}

template <class Client>
GuardCrossing HybridIntegrator<Client>::first_crossing() {
  using Late = typename Client::Late;
  const auto count = static_cast<int>(before_.size());
  armed_.assign(before_.size(), 0);
  for (int k = 0; k < count; ++k) armed_[k] = before_[k] > client_.unarmed(k) ? 1 : 0;
  GuardCrossing first;
  look(1.0, after_);
  const int looks = client_.looks(h_);
  double from = 0.0;
  double begin = 0.0;  // where the part of the step with the first crossing begins
  for (int q = 1; q <= looks && first.guard < 0; ++q) {
    const double to = q == looks ? 1.0 : static_cast<double>(q) / looks;
    if (looks > 1) look(to, after_);
    const auto falls = [&](int k) { return armed_[k] != 0 && after_[k] < 0.0; };
    bool any = false;
    for (int k = 0; k < count && !any; ++k) any = falls(k);
    if (any && !dense_) {
      prepare_dense();
      look(to, after_);
    }
    for (int k = 0; k < count && any; ++k) {
      if (!falls(k)) continue;
      const double theta = locate(k, from, to);
      if (theta < first.theta) first = {.guard = k, .theta = theta};
    }
    for (int k = 0; k < count; ++k) {
      if (after_[k] > 0.0) armed_[k] = 1;
    }
    begin = from;
    from = to;
  }
  if (first.guard >= 0) {
    look_before(first, begin);
    return first;
  }
  for (int k = 0; k < count; ++k) {
    if (armed_[k] != 0 || !(after_[k] < 0.0)) continue;
    const Late late = client_.late(k, after_[k], time_ + h_);
    if (late == Late::Ignore) continue;
    double theta = locate_unarmed(k);
    if (theta == 0.0 && late == Late::AtEnd) theta = 1.0;
    if (theta < first.theta) first = {.guard = k, .theta = theta};
  }
  return first;
}

template <class Client>
double HybridIntegrator<Client>::locate(int k, double from, double to) {
  const std::vector<double> kept = after_;
  const auto g = [&](double theta) {
    look(theta, after_);
    return after_[static_cast<std::size_t>(k)];
  };
  const double theta = g(from) > 0.0 ? bracketed_root(g, from, to, 1e-15) : from;
  after_ = kept;
  return theta;
}

/// A guard that is below 0 where another one falls, and rises again before the next look, came
/// first.
template <class Client>
void HybridIntegrator<Client>::look_before(GuardCrossing& first, double from) {
  const GuardCrossing found = first;
  look(found.theta, after_);
  for (int k = 0; k < static_cast<int>(armed_.size()); ++k) {
    if (k == found.guard || armed_[k] == 0 || !(after_[k] < 0.0)) continue;
    const double theta = locate(k, from, found.theta);
    if (theta < first.theta) first = {.guard = k, .theta = theta};
  }
}

/// Where a guard falls that has risen since the start of the step, but not at the places looked at;
/// 0 if it has not.
template <class Client>
double HybridIntegrator<Client>::locate_unarmed(int k) {
  prepare_dense();
  constexpr int kLooks = 15;  // down to 1e-9 of the step
  double theta = 0.5;
  for (int place = 0; place < kLooks; ++place, theta *= 0.25) {
    look(theta, after_);
    if (after_[static_cast<std::size_t>(k)] > 0.0) return locate(k, theta, 1.0);
  }
  return 0.0;
}

}  // namespace percute::numerics
