// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/chain.hpp>

#include <optional>
#include <vector>

namespace percute::analysis {

/// The instant at which a ball is fastest.
struct VelocityPeak {
  double time = 0.0;      ///< s
  double velocity = 0.0;  ///< along the row, m/s
  double after = 0.0;     ///< the samples beside it: the peak lies between these instants
  double before = 0.0;
};

/// Velocities of the balls of a chain at any instant of an impact, from the samples of its history.
/// Forces give the accelerations, m_k v̇_k = λ_behind − λ_ahead, so that between two samples v is
/// the cubic with the right ends and slopes; its error falls with the fourth power of their
/// distance.
class ChainMotion {
 public:
  /// Needs a history; throws InvalidInput without one.
  ChainMotion(const Chain& chain, const ImpactHistory& history);

  double end() const { return time_[time_.size() - 1]; }  ///< of the history, s
  /// Of a ball of the row; before the first sample that of the first, after the last of the last.
  double velocity(int ball, double time) const;
  Vector velocities(double time) const;  ///< of all balls: a profile
  /// Largest velocity in a direction, +1 or −1 along the row.
  VelocityPeak peak(int ball, double direction = 1.0) const;
  /// The same between two instants.
  VelocityPeak peak(int ball, double direction, double from, double to) const;
  /// Instant from `from` on, forwards or backwards in time, at which direction · v falls to
  /// `level`. Nothing where it does not.
  std::optional<double> falls_to(int ball, double level, double direction, double from,
                                 bool backwards) const;

 private:
  double inside(int ball, Eigen::Index k, double time) const;  ///< between samples k and k + 1
  Eigen::Index sample_before(double time) const;

  Vector time_;
  Matrix velocity_;      ///< balls × samples
  Matrix acceleration_;  ///< balls × samples
};

/// Velocities and forces over the row and time, at instants that were recorded.
struct SpaceTime {
  Vector time;      ///< s
  Matrix velocity;  ///< balls × instants, m/s
  Matrix force;     ///< contacts × instants, N
};
/// The samples nearest to the given instants. After the end nothing changes any more.
SpaceTime space_time(const Chain& chain, const ImpactResult& result,
                     const std::vector<double>& instants);

}  // namespace percute::analysis
