// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

#include <vector>

namespace percute::laws {

/// The contacts of a large impact that are integrated; the rest stands still.
///
/// A wave in a long chain loads a handful of contacts at a time. Ahead of it nothing has happened,
/// behind it contacts are open and separate. Gap rates change by the forces of contacts that share
/// a body, so all that needs to be followed are the *live* contacts, which are loaded or driven
/// together, and those around them:
///
///     window = { contacts at most `margin` neighbours away from a live one }.
///
/// All other contacts are empty and keep their impulses, hence their gap rates. A contact on the
/// *rim* of the window has neighbours outside: once it is loaded, the window has to move. In
/// between it may have passed on gap rates below setup.motion, which drive nothing anyway.
///
/// Impacts with few contacts, those whose open gaps are tracked, and those that need the velocities
/// of the bodies, are one window.
class ActiveWindow {
 public:
  /// Neighbours taken in beside live contacts. With two layers the outer one feels a wave while the
  /// inner one is being loaded, and the window moves once per two contacts of a chain.
  int margin = 2;

  /// Around the contacts that are live at the start.
  void start(const ImpactSetup& whole, ContactPhases& phases);

  /// What is integrated: the whole impact, or the part of it inside the window.
  const ImpactSetup& setup() const { return moving_ ? part_ : *whole_; }
  bool moving() const { return moving_; }
  /// Where contact i of the impact stands in the window; −1 if it is outside.
  int place(int i) const { return moving_ ? place_[i] : i; }
  ContactSample outside_sample(int i, const ContactPhases& phases) const {
    return {.impulse = P_[i],
            .dissipated = whole_->contact[i].initial_energy + phases.absorbed_aside(i),
            .gap_rate = U_[i]};
  }

  /// Should the window move before the next step? `steps` counts the steps made.
  bool outdated(const ImpactInstant& now, long steps);
  /// Would a step that ends with these impulses pass on more to contacts outside than may be
  /// ignored? Then the window has to move, and will be wider.
  bool overrun(const double* P_trial);
  /// Moves it to where contacts are live now; the state goes on with what follows.
  void move(const ImpactInstant& now);
  double initial_indentation(int i) const { return xi_[members_[i]]; }
  double initial_impulse(int i) const { return P_[members_[i]]; }

  /// Largest |U| of the contacts outside.
  double fastest_outside() const;

  /// Ends the restriction: indentations, impulses and gap rates of all contacts.
  void finish(const ImpactInstant& now);
  const double* indentations() const { return xi_.data(); }
  const double* impulses() const { return P_.data(); }
  const std::vector<double>& gap_rates() const { return U_; }

 private:
  bool live(const ContactState& state, double xi, double U) const;
  void store(const ImpactInstant& now);
  void choose();
  void reach(int contact, int distance);

  const ImpactSetup* whole_ = nullptr;
  ImpactSetup part_;
  bool moving_ = false;
  int widening_ = 0;           ///< further neighbours, after an overrun
  long last_look_ = 0;         ///< step at which the live contacts were last counted
  std::vector<int> members_;   ///< contacts in the window, ascending
  std::vector<int> rim_;       ///< places of those with neighbours outside
  std::vector<int> place_;     ///< m, place of a contact in the window, −1 outside
  std::vector<int> distance_;  ///< m, scratch: distance to a live contact
  std::vector<int> reached_;   ///< contacts within the margin, in the order found
  std::vector<double> xi_;     ///< m, as of the last move
  std::vector<double> P_;      ///< m, likewise
  std::vector<double> U_;      ///< m, likewise
};

}  // namespace percute::laws
