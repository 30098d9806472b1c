// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/coulomb_decision.hpp"
#include "contact/friction_rows.hpp"

#include <vector>

namespace percute::contact {

/// Contacts that are held together: A = L Lᵀ of their rows, and forces f that keep all of them from
/// sliding, A f = −c, where c is what drives them.
///
/// Their rows may be redundant (both corners of a block share one sliding velocity). Velocities do
/// not depend on how such contacts share the force, but the limits do: it is shared in proportion
/// to them. Which rows are independent is decided once, when they are gathered: where bodies move
/// forces are smooth as long as nothing is decided anew.
class StickSet {
 public:
  void assign(const FrictionRows& rows);
  /// Takes over who is held and factors the matrix of their rows.
  void gather(const std::vector<int>& contacts, const Mobility& A);
  /// The same contacts and the same independent rows with the matrix of another place.
  void move_to(const Mobility& A);
  /// Goes on with these independent rows: per row of all contacts its place among them, or −1.
  void resume(const std::vector<int>& contacts, const std::vector<int>& places, const Mobility& A);

  bool empty() const { return contacts_.empty(); }
  const std::vector<int>& contacts() const { return contacts_; }
  int size() const { return factor_.size(); }
  int rank() const { return factor_.rank(); }
  int row(int r) const { return factor_.row(r); }           ///< tangential row
  const std::vector<int>& begin() const { return begin_; }  ///< rows of contacts()[s]
  bool redundant() const { return rank() < size(); }
  /// Whether row r follows the independent ones.
  bool follows(int r) const { return place(r) < 0; }
  /// Tangential rows that follow. Held exactly only where they depend exactly on the others.
  const std::vector<int>& followers() const { return followers_; }
  int place(int r) const { return factor_.place(r); }
  /// Smallest part of its mobility that an independent row has for itself.
  double weakest() const { return factor_.weakest(); }
  /// How far row r is from following the independent ones, over what makes it one of them.
  double own(int r) const { return factor_.own(r); }
  const double* factor() const { return factor_.L(); }  ///< L, size × rank, by rows

  /// Equality alone, whatever the limits. c, f: one number per row of the set; limit: per contact
  /// of the set, only their ratios matter.
  void hold(const double* c, const double* limit, double* f);
  /// Whether |f_i| ≤ (1 + slack) limit_i for all.
  bool within(const double* f, const double* limit, double slack) const;

  /// Whether forces of the set hardly matter to its motion: redundant contacts, and those that are
  /// so but for a tilt.
  bool shares() const;
  /// Whether forces within the limits hold the set against c, and if so which: f. Proportional
  /// shares first; if they break a limit those of the last time, `shape`, which mostly hold as
  /// motion is smooth; else the convex problem tells. `shape`: f/limit of redundant contacts, or
  /// null where it is not kept.
  bool hold_within(const double* c, const double* limit, CoulombDecision& decision,
                   std::vector<double>* shape, double* f);
  /// Whether rows that follow the independent ones do so under forces f, by what a decision can
  /// tell from rest. Those of infinite friction do as long as nothing could stop them.
  bool dependents_follow(const double* c, const double* limit, const double* f);
  /// Whether forces f answer c but for rounding.
  bool balances(const double* c, const double* f) const;

 private:
  void list(const std::vector<int>& contacts);
  void combine();
  void share(const double* limit, double* f);
  double driven(int r, const double* c, const double* f, double& size) const;
  bool complete(const double* c, const double* limit, double* f);

  const FrictionRows* all_ = nullptr;
  std::vector<int> contacts_;
  RowFactor factor_;
  std::vector<int> begin_ = {0};
  std::vector<int> followers_;    ///< rows without a place there
  std::vector<double> N_;         ///< rank × size: all rows as combinations of the chosen ones
  std::vector<double> weighted_;  ///< rank × rank
  std::vector<double> total_;     ///< rank
  std::vector<double> left_;      ///< size: accelerations that forces leave
  std::vector<double> more_;      ///< size: forces
  Mobility A_;                    ///< of the place they were gathered at, or moved to
};

}  // namespace percute::contact
