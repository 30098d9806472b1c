// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/bounce_forecast.hpp"

#include "simulation/collapse_in_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace percute::simulation {

namespace {

/// Slow rebounds of a contact in a row after which it stays closed.
constexpr double kSlowRebounds = 4.0;

bool contains(const std::vector<int>& ascending, int i) {
  return std::binary_search(ascending.begin(), ascending.end(), i);
}

bool contains(const std::vector<HeldContact>& held, int i) {
  return std::any_of(held.begin(), held.end(),
                     [i](const HeldContact& c) { return c.contact == i; });
}

}  // namespace

BounceForecast::BounceForecast(const EventDriven& method, const AnySystem& system,
                               const AnyLaw& law, const MotionState& now, const ContactGaps& gaps,
                               HeldContacts& held, const RunLedger& ledger)
    : method_(method),
      system_(system),
      law_(law),
      now_(now),
      gaps_(gaps),
      held_(held),
      ledger_(ledger),
      accumulation_(system.contacts()),
      acceleration_(system.coordinates()) {}

void BounceForecast::impact(const std::vector<int>& approaching, double speed) {
  impact_speed_ = speed;
  restitution_ = 0.0;
  accumulation_.impact(now_.time, approaching, gaps_.rates());
}

/// The acceleration is that without contacts.
double BounceForecast::lowest_rebound(int i) {
  return gaps_.lowest_rebound(i, held_.gap_acceleration(i, now_, acceleration_));
}

BounceForecast::Touching BounceForecast::touching(bool after_impact,
                                                  const std::vector<int>& forced) {
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

BounceForecast::Cut BounceForecast::cut(const std::vector<int>& rebounds,
                                        const std::vector<HeldContact>& others) {
  Cut collapsing;
  if (held_.accelerate(now_, others, acceleration_)) {
    accumulation_.set_flight(next_closing(others));
    if (slows_down()) collapsing = follow_collapse(others);
  }
  return rebounds.empty() ? Cut{} : foresee(rebounds, others, collapsing);
}

/// Time until contact i, which has just been left, is closed again.
double BounceForecast::flight(int i) {
  const double back = held_.gap_acceleration(i, now_, acceleration_);
  const double rate = gaps_.rate(i);
  return rate > 0.0 && back < 0.0 ? 2.0 * rate / -back : Accumulation::kNever;
}

/// Time until some contact closes that is not held, if accelerations stay as they are:
/// gap + rate t + ½ a t² = 0.
double BounceForecast::next_closing(const std::vector<HeldContact>& others) {
  double next = Accumulation::kNever;
  for (int i = 0; i < system_.contacts(); ++i) {
    if (contains(others, i)) continue;
    if (gaps_.touches(i)) {
      next = std::min(next, flight(i));
      continue;
    }
    const double gap = gaps_.gap(i);
    const double rate = gaps_.rate(i);
    const double a = held_.gap_acceleration(i, now_, acceleration_);
    const double square = rate * rate - 2.0 * a * gap;
    if (square < 0.0) continue;
    const double root = std::sqrt(square);
    if (root > rate) next = std::min(next, 2.0 * gap / (root - rate));
  }
  return next;
}

/// Rebounds that are cut off whether their end is known or not: where a speed in m/s was asked for,
/// at rounding, and where contacts bounce on each other without order, or for too long. What
/// collapses is waited for.
std::vector<int> BounceForecast::cut_regardless(const std::vector<int>& rebounds, bool collapses) {
  const bool orderly = std::isfinite(accumulation_.remaining(accumulation_.turn()));
  const bool free = held_.accelerate(now_, {}, acceleration_);
  std::vector<int> some;
  for (const int i : rebounds) {
    double& slow = accumulation_.alone(i).slow;
    slow += 1.0;
    const bool at_once =
        method_.run.micro_bounce_velocity.given() || !free || gaps_.rate(i) <= lowest_rebound(i);
    if (at_once || (!collapses && (!orderly || slow > kSlowRebounds))) some.push_back(i);
  }
  return some;
}

BounceForecast::Cut BounceForecast::foresee(const std::vector<int>& rebounds,
                                            const std::vector<HeldContact>& others,
                                            const Cut& collapsing) {
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

/// Bounces whose end is known: of contacts alone, of a collapse, or in turns.
BounceForecast::Cut BounceForecast::foresee_end(const std::vector<int>& rebounds,
                                                const std::vector<int>& must,
                                                const Cut& collapsing) {
  const bool collapses = !collapsing.contacts.empty();
  const auto small = [this](int i) { return gaps_.gap(i) <= method_.tolerance * gaps_.length(); };
  const auto ends = [this](const Cut& what, double time) {
    accumulation_.endings.push_back({.time = time, .contacts = what.contacts});
    return what;
  };
  Cut cut{.contacts = foresee_alone(rebounds, must)};
  const bool alone = !cut.contacts.empty();
  // What collapses is followed until gaps are below the tolerance.
  if (!alone && collapses &&
      (!must.empty() ||
       std::all_of(collapsing.contacts.begin(), collapsing.contacts.end(), small))) {
    cut = ends(collapsing, std::max(accumulation_.followed().end(), now_.time));
  }
  const int turn = accumulation_.turn();
  const double left = accumulation_.remaining(turn);
  const bool again = accumulation_.in_turns().again(now_.time + left, end_slack(left, rebounds));
  if (!alone && !collapses && std::isfinite(left) && (again || !must.empty())) {
    // What following them foresees, if only once so far, does not suppose that turns are alike.
    const double followed =
        collapsing.in_turns ? accumulation_.followed().end() : Accumulation::kNever;
    cut = ends({.contacts = accumulation_.contacts_of_turn(turn), .in_turns = true},
               std::isfinite(followed) ? std::max(followed, now_.time) : now_.time + left);
  }
  return cut;
}

/// Contacts that end their bounces each by itself.
std::vector<int> BounceForecast::foresee_alone(const std::vector<int>& rebounds,
                                               const std::vector<int>& must) {
  std::vector<int> alone;
  for (const int i : rebounds) {
    const double left = time_alone(i);
    const bool again =
        accumulation_.alone(i).end.again(now_.time + left, end_slack(left, rebounds));
    if (!std::isfinite(left) || !(again || contains(must, i))) continue;
    alone.push_back(i);
    accumulation_.endings.push_back({.time = now_.time + left, .contacts = {i}});
  }
  return alone;
}

/// Until the bounces of contact i are over, as if it were alone; infinite if that is not known.
double BounceForecast::time_alone(int i) {
  if (!contains(accumulation_.last(0).contacts, i)) return Accumulation::kNever;
  const double ratio = restitution_ > 0.0 ? restitution_ : accumulation_.alone(i).ratio;
  return ratio > 0.0 && ratio < 1.0 ? flight(i) / (1.0 - ratio) : Accumulation::kNever;
}

/// Whether impacts have become so slow, or may be cut off so soon, that it is time to look for
/// their end.
bool BounceForecast::slows_down() const {
  constexpr double kSlow = 1e-3;
  return method_.run.micro_bounce_velocity.given() ||
         impact_speed_ <= kSlow * ledger_.fastest_approach();
}

/// By how much ends may differ that are foreseen to be the same. Rounding of gaps moves instants of
/// impacts, and errors of integration change the speed of what falls back.
double BounceForecast::end_slack(double left, const std::vector<int>& rebounds) const {
  constexpr double kErrors = 10.0;  // of steps, in a flight
  const double error = kErrors * method_.tolerance * ledger_.fastest_approach();
  double slack = accumulation_.slack(left, method_.tolerance);
  for (const int i : rebounds) {
    slack = std::max(slack, (gaps_.noise(i) + error * left) / gaps_.rate(i));
  }
  return slack;
}

/// Where nothing is held, and impacts take turns that become shorter: those that follow, one by
/// one, in gaps and their rates, which keep the digits that positions lose. What is foreseen first
/// stays: later gaps have fewer digits. Returns the contacts of a collapse whose end is known.
BounceForecast::Cut BounceForecast::follow_collapse(const std::vector<HeldContact>& others) {
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
    accelerations[k] = held_.gap_acceleration(i, now_, acceleration_);
  }
  CollapseInGaps collapse(system_, held_.motion().mass(), now_.q, among);
  const bool ends = collapse.follow(law_, gaps, rates, accelerations);
  const double left = ends ? collapse.time() : Accumulation::kNever;
  const double slack = accumulation_.slack(method_.tolerance) + (ends ? rounding * left : 0.0);
  Cut cut{.in_turns = true};
  if (!accumulation_.followed().still(now_.time + left, slack)) return cut;
  for (const int k : collapse.contacts()) {
    cut.contacts.push_back(among[static_cast<std::size_t>(k)]);
  }
  return cut;
}

void BounceForecast::end_turns(const std::vector<HeldContact>& old) {
  const int turn = accumulation_.turn(1);
  const double end = accumulation_.end_of_turns(turn);
  if (turn < 2 || !std::isfinite(end)) return;
  const std::vector<int> contacts = accumulation_.contacts_of_turn(turn, 1);
  for (const int i : contacts) {
    if (!held_.holds(i) || contains(old, i)) return;
  }
  const double followed = accumulation_.followed().end();
  const double time = std::isfinite(followed) ? followed : end;
  accumulation_.endings.push_back({.time = std::max(time, now_.time), .contacts = contacts});
}

}  // namespace percute::simulation
