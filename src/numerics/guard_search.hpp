// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/bracketed_root.hpp"
#include "numerics/hybrid_client.hpp"
#include "numerics/trial_step.hpp"

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

/// The first event inside a step: guards are looked at at its end and at places inside, and where
/// one has fallen below 0 it is located on the dense output.
template <class Client, int Quadratures>
class GuardSearch {
 public:
  using Step = TrialStep<Client, Quadratures>;

  GuardSearch(Client& client, Step& step) : client_(client), step_(step) {}

  /// Before a step. `again`: what guards were at the end of the last one says nothing.
  void begin(bool again) {
    if (Client::kScreens) return;
    if (client_.prepare_guards() || again || !known_) {
      const auto count = static_cast<std::size_t>(client_.guards());
      for (auto* v : {&before_, &earlier_, &last_, &after_, &ends_, &probe_}) v->resize(count);
      dips_.resize(count);
      evaluate(step_.time(), step_.start(), before_.data(), HybridClient::kAllGuards);
    } else {
      before_.swap(after_);
    }
    known_ = false;
  }

  /// The first event in the step, if any.
  GuardCrossing first_crossing() {
    if constexpr (Client::kScreens) {
      return first_suspect();
    } else {
      return first_looked_at();
    }
  }

  /// Whether the step may end at the event: the dense output is as good as the step there. Else, if
  /// it is `near`, a step up to there is taken; and so are implicit ones, whose dense output has a
  /// lower order, and whose slopes tell little of errors.
  bool end_at(GuardCrossing& crossing, bool near, bool first_step) {
    const double theta = crossing.theta;
    if (client_.exact()) return end_exactly(crossing);
    if (!(theta > 0.0) || !(theta < 1.0)) return true;
    if (step_.polynomial()) {
      const double defect = step_.defect(theta);
      if (defect <= kLargestDefect) return true;
      if (!near || std::isnan(defect)) return false;
    }
    crossing.theta = 1.0;
    return step_.attempt(theta * step_.length(), first_step) <= 1.0;
  }

  /// Step, over the time scale.
  static constexpr double kShortest = HybridClient::kShortestStep;

 private:
  using RK = typename Step::RK;
  static constexpr double kWidth = 1e-15;  ///< of an event, over the step
  /// Defect of the dense output, over what is allowed, above which no event is taken from it. It is
  /// about ten times the error there; values up to ten are common, useless dense output has 1e6.
  static constexpr double kLargestDefect = 30.0;
  /// Looks so far from the ends of the step, in parts, tell the slopes of guards there.
  static constexpr double kBeside = 1e-3;

  /// Of guards that are screened: where one is under suspicion, the dense output decides.
  GuardCrossing first_suspect() {
    GuardCrossing first;
    if (!client_.suspect()) return first;
    step_.prepare_dense();
    if (!step_.defined()) return first;
    for (int k = 0; k < client_.guards(); ++k) {
      const auto g = along(k);
      const bool armed = g.start > client_.unarmed(k);
      double theta = g.first_zero(0.0, armed);
      // Left zero into the wrong direction at once: the event belongs to the start of the step.
      if (theta > 1.0 && !armed) theta = 0.0;
      if (theta < first.theta) first = {.guard = k, .theta = theta};
    }
    return first;
  }

  auto along(int k) {
    return step_.along(client_.at_start(k), [&](auto&& add) { client_.terms(k, add); });
  }

  /// Of all others, by looks at the ends of the step and at places inside.
  GuardCrossing first_looked_at() {
    using Late = typename Client::Late;
    const auto count = static_cast<int>(before_.size());
    GuardCrossing first;
    look(1.0, ends_);
    const int looks = client_.looks(step_.length());
    if (client_.exact() && looks > 1) step_.prepare_dense();
    // A cubic is good enough to see that something happens; where, the dense output tells, from the
    // start of the step, for the two may differ in sign at a look.
    if (!look_at_parts(first, looks)) look_at_parts(first, looks);
    known_ = first.guard < 0;
    if (std::find(armed_.begin(), armed_.end(), 0) == armed_.end()) return first;
    const double until = std::min(first.theta, 1.0);
    if (first.guard >= 0) look(until, after_);
    for (int k = 0; k < count; ++k) {
      if (armed_[k] != 0 || !(after_[k] < 0.0)) continue;
      const Late late = client_.late(k, after_[k], step_.time() + until * step_.length());
      if (late == Late::Ignore) continue;
      known_ = false;
      double theta = locate_unarmed(k, until);
      if (theta == 0.0 && late == Late::AtEnd) theta = until;
      if (theta < first.theta) first = {.guard = k, .theta = theta};
    }
    return first;
  }

  void look(double theta, std::vector<double>& g, int which = HybridClient::kAllGuards) {
    evaluate(step_.time() + theta * step_.length(), step_.roughly_inside(theta), g.data(), which);
  }

  void evaluate(double x, const double* y, double* g, int which) {
    if constexpr (Client::kScreens) {
      return;
    } else if constexpr (requires { client_.evaluate_guards(x, y, g, which); }) {
      client_.evaluate_guards(x, y, g, which);
    } else {
      client_.evaluate_guards(x, y, g);
    }
  }

  /// Looks for the first event in all parts of the step. False: again, on the dense output.
  bool look_at_parts(GuardCrossing& first, int parts) {
    armed_.assign(before_.size(), 0);
    arm(before_);
    if (parts > 1) last_ = after_ = before_;
    for (int part = 1; part <= parts && first.guard < 0; ++part) {
      if (!look_at_part(first, part, parts)) return false;
    }
    return true;
  }

  bool look_at_part(GuardCrossing& first, int part, int parts) {
    const auto count = static_cast<int>(before_.size());
    const double to = place(part, parts);
    const bool all = part % std::max(parts / HybridClient::kCostlyLooks, 1) == 0;
    if (part == parts) {
      after_ = ends_;
    } else {
      look(to, after_, all ? HybridClient::kAllGuards : HybridClient::kCheapGuards);
    }
    const auto falls = [&](int k) { return armed_[k] != 0 && after_[k] < 0.0; };
    find_dips(part, parts);
    const auto dips = [&](int k) { return dips_[k] != 0; };
    bool any = false;
    for (int k = 0; k < count && !any; ++k) any = falls(k) || dips(k);
    if (any && !step_.dense()) {
      step_.prepare_dense();
      if (parts > 1) return false;
    }
    int begin = part - 1;
    for (int k = 0; k < count && any; ++k) {
      int start = part - stride(k, parts);
      double end = to;
      if (!falls(k)) {
        if (!dips(k)) continue;
        start = std::max(part - 2, 0);
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
    arm(after_);
    if (parts > 1) {
      earlier_.swap(last_);
      last_ = after_;
    }
    return true;
  }

  double place(int part, int parts) const {
    return part == parts ? 1.0 : static_cast<double>(std::max(part, 0)) / parts;
  }

  /// Guard k is looked at at every so many parts.
  int stride(int k, int parts) const {
    return client_.costly(k) ? std::max(parts / HybridClient::kCostlyLooks, 1) : 1;
  }

  void arm(const std::vector<double>& g) {
    for (std::size_t k = 0; k < armed_.size(); ++k) {
      if (armed_[k] == 0 && g[k] > client_.unarmed(static_cast<int>(k))) armed_[k] = 1;
    }
  }

  /// Guards that may fall and rise again between the last looks: where the parabola through three
  /// of them, or, at the ends of the step, through two with the slope at the end, is low enough to
  /// reach 0 if it went twice as deep.
  void find_dips(int part, int parts) {
    std::fill(dips_.begin(), dips_.end(), 0);
    if (parts == 1) return;
    const auto count = static_cast<int>(before_.size());
    const auto asked = [&](int k) { return armed_[k] != 0 && !client_.costly(k); };
    for (int k = 0; k < count && part > 1; ++k) {
      const double left = earlier_[k] - last_[k];
      const double right = after_[k] - last_[k];
      const bool between = left > 0.0 && right > 0.0 && asked(k);
      if (between && last_[k] < 0.25 * (left - right) * (left - right) / (left + right))
        dips_[k] = 1;
    }
    if (client_.exact() || (part != 1 && part != parts)) return;
    const std::vector<double>& end = part == 1 ? last_ : after_;
    const std::vector<double>& other = part == 1 ? after_ : last_;
    look((part == 1 ? kBeside : parts - kBeside) / parts, probe_, HybridClient::kCheapGuards);
    for (int k = 0; k < count; ++k) {
      const double falling = (end[k] - probe_[k]) / kBeside;  // away from the end
      const double bend = other[k] - end[k] + falling;
      const bool turns = falling > 0.0 && falling < 2.0 * bend && asked(k);
      if (turns && end[k] < 0.5 * falling * falling / bend) dips_[k] = 1;
    }
  }

  /// Where guard k is least between two places, if it is below 0 there; else −1.
  double dip(int k, double from, double to) {
    const auto g = [&](double theta) {
      look(theta, probe_, k);
      return probe_[static_cast<std::size_t>(k)];
    };
    const double lowest = minimiser(g, from, to);
    const bool below = g(lowest) < 0.0;
    return below ? lowest : -1.0;
  }

  double locate(int k, double from, double to) {
    if (!step_.implicit()) {
      weights_.resize(static_cast<std::size_t>(step_.size()));
      if (client_.linear(k, weights_.data())) return locate_linear(k, from, to);
    }
    const auto g = [&](double theta) {
      look(theta, probe_, k);
      return probe_[static_cast<std::size_t>(k)];
    };
    if (!(g(from) > 0.0)) return from;
    const double width = client_.exact() ? 1e-10 : 1e-15;
    const double theta = bracketed_root(g, from, to, width);
    // What must be below 0 is not where it is still above.
    return client_.oversteps(k) ? std::max(theta, from + width) : theta;
  }

  /// The dense output of what is linear in the state is a polynomial.
  double locate_linear(int k, double from, double to) {
    const auto g = step_.along(before_[static_cast<std::size_t>(k)], [&](auto&& add) {
      for (int i = 0; i < step_.size(); ++i) {
        const double weight = weights_[static_cast<std::size_t>(i)];
        if (weight != 0.0) add(i, weight);
      }
    });
    if (from > 0.0 && !(g(from) > 0.0)) return from;
    const double length = to - from;
    const auto part = [&](double s) { return g(from + s * length); };
    const double s = numerics::first_crossing(part, 0.0, true, [&](CrossingEnd a, CrossingEnd b) {
      a.theta = from + a.theta * length;
      b.theta = from + b.theta * length;
      return (g.root(a, b) - from) / length;
    });
    return s > 1.0 ? to : std::max(from + s * length, kWidth);
  }

  /// A guard that is below 0 where another one falls, and rises again before the next look, came
  /// first.
  void look_before(GuardCrossing& first, int part, int parts) {
    const GuardCrossing found = first;
    look(found.theta, after_);
    for (int k = 0; k < static_cast<int>(armed_.size()); ++k) {
      if (k == found.guard || armed_[k] == 0 || !(after_[k] < 0.0)) continue;
      const int start = part - part % stride(k, parts);  // its last look
      const double theta = locate(k, place(start, parts), found.theta);
      if (theta < first.theta) first = {.guard = k, .theta = theta};
    }
  }

  /// Where a guard falls that has risen since the start of the step, but not at the places looked
  /// at; 0 if it has not.
  double locate_unarmed(int k, double until) {
    step_.prepare_dense();
    constexpr int kLooks = 15;  // down to 1e-9 of the step
    double theta = 0.5 * until;
    double found = 0.0;
    for (int place = 0; place < kLooks && found == 0.0; ++place, theta *= 0.25) {
      look(theta, probe_, k);
      const bool risen = probe_[static_cast<std::size_t>(k)] > client_.unarmed(k);
      if (risen) found = locate(k, theta, until);
    }
    return found;
  }

  /// The step up to the event, by steps of the length in question. Another event may turn out to
  /// have come before it.
  bool end_exactly(GuardCrossing& crossing) {
    if (crossing.guard < 0) return true;
    if (!(crossing.theta * step_.length() > kShortest * client_.time_scale())) {
      crossing.theta = 0.0;
      return true;
    }
    if (!step_.take(crossing.theta * step_.length())) return false;
    crossing.theta = 1.0;
    const int count = static_cast<int>(armed_.size());
    for (int pass = 0; pass <= count; ++pass) {
      if (!correct(crossing.guard)) return false;
      look(1.0, probe_, HybridClient::kCheapGuards);
      int earlier = -1;
      for (int k = 0; k < count; ++k) {
        if (k == crossing.guard || armed_[k] == 0 || client_.costly(k)) continue;
        if (!(probe_[k] < (earlier < 0 ? 0.0 : probe_[earlier]))) continue;
        if (client_.late(k, probe_[k], step_.time() + step_.length()) != Client::Late::Ignore)
          earlier = k;
      }
      if (earlier < 0) return true;
      crossing.guard = earlier;
    }
    return true;
  }

  /// Corrects the length of the step, which ends near event k, by Newton's method, until the guard
  /// is 0 there to rounding.
  bool correct(int k) {
    constexpr double kSide = 0.01;      // of the step: rate at its end, by three places
    constexpr double kBelieved = 1e-3;  // of the step: larger changes are no corrections
    constexpr double kFinest = 0.5 * std::numeric_limits<double>::epsilon();
    constexpr int kMost = 60;
    const auto value = [&](double theta) {
      look(theta, probe_, k);
      return probe_[static_cast<std::size_t>(k)];
    };
    double g = value(1.0);
    double rate = (3.0 * g - 4.0 * value(1.0 - kSide) + value(1.0 - 2.0 * kSide)) /
                  (2.0 * kSide * step_.length());
    double last = std::numeric_limits<double>::infinity();
    double creep = 0.0;
    for (int i = 0; i < kMost; ++i) {
      double change = -g / rate;
      const double size = std::abs(change);
      const bool falls = creep == 0.0 && rate < 0.0 && (i < 2 || std::abs(g) < last);
      if (!falls || size <= kFinest * step_.length() || size > kBelieved * step_.length()) {
        if (g < 0.0 || !client_.oversteps(k)) return true;
        creep = std::max(2.0 * creep, 1e-14 * step_.length());
        change = creep;
      }
      const double before = g;
      last = std::abs(g);
      if (!step_.take(step_.length() + change)) return false;
      g = value(1.0);
      // Below their rounding some components stand still, and the guard changes more slowly.
      const double secant = (g - before) / change;
      if (secant < 0.25 * rate && secant > 4.0 * rate) rate = secant;
    }
    return true;
  }

  Client& client_;
  Step& step_;
  bool known_ = false;           ///< after_: guards where the next step starts
  std::vector<double> before_;   ///< guards at the start of the step
  std::vector<double> earlier_;  ///< two looks before
  std::vector<double> last_;     ///< one look before
  std::vector<double> after_;    ///< at the present look
  std::vector<double> ends_;     ///< at the end of the step
  std::vector<double> probe_;    ///< at places in between
  std::vector<char> dips_;       ///< guards that may fall and rise again between looks
  std::vector<char> armed_;      ///< guards that have risen since they were set
  std::vector<double> weights_;  ///< of a linear guard
};

}  // namespace percute::numerics
