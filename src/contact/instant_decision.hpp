// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/coulomb.hpp"
#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::contact {

/// Which normal forces a moment ahead: of contacts that are compressed or approach, or also of
/// those that only accelerations press together.
enum class Pressed { ByVelocity, ByAcceleration };

/// Everything that friction changes at one instant, for bodies with whatever law of normal forces:
/// sliding that infinite friction ends by an impulse, then the modes of all contacts
/// (Coulomb::decide). `Bodies` tells
///
///     friction()                 contact::Coulomb
///     velocities(), accelerations()   of all rows: gap rates, then sliding
///     force(i)                   normal force of contact i now
///     force_ahead(i, way, U)     the same where its gap has changed by `way`, at the rate U
///     first_force(i, d)          of a contact at rest, if it were indented by d
///     drive(F)                   accelerations of the tangential rows without friction
///     respond(F)                 of all rows, with friction in the present modes
///     compressed(i)              whether contact i is, by more than rounding
///     touches(i)                 whether its gap is closed
///     slow()                     gap rates below it are none
///     add_impulses(p)            adds impulses of the tangential rows; velocities follow
///     follow_jump(U)             closes contacts that touch and approach now, all together, where
///                                velocities were U
///     renew()                    velocities and accelerations in the new modes
///     friction_changed(i, sticks)
class InstantDecision {
 public:
  void resize(int contacts, int tangential) {
    forces_.assign(static_cast<std::size_t>(contacts), 0.0);
    impulses_.assign(static_cast<std::size_t>(tangential), 0.0);
    for (auto* v : {&pressed_, &undecided_}) v->assign(static_cast<std::size_t>(contacts), 0);
    modes_.reserve(static_cast<std::size_t>(contacts));
    without_solution_ = -1;
  }

  /// Contact that infinite friction parts as it touches, or −1.
  int without_solution() const { return without_solution_; }

  /// False if infinite friction admits no motion.
  template <class Bodies>
  bool decide(Bodies& bodies, double time) {
    const double ahead = bodies.friction().look_ahead(time);
    modes_.clear();
    for (int i = 0; i < count(); ++i) modes_.push_back(bodies.friction().mode(i));
    bool jumped = false;
    std::fill(pressed_.begin(), pressed_.end(), 0);
    // Contacts at rest that the new modes press together are asked as well, next.
    constexpr int kPasses = 8;
    for (int pass = 0; pass < kPasses; ++pass) {
      if (pass > 0) {
        const bool more = find_pressed(bodies, ahead);
        if (!more && !slides_infinite(bodies, ahead, Pressed::ByAcceleration)) break;
      }
      if (!stop_infinite(bodies, ahead, jumped)) return false;
      choose_modes(bodies, ahead, jumped || pass > 0);
      if (!bodies.friction().rows().infinite) break;
    }
    without_solution_ = -1;
    tell_changes(bodies);
    return true;
  }

 private:
  int count() const { return static_cast<int>(forces_.size()); }

  /// Infinite friction ends sliding by an impulse, as soon as there is a force. A contact that this
  /// parts before it has been compressed has no solution. Contacts that it makes touch do so at
  /// once, all together whatever their order, for stopping them makes the velocities jump again.
  /// Contacts at rest, pressed by accelerations alone, are last: others may part them before.
  template <class Bodies>
  bool stop_infinite(Bodies& bodies, double ahead, bool& jumped) {
    if (!bodies.friction().rows().infinite) return true;
    constexpr int kPasses = 8;
    for (int pass = 0; pass < kPasses; ++pass) {
      if (!slides_infinite(bodies, ahead, Pressed::ByVelocity) &&
          !slides_infinite(bodies, ahead, Pressed::ByAcceleration)) {
        return true;
      }
      before_ = bodies.velocities();
      bodies.add_impulses(impulses_.data());
      for (int i = 0; i < count(); ++i) {
        if (!(forces_[static_cast<std::size_t>(i)] > 0.0) || !infinite(bodies, i)) continue;
        const double U = bodies.velocities()[static_cast<std::size_t>(i)];
        const bool moved = std::abs(before_[static_cast<std::size_t>(i)] - U) > bodies.slow();
        without_solution_ = i;
        if (!bodies.compressed(i) && moved && !(U < -bodies.slow())) return false;
      }
      bodies.follow_jump(before_);
      jumped = true;
    }
    return false;  // drawn together while it is open, and apart as soon as it is held
  }

  template <class Bodies>
  static bool infinite(Bodies& bodies, int i) {
    return bodies.friction().rows().acts(i) && std::isinf(bodies.friction().rows().mu(i));
  }

  /// Whether contact i touches, and is neither compressed nor moves.
  template <class Bodies>
  static bool rests(Bodies& bodies, int i) {
    const double U = bodies.velocities()[static_cast<std::size_t>(i)];
    return bodies.touches(i) && !bodies.compressed(i) && std::abs(U) <= kGrip * bodies.slow();
  }

  /// Normal forces a moment ahead: contacts that have just closed have none yet, but ratios.
  /// Infinite friction holds what is about to open, if only for an instant.
  template <class Bodies>
  void look_ahead(Bodies& bodies, double ahead, Pressed pressed) {
    for (int i = 0; i < count(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double U = bodies.velocities()[k];
      const double a = pressed == Pressed::ByAcceleration ? bodies.accelerations()[k] : 0.0;
      forces_[k] = bodies.force_ahead(i, ahead * (U + 0.5 * ahead * a), U + ahead * a);
      if (!infinite(bodies, i)) continue;
      const double least = pressed_[k] != 0 ? std::numeric_limits<double>::min() : 0.0;
      if (!bodies.compressed(i) && U > bodies.slow()) {
        forces_[k] = 0.0;  // it opens, though it may be back within the moment
      } else if (rests(bodies, i) && !bodies.friction().sticks(i)) {
        // Accelerations in the modes so far say nothing, but find_pressed().
        forces_[k] = std::max(bodies.force_ahead(i, ahead * U, U), least);
      } else if (forces_[k] == 0.0) {
        forces_[k] = bodies.compressed(i) ? bodies.force(i) : least;
      }
    }
  }

  /// Contacts with infinite friction that touch at rest are held as soon as they are pressed. What
  /// has just begun to press them has no force yet, and when it has, it takes a while until a gap
  /// that changes like t^(n+2) tells; but its sign is known at once: that of their accelerations by
  /// forces a moment ahead. Those that these do not reach are pressed by what they press, and so
  /// on: forces of different orders, of which each first one decides. False if there is no more.
  template <class Bodies>
  bool find_pressed(Bodies& bodies, double ahead) {
    bool asked = false;
    for (int i = 0; i < count(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      undecided_[k] = rests(bodies, i) && pressed_[k] == 0 ? 1 : 0;
      asked = asked || (undecided_[k] != 0 && infinite(bodies, i));
    }
    if (!asked) return false;
    bool found = false;
    look_ahead(bodies, ahead, Pressed::ByVelocity);
    for (bool more = true; more;) {
      const std::vector<double>& a = bodies.respond(forces_.data());
      double scale = 0.0;
      for (const double part : a) scale = std::max(scale, std::abs(part));
      std::fill(forces_.begin(), forces_.end(), 0.0);
      more = false;
      for (int i = 0; i < count(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (undecided_[k] == 0 || !(std::abs(a[k]) > kStill * scale)) continue;
        undecided_[k] = 0;
        if (a[k] > 0.0) continue;
        forces_[k] = bodies.first_force(i, -0.5 * ahead * ahead * a[k]);
        more = more || forces_[k] > 0.0;
        if (!infinite(bodies, i)) continue;
        pressed_[k] = 1;
        found = true;
      }
    }
    return found;
  }

  /// Whether contacts with infinite friction slide and have a force; then impulses_ stop them.
  template <class Bodies>
  bool slides_infinite(Bodies& bodies, double ahead, Pressed pressed) {
    look_ahead(bodies, ahead, pressed);
    return bodies.friction().stop_infinite(forces_.data(), bodies.velocities().data() + count(),
                                           impulses_.data());
  }

  template <class Bodies>
  void choose_modes(Bodies& bodies, double ahead, bool jumped) {
    look_ahead(bodies, ahead, Pressed::ByAcceleration);
    bodies.friction().decide({.force = forces_.data(),
                              .velocity = bodies.velocities().data() + count(),
                              .acceleration = bodies.accelerations().data() + count(),
                              .drive = bodies.drive(forces_.data())},
                             impulses_.data());
    const bool stopped =
        std::any_of(impulses_.begin(), impulses_.end(), [](double p) { return p != 0.0; });
    if (stopped) bodies.add_impulses(impulses_.data());
    if (jumped || stopped || !same_modes(bodies.friction())) bodies.renew();
  }

  bool same_modes(const Coulomb& friction) const {
    for (int i = 0; i < count(); ++i) {
      const FrictionMode& was = modes_[static_cast<std::size_t>(i)];
      const FrictionMode& is = friction.mode(i);
      if (was.kind != is.kind || is.fresh || was.direction[0] * is.direction[0] < 0.0) return false;
    }
    return true;
  }

  template <class Bodies>
  void tell_changes(Bodies& bodies) {
    using Kind = FrictionMode::Kind;
    for (int i = 0; i < count(); ++i) {
      const FrictionMode& was = modes_[static_cast<std::size_t>(i)];
      const FrictionMode& is = bodies.friction().mode(i);
      const bool slid = was.kind == Kind::Slide && !was.fresh;
      if (slid && is.kind == Kind::Stick) bodies.friction_changed(i, true);
      const bool begins = is.kind == Kind::Slide && is.fresh;
      if (begins && (slid || was.kind == Kind::Stick)) bodies.friction_changed(i, false);
    }
  }

  std::vector<double> forces_;       ///< contacts, normal ones a moment ahead
  std::vector<double> impulses_;     ///< tangential rows
  std::vector<double> before_;       ///< all rows, velocities before a jump
  std::vector<char> pressed_;        ///< contacts: at rest, and held by infinite friction
  std::vector<char> undecided_;      ///< contacts: at rest, and not known to be pressed or parted
  std::vector<FrictionMode> modes_;  ///< contacts, before the decision
  int without_solution_ = -1;
};

}  // namespace percute::contact
