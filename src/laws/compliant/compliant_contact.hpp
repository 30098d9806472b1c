// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/compliant.hpp>
#include <percute/model/contact_memory.hpp>

namespace percute::laws {

/// The force of one contact as a function of its indentation δ, its rate δ̇ and its memory. Curves
/// are continued smoothly, where they can be, beyond the point at which the contact lets go, so
/// that this point can be located from both sides.
class ContactForce {
 public:
  ContactForce() = default;
  /// Throws InvalidInput, naming the key of contact i, for parameters the force cannot use.
  ContactForce(const Material& material, Compliant::Force force, double effective_mass, int i);

  double operator()(double d, double rate, const ContactMemory& memory) const;

  /// Positive while the contact pushes; its zero is where the force changes sign. Without the
  /// factor of δ that vanishes at the start as well.
  double push(double d, double rate, const ContactMemory& memory) const;

  /// Energy that would come back if the contact unloaded from here without damping.
  double stored(double d, const ContactMemory& memory) const;

  /// Whether the first curve ends at a yield point, and where.
  bool yields() const { return yield_ > 0.0; }
  double yield() const { return yield_; }
  /// Whether the contact leaves the curve it is on when it stops being compressed.
  bool hysteretic(ContactMemory::Branch branch) const;
  /// Whether the force is a function of δ alone and vanishes with it.
  bool conservative() const;

  /// Whether the force depends on δ̇, so that it is largest before the end of compression.
  bool damped() const;

  /// Memory of a contact that closes at this speed.
  ContactMemory closed_at(double speed, double minimum_speed) const;
  /// Memory of a contact that stops being compressed at δ.
  void turn(double d, ContactMemory& memory) const;

  /// δ at which the loading curve has stored this energy: E = k δ^(n+1)/(n+1). Only for forces with
  /// precompressible().
  double indentation_of(double energy) const;
  /// Where 1e-24 of the energy of m* at this speed is stored: it can change a gap rate by 1e-12.
  double negligible_indentation(double speed) const;
  /// Whether an energy alone tells where on its curve a contact is.
  static bool precompressible(Compliant::Force force);

  /// Whether the force depends on the effective mass, which may change while bodies move.
  bool depends_on_mass() const { return force_ == Compliant::Force::Tsuji; }
  void set_mass(double effective_mass);
  double effective_mass() const { return mass_; }

  /// Duration scale of an impact at speed v: (m/(k v^(n−1)))^(1/(n+1)).
  double time_scale(double speed) const;
  /// Speed at which the contact settles under a constant acceleration a: a time_scale(v) = v.
  double settling_speed(double acceleration) const;

 private:
  double unloading(double d, const ContactMemory& memory) const;

  Compliant::Force force_ = Compliant::Force::Hertz;
  double k_ = 1.0;
  double n_ = 1.5;
  double c_ = 0.0;  ///< damping: c, χ or g; c or β √(m* k)
  double beta_ = 0.0;
  double e_ = 1.0;
  double k2_ = 0.0;
  double k3_ = 0.0;
  double yield_ = 0.0;        ///< δ_y
  double yield_force_ = 0.0;  ///< F_y
  double mass_ = 1.0;
  double modulus_ = 0.0;  ///< E*
  double radius_ = 0.0;   ///< R*
};

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

/// One contact with its force, what it remembers, and whether it touches.
///
/// Everything but friction, as functions of the gap and its rate U.
struct CompliantContact {
  using Mode = ContactMemory::Mode;

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

/// Throws InvalidInput, naming the key, for contacts the law cannot treat.
void check_applicable(const ImpactProblem& problem, const Compliant& law);

}  // namespace percute::laws
