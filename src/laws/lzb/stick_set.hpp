// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/friction_setup.hpp"

#include <percute/numerics/stick_forces.hpp>

#include <vector>

namespace percute::laws {

/// The contacts that stick at present, together: forces f that keep all of them from sliding,
/// A f = −c, where c is what drives them.
///
/// Their rows may be redundant (both corners of a block share one sliding velocity). Velocities do
/// not depend on how such contacts share the force, but the limits do: it is shared in proportion
/// to them.
class StickSet {
 public:
  void assign(const FrictionSetup& setup);
  /// Takes over who sticks and factors the matrix of their rows.
  void gather(const std::vector<int>& contacts);

  bool empty() const { return contacts_.empty(); }
  const std::vector<int>& contacts() const { return contacts_; }
  int size() const { return static_cast<int>(rows_.size()); }
  int row(int r) const { return rows_[static_cast<std::size_t>(r)]; }  ///< tangential row
  int begin(std::size_t s) const { return begin_[s]; }                 ///< rows of contacts()[s]
  int length(std::size_t s) const { return begin_[s + 1] - begin_[s]; }
  bool redundant() const { return static_cast<int>(chosen_.size()) < size(); }

  /// Equality alone, whatever the limits. c, f: one number per row of the set; limit: per contact.
  void hold(const double* c, const double* limit, double* f);
  /// Whether |f_i| ≤ limit_i for all.
  bool within(const double* f, const double* limit) const;
  /// The forces within the limits that hold as much as they can, and the accelerations A f + c that
  /// are left. Contacts that are left with one begin to slide along it.
  void hold_within(const double* c, const double* limit, double* f, double* rate);
  bool slides(std::size_t s, const double* c, const double* limit, const double* rate) const;

 private:
  void factor();
  bool sweep(const double* c, const double* limit, double* f) const;
  bool share_as_before(const double* c, const double* limit, double* f);
  void remember(const double* limit, const double* f);
  double at(int r, int s) const { return setup_->coupling(row(r), row(s)); }

  const FrictionSetup* setup_ = nullptr;
  std::vector<int> contacts_;
  std::vector<int> rows_;
  std::vector<int> begin_;
  std::vector<int> chosen_;  ///< independent rows, in the order of the factor
  std::vector<double> L_;    ///< size × rank: A = L Lᵀ; its chosen rows are lower triangular
  std::vector<double> N_;    ///< rank × size: all rows as combinations of the chosen ones
  std::vector<double> left_;
  std::vector<double> weighted_;  ///< rank × rank
  std::vector<double> total_;     ///< rank

  std::vector<double> shape_;  ///< f/limit of the last redundant forces found within their limits
  bool remembers_ = false;
  std::vector<double> shared_;
  std::vector<double> lacking_;

  // Where sweeps do not settle it.
  numerics::StickSolver solver_;
  numerics::StickProblem problem_;
  numerics::StickForces solution_;
};

}  // namespace percute::laws
