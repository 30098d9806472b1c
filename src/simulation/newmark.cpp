// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/gap_watch.hpp"
#include "simulation/moment_checks.hpp"
#include "simulation/named_contacts.hpp"
#include "simulation/newmark_step.hpp"
#include "simulation/run_ledger.hpp"
#include "simulation/scene_length.hpp"
#include "simulation/step_limit.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/newmark.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

namespace percute::simulation {

namespace {

/// Gaps that are closed, as parts of the scene's length: to the last digit where an impact is
/// located, among digits that roundings of many steps have changed, and with such digits at the
/// start of a run.
constexpr double kClosed = 1e-16;
constexpr double kDigits = 1e-13;
constexpr double kTouches = 1e-11;
constexpr double kTogether = 1e-6;  // of the ways of two contacts: they close together
constexpr double kNoGap = 1e-3;     // of the grouping: closed at an impact
constexpr int kCuts = 60;           // tries to find the instant of an impact

/// Smallest positive root of h + u d + c d², h ≥ 0; none if it has none.
std::optional<double> first_root(double h, double u, double c) {
  if (h == 0.0) {
    // Leaves the surface and comes back.
    if (u > 0.0 && c < 0.0) return -u / c;
    return {};
  }
  const double discriminant = u * u - 4.0 * c * h;
  if (discriminant < 0.0) return {};
  const double root = std::sqrt(discriminant);
  if (u <= 0.0) return root > u ? std::optional(2.0 * h / (root - u)) : std::nullopt;
  if (c < 0.0) return (u + root) / (-2.0 * c);
  return {};
}

/// One run.
class NewmarkRun {
 public:
  NewmarkRun(const Newmark& method, const AnySystem& system, const Moment& start, const AnyLaw& law,
             const Observer& observer)
      : method_(method),
        system_(system),
        law_(law),
        step_(system),
        ledger_(system, method_.run, observer, start),
        gap_watch_(system, start.state.position, ledger_.reaches()),
        length_(scene_length(system, start.state.position)),
        time_(start.time),
        held_(start.held) {
    now_.q = start.state.position;
    now_.v = start.state.velocity;
    now_.a.resize(now_.q.size());
    gaps_.resize(system.contacts());
    gaps1_.resize(system.contacts());
    column_.resize(now_.q.size());
  }

  RunLedger& ledger() { return ledger_; }

  Run go(const Moment& start) {
    goes_on_ = true;
    begin(start);
    while (goes_on_ && status_ == RunStatus::Ok) {
      const double left = ledger_.end_time() - time_;
      if (!(left > 1e-6 * method_.step)) break;  // rounding of time
      if (ledger_.too_many_events()) {
        fail(RunStatus::NotTerminated, ledger_.limit_reached() + " at t = " + text(time_) + " s");
        break;
      }
      one_step(std::min(method_.step, left));
    }
    ledger_.counts().iterations += step_.iterations();
    // A run that goes on from here takes the acceleration as it was solved for.
    NewmarkMemory memory;
    memory.acceleration = now_.a;
    memory.force = now_.force;
    return ledger_.finish({.time = time_,
                           .state = {.position = now_.q, .velocity = now_.v},
                           .held = held_,
                           .memory = std::move(memory)},
                          status_, reason_);
  }

 private:
  void fail(RunStatus status, std::string reason) {
    status_ = status;
    reason_ = std::move(reason);
  }

  double rate(int contact, const NewmarkState& state) {
    system_.gradient(contact, state.q, column_);
    return column_.dot(state.v);
  }

  /// Contacts that are closed at the start: an impact if any approaches, else they may stay.
  void begin(const Moment& start) {
    system_.gaps(now_.q, gaps_);
    gap_watch_.note(gaps_);
    if (const auto* memory = remembered<NewmarkMemory>(start)) {
      now_.a = memory->acceleration;
      now_.force = memory->force;
      for (const int contact : held_) gaps_[contact] = 0.0;
      return;
    }
    std::vector<int> closed;
    bool approaches = false;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (gaps_[i] > kTouches * length_) continue;
      gaps_[i] = 0.0;
      closed.push_back(i);
      approaches = approaches || rate(i, now_) < 0.0;
    }
    held_.clear();
    if (approaches) {
      impact(closed);
    } else {
      choose_held(closed);
    }
  }

  void one_step(double dt) {
    if (!step_.advance(time_, dt, held_, now_, next_)) {
      fail(RunStatus::NotConverged,
           "a step from t = " + text(time_) + " s could not be solved; take a shorter step");
      return;
    }
    int struck = -1;
    double cut = dt;
    bool grazes = false;
    system_.gaps(next_.q, gaps1_);
    for (int i = 0; i < system_.contacts(); ++i) {
      if (!(gaps1_[i] < 0.0) || is_held(i)) continue;
      const auto root = literal_cut(i, dt);
      if (!root) {
        grazes = true;
        grazing_ = i;
      } else if (struck < 0 || *root < cut) {
        struck = i;
        cut = *root;
      }
    }
    if (struck < 0 && !grazes) {
      accept(dt);
    } else if (struck < 0) {
      graze();
    } else {
      strike(struck, cut, dt);
    }
  }

  bool is_held(int contact) const {
    return std::find(held_.begin(), held_.end(), contact) != held_.end();
  }

  void accept(double dt) {
    time_ += dt;
    ++ledger_.counts().steps;
    if (!held_.empty()) {
      step_.hold(held_, next_);
      system_.gaps(next_.q, gaps1_);
    }
    gap_watch_.note(gaps1_);
    for (const int contact : held_) gaps1_[contact] = 0.0;
    std::swap(now_, next_);
    gaps_.swap(gaps1_);
    if (!held_.empty()) ledger_.in_contact(time_);
    goes_on_ = ledger_.step(time_, now_.q, now_.v);
    if (!held_.empty() && now_.force.minCoeff() < 0.0) {
      const std::vector<int> before = held_;
      choose_held(before);
    }
  }

  /// No positive instant at which the gap closes, yet it has: it never left the surface. It is held
  /// for a step at least.
  void graze() {
    tell(EventKind::ContactBegins, {grazing_});
    held_.insert(std::upper_bound(held_.begin(), held_.end(), grazing_), grazing_);
    step_.stop(held_, now_);
    gaps_[grazing_] = 0.0;
    if (!step_.accelerate(time_, held_, now_)) {
      fail(RunStatus::NotConverged, "the mass matrix is singular at t = " + text(time_) + " s");
    }
  }

  /// Where the parabola of the step in next_ takes the gap to 0 (equation 17 of the paper); gaps
  /// that are not linear in q need corrections.
  std::optional<double> literal_cut(int contact, double dt) {
    system_.gradient(contact, now_.q, column_);
    const double h = std::max(gaps_[contact], 0.0);
    const double u = column_.dot(now_.v);
    // On the surface, and back on it within the step at less than a bounce is worth: contact.
    if (h == 0.0 && u < ledger_.micro_bounce_velocity()) return {};
    const double c =
        0.25 * column_.dot(now_.a + next_.a) + 0.5 * system_.gap_curvature(contact, now_.q, now_.v);
    const auto d = first_root(h, u, c);
    if (!d) return {};
    double cut = std::min(*d, dt);
    for (int i = 0; i < 8; ++i) {
      trial_.q = now_.q + cut * now_.v + 0.25 * cut * cut * (now_.a + next_.a);
      trial_.v = now_.v + 0.5 * cut * (now_.a + next_.a);
      system_.gaps(trial_.q, gaps1_);
      const double gap = gaps1_[contact];
      if (std::abs(gap) <= kClosed * length_) break;
      const double next = cut - gap / rate(contact, trial_);
      if (!(next > 0.0 && next <= dt) || next == cut) break;
      cut = next;
    }
    system_.gaps(next_.q, gaps1_);
    return cut;
  }

  /// The instant at which the gap closes, the step being solved again for each try; leaves the
  /// state there in next_. By Newton's method, bisection where that leaves its bounds.
  std::optional<double> resolved_cut(int contact, double cut, double dt) {
    double low = 0.0;
    double high = dt;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kCuts; ++i) {
      if (!step_.advance(time_, cut, held_, now_, next_)) return {};
      system_.gaps(next_.q, gaps1_);
      const double gap = gaps1_[contact];
      if (std::abs(gap) <= kClosed * length_) return cut;
      (gap > 0.0 ? low : high) = cut;
      double next = cut - gap / rate(contact, next_);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      // Rounding: no further.
      const bool rounds = std::abs(gap) < kDigits * length_ && std::abs(gap) >= 0.5 * best;
      if (next == cut || rounds) return cut;
      best = std::min(best, std::abs(gap));
      cut = next;
    }
    return cut;
  }

  void strike(int contact, double cut, double dt) {
    if (method_.event == Newmark::Event::Literal) {
      trial_.q = now_.q + cut * now_.v + 0.25 * cut * cut * (now_.a + next_.a);
      trial_.v = now_.v + 0.5 * cut * (now_.a + next_.a);
      std::swap(trial_, next_);
    } else {
      // Another contact may turn out to be the first.
      for (int i = 0; i < system_.contacts(); ++i) {
        const auto found = resolved_cut(contact, cut, dt);
        if (!found) {
          fail(RunStatus::NotConverged,
               "an impact after t = " + text(time_) + " s could not be located");
          return;
        }
        cut = *found;
        int earlier = -1;
        for (int j = 0; j < system_.contacts(); ++j) {
          if (j == contact || is_held(j) || gaps1_[j] >= -kTouches * length_) continue;
          if (earlier < 0 || gaps1_[j] < gaps1_[earlier]) earlier = j;
        }
        if (earlier < 0) break;
        contact = earlier;
        dt = cut;
        cut *= 0.5;
      }
    }
    // On the surface exactly.
    system_.gaps(next_.q, gaps1_);
    system_.gradient(contact, next_.q, column_);
    next_.q -= gaps1_[contact] / column_.squaredNorm() * column_;
    system_.gaps(next_.q, gaps1_);
    gap_watch_.note(gaps1_);
    gaps1_[contact] = 0.0;

    time_ += cut;
    ++ledger_.counts().steps;
    next_.a.resize(now_.q.size());
    std::swap(now_, next_);
    gaps_.swap(gaps1_);
    goes_on_ = ledger_.step(time_, now_.q, now_.v);
    std::vector<int> closed;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (i == contact || is_held(i) || takes_part(i, contact)) closed.push_back(i);
    }
    impact(closed);
  }

  /// Closed, or about to close: contacts that open are none of an impact's, however near.
  bool takes_part(int contact, int struck) {
    const double way = std::min(gap_watch_.widest(contact), gap_watch_.widest(struck));
    const double grouping = method_.grouping.value_or(kTogether * way);
    const double closed = kTouches * length_;
    if (gaps_[contact] > std::max(grouping, closed)) return false;
    if (gaps_[contact] <= std::max(kNoGap * grouping, closed)) return true;
    system_.gradient(contact, now_.q, column_);
    return column_.dot(now_.v) <= 0.0;
  }

  void impact(const std::vector<int>& closed) {
    const ImpactProblem problem = systems::impact_problem(system_, now_.q, now_.v, closed);
    const ImpactResult result = law_(problem);
    if (!result.ok() || result.velocity.size() != now_.v.size() || !result.velocity.allFinite()) {
      fail(RunStatus::NotConverged,
           unanswered(result.status, result.diagnostics.reason, closed, system_) +
               " at t = " + text(time_) + " s");
      return;
    }
    const double dissipated = step_.solver().kinetic_energy(now_.q, now_.v) -
                              step_.solver().kinetic_energy(now_.q, result.velocity);
    goes_on_ = ledger_.event({.time = time_,
                              .kind = EventKind::Impact,
                              .contacts = closed,
                              .position = now_.q,
                              .velocity_before = now_.v,
                              .velocity_after = result.velocity,
                              .impulse = result.impulse,
                              .dissipated = dissipated,
                              .status = result.status}) &&
               goes_on_;
    now_.v = result.velocity;
    choose_held(closed);
  }

  /// Which of these closed contacts stay closed: those at rest that push at the level of
  /// accelerations, 0 ≤ λ ⟂ h″ ≥ 0.
  void choose_held(const std::vector<int>& closed) {
    const std::vector<int> before = held_;
    held_.clear();
    std::vector<int> resting;
    bool bounced = false;
    const double micro_bounce = ledger_.micro_bounce_velocity();
    for (const int contact : closed) {
      const double u = rate(contact, now_);
      const bool stays = std::abs(u) < micro_bounce || u == 0.0;
      if (gaps_[contact] > kTouches * length_ || !stays) continue;
      resting.push_back(contact);
      bounced = bounced || u > 0.0;
    }
    if (!step_.accelerate(time_, held_, now_)) {
      fail(RunStatus::NotConverged, "the mass matrix is singular at t = " + text(time_) + " s");
      return;
    }
    if (!resting.empty()) {
      const Vector force = step_.contact_forces(resting, now_);
      for (std::size_t j = 0; j < resting.size(); ++j) {
        if (force[static_cast<Eigen::Index>(j)] > 0.0) held_.push_back(resting[j]);
      }
    }
    const auto missing_from = [](const std::vector<int>& all, const std::vector<int>& some) {
      std::vector<int> missing;
      std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                          std::back_inserter(missing));
      return missing;
    };
    tell(EventKind::ContactEnds, missing_from(before, held_));
    tell(bounced ? EventKind::Accumulation : EventKind::ContactBegins, missing_from(held_, before));
    if (held_.empty()) return;
    step_.stop(held_, now_);
    for (const int contact : held_) gaps_[contact] = 0.0;
    step_.accelerate(time_, held_, now_);
  }

  void tell(EventKind kind, const std::vector<int>& contacts) {
    if (contacts.empty()) return;
    goes_on_ =
        ledger_.event({.time = time_,
                       .kind = kind,
                       .contacts = contacts,
                       .position = now_.q,
                       .velocity_before = now_.v,
                       .velocity_after = now_.v,
                       .impulse = Vector::Zero(static_cast<Eigen::Index>(contacts.size()))}) &&
        goes_on_;
  }

  const Newmark& method_;
  const AnySystem& system_;
  const AnyLaw& law_;
  NewmarkStep step_;
  RunLedger ledger_;
  GapWatch gap_watch_;
  double length_;  // of the scene, m
  double time_;
  std::vector<int> held_;
  NewmarkState now_;
  NewmarkState next_;
  NewmarkState trial_;
  Vector gaps_;   // of now_; 0 exactly for contacts on the surface
  Vector gaps1_;  // of next_
  Vector column_;
  int grazing_ = -1;
  bool goes_on_ = true;
  RunStatus status_ = RunStatus::Ok;
  std::string reason_;
};

}  // namespace

void validate(const Newmark& method) {
  require_ranges("simulation", method);
  validate(method.run);
  validate_step(method.step, method.run);
  if (method.run.duration && method.step > *method.run.duration) {
    throw InvalidInput("simulation.step", text(method.step) + " s is longer than the run, " +
                                              text(*method.run.duration) + " s");
  }
}

Run Newmark::operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                        const Observer& observer) const {
  validate(*this);
  if (system.joints() > 0) {
    throw InvalidInput("simulation.method",
                       "event_driven knows no joints: choose event_driven_adaptive");
  }
  std::string warning;
  bool friction = false;
  if (start.state.position.size() == system.coordinates()) {
    warning = unresolved_vibration(system, start.state.position, step);
    for (int i = 0; i < system.contacts(); ++i) {
      friction = friction || system.contact(i, start.state.position).material.friction > 0.0;
    }
  }
  NewmarkRun run_now(*this, system, start, law, observer);
  run_now.ledger().warn_at_start(std::move(warning));
  run_now.ledger().warn_at_start(unresolved_forces(system, start.time, step));
  if (friction) run_now.ledger().warn("contacts that stay closed are taken as frictionless");
  return run_now.go(start);
}

}  // namespace percute::simulation
