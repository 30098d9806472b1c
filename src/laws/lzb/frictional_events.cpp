// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional_run.hpp"

#include <algorithm>
#include <cmath>

// What may end a step of an impact with friction, and decisions about friction.

namespace percute::laws {

// ------------------------------------------------------------------------------------------ guards

void FrictionalRun::add_guards(int i) {
  const ContactState& s = phases()[i];
  double sign = 0.0;
  if (s.phase == Phase::Compressing) sign = -1.0;
  if (s.phase == Phase::Expanding || (s.phase == Phase::Open && !setup().tracked_gap)) sign = 1.0;
  if (sign != 0.0) {
    guards_.push_back(
        {.contact = i, .kind = Kind::GapRate, .sign = sign, .floor = 10.0 * setup().noise});
  }
  if (s.has_target && i != variable_.landing) {
    const bool above = s.phase == Phase::Expanding || (s.phase != Phase::Open && s.passive);
    guards_.push_back({.contact = i,
                       .kind = Kind::Target,
                       .sign = above ? 1.0 : -1.0,
                       .floor = setup().closest[i]});
  }
  const bool loaded = s.phase == Phase::Compressing || s.phase == Phase::Expanding;
  const bool unseen = friction().slides(i) && rows().size(i) == 2;
  if (rows().acts(i) && loaded && !unseen) {
    guards_.push_back({.contact = i, .kind = Kind::Friction, .floor = friction().unarmed(i)});
  }
}

bool FrictionalRun::prepare_guards() {
  if (guards_known_) return false;
  guards_known_ = true;
  guards_.clear();
  for (int i = 0; i < m(); ++i) add_guards(i);
  return true;
}

double FrictionalRun::guard_value(const ImpactGuard& guard, const double* y,
                                  const double* U) const {
  const int i = guard.contact;
  if (guard.kind == Kind::GapRate) return guard.sign * U[i];
  if (guard.kind == Kind::Target) return guard.sign * (y[i] - phases()[i].xi_target);
  if (!friction().slides(i)) return equations_.margin(i);
  return friction().mode(i).direction[0] * friction().sliding(i, U + m())[0] /
         setup().velocity_scale;
}

/// dg/dx for slopes and accelerations.
double FrictionalRun::guard_slope(const ImpactGuard& guard, const double* slope,
                                  const double* a) const {
  const int i = guard.contact;
  if (guard.kind == Kind::GapRate) return guard.sign * a[i] * slope[equations_.clock()];
  if (guard.kind == Kind::Target) return guard.sign * slope[i];
  return friction().mode(i).direction[0] * a[m() + rows().row(i)] * slope[equations_.clock()] /
         setup().velocity_scale;
}

void FrictionalRun::evaluate_guards(double /*x*/, const double* y, double* g) {
  const double* U = y == integrator_.trial() ? end_.U.data() : U_.data();
  if (U == U_.data()) equations_.velocities(y, U_.data());
  const bool forces = std::any_of(guards_.begin(), guards_.end(), [&](const ImpactGuard& guard) {
    return guard.kind == Kind::Friction && !friction().slides(guard.contact);
  });
  if (forces) equations_.find_margins(y, U);
  for (std::size_t k = 0; k < guards_.size(); ++k) g[k] = guard_value(guards_[k], y, U);
}

double FrictionalRun::unarmed(int k) const {
  return guards_[static_cast<std::size_t>(k)].floor;
}

auto FrictionalRun::late(int k, double g, double x) const -> Late {
  const ImpactGuard& guard = guards_[static_cast<std::size_t>(k)];
  if (guard.kind != Kind::Friction) {
    if (g >= -guard.floor) return Late::Ignore;
    // Just after a decision accelerations do not tell into which phase a contact at rest is driven.
    // Where the phase changes nothing, its motion does, later.
    const bool waits = guard.kind == Kind::GapRate && phases()[guard.contact].passive;
    return waits ? Late::AtEnd : Late::AtOnce;
  }
  const double end =
      variable_.time() ? time() + x - integrator_.time() : integrator_.trial()[equations_.clock()];
  const bool believed = end <= friction().decided() + friction().patience();
  return believed || g > -guard.floor ? Late::Ignore : Late::AtEnd;
}

/// The ends of a step tell whether something has happened in it, but for the forces of contacts
/// that stick, which are no part of the state.
int FrictionalRun::looks(double h) {
  constexpr int kForces = 3;
  constexpr int kDips = 8;
  int looks = 1;
  for (const ImpactGuard& guard : guards_) {
    const int i = guard.contact;
    if (guard.kind == Kind::Friction && !friction().slides(i)) {
      if (friction().sticks(i) && !std::isinf(rows().mu(i))) looks = std::max(looks, kForces);
      continue;
    }
    const double g0 = guard_value(guard, integrator_.state(), now_.U.data());
    const double g1 = guard_value(guard, integrator_.trial(), end_.U.data());
    if (g0 <= guard.floor || g1 <= 0.0) continue;
    const double d0 = h * guard_slope(guard, integrator_.slope(), now_.a.data());
    const double d1 = h * guard_slope(guard, integrator_.trial_slope(), end_.a.data());
    if (numerics::may_dip_below_zero(g0, d0, g1, d1)) looks = std::max(looks, kDips);
  }
  return looks;
}

bool FrictionalRun::linear(int k, double* w) {
  const ImpactGuard& guard = guards_[static_cast<std::size_t>(k)];
  const int i = guard.contact;
  if (guard.kind == Kind::Friction && !friction().slides(i)) return false;
  std::fill_n(w, equations_.size(), 0.0);
  if (guard.kind == Kind::Target) {
    w[i] = guard.sign;
    return true;
  }
  const bool slides = guard.kind == Kind::Friction;
  const double* row = rows().column(slides ? m() + rows().row(i) : i);
  const double factor =
      slides ? friction().mode(i).direction[0] / setup().velocity_scale : guard.sign;
  if (slides && friction().spatial()) {
    w[equations_.sliding() + rows().row(i)] = factor;
  } else {
    for (int j = 0; j < rows().rows; ++j) w[equations_.impulses() + j] = factor * row[j];
  }
  return true;
}

// --------------------------------------------------------------------------------------- decisions

void FrictionalRun::note(int i, EventKind kind) {
  ++counts_.friction_events;
  if (recorder_ == nullptr) return;
  const double xi = integrator_.state()[i];
  log_.push_back({.time = time(),
                  .contact = i,
                  .kind = kind,
                  .impulse = impulse()[i],
                  .gap_rate = now_.U[i],
                  .stored_energy = phases().stored_energy(i, xi),
                  .force = phases().force(i, xi)});
}

/// Adds impulses_, if any.
bool FrictionalRun::apply_impulses() {
  if (std::all_of(impulses_.begin(), impulses_.end(), [](double p) { return p == 0.0; })) {
    return false;
  }
  equations_.add_impulses(impulses_.data(), integrator_.state(), now_.U);
  return true;
}

/// The velocities have jumped, and phases with them. Open contacts that approach now are touched at
/// once, all together whatever their order, for stopping them would make the velocities jump again.
void FrictionalRun::follow_jump() {
  for (int i = 0; i < m(); ++i) {
    const Phase phase = phases()[i].phase;
    const double U = now_.U[i];
    if (std::abs(U) <= setup().motion) continue;
    double& xi = integrator_.state()[i];
    const ContactPoint at = instant().point(i);
    if (phase == Phase::Compressing && U > 0.0) {
      xi = phases().end_compression(i, at);
      const ContactState& after = phases()[i];
      const bool expands = after.phase == Phase::Expanding && after.xi_target == 0.0;
      // It had only just been touched.
      if (expands && xi <= setup().spent[i]) xi = phases().reach_target(i, instant().point(i));
    } else if (phase == Phase::Expanding && U < 0.0) {
      xi = phases().recompress(i, at);
    } else if (phase == Phase::Open && U < 0.0 &&
               (!setup().tracked_gap || xi >= -setup().spent[i])) {
      xi = phases().reenter(i, at);
    }
  }
}

/// Infinite friction ends sliding by an impulse, before there is any pressure. A contact that this
/// parts before it has been compressed has no solution.
bool FrictionalRun::stop_infinite(double ahead) {
  constexpr int kPasses = 8;
  for (int pass = 0; pass < kPasses; ++pass) {
    equations_.forces_ahead(integrator_.state(), now_, ahead, forces_.data());
    if (!equations_.friction().stop_infinite(forces_.data(), sliding_rates(), impulses_.data())) {
      return true;
    }
    U_ = now_.U;
    apply_impulses();
    for (int i = 0; i < m(); ++i) {
      if (!rows().acts(i) || !std::isinf(rows().mu(i)) || !(forces_[i] > 0.0)) continue;
      const bool unloaded = integrator_.state()[i] <= setup().spent[i];
      const bool moved = std::abs(U_[i] - now_.U[i]) > setup().gap_rate_tol;
      counts_.without_solution = i;
      if (unloaded && moved && !(now_.U[i] < -setup().gap_rate_tol)) return false;
    }
    follow_jump();
    settle(setup(), phases(), instant());
    refresh();
  }
  return false;  // drawn together while it is open, and apart as soon as it is held
}

/// Decides about friction of all contacts. False if infinite friction admits no motion.
bool FrictionalRun::decide() {
  const double ahead = equations_.friction().look_ahead(time());
  if (!stop_infinite(ahead)) return false;
  counts_.without_solution = -1;
  before_.clear();
  for (int i = 0; i < m(); ++i) before_.push_back(friction().mode(i));
  equations_.friction().decide({.force = forces_.data(),
                                .velocity = sliding_rates(),
                                .acceleration = a_t(),
                                .drive = equations_.drive(forces_.data())},
                               impulses_.data());
  const bool stopped = apply_impulses();
  using ModeKind = contact::FrictionMode::Kind;
  bool same = !stopped;
  for (int i = 0; i < m() && same; ++i) {
    const contact::FrictionMode& was = before_[static_cast<std::size_t>(i)];
    same = was.kind == friction().mode(i).kind && !friction().mode(i).fresh &&
           was.direction[0] * friction().mode(i).direction[0] >= 0.0;
  }
  if (!same) refresh();
  for (int i = 0; i < m(); ++i) {
    const contact::FrictionMode& was = before_[static_cast<std::size_t>(i)];
    const bool slid = was.kind == ModeKind::Slide && !was.fresh;
    if (slid && friction().sticks(i)) note(i, EventKind::Sticking);
    const bool begins = friction().slides(i) && friction().mode(i).fresh;
    if (begins && (slid || was.kind == ModeKind::Stick)) note(i, EventKind::Sliding);
  }
  return true;
}

}  // namespace percute::laws
