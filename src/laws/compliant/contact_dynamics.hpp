// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/instant_decision.hpp"
#include "contact/mechanism.hpp"
#include "laws/compliant/compliant_contact.hpp"
#include "numerics/bracketed_root.hpp"
#include "numerics/hybrid_integrator.hpp"

#include <vector>

namespace percute::laws {

/// Contacts at one state.
struct ContactView {
  std::vector<double> gap;  ///< m
  std::vector<double> U;    ///< m + t: gap rates, sliding velocities
  std::vector<double> F;    ///< m + t: normal forces, friction
  std::vector<double> a;    ///< m + t: accelerations; only where asked for
  std::vector<double> c;    ///< t: accelerations without friction; only where contacts stick

  void resize(int m, int t);
};

/// What may end a step.
struct ContactWatch {
  int contact = 0;
  ContactChange change = ContactChange::Close;
};

/// What errors and velocities are measured by.
struct ContactUnits {
  double speed = 1.0;      ///< vs, m/s
  double time = 1.0;       ///< T, shortest time of a compression, s
  double energy = 1.0;     ///< J
  double tolerance = 0.0;  ///< of steps, over the scales of the mechanism
};

/// Memory to work in.
struct ContactScratch {
  std::vector<char> loaded;      ///< m
  std::vector<double> margins;   ///< m, guards of friction
  std::vector<double> impulses;  ///< t
  std::vector<double> state;     ///< like the state
};

/// Contacts with compliant forces and Coulomb friction on a mechanism, frozen or moving: the
/// right-hand side, the events and what they change, as HybridIntegrator wants them. State: that of
/// the mechanism, then impulses P and P_t, the work W done on each contact, and where there is
/// friction the energy D that sliding has taken,
///
///     P' = F(δ, δ̇, memory),   P_t' = f,   W' = −F U,   D' = −f · U_t.
///
/// Whatever the event, all modes of friction are decided anew (contact::Coulomb).
class ContactDynamics : public numerics::HybridClient {
 public:
  using Integrator = numerics::HybridIntegrator<ContactDynamics>;

  ContactDynamics(contact::Mechanism& mechanism, const contact::FrictionRows& rows,
                  const Compliant& law);
  ContactDynamics(const ContactDynamics&) = delete;
  ContactDynamics& operator=(const ContactDynamics&) = delete;
  virtual ~ContactDynamics() = default;

  // What HybridIntegrator asks.
  bool slope(double time, double* y, double* out);
  double norm(const double* error);
  double longest_step();
  bool stiff();
  void stiff_frame(Matrix& B, Matrix& C);
  void stiff_part(Matrix& D);
  void stiff_drift(const double* slope, Vector& c);
  bool prepare_guards();
  int guards() const { return static_cast<int>(watches_.size()); }
  void evaluate_guards(double time, const double* y, double* g, int which);
  double unarmed(int k) const;
  Late late(int k, double g, double time) const;
  int looks(double h);
  void accept(const double* before, double* after);
  void measure(const double* y) { mechanism_.measure(y, false); }
  virtual double time_scale() const { return units_.time; }
  virtual void passed(double until) = 0;
  virtual bool interrupted() = 0;

  // What contact::InstantDecision asks.
  contact::Coulomb& friction() { return friction_; }
  const std::vector<double>& velocities() const { return now_.U; }
  const std::vector<double>& accelerations() const { return now_.a; }
  double force(int i) const { return now_.F[i]; }
  double force_ahead(int i, double way, double U) const;
  double first_force(int i, double d) const { return contact(i).law(d, 0.0, contact(i).memory); }
  const std::vector<double>& respond(const double* F);
  const double* drive(const double* F);
  bool compressed(int i) const { return unloaded(i, now_.gap[i]) < 0.0; }
  bool touches(int i) const { return contact(i).touching(); }
  double slow() const;
  void add_impulses(const double* p);
  void follow_jump(const std::vector<double>& before);
  void renew() { refresh(); }
  /// Friction of contact i has changed: it sticks now, or begins to slide.
  virtual void friction_changed(int i, bool sticks) = 0;

 protected:
  using Change = ContactChange;

  int m() const { return static_cast<int>(contacts_.size()); }
  int tangential() const { return friction_.rows().tangential(); }
  int impulse() const { return mechanism_.size(); }  ///< first P in the state; P_t follows
  int work() const { return impulse() + m() + tangential(); }
  int friction_loss() const { return work() + m(); }
  int size() const { return friction_loss() + (friction_.any() ? m() : 0); }
  CompliantContact& contact(int i) { return contacts_[static_cast<std::size_t>(i)]; }
  const CompliantContact& contact(int i) const { return contacts_[static_cast<std::size_t>(i)]; }
  double force(int i, double gap, double U) const { return contact(i).force(gap, U); }
  double stored(int i, double gap) const { return contact(i).stored(gap); }
  /// Energy lost in contact i at the present state, friction included.
  double lost(int i) const;

  const ContactWatch& watched(int k) const { return watches_[static_cast<std::size_t>(k)]; }
  /// Gaps, velocities and forces at a state.
  bool look(double time, const double* y, ContactView& view, bool all = true);
  /// The present state anew, after every change.
  bool refresh();
  /// Decides about friction of all contacts. False if infinite friction admits no motion: see
  /// without_solution().
  bool decide();
  /// Contact that infinite friction parts as it touches, or −1.
  int without_solution() const { return decision_.without_solution(); }
  /// How far contact i, with this gap, is from a load that could be felt, m: negative where it has
  /// one.
  double unloaded(int i, double gap) const;
  /// Contact whose force or gap rate is not finite now or at the state tried last, or −1.
  int undefined() const;
  /// Tells note(i, θ, F) where in the step, up to the part `until`, the forces of damped contacts
  /// are largest; those of others are at the end of compression.
  template <class Note>
  void find_peaks(double until, Note&& note);
  /// Goes on with friction as it was.
  void resume(const FrictionMemory& memory);

  /// Closes contact i.
  virtual void close(int i) = 0;
  /// Closes all contacts that touch and approach, together; with `resting` also those at rest.
  void close_touching(bool resting = false);
  /// Gap rates below it are rest: the end of a compression does not matter there, m/s.
  virtual double rest_rate() const { return 0.0; }

  const Compliant& law_;
  contact::Mechanism& mechanism_;
  std::vector<CompliantContact> contacts_;
  contact::Coulomb friction_;
  Integrator integrator_;
  ContactView now_;
  ContactView stage_;  ///< of the state tried last
  ContactUnits units_;
  long evaluations_ = 0;

 private:
  double least_indentation() const;
  void set_friction_scales();

  contact::InstantDecision decision_;
  ContactScratch scratch_;
  std::vector<ContactWatch> watches_;
  std::vector<int> stiff_;  ///< contacts
};

template <class Note>
void ContactDynamics::find_peaks(double until, Note&& note) {
  constexpr double kDifference = 1e-4;  // of dF/dθ on the dense output
  const double h = integrator_.step();
  for (int i = 0; i < m(); ++i) {
    if (!contact(i).touching() || !contact(i).law.damped()) continue;
    const auto F = [&](double theta) {
      look(integrator_.time() + theta * h, integrator_.inside(theta), stage_);
      return stage_.F[i];
    };
    const double d = kDifference * until;
    const auto growth = [&](double theta) { return F(theta + d) - F(theta - d); };
    if (!(growth(d) > 0.0 && growth(until - d) < 0.0)) continue;
    const double peak = numerics::bracketed_root(growth, d, until - d, 1e-14);
    note(i, peak, F(peak));
  }
}

}  // namespace percute::laws

// Compiled with contact_dynamics.cpp, for the runs of frozen and of moving bodies.
extern template class percute::numerics::HybridIntegrator<percute::laws::ContactDynamics>;
