// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/smooth_motion.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace percute::simulation {

/// Impacts that follow each other faster and faster, and when infinitely many of them are over.
///
/// A body that comes back onto a contact with constant acceleration a flies for 2 v/|a| after an
/// impact that it leaves at speed v. If every impact keeps the part r of the speed, flights shrink
/// by r too and end after 2 v/(|a| (1 − r)).
///
/// Where contacts take turns (a block that rocks, a body that slides to and fro in a groove, three
/// balls on a line that collapse) the flights of a turn of p impacts are those of the turn before
/// times r. With f_0 the next flight, f_1 the last one, and so on, each as velocities, gaps and
/// accelerations foresaw it after an impact,
///
///     r = (f_0 + … + f_{p−1})/(f_p + … + f_{2p−1}),
///     remaining time = (f_0 + r (f_1 + … + f_{p−1}))/(1 − r).
///
/// (Not the ratio of speeds: without forces gaps shrink by another factor than speeds do, and
/// flights by the ratio of both. Not the instants of impacts: rounding of positions is in them, and
/// not in the velocities that bodies fall back with.) Either is exact only where impacts are alike.
/// What is foreseen after one impact must be what was foreseen after the one before: that decides
/// whether it is believed.
class Accumulation {
 public:
  static constexpr double kNever = AccumulationMemory::kNever;

  using Impact = AccumulationMemory::Impact;
  using Ending = AccumulationMemory::Ending;

  static std::vector<int> sorted_once(std::vector<int> contacts) {
    std::sort(contacts.begin(), contacts.end());
    contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
    return contacts;
  }
  static bool contains(const std::vector<int>& ascending, int i) {
    return std::binary_search(ascending.begin(), ascending.end(), i);
  }

  /// What is known is kept in `memory`.
  explicit Accumulation(AccumulationMemory& memory) : known_(memory) {}

  /// `rates` are those of all contacts.
  void impact(double time, const std::vector<int>& contacts, const Vector& rates) {
    for (const int i : contacts) {
      AccumulationMemory::Alone& one = alone(i);
      one.ratio = one.approach > 0.0 ? -rates[i] / one.approach : 0.0;
      one.approach = -rates[i];
    }
    std::vector<Impact>& impacts = known_.impacts;
    if (!impacts.empty() && time == impacts.back().time) return;  // the same instant
    if (impacts.size() == AccumulationMemory::kMostImpacts) impacts.erase(impacts.begin());
    impacts.push_back({.time = time, .contacts = contacts});
  }
  void forget() { known_.impacts.clear(); }
  int known() const { return static_cast<int>(known_.impacts.size()); }
  /// The k-th last impact.
  const Impact& last(int k) const {
    return known_.impacts[known_.impacts.size() - 1 - static_cast<std::size_t>(k)];
  }

  /// Impacts in a turn: after so many the same contacts approach again, as they did in the turn
  /// before. 0: there is no such number. The last `but` impacts are left out.
  int turn(int but = 0) const {
    for (int p = 1; but + 2 * p <= known(); ++p) {
      bool same = true;
      for (int k = but; k < but + p && same; ++k) same = last(k).contacts == last(k + p).contacts;
      if (same) return p;
    }
    return 0;
  }
  /// Contacts of the last turn, ascending.
  std::vector<int> contacts_of_turn(int p, int but = 0) const {
    std::vector<int> all;
    for (int k = but; k < but + p; ++k) {
      all.insert(all.end(), last(k).contacts.begin(), last(k).contacts.end());
    }
    return sorted_once(std::move(all));
  }
  /// How long it is until the next impact, as foreseen after the last.
  void set_flight(double flight) {
    if (known() > 0) known_.impacts.back().flight = flight;
  }
  /// That, from an impact at this time; infinite where there was none, or it is not known.
  double flight_from(double time) const {
    return known() > 0 && last(0).time == time ? last(0).flight : kNever;
  }
  /// Time from the last impact until they end, if they take turns of p. Infinite where they do not
  /// shrink, or not all flights of two turns are known.
  double remaining(int p) const {
    if (p == 0) return kNever;
    const auto flights = [this](int from, int to) {
      double sum = 0.0;
      for (int k = from; k < to; ++k) sum += last(k).flight;
      return sum;
    };
    const double before = flights(p, 2 * p);
    if (!std::isfinite(before)) return kNever;
    const double r = flights(0, p) / before;
    return r < 1.0 ? (last(0).flight + r * flights(1, p)) / (1.0 - r) : kNever;
  }
  /// When they end, from those before the last alone: for the last that could be told apart.
  double end_of_turns(int p) const {
    if (p == 0 || known() < 2 * p + 2) return kNever;
    const double turn = last(1).time - last(1 + p).time;
    const double r = turn / (last(1 + p).time - last(1 + 2 * p).time);
    // The last one is one of them if it came as soon as they do.
    if (!(r < 1.0) || last(0).time - last(1).time > turn) return kNever;
    return last(1).time + r * turn / (1.0 - r);
  }

  /// By how much ends may differ that are the same: parts of what remains until then and of how
  /// long the impacts that are remembered took, the tolerance of the run; and rounding.
  double slack(double remaining, double tolerance) const {
    constexpr double kAlike = 1e-5;
    return kAlike * remaining + slack(tolerance);
  }
  double slack(double tolerance) const {
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    const double time = last(0).time;
    return tolerance * (time - last(known() - 1).time) + kRounding * std::abs(time);
  }

  AccumulationMemory::Alone& alone(int contact) {
    return known_.alone[static_cast<std::size_t>(contact)];
  }
  double next_end() const {
    double next = kNever;
    for (const Ending& ending : known_.endings) next = std::min(next, ending.time);
    return next;
  }
  /// Takes out those that `which` is true of, from number `from` on.
  template <class Which>
  std::vector<Ending> take(Which which, std::size_t from = 0) {
    std::vector<Ending> taken;
    for (std::size_t k = from; k < known_.endings.size();) {
      if (!which(known_.endings[k])) {
        ++k;
        continue;
      }
      taken.push_back(std::move(known_.endings[k]));
      known_.endings.erase(known_.endings.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return taken;
  }
  /// Whether the contact is held until the end of its bounces is told.
  bool waits(int contact) const {
    return std::any_of(
        known_.endings.begin(), known_.endings.end(),
        [contact](const Ending& ending) { return contains(ending.contacts, contact); });
  }

 private:
  AccumulationMemory& known_;
};

/// Impacts of single contacts that follow each other until infinitely many are over, or none is
/// left, in the gaps h and gap rates u of a configuration that does not change meanwhile:
///
///     h_i(t) = h_i + u_i t + ½ a_i t²,   u⁺ = u⁻ + G e_c p,   p = κ_c |u_c|,   G = Wᵀ M⁻¹ W,
///
/// where the law says κ_c, the impulse of contact c alone over its speed of approach. Gaps and
/// rates are small numbers with all their digits: positions could not tell the last impacts apart.
class CollapseInGaps {
 public:
  /// Of these contacts of a system at q, numbered in this order from here on; `mass` is that of q.
  CollapseInGaps(const AnySystem& system, systems::MassSolver& mass, const Vector& q,
                 const std::vector<int>& contacts)
      : response_(system.coordinates(), static_cast<Eigen::Index>(contacts.size())),
        impulse_(Vector::Zero(response_.cols())) {
    Matrix W(response_.rows(), response_.cols());
    Vector column(response_.rows());
    for (Eigen::Index k = 0; k < W.cols(); ++k) {
      const int i = contacts[static_cast<std::size_t>(k)];
      system.gradient(i, q, column);
      W.col(k) = column;
      problems_.push_back(systems::impact_problem(system, q, Vector::Zero(column.size()), {i}));
    }
    solve_columns(W, [&mass](Vector& x) { mass.solve(x); }, column, response_);
    delassus_ = W.transpose() * response_;
  }

  /// From this state on. False if impacts stop, the law has no answer, or they do not shrink.
  bool follow(const AnyLaw& law, Vector gaps, Vector rates, Vector accelerations) {
    time_ = 0.0;
    std::vector<int> order;
    double mark = 0.0;
    double before = Accumulation::kNever;
    for (int count = 0; count < kMostImpacts; ++count) {
      int next = -1;
      double after = Accumulation::kNever;
      for (Eigen::Index i = 0; i < gaps.size(); ++i) {
        const double t = closing_time(gaps[i], rates[i], accelerations[i]);
        if (t < after) {
          after = t;
          next = static_cast<int>(i);
        }
      }
      if (next < 0) return false;
      time_ += after;
      gaps += after * (rates + 0.5 * after * accelerations);
      rates += after * accelerations;
      gaps = gaps.cwiseMax(0.0);
      gaps[next] = 0.0;
      if (!(rates[next] < 0.0) || !strike(law, next, rates)) return false;
      order.push_back(next);
      if (after <= kOver * time_ && count >= 2 * gaps.size()) {
        // The later half of them is what it ends with.
        contacts_ = Accumulation::sorted_once(
            {order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2), order.end()});
        return true;
      }
      if (count % kLook == kLook - 1) {
        // Flights that are as long as before go on for ever.
        const double took = time_ - mark;
        if (!(took < before)) return false;
        before = took;
        mark = time_;
      }
      if (rates.cwiseAbs().maxCoeff() < kTinyRates) {
        gaps /= kTinyRates;
        rates /= kTinyRates;
        accelerations /= kTinyRates;
      }
    }
    return false;
  }

  double time() const { return time_; }                           ///< until all are over, s
  const std::vector<int>& contacts() const { return contacts_; }  ///< that they end with, ascending

 private:
  static constexpr int kMostImpacts = 5000;  ///< flights that shrink by 0.6 % each are over by then
  static constexpr int kLook = 32;        ///< impacts after which it is seen whether flights shrink
  static constexpr double kOver = 1e-14;  ///< of the time so far: flights are over
  static constexpr double kTinyRates = 1e-100;  ///< time for other units

  /// The impact of one contact: laws know it by its gap rate alone.
  bool strike(const AnyLaw& law, int contact, Vector& rates) {
    double& impulse = impulse_[contact];
    const double speed = -rates[contact];
    if (impulse == 0.0) {
      ImpactProblem& problem = problems_[static_cast<std::size_t>(contact)];
      problem.velocity = -speed / delassus_(contact, contact) * response_.col(contact);
      const ImpactResult result = resolve(problem, law);
      if (!result.ok() || result.status == Status::NoImpact) return false;
      impulse = result.impulse[0] / speed;
    }
    rates += impulse * speed * delassus_.col(contact);
    return true;
  }

  std::vector<ImpactProblem> problems_;  // of each contact alone, at rest
  Matrix response_;                      // M⁻¹ W
  Matrix delassus_;                      // G
  Vector impulse_;                       // κ; 0: not asked yet
  double time_ = 0.0;
  std::vector<int> contacts_;
};

/// When bounces that become shorter and shorter will be over, and which rebounds are left out until
/// then, their contacts held closed.
class BounceForecast : EventDrivenParts {
 public:
  /// Contacts that touch, ascending.
  struct Touching {
    std::vector<int> closed = {};    ///< do not leave, or are told to stay
    std::vector<int> rebounds = {};  ///< leave no faster than what may be cut off
  };

  /// Contacts whose bounces are left out from now on, ascending.
  struct Cut {
    std::vector<int> contacts = {};
    bool in_turns = false;  ///< they bounce because of each other
  };

  explicit BounceForecast(const EventDrivenParts& parts)
      : EventDrivenParts(parts),
        accumulation_(memory_.accumulation),
        acceleration_(system_.coordinates()) {}

  Accumulation& accumulation() { return accumulation_; }

  /// An impact of these contacts, the fastest at this speed.
  void impact(const std::vector<int>& approaching, double speed) {
    impact_speed_ = speed;
    restitution_ = 0.0;
    accumulation_.impact(now_.time, approaching, gaps_.rates());
  }
  /// Its restitution, where it was that of a single contact.
  void set_restitution(double restitution) { restitution_ = restitution; }
  /// Rates below these parts of the approach before are none: approach that the law has left, and
  /// rebounds, m/s.
  double left_speed() const { return kLeft * impact_speed_; }
  double no_rebound_speed() const { return kNoRebound * impact_speed_; }

  /// Which contacts touch; `forced` are told to stay.
  Touching touching(bool after_impact, const std::vector<int>& forced) {
    Touching found;
    const bool bounces = after_impact && held_.accelerate(now_, {}, acceleration_);
    for (int i = 0; i < system_.contacts(); ++i) {
      const bool stays = (held_.holds(i) && !after_impact) ||
                         std::find(forced.begin(), forced.end(), i) != forced.end();
      if (!stays && gaps_.gap(i) > gaps_.hold_gap(i)) continue;
      const double rate = gaps_.rate(i);
      if (stays || rate <= std::max(gaps_.rate_noise(i), bounces ? no_rebound_speed() : 0.0)) {
        found.closed.push_back(i);
      } else if (bounces && rate <= std::max(ledger_.micro_bounce_velocity(), lowest_rebound(i))) {
        found.rebounds.push_back(i);
        continue;
      }
      accumulation_.alone(i).slow = 0.0;
    }
    return found;
  }
  /// After an impact, with `others` held: which of the rebounds are those of bounces whose end is
  /// known, and are left out until then (Accumulation::endings()); and those that are left out all
  /// the same.
  Cut cut(const std::vector<int>& rebounds, const std::vector<HeldContact>& others) {
    Cut collapsing;
    if (held_.accelerate(now_, others, acceleration_)) {
      accumulation_.set_flight(next_closing(others));
      // Impacts so slow, or cut off so soon, that it is time to look for their end.
      constexpr double kSlow = 1e-3;
      if (method_.run.micro_bounce_velocity ||
          impact_speed_ <= kSlow * ledger_.fastest_approach()) {
        collapsing = follow_collapse(others);
      }
    }
    if (rebounds.empty()) return {};
    const std::vector<int> must = cut_regardless(rebounds, !collapsing.contacts.empty());
    Cut cut;
    if (held_.accelerate(now_, others, acceleration_) && accumulation_.known() > 0) {
      cut = foresee_end(rebounds, must, collapsing);
    }
    std::vector<int> all;
    std::set_union(cut.contacts.begin(), cut.contacts.end(), must.begin(), must.end(),
                   std::back_inserter(all));
    cut.contacts.swap(all);
    return cut;
  }
  /// Impacts in turns that have come so near to each other that they cannot be told apart: the last
  /// one was of all that were left; `old` were held before. When they would have ended follows from
  /// those before.
  void end_turns(const std::vector<HeldContact>& old) {
    const int turn = accumulation_.turn(1);
    const double end = accumulation_.end_of_turns(turn);
    if (turn < 2 || !std::isfinite(end)) return;
    const std::vector<int> contacts = accumulation_.contacts_of_turn(turn, 1);
    for (const int i : contacts) {
      if (!held_.holds(i) || contains(old, i)) return;
    }
    const double followed = memory_.accumulation.followed;
    const double time = std::isfinite(followed) ? followed : end;
    memory_.accumulation.endings.push_back(
        {.time = std::max(time, now_.time), .contacts = contacts});
  }

 private:
  static constexpr double kLeft = 1e-9;
  static constexpr double kNoRebound = 10.0 * kLeft;
  static constexpr double kSlowRebounds = 4.0;  ///< in a row, after which a contact stays closed

  static bool contains(const std::vector<HeldContact>& held, int i) {
    return std::any_of(held.begin(), held.end(),
                       [i](const HeldContact& c) { return c.contact == i; });
  }
  /// Whether an end that is foreseen after an impact is the same, to `slack`, as the one that was
  /// foreseen the last time, `before`; that is remembered now.
  static bool foreseen_again(double& before, double end, double slack) {
    const double old = std::exchange(before, end);
    return std::isfinite(end) && std::isfinite(old) && std::abs(end - old) <= slack;
  }

  double gap_acceleration(int i) { return held_.mass().gap_acceleration(i, now_, acceleration_); }
  double lowest_rebound(int i) { return gaps_.lowest_rebound(i, gap_acceleration(i)); }
  /// Time until some contact closes that is not held, if accelerations stay as they are.
  double next_closing(const std::vector<HeldContact>& others) {
    double next = Accumulation::kNever;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (contains(others, i)) continue;
      const double gap = gaps_.touches(i) ? 0.0 : gaps_.gap(i);
      next = std::min(next, closing_time(gap, gaps_.rate(i), gap_acceleration(i)));
    }
    return next;
  }
  /// Rebounds that are cut off whether their end is known or not: where a speed in m/s was asked
  /// for, at rounding, and where contacts bounce on each other without order, or for too long. What
  /// collapses is waited for.
  std::vector<int> cut_regardless(const std::vector<int>& rebounds, bool collapses) {
    const bool orderly = std::isfinite(accumulation_.remaining(accumulation_.turn()));
    const bool free = held_.accelerate(now_, {}, acceleration_);
    std::vector<int> some;
    for (const int i : rebounds) {
      double& slow = accumulation_.alone(i).slow;
      slow += 1.0;
      const bool at_once =
          method_.run.micro_bounce_velocity || !free || gaps_.rate(i) <= lowest_rebound(i);
      if (at_once || (!collapses && (!orderly || slow > kSlowRebounds))) some.push_back(i);
    }
    return some;
  }
  /// Bounces whose end is known: of contacts alone, of a collapse, or in turns.
  Cut foresee_end(const std::vector<int>& rebounds, const std::vector<int>& must,
                  const Cut& collapsing) {
    const bool collapses = !collapsing.contacts.empty();
    const auto small = [this](int i) { return gaps_.gap(i) <= method_.tolerance * gaps_.length(); };
    const auto ends = [this](const Cut& what, double time) {
      memory_.accumulation.endings.push_back({.time = time, .contacts = what.contacts});
      return what;
    };
    Cut cut{.contacts = foresee_alone(rebounds, must)};
    const bool alone = !cut.contacts.empty();
    // What collapses is followed until gaps are below the tolerance.
    if (!alone && collapses &&
        (!must.empty() ||
         std::all_of(collapsing.contacts.begin(), collapsing.contacts.end(), small))) {
      cut = ends(collapsing, std::max(memory_.accumulation.followed, now_.time));
    }
    const int turn = accumulation_.turn();
    const double left = accumulation_.remaining(turn);
    const bool again =
        foreseen_again(memory_.accumulation.in_turns, now_.time + left, end_slack(left, rebounds));
    if (!alone && !collapses && std::isfinite(left) && (again || !must.empty())) {
      // What following them foresees, if only once so far, does not suppose that turns are alike.
      const double followed =
          collapsing.in_turns ? memory_.accumulation.followed : Accumulation::kNever;
      cut = ends({.contacts = accumulation_.contacts_of_turn(turn), .in_turns = true},
                 std::isfinite(followed) ? std::max(followed, now_.time) : now_.time + left);
    }
    return cut;
  }
  /// Contacts that end their bounces each by itself.
  std::vector<int> foresee_alone(const std::vector<int>& rebounds, const std::vector<int>& must) {
    std::vector<int> alone;
    for (const int i : rebounds) {
      const double left = time_alone(i);
      const bool again =
          foreseen_again(accumulation_.alone(i).end, now_.time + left, end_slack(left, rebounds));
      if (!std::isfinite(left) || !(again || Accumulation::contains(must, i))) continue;
      alone.push_back(i);
      memory_.accumulation.endings.push_back({.time = now_.time + left, .contacts = {i}});
    }
    return alone;
  }
  /// Until the bounces of contact i are over, as if it were alone; infinite if that is not known.
  double time_alone(int i) {
    if (!Accumulation::contains(accumulation_.last(0).contacts, i)) return Accumulation::kNever;
    const double ratio = restitution_ > 0.0 ? restitution_ : accumulation_.alone(i).ratio;
    return ratio > 0.0 && ratio < 1.0
               ? closing_time(0.0, gaps_.rate(i), gap_acceleration(i)) / (1.0 - ratio)
               : Accumulation::kNever;
  }
  /// By how much ends may differ that are foreseen to be the same. Rounding of gaps moves instants
  /// of impacts, and errors of integration change the speed of what falls back.
  double end_slack(double left, const std::vector<int>& rebounds) const {
    constexpr double kErrors = 10.0;  // of steps, in a flight
    const double error = kErrors * method_.tolerance * ledger_.fastest_approach();
    double slack = accumulation_.slack(left, method_.tolerance);
    for (const int i : rebounds) {
      slack = std::max(slack, (gaps_.noise(i) + error * left) / gaps_.rate(i));
    }
    return slack;
  }
  /// Where nothing is held, and impacts take turns that become shorter: those that follow, one by
  /// one, in gaps and their rates, which keep the digits that positions lose. Returns the contacts
  /// of a collapse whose end is known.
  Cut follow_collapse(const std::vector<HeldContact>& others) {
    const bool unheld = others.empty() && system_.joints() == 0 && !held_.friction();
    const int turn = accumulation_.turn();
    if (!unheld || turn < 2 || !std::isfinite(accumulation_.remaining(turn))) return {};
    if (!held_.accelerate(now_, {}, acceleration_)) return {};
    const std::vector<int> among = accumulation_.contacts_of_turn(turn);
    const Vector rates = gaps_.rates()(among);
    Vector gaps = gaps_.gaps()(among);
    Vector accelerations(gaps.size());
    double rounding = 0.0;  // relative, of gaps and rates
    for (Eigen::Index k = 0; k < gaps.size(); ++k) {
      const int i = among[static_cast<std::size_t>(k)];
      if (gaps_.touches(i)) gaps[k] = 0.0;
      if (gaps[k] > 0.0) rounding = std::max(rounding, gaps_.noise(i) / gaps[k]);
      if (rates[k] != 0.0) rounding = std::max(rounding, gaps_.rate_noise(i) / std::abs(rates[k]));
      accelerations[k] = gap_acceleration(i);
    }
    CollapseInGaps collapse(system_, held_.mass().solver(), now_.q, among);
    const bool ends = collapse.follow(law_, gaps, rates, accelerations);
    const double left = ends ? collapse.time() : Accumulation::kNever;
    const double slack = accumulation_.slack(method_.tolerance) + (ends ? rounding * left : 0.0);
    Cut cut{.in_turns = true};
    // The same as foreseen first: that had the most digits, and stays.
    const double before = memory_.accumulation.followed;
    if (!foreseen_again(memory_.accumulation.followed, now_.time + left, slack)) return cut;
    memory_.accumulation.followed = before;
    for (const int k : collapse.contacts()) {
      cut.contacts.push_back(among[static_cast<std::size_t>(k)]);
    }
    return cut;
  }

  Accumulation accumulation_;
  double impact_speed_ = 0.0;  // largest approach of the last impact
  double restitution_ = 0.0;   // of that, if of a single contact; else 0
  Vector acceleration_;        // with the contacts held that a function speaks of
};

}  // namespace percute::simulation
