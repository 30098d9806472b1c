// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/contact_force.hpp"

namespace percute::laws {

/// What may happen to a contact with a compliant force.
enum class ContactChange {
  Close,
  Release,         ///< the force has reached 0 and must not pull
  Reopen,          ///< the gap has opened
  Reload,          ///< a released contact pushes again
  Turn,            ///< off the loading curve
  Return,          ///< back to the curve it was on before
  Yield,           ///< on to the plastic curve
  CompressionEnd,  ///< of a force that does not mind
  Recompress,
  Pass,      ///< the smallest gap of a contact that does not close: nothing
  Friction,  ///< begins, stops or turns: see contact::Coulomb
};

/// Whether forces go on in another way.
constexpr bool is_felt(ContactChange change) {
  using enum ContactChange;
  return change != CompressionEnd && change != Recompress && change != Pass;
}

/// One contact with its force, what it remembers, and where it is between
///
///     Apart      no force until the gap has closed,
///     Touching   force of the present branch,
///     Released   still indented, but the force has reached 0 and must not pull.
///
/// Everything but friction, as functions of the gap and its rate U.
struct CompliantContact {
  enum class Mode { Apart, Touching, Released };

  ContactForce law;
  ContactMemory memory;
  Mode mode = Mode::Apart;
  bool compressing = false;

  bool touching() const { return mode == Mode::Touching; }
  double force(double gap, double U) const { return touching() ? law(-gap, -U, memory) : 0.0; }
  /// Energy that would come back.
  double stored(double gap) const { return touching() ? law.stored(-gap, memory) : 0.0; }

  /// Tells `visit` all changes that may come next, friction aside.
  template <class Visit>
  void watches(Compliant::Tension tension, Visit&& visit) const {
    if (mode == Mode::Apart) {
      visit(ContactChange::Close);
      return;
    }
    visit(ContactChange::Reopen);
    if (mode == Mode::Released) {
      visit(ContactChange::Reload);
      return;
    }
    using Branch = ContactMemory::Branch;
    const bool clamp = tension == Compliant::Tension::Clamp;
    if (memory.branch == Branch::Unloading || (clamp && !law.conservative())) {
      visit(ContactChange::Release);
    }
    if (law.hysteretic(memory.branch)) {
      visit(ContactChange::Turn);
    } else {
      visit(compressing ? ContactChange::CompressionEnd : ContactChange::Recompress);
    }
    if (memory.branch == Branch::Unloading) visit(ContactChange::Return);
    if (memory.branch == Branch::Loading && law.yields()) visit(ContactChange::Yield);
  }

  /// Positive before the change, negative after it. Not for Friction.
  double watch(ContactChange change, double gap, double U) const;
  /// What the change makes of mode and memory. Not for Friction.
  void apply(ContactChange change, double gap, double U, double minimum_speed);
};

}  // namespace percute::laws
