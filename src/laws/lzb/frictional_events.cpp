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
  for_each_watch(setup(), phases(), i, variable_.landing,
                 [&](const Watch& watch) { guards_.push_back(watch); });
  const bool loaded = s.phase == Phase::Compressing || s.phase == Phase::Expanding;
  const bool holds = rows().acts(i) && std::isinf(rows().mu(i));
  if (holds && (s.phase == Phase::Resting || (loaded && !friction().sticks(i)))) {
    const Watch pressed{.contact = i, .kind = Kind::Pressed};
    const bool armed = guard_value(pressed, integrator_.state(), now_.U.data()) > 0.0;
    if (armed) guards_.push_back(pressed);
  }
  const bool unseen = friction().slides(i) && rows().size(i) == 2;
  if (rows().acts(i) && loaded && !unseen) {
    guards_.push_back({.contact = i, .kind = Kind::Friction, .floor = friction().floor(i)});
  }
}

bool FrictionalRun::prepare_guards() {
  if (guards_known_) return false;
  guards_known_ = true;
  guards_.clear();
  for (int i = 0; i < m(); ++i) add_guards(i);
  return true;
}

double FrictionalRun::guard_value(const Watch& guard, const double* y, const double* U) const {
  const int i = guard.contact;
  if (guard.kind == Kind::GapRate || guard.kind == Kind::Target) return guard.value(phases(), y, U);
  if (guard.kind == Kind::Pressed) {
    // Slower contacts would be put to rest again.
    const double moves = (U[i] + 2.0 * setup().rest) * friction().patience();
    return std::max(least_indentation() - y[i], moves);
  }
  if (!friction().slides(i)) return equations_.margin(i);
  return friction().mode(i).direction[0] * friction().sliding(i, U + m())[0] /
         setup().velocity_scale;
}

/// dg/dx for slopes and accelerations.
double FrictionalRun::guard_slope(const Watch& guard, const double* slope, const double* a) const {
  const int i = guard.contact;
  const double pace = slope[equations_.clock()];
  if (guard.kind != Kind::Friction) return guard.slope(slope, a, pace);
  return friction().mode(i).direction[0] * a[m() + rows().row(i)] * pace / setup().velocity_scale;
}

void FrictionalRun::evaluate_guards(double /*x*/, const double* y, double* g) {
  const double* U = y == integrator_.trial() ? end_.U.data() : U_.data();
  if (U == U_.data()) equations_.velocities(y, U_.data());
  const bool forces = std::any_of(guards_.begin(), guards_.end(), [&](const Watch& guard) {
    return guard.kind == Kind::Friction && !friction().slides(guard.contact);
  });
  if (forces) equations_.find_margins(y, U);
  for (std::size_t k = 0; k < guards_.size(); ++k) g[k] = guard_value(guards_[k], y, U);
}

double FrictionalRun::unarmed(int k) const {
  const Watch& guard = guards_[static_cast<std::size_t>(k)];
  return guard.kind == Kind::Friction ? friction().unarmed(guard.contact, time()) : guard.floor;
}

auto FrictionalRun::late(int k, double g, double x) const -> Late {
  const Watch& guard = guards_[static_cast<std::size_t>(k)];
  if (guard.kind != Kind::Friction) {
    if (g >= -guard.floor) return Late::Ignore;
    // Just after a decision accelerations do not tell into which phase a contact at rest is driven.
    // Where the phase changes nothing, its motion does, later.
    const bool waits = guard.kind == Kind::GapRate && phases()[guard.contact].passive;
    return waits ? Late::AtEnd : Late::AtOnce;
  }
  const double end =
      variable_.time() ? time() + x - integrator_.time() : integrator_.trial()[equations_.clock()];
  return friction().late(guard.contact, g, time(), end);
}

/// The ends of a step tell whether something has happened in it, but for the forces of contacts
/// that stick, which are no part of the state.
int FrictionalRun::looks(double h) {
  constexpr int kForces = 3;
  constexpr int kDips = 8;
  int looks = 1;
  for (const Watch& guard : guards_) {
    const int i = guard.contact;
    if (guard.kind == Kind::Friction && !friction().slides(i)) {
      if (friction().sticks(i) && !std::isinf(rows().mu(i))) looks = std::max(looks, kForces);
      continue;
    }
    if (guard.kind == Kind::Pressed) continue;
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
  const Watch& guard = guards_[static_cast<std::size_t>(k)];
  const int i = guard.contact;
  if (guard.kind == Kind::Pressed) return false;
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
  if (slides && friction().rows().spatial) {
    w[equations_.sliding() + rows().row(i)] = factor;
  } else {
    for (int j = 0; j < rows().rows; ++j) w[equations_.impulses() + j] = factor * row[j];
  }
  return true;
}

// --------------------------------------------------------------------------------------- decisions

int FrictionalRun::without_solution() const {
  return closes_and_opens_ >= 0 ? closes_and_opens_ : decision_.without_solution();
}

void FrictionalRun::friction_changed(int i, bool sticks) {
  ++counts_.friction_events;
  if (recorder_ == nullptr) return;
  const double xi = integrator_.state()[i];
  log_.push_back({.time = time(),
                  .contact = i,
                  .kind = sticks ? EventKind::Sticking : EventKind::Sliding,
                  .impulse = impulse()[i],
                  .gap_rate = now_.U[i],
                  .stored_energy = phases().stored_energy(i, xi),
                  .force = phases().force(i, xi)});
}

const std::vector<double>& FrictionalRun::respond(const double* F) {
  equations_.respond(F, now_.U.data(), U_.data());
  return U_;
}

void FrictionalRun::add_impulses(const double* p) {
  equations_.add_impulses(p, integrator_.state(), now_.U);
}

void FrictionalRun::follow_jump(const std::vector<double>& /*before*/) {
  follow_phases();
  settle(instant());
  refresh();
}

/// The velocities have jumped, and phases with them. Open contacts that approach now are touched at
/// once, all together whatever their order, for stopping them would make the velocities jump again.
void FrictionalRun::follow_phases() {
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
      if (expands && xi <= setup().contact[i].spent)
        xi = phases().reach_target(i, instant().point(i));
    } else if (phase == Phase::Expanding && U < 0.0) {
      xi = phases().recompress(i, at);
    } else if (phase == Phase::Open && U < 0.0 &&
               (!setup().tracked_gap || xi >= -setup().contact[i].spent)) {
      xi = phases().reenter(i, at);
    }
  }
}

}  // namespace percute::laws
