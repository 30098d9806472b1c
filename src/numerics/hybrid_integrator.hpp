// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/first_crossing.hpp"
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

/// What HybridIntegrator asks beyond the slope, the norm of errors, the time scale and the guards,
/// and what it is told if a client has nothing to say.
struct HybridClient {
  /// The scales of errors may grow by this state, the end of a step.
  void measure(const double* /*y*/) {}
  /// From the present state.
  double longest_step() { return std::numeric_limits<double>::infinity(); }
  /// Is an implicit step needed here? Such clients have stiff_frame() and stiff_part() of
  /// LowRankRadau.
  bool stiff() { return false; }
  /// Whether a step that has kept the tolerance is to be believed; else it is tried half as long.
  bool trusted() { return true; }

  /// Before each step. False if guards are those of the step before, and so is their meaning.
  bool prepare_guards() { return true; }
  /// A guard that begins a step at or below this has just been set: it must rise first.
  double unarmed(int /*k*/) const { return 0.0; }
  enum class Late { AtOnce, AtEnd, Ignore };
  /// What to do about one that has not risen in the step and is g < 0 at its end. An exact step
  /// ignores what is ignored here if another event ends it.
  Late late(int /*k*/, double /*g*/, double /*x*/) const { return Late::AtOnce; }
  /// Parts of the step to be looked at for events.
  int looks(double /*h*/) { return 1; }
  /// Whether guard k is linear in the state; w: its gradient.
  bool linear(int /*k*/, double* /*w*/) { return false; }
  /// Whether guard k is looked at at kCostlyLooks places only, and not between; looks() is a
  /// multiple of it then, and evaluate_guards has one more argument: the guard that is wanted, or
  /// one of these.
  bool costly(int /*k*/) const { return false; }
  static constexpr int kCostlyLooks = 4;
  static constexpr int kAllGuards = -1;
  static constexpr int kCheapGuards = -2;

  /// Whether events are located to rounding: parts of a step are looked at on the dense output from
  /// the beginning, and the step up to an event is taken again, its length corrected.
  bool exact() const { return false; }
  /// An exact step must end where guard k is already below 0.
  bool oversteps(int /*k*/) const { return false; }

  /// The step is taken up to this part: outputs.
  void passed(double /*until*/) {}
  /// So it is; may change what slopes do not depend on.
  void accept(const double* /*from*/, double* /*to*/) {}
  /// Asked after a step that was rejected.
  bool interrupted() { return false; }
};

/// Error-controlled integration of y' = f(x, y) with a discrete state that changes at events. It
/// owns stepping, error control, the location of events on dense output and restarts; the client, a
/// HybridClient, supplies the physics:
///
///     bool slope(double x, double* y, double* out)    false: not defined there
///     double norm(const double* error)                over what is allowed
///     double time_scale()                             steps far below it are too short
///     int guards()                                    functions whose fall below 0 is an event
///     void evaluate_guards(double x, const double* y, double* g)      see also costly()
///
/// x is time, or whatever the client counts by at present: it may change the variable between
/// steps. Within a step all modes are frozen, so that f is smooth there; a step ends at the first
/// event. Its end is taken from the dense output where that is as good as the step; else a shorter
/// step comes nearer first.
/// The last components may be Quadratures, see RungeKutta.
template <class Client, int Quadratures = 0>
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
  double* slope() { return rk_.slope(); }  ///< at the present state
  const double* slope() const { return rk_.slope(); }
  const double* trial() const { return rk_.trial(); }  ///< the end of the step being judged
  const double* trial_slope() const { return rk_.trial_slope(); }
  double time() const { return time_; }  ///< x
  void set_time(double time) { time_ = time; }
  double next_step() const { return next_; }
  void set_next_step(double h) { next_ = h; }
  bool restarted() const { return restarted_; }  ///< no step since
  void set_restarted(bool restarted) { restarted_ = restarted; }
  double step() const { return h_; }  ///< length of the step passed() is told about
  double shortest() const { return kShortest * client_.time_scale(); }  ///< step
  long steps() const { return steps_; }
  long rejected() const { return rejected_; }
  void forget_counts() { steps_ = rejected_ = 0; }

  /// After every change that is not a step.
  bool restart() {
    restarted_ = true;
    return client_.slope(time_, rk_.state(), rk_.slope());
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
    if (theta != at_) rk_.template interpolate<0, false>(theta);
    at_ = theta;
    return rk_.inside();
  }

 private:
  using RK = RungeKutta<DormandPrince8, Quadratures>;
  static constexpr double kSafety = 0.8;
  static constexpr double kLargestGrowth = 6.0;
  static constexpr double kSmallestGrowth = 0.1;
  static constexpr double kWidth = 1e-15;     ///< of an event, over the step
  static constexpr double kShortest = 1e-15;  ///< step, over the time scale
  /// Defect of the dense output, over what is allowed, above which no event is taken from it. It is
  /// about ten times the error there; values up to ten are common, useless dense output has 1e6.
  static constexpr double kLargestDefect = 30.0;

  double attempt(double h);
  bool take(double h);
  double growth(double error) const;
  void prepare_dense();
  void look(double theta, std::vector<double>& g, int which = HybridClient::kAllGuards);
  void evaluate(double x, const double* y, double* g, int which);
  GuardCrossing first_crossing();
  bool look_at_parts(GuardCrossing& first, int parts);
  bool look_at_part(GuardCrossing& first, int part, int parts);
  double place(int part, int parts) const {
    return part == parts ? 1.0 : static_cast<double>(std::max(part, 0)) / parts;
  }
  /// Guard k is looked at at every so many parts.
  int stride(int k, int parts) const {
    return client_.costly(k) ? std::max(parts / HybridClient::kCostlyLooks, 1) : 1;
  }
  double dip(int k, double from, double to);
  double locate(int k, double from, double to);
  double locate_linear(int k, double from, double to);
  void look_before(GuardCrossing& first, int part, int parts);
  double locate_unarmed(int k, double until);
  bool end_at(GuardCrossing& crossing, bool near);
  bool end_exactly(GuardCrossing& crossing);
  bool correct(int k);
  void land(double theta);
  void accept();

  Client& client_;
  RK rk_;
  LowRankRadau radau_;
  double time_ = 0.0;
  double next_ = 0.0;
  double h_ = 0.0;
  bool implicit_ = false;
  bool dense_ = false;
  bool defined_ = true;    ///< the dense output is
  bool restarted_ = true;  ///< no step since
  long steps_ = 0;
  long rejected_ = 0;
  double at_ = -1.0;             ///< part of the step that was interpolated last
  bool known_ = false;           ///< after_: guards where the next step starts
  std::vector<double> before_;   ///< guards at the start of the step
  std::vector<double> earlier_;  ///< two looks before
  std::vector<double> last_;     ///< one look before
  std::vector<double> after_;    ///< at the present look
  std::vector<double> ends_;     ///< at the end of the step
  std::vector<double> probe_;    ///< at places in between
  std::vector<char> armed_;      ///< guards that have been positive since they were set
  std::vector<double> point_;    ///< a state inside the step
  std::vector<double> weights_;  ///< of a linear guard
};

/// Tries a step of length h; returns its error over the tolerance.
template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::attempt(double h) {
  dense_ = false;
  defined_ = true;
  at_ = -1.0;
  constexpr bool kImplicit = requires(Client& client, Matrix& M) { client.stiff_part(M); };
  if constexpr (kImplicit) {
    if (implicit_) {
      const double error = radau_.attempt(client_, time_, h, rk_.state(), restarted_);
      if (!(error < std::numeric_limits<double>::infinity())) return error;
      std::copy_n(radau_.end(), rk_.size(), rk_.trial());
      if (!client_.slope(time_ + h, rk_.trial(), rk_.trial_slope())) return INFINITY;
      return error;
    }
  }
  if (!take(h)) return INFINITY;
  client_.measure(rk_.trial());
  return rk_.error(h, [this](const double* e) { return client_.norm(e); });
}

/// Makes an explicit step of length h, whatever its error.
template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::take(double h) {
  h_ = h;
  dense_ = false;
  at_ = -1.0;
  const auto f = [this](double x, double* y, double* out) { return client_.slope(x, y, out); };
  return rk_.attempt(f, time_, h);
}

template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::growth(double error) const {
  if (!std::isfinite(error)) return kSmallestGrowth;
  if (error <= 0.0) return kLargestGrowth;
  const double factor = implicit_ ? RadauTable::growth(error) : rk_.growth(error);
  return std::clamp(kSafety * factor, kSmallestGrowth, kLargestGrowth);
}

template <class Client, int Quadratures>
HybridStep HybridIntegrator<Client, Quadratures>::advance(double end) {
  implicit_ = client_.stiff();
  if (client_.prepare_guards() || restarted_ || !known_) {
    const auto count = static_cast<std::size_t>(client_.guards());
    for (auto* v : {&before_, &earlier_, &last_, &after_, &ends_, &probe_}) v->resize(count);
    evaluate(time_, rk_.state(), before_.data(), HybridClient::kAllGuards);
  } else {
    before_.swap(after_);
  }
  known_ = false;
  bool shrunk = false;
  const auto reject = [&](double h) {
    ++rejected_;
    shrunk = true;
    next_ = h;
    return !client_.interrupted();
  };
  for (;;) {
    const double left = end - time_;
    const double shortest = this->shortest();
    h_ = std::min({next_, left, std::max(client_.longest_step(), 10.0 * shortest)});
    const bool whole = h_ == next_;
    if (!(h_ > shortest)) {
      if (left > shortest) return {.failed = true};
      time_ = end;
      return {};
    }
    const double error = attempt(h_);
    if (!(error <= 1.0)) {
      if (!reject(h_ * std::min(growth(error), 0.9))) return {.failed = true};
      continue;
    }
    if (!client_.trusted()) {
      if (!reject(0.5 * h_)) return {.failed = true};
      continue;
    }
    double factor = growth(error);
    if (shrunk) factor = std::min(factor, 1.0);
    GuardCrossing crossing = first_crossing();
    // A step cut short by others says nothing of how long steps could be.
    const double next = whole ? h_ * factor : std::max(next_, h_ * factor);
    // The end of the step is good, what lies between may not be: then come nearer.
    const double nearer = (defined_ ? 0.9 * crossing.theta : 0.5) * h_;
    constexpr double kNear = 1e-3;  // of the time scale
    const bool near = h_ < kNear * client_.time_scale();
    if (!defined_ || !end_at(crossing, near)) {
      if (!reject(nearer)) return {.failed = true};
      continue;
    }
    client_.passed(std::min(crossing.theta, 1.0));
    next_ = next;
    ++steps_;
    if (crossing.guard >= 0) {
      land(crossing.theta);
      return {.event = crossing.guard};
    }
    time_ = h_ == left ? end : time_ + h_;
    accept();
    return {};
  }
}

template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::accept() {
  client_.accept(rk_.state(), rk_.trial());
  rk_.accept();
  restarted_ = false;
}

/// Whether the step may end at the event: the dense output is as good as the step there. Else, if
/// it is `near`, a step up to there is taken; and so are implicit ones, whose dense output has a
/// lower order, and whose slopes tell little of errors.
template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::end_at(GuardCrossing& crossing, bool near) {
  const double theta = crossing.theta;
  if (client_.exact()) return end_exactly(crossing);
  if (!(theta > 0.0) || !(theta < 1.0)) return true;
  if (!implicit_) {
    rk_.interpolate(theta);
    at_ = theta;
    if (!client_.slope(time_ + theta * h_, rk_.inside(), rk_.inside_slope())) return false;
    const double defect = rk_.defect([this](const double* e) { return client_.norm(e); });
    if (defect <= kLargestDefect) return true;
    if (!near) return false;
  }
  h_ *= theta;
  crossing.theta = 1.0;
  return attempt(h_) <= kLargestDefect;
}

/// The step up to the event, by steps of the length in question. Another event may turn out to have
/// come before it.
template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::end_exactly(GuardCrossing& crossing) {
  if (crossing.guard < 0) return true;
  if (!(crossing.theta * h_ > shortest())) {
    crossing.theta = 0.0;
    return true;
  }
  if (!take(crossing.theta * h_)) return false;
  crossing.theta = 1.0;
  const int count = static_cast<int>(armed_.size());
  for (int pass = 0; pass <= count; ++pass) {
    if (!correct(crossing.guard)) return false;
    look(1.0, probe_, HybridClient::kCheapGuards);
    int earlier = -1;
    for (int k = 0; k < count; ++k) {
      if (k == crossing.guard || armed_[k] == 0 || client_.costly(k)) continue;
      if (!(probe_[k] < (earlier < 0 ? 0.0 : probe_[earlier]))) continue;
      if (client_.late(k, probe_[k], time_ + h_) != Client::Late::Ignore) earlier = k;
    }
    if (earlier < 0) return true;
    crossing.guard = earlier;
  }
  return true;
}

/// Corrects the length of the step, which ends near event k, by Newton's method, until the guard is
/// 0 there to rounding.
template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::correct(int k) {
  constexpr double kSide = 0.01;      // of the step: rate at its end, by three places
  constexpr double kBelieved = 1e-3;  // of the step: larger changes are no corrections
  constexpr double kFinest = 0.5 * std::numeric_limits<double>::epsilon();
  constexpr int kMost = 60;
  const auto value = [&](double theta) {
    look(theta, probe_, k);
    return probe_[static_cast<std::size_t>(k)];
  };
  double g = value(1.0);
  double rate =
      (3.0 * g - 4.0 * value(1.0 - kSide) + value(1.0 - 2.0 * kSide)) / (2.0 * kSide * h_);
  double last = std::numeric_limits<double>::infinity();
  double creep = 0.0;
  for (int i = 0; i < kMost; ++i) {
    double change = -g / rate;
    const double size = std::abs(change);
    const bool falls = creep == 0.0 && rate < 0.0 && (i < 2 || std::abs(g) < last);
    if (!falls || size <= kFinest * h_ || size > kBelieved * h_) {
      if (g < 0.0 || !client_.oversteps(k)) return true;
      creep = std::max(2.0 * creep, 1e-14 * h_);
      change = creep;
    }
    const double before = g;
    last = std::abs(g);
    if (!take(h_ + change)) return false;
    g = value(1.0);
    // Below their rounding some components stand still, and the guard changes more slowly.
    const double secant = (g - before) / change;
    if (secant < 0.25 * rate && secant > 4.0 * rate) rate = secant;
  }
  return true;
}

/// Ends the step at the event.
template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::land(double theta) {
  if (!(theta > 0.0)) return;
  if (theta < 1.0) {
    inside(theta);
    rk_.end_inside();
  }
  time_ += std::min(theta, 1.0) * h_;
  accept();
}

template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::prepare_dense() {
  if (dense_) return;
  dense_ = true;
  if (implicit_) return;
  const auto f = [this](double x, double* y, double* out) { return client_.slope(x, y, out); };
  defined_ = rk_.prepare_dense(f, time_, h_);
}

/// Guards at θ: on the dense output if there is one, or a cubic through both ends.
template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::look(double theta, std::vector<double>& g, int which) {
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
  evaluate(time_ + theta * h_, y, g.data(), which);
}

template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::evaluate(double x, const double* y, double* g,
                                                     int which) {
  if constexpr (requires { client_.evaluate_guards(x, y, g, which); }) {
    client_.evaluate_guards(x, y, g, which);
  } else {
    client_.evaluate_guards(x, y, g);
  }
}

template <class Client, int Quadratures>
GuardCrossing HybridIntegrator<Client, Quadratures>::first_crossing() {
  using Late = typename Client::Late;
  const auto count = static_cast<int>(before_.size());
  GuardCrossing first;
  look(1.0, ends_);
  const int looks = client_.looks(h_);
  if (client_.exact() && looks > 1) prepare_dense();
  // A cubic is good enough to see that something happens; where, the dense output tells, from the
  // start of the step, for the two may differ in sign at a look.
  if (!look_at_parts(first, looks)) look_at_parts(first, looks);
  known_ = first.guard < 0;
  if (std::find(armed_.begin(), armed_.end(), 0) == armed_.end()) return first;
  const double until = std::min(first.theta, 1.0);
  if (first.guard >= 0) look(until, after_);
  for (int k = 0; k < count; ++k) {
    if (armed_[k] != 0 || !(after_[k] < 0.0)) continue;
    const Late late = client_.late(k, after_[k], time_ + until * h_);
    if (late == Late::Ignore) continue;
    known_ = false;
    double theta = locate_unarmed(k, until);
    // What has not risen waits for the events that come first.
    if (theta == 0.0 && (first.guard >= 0 || late == Late::AtEnd)) theta = until;
    if (theta < first.theta) first = {.guard = k, .theta = theta};
  }
  return first;
}

/// Looks for the first event in all parts of the step. False: again, on the dense output.
template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::look_at_parts(GuardCrossing& first, int parts) {
  armed_.resize(before_.size());
  for (std::size_t k = 0; k < armed_.size(); ++k) {
    armed_[k] = before_[k] > client_.unarmed(static_cast<int>(k)) ? 1 : 0;
  }
  if (parts > 1) last_ = after_ = before_;
  for (int part = 1; part <= parts && first.guard < 0; ++part) {
    if (!look_at_part(first, part, parts)) return false;
  }
  return true;
}

template <class Client, int Quadratures>
bool HybridIntegrator<Client, Quadratures>::look_at_part(GuardCrossing& first, int part,
                                                         int parts) {
  const auto count = static_cast<int>(before_.size());
  const double to = place(part, parts);
  const bool all = part % std::max(parts / HybridClient::kCostlyLooks, 1) == 0;
  if (part == parts) {
    after_ = ends_;
  } else {
    look(to, after_, all ? HybridClient::kAllGuards : HybridClient::kCheapGuards);
  }
  const auto falls = [&](int k) { return armed_[k] != 0 && after_[k] < 0.0; };
  // Three looks with the least between: as low as a parabola reaches, twice.
  const auto dips = [&](int k) {
    if (part < 2 || armed_[k] == 0 || client_.costly(k)) return false;
    const double left = earlier_[k] - last_[k];
    const double right = after_[k] - last_[k];
    if (!(left > 0.0 && right > 0.0)) return false;
    return last_[k] < 0.25 * (left - right) * (left - right) / (left + right);
  };
  bool any = false;
  for (int k = 0; k < count && !any; ++k) any = falls(k) || dips(k);
  if (any && !dense_) {
    prepare_dense();
    if (parts > 1) return false;
  }
  int begin = part - 1;
  for (int k = 0; k < count && any; ++k) {
    int start = part - stride(k, parts);
    double end = to;
    if (!falls(k)) {
      if (!dips(k)) continue;
      start = part - 2;
      end = dip(k, place(start, parts), to);
      if (end < 0.0) continue;
    }
    const double theta = locate(k, place(start, parts), end);
    if (!(theta < first.theta)) continue;
    first = {.guard = k, .theta = theta};
    begin = std::min(begin, start);
  }
  if (first.guard >= 0) {
    look_before(first, begin, parts);
    return true;
  }
  for (int k = 0; k < count; ++k) {
    if (after_[k] > 0.0) armed_[k] = 1;
  }
  if (parts > 1) {
    earlier_.swap(last_);
    last_ = after_;
  }
  return true;
}

/// Where guard k is least between two places, if it is below 0 there; else −1.
template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::dip(int k, double from, double to) {
  const auto g = [&](double theta) {
    look(theta, probe_, k);
    return probe_[static_cast<std::size_t>(k)];
  };
  const double lowest = minimiser(g, from, to);
  const bool below = g(lowest) < 0.0;
  return below ? lowest : -1.0;
}

template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::locate(int k, double from, double to) {
  if (!implicit_) {
    weights_.resize(static_cast<std::size_t>(rk_.size()));
    if (client_.linear(k, weights_.data())) return locate_linear(k, from, to);
  }
  const auto g = [&](double theta) {
    look(theta, probe_, k);
    return probe_[static_cast<std::size_t>(k)];
  };
  const double width = client_.exact() ? 1e-10 : 1e-15;
  const double theta = g(from) > 0.0 ? bracketed_root(g, from, to, width) : from;
  return theta;
}

/// The dense output of what is linear in the state is a polynomial.
template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::locate_linear(int k, double from, double to) {
  typename RK::DenseCoefficients c{};
  for (int i = 0; i < rk_.size(); ++i) {
    const double w = weights_[static_cast<std::size_t>(i)];
    if (w == 0.0) continue;
    const typename RK::DenseCoefficients own = rk_.dense_coefficients(i);
    for (std::size_t d = 0; d < c.size(); ++d) c[d] += w * own[d];
  }
  const double g0 = before_[static_cast<std::size_t>(k)];
  const auto g = [&](double theta) { return g0 + RK::evaluate(c.data(), theta); };
  // Newton's method, as long as it stays inside.
  const auto root = [&](CrossingEnd left, CrossingEnd right) {
    double theta =
        left.theta + (right.theta - left.theta) * left.value / (left.value - right.value);
    for (int i = 0; i < 8 && theta > left.theta && theta < right.theta; ++i) {
      double rate = 0.0;
      const double change = -(g0 + RK::evaluate(c.data(), theta, rate)) / rate;
      theta += change;
      if (std::abs(change) < 1e-8 && theta >= left.theta && theta <= right.theta) return theta;
    }
    return bracketed_root(g, left.theta, right.theta, kWidth);
  };
  if (from > 0.0 && !(g(from) > 0.0)) return from;
  const double theta = numerics::first_crossing(g, from, true, root);
  return theta > 1.0 ? to : std::max(theta, kWidth);
}

/// A guard that is below 0 where another one falls, and rises again before the next look, came
/// first.
template <class Client, int Quadratures>
void HybridIntegrator<Client, Quadratures>::look_before(GuardCrossing& first, int part, int parts) {
  const GuardCrossing found = first;
  look(found.theta, after_);
  for (int k = 0; k < static_cast<int>(armed_.size()); ++k) {
    if (k == found.guard || armed_[k] == 0 || !(after_[k] < 0.0)) continue;
    const int start = part - part % stride(k, parts);  // its last look
    const double theta = locate(k, place(start, parts), found.theta);
    if (theta < first.theta) first = {.guard = k, .theta = theta};
  }
}

/// Where a guard falls that has risen since the start of the step, but not at the places looked at;
/// 0 if it has not.
template <class Client, int Quadratures>
double HybridIntegrator<Client, Quadratures>::locate_unarmed(int k, double until) {
  prepare_dense();
  constexpr int kLooks = 15;  // down to 1e-9 of the step
  double theta = 0.5 * until;
  double found = 0.0;
  for (int place = 0; place < kLooks && found == 0.0; ++place, theta *= 0.25) {
    look(theta, probe_, k);
    if (probe_[static_cast<std::size_t>(k)] > 0.0) found = locate(k, theta, until);
  }
  return found;
}

}  // namespace percute::numerics
