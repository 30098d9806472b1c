// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// How contacts begin to slide, stop and stick during an impact.

namespace percute::laws {

namespace {

/// Who sticks where contacts have no force yet depends on the ratios of the forces a moment later:
/// this part of the time scale …
constexpr double kMoment = 1e-7;
/// … or longer, where that has decided nothing.
constexpr double kLongestMoment = 1e-3;
/// Sliding slower than this part of vs fades if it slows down at all.
constexpr double kSlowly = 1e-3;
/// A contact is beyond its limit when it misses this part of it.
constexpr double kBeyond = 1e-9;
/// Times nearer than this part of the time scale are one instant.
constexpr double kInstant = 1e-9;

}  // namespace

void FrictionIntegrator::note(int i, EventKind kind) {
  ++changes_;
  if (recorder_ == nullptr) return;
  const double xi = step_.rk.state()[i];
  log_.push_back({.time = time(),
                  .contact = i,
                  .kind = kind,
                  .impulse = impulse()[i],
                  .gap_rate = step_.U0[i],
                  .stored_energy = phases_->stored_energy(i, xi),
                  .force = phases_->force(i, xi)});
}

/// How far to look ahead.
double FrictionIntegrator::moment() {
  const bool again = time() - last_change_ <= 1e-9 * setup_->time_scale;
  moment_ = again ? std::min(10.0 * moment_, kLongestMoment) : kMoment;
  repeats_ = again ? repeats_ + 1 : 0;
  last_change_ = time();
  return moment_ * setup_->time_scale;
}

FrictionIntegrator::Fade FrictionIntegrator::next_fade() const {
  Fade first{.time_left = std::numeric_limits<double>::infinity()};
  const double* U_t = step_.U0.data() + setup_->m;
  const double* a_t = step_.a0.data() + setup_->m;
  for (int i = 0; i < setup_->m; ++i) {
    if (friction_->size(i) != 2 || !step_.modes.slides(i) || step_.modes.slow(i)) continue;
    const FrictionModes::Direction& u = step_.modes.direction(i);
    const int row = friction_->row(i);
    const double falling = -(u[0] * a_t[row] + u[1] * a_t[row + 1]);
    if (!(falling > 0.0)) continue;
    const double speed = step_.modes.speed(i, U_t);
    if (speed / falling >= first.time_left) continue;
    first = {.contact = i,
             .time_left = speed / falling,
             .slow = speed < kSlowly * setup_->velocity_scale};
  }
  return first;
}

/// Slow contacts whose direction takes its time all the same, for there is little force to turn
/// them, are not slow: the direction is that of U_t.
void FrictionIntegrator::leave_slow() {
  constexpr double kQuick = 5e-3;  // of the time scale
  if (!step_.modes.any_slow()) return;
  const double* U_t = step_.U0.data() + setup_->m;
  for (int i = 0; i < setup_->m; ++i) {
    if (!step_.modes.slow(i)) continue;
    const double speed = step_.modes.speed(i, U_t);
    const int row = friction_->row(i);
    const double mobility =
        std::min(friction_->coupling(row, row), friction_->coupling(row + 1, row + 1));
    const double turn = friction_->mu(i) * phases_->force(i, step_.rk.state()[i]) * mobility;
    const bool visible = speed > 100.0 * step_.modes.stop_speed();
    if (visible && speed > kQuick * setup_->time_scale * turn) step_.modes.hurry(i);
  }
}

/// The forces give slow contacts no direction: those that move have one. False if none does.
bool FrictionIntegrator::hurry_slow() {
  const double* U_t = step_.U0.data() + setup_->m;
  bool any = false;
  for (int i = 0; i < setup_->m; ++i) {
    const bool moves = step_.modes.speed(i, U_t) > 100.0 * step_.modes.stop_speed();
    if (!step_.modes.slow(i) || !moves) continue;
    step_.modes.hurry(i);
    any = true;
  }
  if (any) step_.modes.refresh(U_t);
  return any;
}

/// Whether contact i, that slides, stands still as far as can be seen, and is held there by others:
/// what is left of its speed would stay for ever.
bool FrictionIntegrator::idles(int i) const {
  constexpr double kHeld = 1e-6;  // of what friction could do
  const double* U_t = step_.U0.data() + setup_->m;
  if (step_.modes.speed(i, U_t) > 100.0 * step_.modes.stop_speed()) return false;
  const int row = friction_->row(i);
  const double* w = step_.a0.data() + setup_->m + row;
  const double mobility =
      std::min(friction_->coupling(row, row), friction_->coupling(row + 1, row + 1));
  const double push = friction_->mu(i) * phases_->force(i, step_.rk.state()[i]) * mobility;
  // Contacts that stick hold it before it has any force of its own.
  const double noise = setup_->noise / setup_->time_scale;
  const double least = step_.modes.any_stick() && push < noise ? noise : 0.0;
  return std::hypot(w[0], w[1]) < std::max(kHeld * push, least);
}

/// Takes over the directions of sliding at the start of a step. True if sliding has died down.
bool FrictionIntegrator::follow_directions() {
  const double* U_t = step_.U0.data() + setup_->m;
  leave_slow();
  step_.modes.refresh(U_t);
  int died = -1;
  bool held = false;
  for (int i = 0; i < setup_->m && died < 0; ++i) {
    if (friction_->size(i) != 2 || !step_.modes.slides(i) || step_.modes.slow(i)) continue;
    held = idles(i);
    if (held) died = i;
    if (!step_.modes.stopped(i, U_t)) continue;
    const FrictionModes::Direction& u = step_.modes.direction(i);
    const double* a_t = step_.a0.data() + setup_->m + friction_->row(i);
    if (u[0] * a_t[0] + u[1] * a_t[1] < 0.0) died = i;
  }
  if (died < 0) return false;
  record();
  stop(died, held);
  return true;
}

/// Contacts that have been loaded, or have opened, since the last event; and contacts that cannot
/// be held any more because forces have jumped. True if something changed.
bool FrictionIntegrator::follow_loads() {
  FrictionModes& modes = step_.modes;
  const double* U_t = step_.U0.data() + setup_->m;
  bool changed = false;
  bool infinite = false;
  resting_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    if (!friction_->acts(i)) continue;
    const Phase phase = (*phases_)[i].phase;
    const bool loaded = phase == Phase::Compressing || phase == Phase::Expanding;
    const bool off = modes.mode(i) == FrictionModes::Mode::Off;
    if (loaded != off) continue;
    changed = true;
    if (!loaded) {
      modes.turn_off(i);
    } else if (!modes.begin(i, U_t)) {
      resting_.push_back(i);
      infinite = infinite || std::isinf(friction_->mu(i));
    }
  }
  if (infinite && !stop_infinite()) return true;
  if (!resting_.empty()) {
    settle_resting();
    return true;
  }
  // Forces may have jumped: are the limits kept?
  bool sticking = false;
  for (int i = 0; i < setup_->m; ++i) {
    sticking = sticking || (modes.sticks(i) && !std::isinf(friction_->mu(i)));
  }
  if (!sticking) return changed;
  const double* f = events_.forces(step_, step_.rk.state(), step_.U0.data());
  bool beyond = false;
  for (int i = 0; i < setup_->m; ++i) {
    beyond = beyond || (modes.sticks(i) &&
                        modes.margin(i, f, f + setup_->m) < -kBeyond * friction_->mu(i) * f[i]);
  }
  if (!beyond) return changed;
  list_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    if (modes.sticks(i)) list_.push_back(i);
  }
  step_.normal_forces(step_.rk.state(), step_.U0.data(), step_.a0.data(),
                      kMoment * setup_->time_scale, lambda_.data());
  modes.settle(resting_, lambda_.data(), U_t);
  for (const int i : list_) {
    if (!modes.slides(i)) continue;
    note(i, EventKind::Sliding);
    changed = true;
  }
  return changed;
}

/// Decides about the contacts in resting_.
void FrictionIntegrator::settle_resting() {
  step_.normal_forces(step_.rk.state(), step_.U0.data(), step_.a0.data(), moment(), lambda_.data());
  step_.modes.settle(resting_, lambda_.data(), step_.U0.data() + setup_->m);
  end_creep();
}

/// Contacts in space stop within a tolerance. What is left of their sliding would stay as long as
/// they stick, and gap rates that vanish at one instant, since bodies that stick can move in one
/// way only, would do so one after the other.
void FrictionIntegrator::end_creep() {
  const double* U_t = step_.U0.data() + setup_->m;
  double fastest = 0.0;
  creeping_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    if (!step_.modes.sticks(i)) continue;
    creeping_.push_back(i);
    fastest = std::max(fastest, step_.modes.speed(i, U_t));
  }
  // Next to bodies that hardly move it is no creep.
  constexpr double kLittle = 1e-3;
  double motion = 0.0;
  for (int i = 0; i < setup_->m; ++i) motion = std::max(motion, std::abs(step_.U0[i]));
  const bool creeps = fastest <= std::min(100.0 * step_.modes.stop_speed(), kLittle * motion);
  if (fastest > setup_->noise && creeps) end_sliding(creeping_);
}

/// Impulses that end the sliding of these contacts, all at once; what they take is lost.
void FrictionIntegrator::end_sliding(const std::vector<int>& contacts) {
  const int m = setup_->m;
  stopping_.gather(contacts);
  before_ = step_.U0;
  drive_.resize(static_cast<std::size_t>(stopping_.size()));
  held_.resize(drive_.size());
  for (int r = 0; r < stopping_.size(); ++r) drive_[r] = before_[m + stopping_.row(r)];
  stopping_.hold(drive_.data(), ones_.data(), held_.data());
  double* p = step_.rk.state() + step_.impulses() + m;
  for (int r = 0; r < stopping_.size(); ++r) p[stopping_.row(r)] += held_[r];
  step_.velocities(step_.rk.state(), step_.U0.data());
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    double& lost = step_.rk.state()[step_.losses() + contacts[s]];
    for (int r = stopping_.begin(s); r < stopping_.begin(s) + stopping_.length(s); ++r) {
      const int row = m + stopping_.row(r);
      lost -= 0.5 * held_[r] * (before_[row] + step_.U0[row]);
    }
  }
}

/// Infinite friction stops sliding by an impulse, before there is any pressure. Contacts that stuck
/// by finite friction may slide afterwards.
bool FrictionIntegrator::stop_infinite() {
  const int m = setup_->m;
  const auto infinite = [&](int i) { return friction_->acts(i) && std::isinf(friction_->mu(i)); };
  list_.clear();
  for (int i = 0; i < m; ++i) {
    const bool resting = std::find(resting_.begin(), resting_.end(), i) != resting_.end();
    if (infinite(i) && (resting || step_.modes.sticks(i))) list_.push_back(i);
  }
  const double* U_t = step_.U0.data() + m;
  const auto moves = [&](int i) { return step_.modes.speed(i, U_t) > 0.0; };
  if (std::none_of(list_.begin(), list_.end(), moves)) return true;
  end_sliding(list_);
  for (const int i : list_) {
    const bool unloaded = step_.rk.state()[i] <= setup_->spent[i];
    const bool moved = std::abs(before_[static_cast<std::size_t>(i)] -
                                step_.U0[static_cast<std::size_t>(i)]) > setup_->gap_rate_tol;
    if (unloaded && moved && !(step_.U0[static_cast<std::size_t>(i)] < -setup_->gap_rate_tol)) {
      status_ = Status::NoSlipSolution;
      without_solution_ = i;
      return false;
    }
  }
  // What finite friction has decided before is open again: contacts at rest may slide now.
  const auto finite = [&](int i) { return friction_->acts(i) && !infinite(i); };
  list_.clear();
  for (int i = 0; i < m; ++i) {
    const bool resting = std::find(resting_.begin(), resting_.end(), i) != resting_.end();
    const bool on = step_.modes.mode(i) != FrictionModes::Mode::Off;
    if (finite(i) && (resting || on)) list_.push_back(i);
  }
  resting_.erase(std::remove_if(resting_.begin(), resting_.end(), finite), resting_.end());
  for (const int i : list_) {
    if (!step_.modes.begin(i, step_.U0.data() + m)) resting_.push_back(i);
  }
  follow_jump();
  return true;
}

/// The velocities have jumped, and phases with them. Open contacts that approach now are touched at
/// once, all together whatever their order, for stopping them would make the velocities jump again.
void FrictionIntegrator::follow_jump() {
  for (int i = 0; i < setup_->m; ++i) {
    const Phase phase = (*phases_)[i].phase;
    const double U = step_.U0[i];
    if (std::abs(U) <= setup_->motion) continue;
    double& xi = step_.rk.state()[i];
    if (phase == Phase::Compressing && U > 0.0) {
      xi = phases_->end_compression(i, now().point(i));
      const ContactState& after = (*phases_)[i];
      const bool expands = after.phase == Phase::Expanding && after.xi_target == 0.0;
      // It had only just been touched.
      if (expands && xi <= setup_->spent[i]) xi = phases_->reach_target(i, now().point(i));
    } else if (phase == Phase::Expanding && U < 0.0) {
      xi = phases_->recompress(i, now().point(i));
    } else if (phase == Phase::Open && U < 0.0 &&
               (!setup_->tracked_gap || xi >= -setup_->spent[i])) {
      xi = phases_->reenter(i, now().point(i));
    }
  }
}

/// Whether sliding contact j stands still for a moment, but for so many times what counts as still.
bool FrictionIntegrator::stops(int j, double alike) const {
  const FrictionModes& modes = step_.modes;
  const double* U_t = step_.U0.data() + setup_->m;
  const FrictionModes::Direction& u = modes.direction(j);
  double rate = 0.0;
  for (int d = 0; d < friction_->size(j); ++d) {
    rate += u[static_cast<std::size_t>(d)] * step_.a0[setup_->m + friction_->row(j) + d];
  }
  const bool there = friction_->size(j) == 1
                         ? std::abs(modes.along(j, U_t)) <= alike * setup_->noise
                         : modes.speed(j, U_t) <= alike * modes.stop_speed();
  return there && rate < 0.0;
}

/// A body that can move in one way only comes to rest at all its contacts at once. Where sliding
/// stops as a gap rate vanishes, friction comes first: whether the bodies move on, and where to,
/// decides about compression and expansion. The contact that stops, or −1.
int FrictionIntegrator::stops_too(const FrictionWatch& w) const {
  if (w.kind != FrictionWatch::Kind::GapRate) return -1;
  for (int j = 0; j < setup_->m; ++j) {
    const double alike = friction_->size(j) == 1 ? 10.0 : 1.0;
    if (step_.modes.slides(j) && stops(j, alike)) return j;
  }
  return -1;
}

/// Sliding of contact i has stopped (it is `sure`, or to be seen), and of others at the same
/// instant.
void FrictionIntegrator::stop(int i, bool sure) {
  FrictionModes& modes = step_.modes;
  const double* U_t = step_.U0.data() + setup_->m;
  if (!sure && !modes.stopped(i, U_t)) {
    // It came close to a stop and slides on, another way; so do those that share its velocity.
    for (int j = 0; j < setup_->m; ++j) {
      const bool same = modes.slow(j) && modes.along(j, U_t) <= 1e-3 * modes.speed(j, U_t);
      if (j == i || same) modes.hurry(j);
    }
    modes.refresh(U_t);
    return;
  }
  resting_.clear();
  // Contacts that share their velocity with one that stops do so too, but for rounding.
  const double alike = repeats_ > 5 ? 1e3 : 10.0;
  for (int j = 0; j < setup_->m; ++j) {
    if (modes.slides(j) && (j == i || stops(j, alike))) resting_.push_back(j);
  }
  list_.assign(resting_.begin(), resting_.end());
  settle_resting();
  bool held = false;
  for (const int j : list_) {
    note(j, modes.sticks(j) ? EventKind::Sticking : EventKind::Sliding);
    held = held || modes.sticks(j);
  }
  if (!held) stalls_.add(time(), kInstant * setup_->time_scale);
  resting_.clear();
}

/// Contact i cannot be held any more. Not armed: it never could, since the start of the step.
void FrictionIntegrator::slip(int i, bool armed) {
  slips_.add(time(), kInstant * setup_->time_scale);
  FrictionModes& modes = step_.modes;
  const double* U_t = step_.U0.data() + setup_->m;
  if (armed && !modes.redundant()) {
    const double* f = events_.forces(step_, step_.rk.state(), step_.U0.data());
    modes.release(i, f + setup_->m, U_t);
    note(i, EventKind::Sliding);
    return;
  }
  list_.clear();
  for (int j = 0; j < setup_->m; ++j) {
    if (modes.sticks(j)) list_.push_back(j);
  }
  modes.remember();
  resting_.clear();
  modes.settle(resting_, beyond_.data(), U_t);
  bool any = false;
  for (const int j : list_) {
    if (!modes.slides(j)) continue;
    note(j, EventKind::Sliding);
    any = true;
  }
  if (any) return;
  // So near the limit that nothing is seen to slide: those do that are nearest to theirs, or
  // beyond, and those that slid slowly go on.
  modes.restore();
  const double* f = events_.forces(step_, step_.rk.state(), step_.U0.data());
  double most = 0.0;
  for (const int j : list_) most = std::max(most, modes.strain(j, f, f + setup_->m));
  for (const int j : list_) {
    if (modes.strain(j, f, f + setup_->m) < (1.0 - kBeyond) * most) continue;
    modes.release(j, f + setup_->m, U_t);
    note(j, EventKind::Sliding);
  }
}

}  // namespace percute::laws
