// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/cut_bounce.hpp"
#include "simulation/event_driven_run.hpp"
#include "simulation/named_contacts.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/numerics/orthogonal_factor.hpp>

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

using Friction = HeldContact::Friction;

constexpr int kRepeats = 200;  ///< impacts at one instant
constexpr int kStanding = 50;  ///< changes of held contacts at one instant
/// Approach that the law has left is rounding below this part of the approach before.
constexpr double kLeft = 1e-9;
/// Gaps must open by this many times their rounding to be seen open.
constexpr double kUnseen = 4.0;
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

bool EventDrivenRun::happen(const Watch& watch) {
  if (t_ == standing_since_) {
    if (++standing_ > kStanding) {
      return fail(RunStatus::NotConverged, "contacts change without end");
    }
  } else {
    standing_since_ = t_;
    standing_ = 0;
  }
  if (std::isfinite(accumulation_.end) && !tell_accumulation()) return false;
  if (watch.kind == Watch::Kind::Gap) {
    // A contact that closes before it has been seen open stays closed; not one that a step has
    // happened to end at, and that approaches.
    const bool unseen = watch.high <= 0.0 && rates_[watch.index] >= -rate_noise_[watch.index];
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
  h_ = first_step();
  return true;
}

/// All contacts that are as good as closed take part; again while the law leaves some approaching.
bool EventDrivenRun::impact(int contact) {
  std::vector<int> closed;
  closed.reserve(static_cast<std::size_t>(m_));
  measure(q_, v_, gaps_, rates_);
  for (int i = 0; i < m_; ++i) {
    const bool near = gaps_[i] <= method_.grouping && rates_[i] <= rate_noise_[i];
    if (i == contact || near || gaps_[i] <= hold_gap()) closed.push_back(i);
  }
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
      accumulation_.impact(t_, speed, approaching);
      kept_ = 0.0;
    }
    bool struck = false;
    if (!strike(closed, struck)) return false;
    if (!struck) return true;
    measure(q_, v_, gaps_, rates_);
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
  sliding_unit_ = std::max({sliding_unit_, speeds.maxCoeff(), kRounded * h_ * pressed});
}

/// Rebounds of contact i up to this are taken as contact: those that are asked to be, and those
/// that rise by no more than rounding of the gap before they fall back, U² = 2 |a| h. as_ is the
/// acceleration without contacts.
double EventDrivenRun::slow_rebound(int i) {
  const double back = std::min(motion_.gap_acceleration(i, q_, v_, as_), 0.0);
  return std::max({method_.run.micro_bounce_velocity, rate_noise_[i],
                   std::sqrt(2.0 * -back * kUnseen * noise_[i])});
}

/// Which contacts are held closed from now on.
bool EventDrivenRun::settle(Settle why, const std::vector<int>& forced,
                            const std::vector<HeldContact>& slipping) {
  measure(q_, v_, gaps_, rates_);
  const bool bounces = why == Settle::Impact && motion_.accelerate(t_, q_, v_, {}, as_);
  std::vector<int> closed;
  for (int i = 0; i < m_; ++i) {
    const bool is = held(i) && why != Settle::Impact;
    const bool told = std::find(forced.begin(), forced.end(), i) != forced.end();
    const bool touches = gaps_[i] <= hold_gap();
    if (is || told || (touches && rates_[i] <= (bounces ? slow_rebound(i) : rate_noise_[i]))) {
      closed.push_back(i);
    }
  }
  const Vector v_before = v_;
  const std::vector<HeldContact> old = held_;
  for (const int i : closed) note_sliding(i);
  ContactMotion::Settled settled;
  const bool friction = has_friction_ && law_rubs_;
  const auto settles = [&](double stick) {
    return motion_.settle(t_, q_, v_, closed, friction, stick, slipping, settled);
  };
  // Where friction of what slides has no solution (both walls of a groove draw a body in), what
  // slides no faster than rebounds that are taken as contact is at rest.
  const double slow_slip = std::max(stick_speed(), method_.run.micro_bounce_velocity);
  if (!settles(stick_speed()) && !(friction && settles(slow_slip))) {
    return fail(RunStatus::NotConverged, settled.reason + " (contacts " + names(closed) + ")");
  }
  // What leaves slowly, and nothing drives back, is let go.
  const double slow = why == Settle::Impact ? kLeft * impact_speed_ : 0.0;
  auto& now = settled.held;
  now.erase(std::remove_if(now.begin(), now.end(),
                           [&](const HeldContact& c) {
                             return !c.loaded &&
                                    rates_[c.contact] > std::max(slow, rate_noise_[c.contact]);
                           }),
            now.end());
  hold(now);
  std::vector<int> more;  // approach that is rounding, of contacts that are let go
  std::vector<int> bounced;
  for (const int i : closed) {
    if (!held(i) && rates_[i] < 0.0) more.push_back(i);
    if (why == Settle::Impact && held(i) && rates_[i] > 10.0 * kLeft * impact_speed_) {
      bounced.push_back(i);
    }
    if (!held(i) && why == Settle::Impact) blind_[static_cast<std::size_t>(i)] = 1;
  }
  plan_accumulation(bounced);
  motion_.project_position(held_, q_);
  const double energy = motion_.kinetic_energy(q_, v_);
  for (const int i : bounced) {
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

/// Contacts that are held although they rebound, slowly, are between the bounces of an
/// accumulation; when it ends follows from how long the next bounce would take.
void EventDrivenRun::plan_accumulation(const std::vector<int>& bounced) {
  if (bounced.empty()) return;
  std::vector<HeldContact> others;
  for (const HeldContact& c : held_) {
    if (std::find(bounced.begin(), bounced.end(), c.contact) == bounced.end()) others.push_back(c);
  }
  if (!motion_.accelerate(t_, q_, v_, others, as_)) return;
  double flight = 0.0;
  for (const int i : bounced) {
    const double back = motion_.gap_acceleration(i, q_, v_, as_);
    if (back < 0.0) flight = std::max(flight, 2.0 * rates_[i] / -back);
  }
  const double left = accumulation_.remaining(flight, kept_);
  if (!(flight > 0.0) || !std::isfinite(left)) return;
  accumulation_.end = t_ + left;
  accumulation_.closing = bounced;
}

bool EventDrivenRun::tell_accumulation() {
  std::vector<int> contacts = std::move(accumulation_.closing);
  accumulation_.closing.clear();
  accumulation_.end = Accumulation::kNever;
  accumulation_.forget();
  const double lost = accumulation_.lost;
  accumulation_.lost = 0.0;
  return tell(EventKind::Accumulation, std::move(contacts), v_, lost);
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
  const auto& waiting = accumulation_.closing;
  for (const HeldContact& c : held_) {
    const HeldContact* was = find(old, c.contact);
    const bool waits = std::find(waiting.begin(), waiting.end(), c.contact) != waiting.end();
    if (was == nullptr && !waits) begin.push_back(c.contact);
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
  if (!waiting.empty()) accumulation_.lost += lost;  // told when the bounces are over
  return good;
}

}  // namespace percute::simulation
