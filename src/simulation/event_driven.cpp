// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "simulation/bounce_forecast.hpp"
#include "simulation/moment_checks.hpp"
#include "simulation/run_ledger.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/event_driven.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace percute::simulation {

namespace {

using Friction = HeldContact::Friction;

constexpr int kRepeats = 200;           ///< impacts at one instant
constexpr int kMostChangesAtOnce = 50;  ///< of held contacts, at one instant
constexpr const char* kUndefined = "forces are not finite or masses not positive";

/// Joints must be closed to ten digits of their terms, ∇g · q.
void refuse_open_joints(const AnySystem& system, const Vector& q) {
  Vector g(system.joints());
  Vector column(q.size());
  system.joint(q, g);
  double size = 0.0;
  for (int k = 0; k < system.joints(); ++k) {
    system.joint_gradient(k, q, column);
    size = std::max(size, column.cwiseAbs().dot(q.cwiseAbs()));
  }
  if (size == 0.0) size = 1.0;  // all coordinates are 0, and tell no length
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (std::abs(g[k]) <= kTenDigits * size) continue;
    throw InvalidInput("start.position", "joint " + std::to_string(k + 1) + " is open by " +
                                             text(g[k]) + ", not closed to " +
                                             text(kTenDigits * size));
  }
}

/// Orthonormal columns that span the velocities that joints allow.
Matrix joint_motions(const AnySystem& system, const Vector& q) {
  Matrix J(q.size(), system.joints());
  Vector column(q.size());
  for (int k = 0; k < system.joints(); ++k) {
    system.joint_gradient(k, q, column);
    J.col(k) = column;
  }
  const numerics::OrthogonalFactor factor(J);
  const Matrix Q = factor.basis();
  return Q.rightCols(q.size() - factor.rank());
}

/// The problem in velocities u that joints allow, v = N u.
void restrict_to(const Matrix& N, const AnySystem& system, const MotionState& now,
                 ImpactProblem& problem) {
  const Matrix W = N.transpose() * Matrix(problem.gradients);
  Matrix M(N.rows(), N.rows());
  system.mass(now.q, M);
  problem.mass = MassMatrix::dense(N.transpose() * M * N);
  problem.gradients = W.sparseView();
  problem.velocity = N.transpose() * now.v;
  const Matrix T = N.transpose() * problem.tangents;
  problem.tangents = T.sparseView();
}

/// What is known at a moment; at a start, that positions count from there and nothing has moved.
EventDrivenMemory memory_at(const Moment& start, const AnySystem& system) {
  if (const auto* memory = remembered<EventDrivenMemory>(start)) return *memory;
  EventDrivenMemory memory;
  memory.law_has_friction = true;
  memory.origin = start.state.position;
  memory.reach = Vector::Zero(system.coordinates());
  memory.depth = Vector::Zero(system.contacts());
  memory.widest = Vector::Zero(system.contacts());
  memory.accumulation.alone.resize(static_cast<std::size_t>(system.contacts()));
  return memory;
}

/// One run of EventDriven: smooth motion, and what happens at events.
class EventDrivenRun {
 public:
  EventDrivenRun(const EventDriven& method, const AnySystem& system, const Moment& start,
                 const AnyLaw& law, const Observer& observer)
      : system_(system),
        law_(law),
        ledger_(system, method.run, observer, start),
        now_{.time = start.time, .q = start.state.position, .v = start.state.velocity},
        memory_(memory_at(start, system)),
        gaps_(system, method.grouping, memory_),
        held_(system, method.run, ledger_, now_.q, memory_),
        parts_{method, system_, law_, ledger_, now_, memory_, gaps_, held_},
        smooth_(parts_),
        bounces_(parts_) {
    smooth_.set_next_step(start.step);
  }

  EventDrivenRun(const EventDrivenRun&) = delete;
  EventDrivenRun& operator=(const EventDrivenRun&) = delete;
  Run run(const Moment& moment) {
    bool good = start(moment);
    while (good && !ledger_.stopped()) {
      const double end = ledger_.end_time();
      if (!(now_.time < end)) break;
      // All that happens at one instant is told: another run can go on from there.
      if (ledger_.too_many_events()) {
        fail(RunStatus::NotTerminated, ledger_.limit_reached());
        break;
      }
      good = advance(end);
    }
    Moment end{.time = now_.time,
               .state = {.position = now_.q, .velocity = now_.v},
               .step = smooth_.next_step(),
               .memory = memory_};
    for (const HeldContact& c : held_.contacts()) {
      end.held.push_back(c.contact);
      if (c.friction == Friction::Sticks) end.sticking.push_back(c.contact);
    }
    return ledger_.finish(std::move(end), status_, reason_);
  }

 private:
  using Guard = SmoothMotion::Guard;

  /// The state a run begins with: joints closed, contacts that touch held or resolved.
  bool start(const Moment& moment) {
    refuse_open_joints(system_, now_.q);
    smooth_.scales().update(now_);
    if (remembered<EventDrivenMemory>(moment) != nullptr) {
      if (moment.held.empty()) return restart();
      std::vector<HeldContact> settled;
      const std::string reason = held_.settle(now_, moment.held, settled);
      if (!reason.empty()) return fail(RunStatus::NotConverged, reason);
      held_.hold(std::move(settled));
      return restart();
    }
    held_.mass().project_position({}, now_);
    held_.mass().project_velocity({}, {}, now_);
    if (std::isfinite(ledger_.next_output())) {
      ledger_.output(now_.time, now_.q, now_.v);
    } else {
      ledger_.step(now_.time, now_.q, now_.v);
    }
    smooth_.measure_gaps();
    const std::vector<int> closed = gaps_.begin();
    if (!closed.empty() && held_.has_friction()) {
      const ImpactProblem touching = systems::impact_problem(system_, now_.q, 0.0 * now_.v, closed);
      held_.note_friction(touching, law_(touching));
    }
    if (std::any_of(closed.begin(), closed.end(), [this](int i) { return gaps_.approaches(i); })) {
      return impact() && settle(true) && begin();
    }
    return settle(false) && begin();
  }

  /// From the present state on: slopes, and a first step.
  bool begin() {
    if (!restart()) return false;
    gaps_.begin_ways(std::exchange(struck_, {}));
    smooth_.set_first_step(bounces_.accumulation().flight_from(now_.time));
    return true;
  }

  bool restart() { return smooth_.restart() || fail(RunStatus::NotConverged, kUndefined); }
  /// One step, to `end` at most, and what happens at its end.
  bool advance(double end) {
    const double before = now_.time;
    const double limit = std::min(end, bounces_.accumulation().next_end());
    if (limit - before <= smooth_.shortest_step()) {
      smooth_.set_time(limit);
      tell_ends_by_now();
      return true;
    }
    const numerics::HybridStep step = smooth_.advance(limit);
    if (step.failed) return fail(RunStatus::NotConverged, "the step became too short to go on");
    const bool moved = smooth_.time() > before;
    if (!moved) smooth_.measure_gaps();  // what is rounding was told of the end of a step
    if (moved && !smooth_.take_step()) return fail(RunStatus::NotConverged, kUndefined);
    if (step.event >= 0) return change(Guard(smooth_.guard(step.event)), !moved);
    if (!(now_.time < bounces_.accumulation().next_end())) tell_ends_by_now();
    return true;
  }

  bool fail(RunStatus status, std::string reason) {
    status_ = status;
    reason_ = std::move(reason) + " at t = " + text(now_.time) + " s";
    return false;
  }

  // ----------------------------------------------------------------------- what happens at events

  /// `at_once`: without a step.
  bool change(const Guard& guard, bool at_once) {
    changes_at_once_ = now_.time == last_change_ ? changes_at_once_ + 1 : 0;
    last_change_ = now_.time;
    if (changes_at_once_ > kMostChangesAtOnce) {
      return fail(RunStatus::NotConverged, "contacts change without end");
    }
    if (guard.kind == Guard::Kind::Gap) {
      // A contact that closes before it has been seen open stays closed; not one that a step has
      // happened to end at, and that approaches.
      const bool unseen = at_once && !gaps_.approaches(guard.index);
      const std::vector<int> forced = unseen ? std::vector{guard.index} : std::vector<int>{};
      if (unseen && changes_at_once_ > 0) smooth_.let_sink(guard.index);
      return impact(guard.index) && settle(true, forced) && begin();
    }
    const auto place = static_cast<std::size_t>(guard.index);
    const HeldContact was = held_.contacts()[place];
    std::vector<HeldContact> slipping;
    if (guard.kind == Guard::Kind::Grip) slipping = slipping_with(place);
    if (!settle(false, {}, slipping)) return false;
    // A contact whose load cannot be what it was found to be a moment ago is redundant.
    if (guard.kind == Guard::Kind::Load && changes_at_once_ > 0 && was.loaded) {
      held_.unload(was.contact);
    }
    return begin();
  }

  /// A contact whose friction reaches its limit slides from now on, or gives all the friction it
  /// has while others still stick; so do those that reached their limits before.
  std::vector<HeldContact> slipping_with(std::size_t place) {
    Vector acceleration(now_.q.size());
    held_.accelerate(now_, acceleration);
    std::vector<HeldContact> slipping;
    for (const HeldContact& c : held_.contacts()) {
      if (c.friction == Friction::Slides) slipping.push_back(c);
    }
    slipping.push_back(held_.contacts()[place]);
    slipping.back().direction = held_.motion().pull(place);
    return slipping;
  }

  /// All contacts that are as good as closed take part; again while the law leaves some
  /// approaching.
  bool impact(int contact = -1) {
    const std::vector<int> closed = closed_with(contact);
    struck_ = closed;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const double threshold = repeat == 0 ? 0.0 : bounces_.left_speed();
      std::vector<int> approaching;
      double speed = 0.0;
      for (const int i : closed) {
        if (gaps_.rate(i) >= -std::max(threshold, gaps_.rate_noise(i))) continue;
        approaching.push_back(i);
        speed = std::max(speed, -gaps_.rate(i));
      }
      if (approaching.empty()) return true;
      if (repeat == 0) {
        for (const int i : closed) smooth_.note_sliding(i);
        bounces_.impact(approaching, speed);
      }
      bool struck = false;
      if (!strike(closed, struck)) return false;
      if (!struck) return true;
      smooth_.measure_gaps();
      if (repeat == 0 && closed.size() == 1)
        bounces_.set_restitution(gaps_.rate(closed[0]) / speed);
    }
    return fail(RunStatus::NotConverged, "contacts " + names_of(closed, system_) +
                                             " still approach after " + std::to_string(kRepeats) +
                                             " impacts");
  }

  /// Contacts that are as good as closed when one closes, or at the start.
  std::vector<int> closed_with(int contact) {
    std::vector<int> closed;
    for (int i = 0; i < system_.contacts(); ++i) {
      const bool stays = gaps_.rate(i) <= gaps_.rate_noise(i);
      const bool near = gaps_.gap(i) <= gaps_.grouping_gap(i, contact) && stays;
      if (i == contact || near || gaps_.touches(i)) {
        closed.push_back(i);
      } else if (contact >= 0 && stays) {
        warn_of_small_gap(contact, i);
      }
    }
    return closed;
  }

  /// The impact of these contacts: with joints, in the velocities that they allow.
  bool strike(const std::vector<int>& closed, bool& struck) {
    ImpactProblem problem = systems::impact_problem(system_, now_.q, now_.v, closed);
    Matrix N;
    if (system_.joints() > 0) {
      N = joint_motions(system_, now_.q);
      restrict_to(N, system_, now_, problem);
    }
    const ImpactResult result = resolve(problem, law_);
    held_.note_friction(problem, result);
    if (!result.ok()) {
      return fail(RunStatus::NotConverged,
                  unanswered(result.status, result.diagnostics.reason, closed, system_));
    }
    struck = result.status != Status::NoImpact;
    if (!struck) return true;
    const Vector before = now_.v;
    now_.v = N.size() > 0 ? Vector(N * result.velocity) : result.velocity;
    Event event =
        event_now(EventKind::Impact, closed, before, result.energy.before - result.energy.after);
    event.impulse = result.impulse;
    event.status = result.status;
    ledger_.event(event);
    return true;
  }

  /// Which contacts are held closed from now on; after an impact slow rebounds are taken as
  /// contact, else a load, or friction, has reached its limit.
  bool settle(bool impact, const std::vector<int>& forced = {},
              const std::vector<HeldContact>& slipping = {}) {
    auto [closed, rebounds] = bounces_.touching(impact, forced);
    const Vector v_before = now_.v;
    const std::vector<HeldContact> old = held_.contacts();
    for (const int i : closed) smooth_.note_sliding(i);
    for (const int i : rebounds) smooth_.note_sliding(i);
    std::vector<HeldContact> settled;
    if (!settle_forces(closed, slipping, settled)) return false;
    Accumulation& accumulation = bounces_.accumulation();
    const std::size_t under_way = memory_.accumulation.endings.size();
    BounceForecast::Cut cut;
    if (impact) cut = bounces_.cut(rebounds, settled);
    if (!cut.contacts.empty()) {
      std::vector<int> all;
      std::set_union(closed.begin(), closed.end(), cut.contacts.begin(), cut.contacts.end(),
                     std::back_inserter(all));
      closed.swap(all);
      if (!settle_forces(closed, slipping, settled)) return false;
    }
    release_leaving(settled, cut, impact);
    held_.hold(settled);
    const auto leaves = [this](const Accumulation::Ending& ending) {
      return !std::all_of(ending.contacts.begin(), ending.contacts.end(),
                          [this](int i) { return held_.holds(i); });
    };
    accumulation.take(leaves, under_way);  // what is not held after all goes on to bounce
    if (impact && cut.contacts.empty()) bounces_.end_turns(old);
    tell_ends(accumulation.take(leaves));  // something else came before
    std::vector<int> more;  // approach that is rounding, of contacts that are released
    for (const int i : closed) {
      if (held_.holds(i)) continue;
      if (gaps_.rate(i) < 0.0) more.push_back(i);
      if (impact) gaps_.release(i);
    }
    for (const int i : rebounds) {
      if (!held_.holds(i)) gaps_.release(i);
    }
    tell_changes(old, v_before, stop_held(cut, more));
    return true;
  }

  /// The contact forces of closed contacts.
  bool settle_forces(const std::vector<int>& closed, const std::vector<HeldContact>& slipping,
                     std::vector<HeldContact>& settled) {
    const std::string reason = held_.settle_slipping(now_, closed, slipping, settled);
    return reason.empty() ||
           fail(RunStatus::NotConverged, reason + " (contacts " + names_of(closed, system_) + ")");
  }

  /// What leaves slowly, and nothing drives back, is released; not what bounces between others.
  void release_leaving(std::vector<HeldContact>& held, const BounceForecast::Cut& cut,
                       bool impact) const {
    const double slow = impact ? bounces_.left_speed() : 0.0;
    const auto leaves = [&](const HeldContact& c) {
      const bool in_turns =
          cut.in_turns && std::binary_search(cut.contacts.begin(), cut.contacts.end(), c.contact);
      return !c.loaded && !in_turns &&
             gaps_.rate(c.contact) > std::max(slow, gaps_.rate_noise(c.contact));
    };
    held.erase(std::remove_if(held.begin(), held.end(), leaves), held.end());
  }

  /// Closes held contacts and stops them, and the approach of `more`; returns the energy lost.
  double stop_held(const BounceForecast::Cut& cut, const std::vector<int>& more) {
    JointedMass& mass = held_.mass();
    mass.project_position(held_.contacts(), now_);
    const double energy = mass.solver().kinetic_energy(now_.q, now_.v);
    Vector gradient(now_.q.size());
    for (const int i : cut.contacts) {
      if (!held_.holds(i) || !(gaps_.rate(i) > bounces_.no_rebound_speed())) continue;
      system_.gradient(i, now_.q, gradient);
      stop_coordinate(gradient, now_.v);
    }
    mass.project_velocity(held_.contacts(), more, now_);
    return energy - mass.solver().kinetic_energy(now_.q, now_.v);
  }

  // ------------------------------------------------------------------------- what is told of them

  /// A contact that is left out of an impact although its gap is nothing beside the way of that
  /// which strikes: it has never been closed, and only who wrote the scene knows whether it should
  /// be.
  void warn_of_small_gap(int struck, int left_out) {
    if (!gaps_.nearly_closed(left_out, struck) ||
        bounces_.accumulation().alone(left_out).approach > 0.0) {
      return;
    }
    ledger_.warn(
        "contact " + names_of({left_out}, system_) + " is open by " + text(gaps_.gap(left_out)) +
        " m when " + names_of({struck}, system_) +
        " strikes, and has no part in that impact; if it should touch, close it at the start "
        "or set simulation.grouping (m) above its gap");
  }

  Event event_now(EventKind kind, std::vector<int> contacts, const Vector& before,
                  double dissipated) const {
    Event event = event_without_jump(kind, now_.time, now_.q, now_.v, std::move(contacts));
    event.velocity_before = before;
    event.dissipated = dissipated;
    return event;
  }

  void tell_ends(const std::vector<Accumulation::Ending>& endings) {
    for (const auto& ending : endings) {
      ledger_.event(event_now(EventKind::Accumulation, ending.contacts, now_.v, ending.lost));
    }
  }

  /// All bounces that are over by now.
  void tell_ends_by_now() {
    Accumulation& accumulation = bounces_.accumulation();
    tell_ends(accumulation.take(
        [this](const Accumulation::Ending& ending) { return !(ending.time > now_.time); }));
    if (memory_.accumulation.endings.empty()) accumulation.forget();
  }

  /// Differences between the contacts held before and now, as events.
  void tell_changes(const std::vector<HeldContact>& old, const Vector& v_before, double lost) {
    std::vector<int> begin;
    std::vector<int> end;
    std::vector<int> sticking;
    std::vector<int> sliding;
    for (const HeldContact& c : old) {
      if (!held_.holds(c.contact)) end.push_back(c.contact);
    }
    auto& accumulation = bounces_.accumulation();
    for (const HeldContact& c : held_.contacts()) {
      const auto was = std::find_if(old.begin(), old.end(), [&c](const HeldContact& before) {
        return before.contact == c.contact;
      });
      if (was == old.end() && !accumulation.waits(c.contact)) begin.push_back(c.contact);
      if (was == old.end() || was->friction == c.friction) continue;
      if (c.friction == Friction::Sticks) sticking.push_back(c.contact);
      if (c.friction == Friction::Slides) sliding.push_back(c.contact);
    }
    const auto tell_of = [&](EventKind kind, const std::vector<int>& contacts) {
      if (contacts.empty()) return;
      ledger_.event(event_now(kind, contacts, v_before, lost));
      lost = 0.0;
    };
    tell_of(EventKind::ContactEnds, end);
    tell_of(EventKind::ContactBegins, begin);
    tell_of(EventKind::Sticking, sticking);
    tell_of(EventKind::Sliding, sliding);
    auto& endings = memory_.accumulation.endings;
    if (!endings.empty()) endings.back().lost += lost;  // told when the bounces are over
  }

  const AnySystem& system_;
  const AnyLaw& law_;
  RunLedger ledger_;
  MotionState now_;
  EventDrivenMemory memory_;  // kept up to date by those below: to go on with the same bits
  ContactGaps gaps_;
  HeldContacts held_;
  EventDrivenParts parts_;
  SmoothMotion smooth_;
  BounceForecast bounces_;
  std::vector<int> struck_;  // in the impact that is under way
  double last_change_ = -Accumulation::kNever;
  int changes_at_once_ = 0;  // events since then, without time between them
  RunStatus status_ = RunStatus::Ok;
  std::string reason_;
};

}  // namespace

void validate(const EventDriven& method) {
  require_ranges("simulation", method);
}

Run EventDriven::operator()(const systems::AnySystem& system, const Moment& start,
                            const AnyLaw& law, const Observer& observer) const {
  validate(*this);
  return EventDrivenRun(*this, system, start, law, observer).run(start);
}

}  // namespace percute::simulation
