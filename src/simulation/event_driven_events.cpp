// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/collapse_in_gaps.hpp"
#include "simulation/cut_bounce.hpp"
#include "simulation/event_driven_run.hpp"
#include "simulation/named_contacts.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/numerics/orthogonal_factor.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace percute::simulation {

namespace {

using Friction = HeldContact::Friction;

constexpr int kRepeats = 200;  ///< impacts at one instant
constexpr int kStanding = 50;  ///< changes of held contacts at one instant
/// Approach that the law has left is rounding below this part of the approach before.
constexpr double kLeft = 1e-9;
/// Rebounds below this part of the approach before are none.
constexpr double kNoRebound = 10.0 * kLeft;
/// Slow rebounds of a contact in a row after which it stays closed.
constexpr double kPatience = 4.0;
/// A first step, over the flight to the next impact.
constexpr double kBeyond = 4.0;
/// Flights that are seen, over the rounding of time.
constexpr double kSeen = 1e3;
/// Rounding of the velocities of a step, over stick_speed() of them.
constexpr double kRounded = 1e-4;

}  // namespace

std::string EventDrivenRun::names(const std::vector<int>& contacts) const {
  return names_of(contacts, system_);
}

bool EventDrivenRun::fail(RunStatus status, std::string reason) {
  status_ = status;
  reason_ = std::move(reason) + " at t = " + text(t_) + " s";
  return false;
}

bool EventDrivenRun::tell(EventKind kind, std::vector<int> contacts, const Vector& before,
                          double dissipated) {
  Event event;
  event.time = t_;
  event.kind = kind;
  event.impulse = Vector::Zero(static_cast<Eigen::Index>(contacts.size()));
  event.contacts = std::move(contacts);
  event.position = q_;
  event.velocity_before = before;
  event.velocity_after = v_;
  event.dissipated = dissipated;
  return tell(event);
}

bool EventDrivenRun::tell(const Event& event) {
  if (!ledger_.event(event)) stopped_ = true;
  return true;
}

/// `at_once`: without a step.
bool EventDrivenRun::happen(const Watch& watch, bool at_once) {
  if (t_ == standing_since_) {
    if (++standing_ > kStanding) {
      return fail(RunStatus::NotConverged, "contacts change without end");
    }
  } else {
    standing_since_ = t_;
    standing_ = 0;
  }
  if (watch.kind == Watch::Kind::Gap) {
    // A contact that closes before it has been seen open stays closed; not one that a step has
    // happened to end at, and that approaches.
    const bool unseen = at_once && rates_[watch.index] >= -rate_noise_[watch.index];
    const std::vector<int> forced = unseen ? std::vector{watch.index} : std::vector<int>{};
    return impact(watch.index) && settle(Settle::Impact, forced) && begin();
  }
  const auto place = static_cast<std::size_t>(watch.index);
  const HeldContact was = held_[place];
  std::vector<HeldContact> slipping;
  if (watch.kind == Watch::Kind::Grip) {
    // It slides from now on, or gives all the friction it has while others still stick; so do those
    // that reached their limits before.
    motion_.accelerate(t_, q_, v_, held_, as_);
    for (const HeldContact& c : held_) {
      if (c.friction == Friction::Slides) slipping.push_back(c);
    }
    slipping.push_back(was);
    slipping.back().direction = motion_.pull(place);
  }
  if (!settle(Settle::Forces, {}, slipping)) return false;
  // A contact whose load cannot be what it was found to be a moment ago is redundant.
  if (watch.kind == Watch::Kind::Load && standing_ > 0) {
    for (HeldContact& c : held_) {
      if (c.contact == was.contact && was.loaded) c.loaded = false;
    }
  }
  return begin();
}

/// From the present state on: slopes, and a first step.
bool EventDrivenRun::begin() {
  if (!restart()) return false;
  for (const int i : struck_) widest_[i] = 0.0;
  struck_.clear();
  for (int i = 0; i < m_; ++i) {
    if (gaps_[i] <= hold_gap(i)) widest_[i] = std::max(gaps_[i], 0.0);
  }
  double h = first_step();
  // Not far beyond the next impact: beside a step that is much longer it would be now.
  const double flight = accumulation_.flight_from(t_);
  if (flight > kSeen * kEps * std::abs(t_)) h = std::min(h, kBeyond * flight);
  integrator_.set_next_step(h);
  return true;
}

/// All contacts that are as good as closed take part; again while the law leaves some approaching.
bool EventDrivenRun::impact(int contact) {
  std::vector<int> closed;
  closed.reserve(static_cast<std::size_t>(m_));
  measure_gaps(q_, v_, gaps_, rates_);
  for (int i = 0; i < m_; ++i) {
    const bool near = gaps_[i] <= grouping_gap(i, contact) && rates_[i] <= rate_noise_[i];
    if (i == contact || near || gaps_[i] <= hold_gap(i)) {
      closed.push_back(i);
    } else if (contact >= 0 && rates_[i] <= rate_noise_[i]) {
      warn_of_small_gap(contact, i);
    }
  }
  struck_ = closed;
  double threshold = 0.0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<int> approaching;
    double speed = 0.0;
    for (const int i : closed) {
      if (rates_[i] >= -std::max(threshold, rate_noise_[i])) continue;
      approaching.push_back(i);
      speed = std::max(speed, -rates_[i]);
    }
    if (approaching.empty()) return true;
    if (repeat == 0) {
      threshold = kLeft * speed;
      impact_speed_ = speed;
      for (const int i : closed) note_sliding(i);
      accumulation_.impact(t_, approaching, rates_);
      kept_ = 0.0;
    }
    bool struck = false;
    if (!strike(closed, struck)) return false;
    if (!struck) return true;
    measure_gaps(q_, v_, gaps_, rates_);
    if (repeat == 0 && closed.size() == 1) kept_ = rates_[closed[0]] / speed;
  }
  return fail(RunStatus::NotConverged, "contacts " + names(closed) + " still approach after " +
                                           std::to_string(kRepeats) + " impacts");
}

/// The impact of these contacts: with joints, in the velocities u that they allow, v = N u.
bool EventDrivenRun::strike(const std::vector<int>& closed, bool& struck) {
  ImpactProblem problem = systems::impact_problem(system_, q_, v_, closed);
  Matrix N;
  if (system_.joints() > 0) {
    N = joint_motions();
    const Matrix W = N.transpose() * Matrix(problem.gradients);
    system_.mass(q_, M_);
    problem.mass = MassMatrix::dense(N.transpose() * M_ * N);
    problem.gradients = W.sparseView();
    problem.velocity = N.transpose() * v_;
    for (Contact& contact : problem.contacts) {
      if (contact.tangents.cols() == 0) continue;
      contact.tangents = (N.transpose() * contact.tangents).eval();
    }
  }
  const ImpactResult result = resolve(problem, law_);
  note_friction(problem, result);
  if (!result.ok()) {
    return fail(RunStatus::NotConverged,
                unanswered(result.status, result.diagnostics.reason, closed, system_));
  }
  struck = result.status != Status::NoImpact;
  if (!struck) return true;
  Event event;
  event.time = t_;
  event.kind = EventKind::Impact;
  event.contacts = closed;
  event.position = q_;
  event.velocity_before = v_;
  event.velocity_after = N.size() > 0 ? Vector(N * result.velocity) : result.velocity;
  event.impulse = result.impulse;
  event.dissipated = result.energy.before - result.energy.after;
  event.status = result.status;
  v_ = event.velocity_after;
  return tell(event);
}

/// Orthonormal columns that span the velocities that joints allow.
Matrix EventDrivenRun::joint_motions() const {
  Matrix J(n_, system_.joints());
  Vector column(n_);
  for (int k = 0; k < system_.joints(); ++k) {
    system_.joint_gradient(k, q_, column);
    J.col(k) = column;
  }
  const numerics::OrthogonalFactor factor(J);
  const Matrix Q = factor.basis();
  return Q.rightCols(n_ - factor.rank());
}

void EventDrivenRun::note_friction(const ImpactProblem& problem, const ImpactResult& result) {
  bool known = false;  // the law could have used it
  bool odd = false;    // friction without tangents is ignored by all laws
  for (const Contact& contact : problem.contacts) {
    if (contact.material.friction <= 0.0) continue;
    (contact.tangents.cols() > 0 ? known : odd) = true;
  }
  if (known && !odd) law_rubs_ = !result.diagnostics.friction_ignored;
}

/// How fast a closed contact slides, or could: the unit of what is taken as no sliding. Where all
/// is at rest, the rounding of what presses the contact in a step.
void EventDrivenRun::note_sliding(int contact) {
  if (!has_friction_ || !law_rubs_) return;
  const Matrix T = system_.contact(contact, q_).tangents;
  if (T.cols() == 0) return;
  const Vector speeds = T.cwiseAbs().transpose() * v_.cwiseAbs();
  system_.gradient(contact, q_, column_);
  const double pressed = column_.cwiseAbs().dot(motion_.free_acceleration().cwiseAbs());
  sliding_unit_ =
      std::max({sliding_unit_, speeds.maxCoeff(), kRounded * integrator_.next_step() * pressed});
}

/// A contact that is left out of an impact although its gap is nothing beside the way of that which
/// strikes: it has never been closed, and only who wrote the scene knows whether it should be.
void EventDrivenRun::warn_of_small_gap(int struck, int left_out) {
  if (method_.grouping || gaps_[left_out] > kSimultaneous * std::min(widest_[struck], length_) ||
      accumulation_.alone(left_out).approach > 0.0 || widest_[left_out] > 2.0 * gaps_[left_out]) {
    return;
  }
  ledger_.warn(
      "contact " + names({left_out}) + " is open by " + text(gaps_[left_out]) + " m when " +
      names({struck}) +
      " strikes, and has no part in that impact; if it should touch, close it at the start "
      "or set simulation.grouping (m) above its gap");
}

/// Rebounds of contact i up to this cannot be told from contact: they rise by no more than rounding
/// of the gap before they fall back, U² = 2 |a| h. as_ is the acceleration without contacts.
double EventDrivenRun::lowest_rebound(int i) {
  const double back = std::min(motion_.gap_acceleration(i, q_, v_, as_), 0.0);
  return std::max(rate_noise_[i], std::sqrt(2.0 * -back * kUnseen * noise_[i]));
}

/// Contacts that touch: those that do not leave, or are told to stay, in `closed`; those that leave
/// no faster than what may be cut off in `rebounds`.
void EventDrivenRun::sort_touching(Settle why, const std::vector<int>& forced,
                                   std::vector<int>& closed, std::vector<int>& rebounds) {
  const bool impact = why == Settle::Impact;
  const bool bounces = impact && motion_.accelerate(t_, q_, v_, {}, as_);
  for (int i = 0; i < m_; ++i) {
    const bool is = held(i) && !impact;
    const bool told = std::find(forced.begin(), forced.end(), i) != forced.end();
    if (!is && !told && gaps_[i] > hold_gap(i)) continue;
    if (is || told ||
        rates_[i] <= std::max(rate_noise_[i], bounces ? kNoRebound * impact_speed_ : 0.0)) {
      closed.push_back(i);
    } else if (bounces &&
               rates_[i] <= std::max(ledger_.micro_bounce_velocity(), lowest_rebound(i))) {
      rebounds.push_back(i);
      continue;
    }
    accumulation_.alone(i).slow = 0.0;
  }
}

/// The contact forces of closed contacts.
bool EventDrivenRun::settle_forces(const std::vector<int>& closed,
                                   const std::vector<HeldContact>& slipping,
                                   ContactMotion::Settled& settled) {
  const bool friction = has_friction_ && law_rubs_;
  const auto settles = [&](double stick) {
    return motion_.settle(t_, q_, v_, closed, friction, stick, slipping, settled);
  };
  // Where friction of what slides has no solution (both walls of a groove draw a body in), what
  // slides no faster than rebounds that are taken as contact is at rest.
  double slow_slip = ledger_.micro_bounce_velocity();
  if (!method_.run.micro_bounce_velocity.given()) {
    slow_slip = std::max(slow_slip, MicroBounceVelocity::kPart * sliding_unit_);
  }
  if (settles(stick_speed()) || (friction && settles(std::max(stick_speed(), slow_slip)))) {
    return true;
  }
  return fail(RunStatus::NotConverged, settled.reason + " (contacts " + names(closed) + ")");
}

/// Which contacts are held closed from now on.
bool EventDrivenRun::settle(Settle why, const std::vector<int>& forced,
                            const std::vector<HeldContact>& slipping) {
  measure_gaps(q_, v_, gaps_, rates_);
  std::vector<int> closed;
  std::vector<int> rebounds;
  sort_touching(why, forced, closed, rebounds);
  const Vector v_before = v_;
  const std::vector<HeldContact> old = held_;
  for (const int i : closed) note_sliding(i);
  for (const int i : rebounds) note_sliding(i);
  ContactMotion::Settled settled;
  if (!settle_forces(closed, slipping, settled)) return false;
  Cut collapsing;
  if (why == Settle::Impact && motion_.accelerate(t_, q_, v_, settled.held, as_)) {
    accumulation_.set_flight(next_closing(settled.held));
    if (slows_down()) collapsing = follow_collapse(settled.held);
  }
  auto& endings = accumulation_.endings;
  const auto under_way = static_cast<std::ptrdiff_t>(endings.size());
  Cut cut;
  if (!rebounds.empty()) cut = foresee(rebounds, settled.held, collapsing);
  if (!cut.contacts.empty()) {
    std::vector<int> all;
    std::set_union(closed.begin(), closed.end(), cut.contacts.begin(), cut.contacts.end(),
                   std::back_inserter(all));
    closed.swap(all);
    if (!settle_forces(closed, slipping, settled)) return false;
  }
  const auto in_turns = [&cut](int i) {
    return cut.in_turns && std::binary_search(cut.contacts.begin(), cut.contacts.end(), i);
  };
  // What leaves slowly, and nothing drives back, is let go; not what bounces between others.
  const double slow = why == Settle::Impact ? kLeft * impact_speed_ : 0.0;
  auto& now = settled.held;
  now.erase(std::remove_if(now.begin(), now.end(),
                           [&](const HeldContact& c) {
                             return !c.loaded && !in_turns(c.contact) &&
                                    rates_[c.contact] > std::max(slow, rate_noise_[c.contact]);
                           }),
            now.end());
  hold(now);
  // What is not held after all goes on to bounce.
  const auto leaves = [this](const Accumulation::Ending& ending) {
    return std::any_of(ending.contacts.begin(), ending.contacts.end(),
                       [this](int i) { return !held(i); });
  };
  endings.erase(std::remove_if(endings.begin() + under_way, endings.end(), leaves), endings.end());
  if (why == Settle::Impact && cut.contacts.empty()) end_turns(old);
  if (!tell_disturbed()) return false;
  std::vector<int> more;  // approach that is rounding, of contacts that are let go
  const auto let_go = [this](int i) { blind_[i] = hold_gap(i) + std::max(-gaps_[i], 0.0); };
  for (const int i : closed) {
    if (!held(i) && rates_[i] < 0.0) more.push_back(i);
    if (!held(i) && why == Settle::Impact) let_go(i);
  }
  for (const int i : rebounds) {
    if (!held(i)) let_go(i);
  }
  motion_.project_position(held_, q_);
  const double energy = motion_.kinetic_energy(q_, v_);
  for (const int i : cut.contacts) {
    if (!held(i) || !(rates_[i] > kNoRebound * impact_speed_)) continue;
    system_.gradient(i, q_, column_);
    stop_coordinate(column_, v_);
  }
  motion_.project_velocity(held_, more, q_, v_);
  const double lost = energy - motion_.kinetic_energy(q_, v_);
  return tell_changes(old, v_before, lost);
}

void EventDrivenRun::hold(const std::vector<HeldContact>& contacts) {
  held_ = contacts;
  std::fill(is_held_.begin(), is_held_.end(), 0);
  for (const HeldContact& c : held_) is_held_[static_cast<std::size_t>(c.contact)] = 1;
}

/// Time until contact i, which has just been left, is closed again: as_ is the acceleration.
double EventDrivenRun::flight(int i) {
  const double back = motion_.gap_acceleration(i, q_, v_, as_);
  return rates_[i] > 0.0 && back < 0.0 ? 2.0 * rates_[i] / -back : Accumulation::kNever;
}

/// Time until some contact closes that is not held, if accelerations stay as they are:
/// gap + rate t + ½ a t² = 0.
double EventDrivenRun::next_closing(const std::vector<HeldContact>& others) {
  double next = Accumulation::kNever;
  for (int i = 0; i < m_; ++i) {
    if (std::any_of(others.begin(), others.end(),
                    [i](const HeldContact& c) { return c.contact == i; })) {
      continue;
    }
    if (gaps_[i] <= hold_gap(i)) {
      next = std::min(next, flight(i));
      continue;
    }
    const double a = motion_.gap_acceleration(i, q_, v_, as_);
    const double square = rates_[i] * rates_[i] - 2.0 * a * gaps_[i];
    if (square < 0.0) continue;
    const double root = std::sqrt(square);
    if (root > rates_[i]) next = std::min(next, 2.0 * gaps_[i] / (root - rates_[i]));
  }
  return next;
}

/// Rebounds that are cut off whether their end is known or not: where a speed in m/s was asked for,
/// at rounding, and where contacts bounce on each other without order, or for too long. What
/// collapses is waited for.
std::vector<int> EventDrivenRun::impatient(const std::vector<int>& rebounds, bool collapses) {
  const bool orderly = std::isfinite(accumulation_.remaining(accumulation_.turn()));
  const bool free = motion_.accelerate(t_, q_, v_, {}, as_);
  std::vector<int> some;
  for (const int i : rebounds) {
    double& slow = accumulation_.alone(i).slow;
    slow += 1.0;
    const bool at_once =
        method_.run.micro_bounce_velocity.given() || !free || rates_[i] <= lowest_rebound(i);
    if (at_once || (!collapses && (!orderly || slow > kPatience))) some.push_back(i);
  }
  return some;
}

/// Which of the rebounds, with `others` held, are those of bounces whose end is known, and are left
/// out until then (accumulation_.endings); and those that are left out all the same.
EventDrivenRun::Cut EventDrivenRun::foresee(const std::vector<int>& rebounds,
                                            const std::vector<HeldContact>& others,
                                            const Cut& collapsing) {
  Cut cut;
  const bool collapses = !collapsing.contacts.empty();
  const std::vector<int> must = impatient(rebounds, collapses);
  const auto contains = [](const std::vector<int>& in, int i) {
    return std::binary_search(in.begin(), in.end(), i);
  };
  const auto small = [this](int i) { return gaps_[i] <= method_.tolerance * length_; };
  const auto ends = [&](const Cut& what, double time) {
    cut = what;
    accumulation_.endings.push_back({.time = time, .contacts = what.contacts});
  };
  if (motion_.accelerate(t_, q_, v_, others, as_) && accumulation_.known() > 0) {
    std::vector<int> alone;
    for (const int i : rebounds) {
      const double left = time_alone(i);
      const bool again = accumulation_.alone(i).end.again(t_ + left, end_slack(left, rebounds));
      if (!std::isfinite(left) || !(again || contains(must, i))) continue;
      alone.push_back(i);
      ends({.contacts = {i}}, t_ + left);
    }
    cut.contacts = alone;
    // What collapses is followed until gaps are below the tolerance.
    if (alone.empty() && collapses &&
        (!must.empty() ||
         std::all_of(collapsing.contacts.begin(), collapsing.contacts.end(), small))) {
      ends(collapsing, std::max(accumulation_.followed().end(), t_));
    }
    const int turn = accumulation_.turn();
    const double left = accumulation_.remaining(turn);
    const bool again = accumulation_.in_turns().again(t_ + left, end_slack(left, rebounds));
    if (alone.empty() && !collapses && std::isfinite(left) && (again || !must.empty())) {
      // What following them foresees, if only once so far, does not suppose that turns are alike.
      const double followed =
          collapsing.in_turns ? accumulation_.followed().end() : Accumulation::kNever;
      ends({.contacts = accumulation_.contacts_of_turn(turn), .in_turns = true},
           std::isfinite(followed) ? std::max(followed, t_) : t_ + left);
    }
  }
  std::vector<int> all;
  std::set_union(cut.contacts.begin(), cut.contacts.end(), must.begin(), must.end(),
                 std::back_inserter(all));
  cut.contacts.swap(all);
  return cut;
}

/// Until the bounces of contact i are over, as if it were alone; infinite if that is not known.
double EventDrivenRun::time_alone(int i) {
  const auto& approached = accumulation_.last(0).contacts;
  if (!std::binary_search(approached.begin(), approached.end(), i)) return Accumulation::kNever;
  const double ratio = kept_ > 0.0 ? kept_ : accumulation_.alone(i).ratio;
  return ratio > 0.0 && ratio < 1.0 ? flight(i) / (1.0 - ratio) : Accumulation::kNever;
}

/// Whether impacts have become so slow, or may be cut off so soon, that it is time to look for
/// their end.
bool EventDrivenRun::slows_down() const {
  constexpr double kSlow = 1e-3;
  return method_.run.micro_bounce_velocity.given() ||
         impact_speed_ <= kSlow * ledger_.fastest_approach();
}

/// By how much ends may differ that are foreseen to be the same. Rounding of gaps moves instants of
/// impacts, and errors of integration change the speed of what falls back.
double EventDrivenRun::end_slack(double left, const std::vector<int>& rebounds) const {
  constexpr double kErrors = 10.0;  // of steps, in a flight
  const double error = kErrors * method_.tolerance * ledger_.fastest_approach();
  double slack = accumulation_.slack(left, method_.tolerance);
  for (const int i : rebounds) {
    slack = std::max(slack, (noise_[i] + error * left) / rates_[i]);
  }
  return slack;
}

/// Where nothing is held, and impacts take turns that become shorter: those that follow, one by
/// one, in gaps and their rates, which keep the digits that positions lose. What is foreseen first
/// stays: later gaps have fewer digits. Returns the contacts of a collapse whose end is known.
EventDrivenRun::Cut EventDrivenRun::follow_collapse(const std::vector<HeldContact>& others) {
  const bool unheld = others.empty() && system_.joints() == 0 && !(has_friction_ && law_rubs_);
  const int turn = accumulation_.turn();
  if (!unheld || turn < 2 || !std::isfinite(accumulation_.remaining(turn))) return {};
  if (!motion_.accelerate(t_, q_, v_, {}, as_)) return {};
  const std::vector<int> among = accumulation_.contacts_of_turn(turn);
  Vector gaps = gaps_(among);
  Vector accelerations(gaps.size());
  double rounding = 0.0;  // relative, of gaps and rates
  for (Eigen::Index k = 0; k < gaps.size(); ++k) {
    const int i = among[static_cast<std::size_t>(k)];
    if (gaps[k] <= hold_gap(i)) gaps[k] = 0.0;
    if (gaps[k] > 0.0) rounding = std::max(rounding, noise_[i] / gaps[k]);
    if (rates_[i] != 0.0) rounding = std::max(rounding, rate_noise_[i] / std::abs(rates_[i]));
    accelerations[k] = motion_.gap_acceleration(i, q_, v_, as_);
  }
  CollapseInGaps collapse(system_, motion_.mass(), q_, among);
  const bool ends = collapse.follow(law_, gaps, rates_(among), accelerations);
  const double left = ends ? collapse.time() : Accumulation::kNever;
  const double slack = accumulation_.slack(method_.tolerance) + (ends ? rounding * left : 0.0);
  Cut cut{.in_turns = true};
  if (!accumulation_.followed().still(t_ + left, slack)) return cut;
  for (const int k : collapse.contacts()) {
    cut.contacts.push_back(among[static_cast<std::size_t>(k)]);
  }
  return cut;
}

/// Impacts in turns that have come so near to each other that they cannot be told apart: the last
/// one was of all that were left. When they would have ended follows from those before.
void EventDrivenRun::end_turns(const std::vector<HeldContact>& old) {
  const int turn = accumulation_.turn(1);
  const double end = accumulation_.end_of_turns(turn);
  if (turn < 2 || !std::isfinite(end)) return;
  const std::vector<int> contacts = accumulation_.contacts_of_turn(turn, 1);
  for (const int i : contacts) {
    const bool was =
        std::any_of(old.begin(), old.end(), [i](const HeldContact& c) { return c.contact == i; });
    if (!held(i) || was) return;
  }
  const double followed = accumulation_.followed().end();
  const double time = std::isfinite(followed) ? followed : end;
  accumulation_.endings.push_back({.time = std::max(time, t_), .contacts = contacts});
}

/// Ends of bounces whose contacts are no longer held: something else came before.
bool EventDrivenRun::tell_disturbed() {
  auto& endings = accumulation_.endings;
  for (std::size_t k = 0; k < endings.size();) {
    const auto& contacts = endings[k].contacts;
    if (std::all_of(contacts.begin(), contacts.end(), [this](int i) { return held(i); })) {
      ++k;
      continue;
    }
    const Accumulation::Ending ending = endings[k];
    endings.erase(endings.begin() + static_cast<std::ptrdiff_t>(k));
    if (!tell_accumulation(ending)) return false;
  }
  return true;
}

bool EventDrivenRun::tell_accumulation(const Accumulation::Ending& ending) {
  return tell(EventKind::Accumulation, ending.contacts, v_, ending.lost);
}

/// All that are over by now.
bool EventDrivenRun::tell_accumulations() {
  auto& endings = accumulation_.endings;
  for (std::size_t k = 0; k < endings.size();) {
    if (endings[k].time > t_) {
      ++k;
      continue;
    }
    const Accumulation::Ending ending = endings[k];
    endings.erase(endings.begin() + static_cast<std::ptrdiff_t>(k));
    if (!tell_accumulation(ending)) return false;
  }
  if (endings.empty()) accumulation_.forget();
  return true;
}

/// Differences between the contacts held before and now, as events.
bool EventDrivenRun::tell_changes(const std::vector<HeldContact>& old, const Vector& v_before,
                                  double lost) {
  std::vector<int> begin;
  std::vector<int> end;
  std::vector<int> sticking;
  std::vector<int> sliding;
  const auto find = [](const std::vector<HeldContact>& in, int contact) -> const HeldContact* {
    for (const HeldContact& c : in) {
      if (c.contact == contact) return &c;
    }
    return nullptr;
  };
  for (const HeldContact& c : old) {
    if (find(held_, c.contact) == nullptr) end.push_back(c.contact);
  }
  for (const HeldContact& c : held_) {
    const HeldContact* was = find(old, c.contact);
    if (was == nullptr && !accumulation_.waits(c.contact)) begin.push_back(c.contact);
    if (was == nullptr || was->friction == c.friction) continue;
    if (c.friction == Friction::Sticks) sticking.push_back(c.contact);
    if (c.friction == Friction::Slides) sliding.push_back(c.contact);
  }
  const auto told = [&](EventKind kind, const std::vector<int>& contacts) {
    if (contacts.empty()) return true;
    const bool good = tell(kind, contacts, v_before, lost);
    lost = 0.0;
    return good;
  };
  const bool good = told(EventKind::ContactEnds, end) && told(EventKind::ContactBegins, begin) &&
                    told(EventKind::Sticking, sticking) && told(EventKind::Sliding, sliding);
  auto& endings = accumulation_.endings;
  if (!endings.empty()) endings.back().lost += lost;  // told when the bounces are over
  return good;
}

}  // namespace percute::simulation
