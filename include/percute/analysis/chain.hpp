// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <optional>
#include <vector>

namespace percute::analysis {

/// Balls in a row: bodies of one coordinate x, growing in one direction, whose contacts join
/// neighbours (gap rate v_{k+1} − v_k) or an end of the row to a wall. Balls and contacts are
/// numbered from 0 in the order of the row, whatever their order in the problem.
struct Chain {
  std::vector<int> balls;     ///< coordinates of the problem
  std::vector<int> contacts;  ///< contacts of the problem, walls included
  Vector masses;              ///< of the balls, kg
  bool wall_first = false;    ///< the first contact joins the first ball to a wall
  bool wall_last = false;     ///< the last contact joins the last ball to a wall

  int size() const { return static_cast<int>(balls.size()); }
  /// Ball before contact k of the row, −1 for a wall; the ball behind it is the next one.
  int ball_before(int contact) const { return contact - (wall_first ? 1 : 0); }
  /// Entries of a vector over the coordinates, in the order of the row.
  Vector of_balls(const Vector& coordinates) const;
  /// Entries of a vector over the contacts, in the order of the row.
  Vector of_contacts(const Vector& values) const;
};

/// The chain a problem is. Throws InvalidInput, naming the contact or coordinate that does not
/// fit; with `bodies` also where one has several coordinates.
Chain chain_of(const ImpactProblem& problem, const std::vector<Body>& bodies = {});

/// What became of the momentum and energy a chain was struck with. Forward is the direction of the
/// momentum before the impact (that of the row where it is zero).
struct ChainOutcome {
  double resolution = 0.0;                  ///< velocities up to this are no motion, m/s
  bool at_rest = false;                     ///< no ball is faster: e.g. a column has collapsed
  int forward_balls = 0;                    ///< those that are faster in the forward direction
  double forward_energy = 0.0;              ///< Σ T_i⁺ of these over T⁻
  double last_ball_energy = 0.0;            ///< T⁺ of the foremost ball over T⁻
  std::optional<double> energy_ratio = {};  ///< KER = T⁺/T⁻
  std::optional<double> dispersion = {};    ///< C_KE, see Indices; not where all are at rest
  Vector impulse_ratios = {};  ///< ICR_k = p_k/p_{k+1}, one per triple of balls (or wall)
};
/// The resolution is max(100 tolerance, 1e-6) of the largest |v⁻|, at least the residual velocity
/// of a cascade without end. Errors of v⁺ of lzb and compliant stay below 100 tolerances: what is
/// smaller may be noise. In long chains the velocities of the last balls that move forward fall
/// from 1e-5 to 1e-9 and on within two balls: a limit that went below 1e-6 with the tolerance
/// would count more of them for every finer one.
ChainOutcome outcome_of(const ImpactProblem& problem, const Chain& chain,
                        const ImpactResult& result, double tolerance = 0.0);

/// A column of balls that all moved towards a wall.
struct Rebound {
  int wall_contact = 0;  ///< of the problem
  /// e_eff = −Σ m v⁺ / Σ m v⁻, after all contacts have let go.
  double effective_restitution = 0.0;
  /// P_wall/|Σ m v⁻| − 1: the same, from the impulse of the wall.
  double impulse_restitution = 0.0;
  double top_velocity = 0.0;  ///< of the ball farthest from the wall, away from it, m/s
};
/// Nothing where there is not exactly one wall that all balls approach.
std::optional<Rebound> rebound_of(const ImpactProblem& problem, const Chain& chain,
                                  const ImpactResult& result);

}  // namespace percute::analysis
