// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/coulomb_decision.hpp"
#include "contact/stick_set.hpp"
#include "numerics/hybrid_client.hpp"

#include <percute/model/contact_memory.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace percute::contact {

/// Why a run that ends so does not terminate.
constexpr const char* kWedged =
    "the bodies have come to rest, wedged by friction between contacts still compressed";

/// |x|, x one number or two.
inline double length(const double* x, int n) {
  return n == 1 ? std::abs(x[0]) : std::hypot(x[0], x[1]);
}

/// What tolerances refer to.
struct FrictionScales {
  double speed = 1.0;      ///< vs, m/s
  double time = 1.0;       ///< T, s
  double tolerance = 0.0;  ///< of the velocities in a step, over vs
  double instant = 0.0;    ///< no step is shorter, s
};

/// What a decision is made of: all tangential rows, or all contacts.
struct FrictionOutlook {
  const double* force = nullptr;         ///< F of each contact, a moment ahead, N
  const double* velocity = nullptr;      ///< U_t now, m/s
  const double* acceleration = nullptr;  ///< of U_t now, in the modes so far, m/s²
  const double* drive = nullptr;         ///< c, accelerations without friction, a moment ahead
};

/// Memory to work in.
struct FrictionScratch {
  std::vector<int> list;      ///< contacts
  std::vector<double> limit;  ///< contacts of a set
  std::vector<double> c;      ///< rows of a set
  std::vector<double> f;      ///< rows of a set
  std::vector<double> drive;  ///< tangential rows: accelerations
  std::vector<double> size;   ///< tangential rows: the sizes of what they are made of
};

/// Coulomb's friction of all contacts, where normal forces are a part of the state: between
/// decisions who slides and who sticks is frozen, and forces are smooth functions of the state; at
/// every event, of whatever kind and contact, decide() chooses all modes anew by one convex problem
/// (CoulombDecision) over a short time δ,
///
///     minimise ½ δ fᵀ A f + fᵀ (U_t + δ c),   |f_i| ≤ μ_i F_i.
///
/// It does not depend on the order of contacts; twins stop together, and contacts without force
/// yet, simultaneous stops, reversals and infinite friction need no rule of their own.
class Coulomb {
 public:
  using Kind = FrictionMode::Kind;

  Coulomb() = default;
  Coulomb(const Coulomb&) = delete;  // what sticks knows the rows of this object
  Coulomb& operator=(const Coulomb&) = delete;
  Coulomb(Coulomb&&) = delete;
  Coulomb& operator=(Coulomb&&) = delete;
  ~Coulomb() = default;
  /// `regularisation`: v_reg of f = −μ F U_t/max(|U_t|, v_reg) instead of Coulomb's law; then
  /// there are no modes.
  Coulomb(const FrictionRows& rows, std::optional<double> regularisation) {
    assign(rows, regularisation);
  }
  void assign(const FrictionRows& rows, std::optional<double> regularisation);

  const FrictionRows& rows() const { return rows_; }
  bool any() const { return rows_.tangential() > 0; }
  bool decides() const { return any() && !regularisation_; }
  const FrictionMode& mode(int i) const { return modes_[static_cast<std::size_t>(i)]; }
  bool slides(int i) const { return mode(i).kind == Kind::Slide; }
  bool sticks(int i) const { return mode(i).kind == Kind::Stick; }
  bool any_sticks() const { return !stick_.empty(); }
  bool redundant() const { return stick_.redundant(); }                     ///< of those that stick
  const std::vector<int>& followers() const { return stick_.followers(); }  ///< their rows
  void turn_off(int i);

  void set_scales(const FrictionScales& scales) { scales_ = scales; }
  /// Normal forces may pull: then there is no friction.
  void allow_tension() { tension_ = true; }
  /// The mobility of all rows here, kept by the caller until the next call. Which rows of those
  /// that stick are independent stays as decided.
  void move_to(const Mobility& A);

  /// Tangential forces f, with normal forces F, in the present modes. c: accelerations without
  /// friction; read only where any_sticks().
  void forces(const double* F, const double* U_t, const double* c, double* f);
  /// U_t of contact i as its friction sees it.
  std::array<double, 2> sliding(int i, const double* U_t) const;

  /// Guards, one per contact, positive while its mode lasts; F, U_t, c, f of one state. Infinite
  /// friction begins as soon as there is a force: for that there is none.
  void guards(const double* F, const double* U_t, const double* c, const double* f, double* g);
  /// Guards above −floor() say nothing.
  double floor(int i) const;
  /// A guard below this at the start of a step has not risen yet. What was just decided to stick,
  /// or to have no force, may be at its limit, and is believed for patience().
  double unarmed(int i, double time) const;
  /// What to do about a guard g < 0 of contact i that has not risen in a step: see HybridClient.
  numerics::HybridClient::Late late(int i, double g, double from, double to) const;

  /// Whether friction keeps contacts compressed against each other: nothing has just been decided,
  /// no velocity U is above `slow`, and no acceleration a is what forces could give, `push`.
  bool wedges(const std::vector<double>& U, const std::vector<double>& a, double slow, double push,
              double time) const;

  /// Sliding in space has no guard: whether, at the start of a step, some of it has come to rest.
  bool died(const double* U_t, const double* a_t);
  /// Longest step in which sliding in space, once under way, slows down to a tenth and not further,
  /// s.
  double longest_step(const double* U_t, const double* a_t) const;
  /// Contacts whose direction of sliding turns much faster than anything else happens.
  bool stiff(const double* F, const double* U_t, const double* a_t, std::vector<int>& contacts);
  /// D = ∂f/∂U_t of these contacts, which slide in space, where normal forces are F.
  void turning(const std::vector<int>& contacts, const double* F, const double* U_t,
               Matrix& D) const;
  /// Forces of contacts that stick in answer to forces f of others: fills their rows.
  void respond(double* f);

  /// Begins a decision: how far ahead forces are to be looked at, s.
  double look_ahead(double time);
  /// Impulses p (rows) by which infinite friction ends sliding as soon as there is a force. False
  /// if nothing slides so.
  bool stop_infinite(const double* F, const double* U_t, double* p);
  /// Decides about all contacts. p: impulses (rows) that end what is left of the sliding of those
  /// that stick.
  void decide(const FrictionOutlook& outlook, double* p);
  void count_from(double time) { decided_ -= time; }  ///< what is `time` now will be 0
  double decided() const { return decided_; }         ///< when, s
  int again() const { return again_; }                ///< decisions at that instant, less one
  FrictionMemory memory() const;
  /// Goes on as it was, at a place with this mobility.
  void resume(const FrictionMemory& memory, const Mobility& A);
  double patience() const;  ///< for how long it must be believed, s
  bool believed(double time) const { return time <= decided_ + patience(); }
  /// In which time what was decided twice at one instant must show, s.
  double soon() const { return 10.0 * patience(); }

  // Impulses as states have them: normal ones of all contacts, then those of the tangential rows.

  /// Changes the shares of redundant contacts that stick in what a step has added, so that they
  /// keep their limits. Velocities do not change.
  void share(const double* from, double* to);
  /// Adds −part f·U_t of each contact to `loss`, what friction takes from the motion.
  void add_losses(const double* f, const double* U_t, double part, double* loss) const;

 private:
  double rest() const;
  double least_force(int i) const;
  double limit(int i, double F) const;
  double speed(int i, const double* U_t) const;
  void hold_against(const double* c, double* f);
  void guard_limits(const double* F, const double* c, const double* f, double* g);
  void guard_dependents(const double* U_t, double* g) const;
  double weigh_candidates(const FrictionOutlook& outlook, double fast);
  std::array<double, 2> direction_ahead(int i, const FrictionOutlook& outlook) const;
  bool settle(const FrictionOutlook& outlook, double delta, double scale);
  void list_sticking();
  void gather_sticking();
  void hold_dependent(const double* U_t);
  void stop(StickSet& set, const double* U_t, double* p);

  FrictionRows rows_;
  std::optional<double> regularisation_;
  bool tension_ = false;
  FrictionScales scales_;
  Mobility A_;
  std::vector<FrictionMode> modes_;
  StickSet stick_;         ///< contacts that stick
  bool gathered_ = false;  ///< stick_ is that of modes_
  StickSet candidates_;    ///< contacts a decision is about
  CoulombDecision decision_;
  double decided_ = -std::numeric_limits<double>::infinity();
  int again_ = 0;              ///< decisions at this instant
  std::vector<double> shape_;  ///< f/limit of sticking redundant contacts, the last time they held
  FrictionScratch scratch_;
};

}  // namespace percute::contact
