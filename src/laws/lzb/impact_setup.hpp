// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/body_velocities.hpp"
#include "laws/lzb/contact_law.hpp"
#include "numerics/delassus_operator.hpp"

#include <vector>

namespace percute::laws {

/// What stays constant during one impact, in contact space. Vectors marked `lanes` are padded with
/// contacts that never touch.
struct ImpactSetup {
  void assign(const ImpactProblem& problem, const Lzb& law);
  /// The contacts `members` (ascending) of a larger impact, whose scales are kept. The others have
  /// the impulses P and exert no force; place[j] is where member j stands, −1 for all others.
  void assign(const ImpactSetup& whole, const std::vector<int>& members,
              const std::vector<int>& place, const std::vector<double>& P);

  int m = 0;                              ///< contacts
  int lanes = 0;                          ///< contacts after padding
  numerics::DelassusOperator G;           ///< m × m
  std::vector<double> U_before;           ///< lanes, gap rates U⁻, rounding noise snapped to 0
  std::vector<ContactLaw> contact;        ///< m
  std::vector<double> initial_energy;     ///< m, E0
  std::vector<double> effective_mass;     ///< m, m_i = 1/G_ii
  std::vector<double> indentation_scale;  ///< lanes, s_ξ: indentation reached by m_i at speed vs
  std::vector<double> spent;              ///< m, indentation whose energy is negligible
  std::vector<double> empty;              ///< m, the same beside what counts as motion
  std::vector<double> closest;            ///< m, distance of ξ from an event that counts as none
  std::vector<double> fastest;            ///< m, √(m_i/λ') at s_ξ: no motion below vs is faster
  std::vector<double> zero;               ///< lanes, zeros
  double velocity_scale = 0.0;            ///< vs
  double gap_rate_tol = 0.0;              ///< tol_U = 1e-10 vs: approach that may be left
  double noise = 0.0;                     ///< 1e-13 vs: gap rates below it are rounding
  double motion = 0.0;                    ///< gap rates below it do not count as motion
  double drive = 0.0;                     ///< approach below it drives no resting contact
  double asleep = 0.0;                    ///< loaded contacts slower than it may come to rest
  double impulse_scale = 0.0;             ///< max m_i vs
  double energy_scale = 0.0;              ///< Es = ½ vs² max m_i
  double time_scale = 0.0;                ///< t_s = min s_ξ / vs
  double time_ratio = 1.0;                ///< max s_ξ / min s_ξ
  bool tracked_gap = false;
  BodyVelocities bodies;  ///< used where U⁻ + G P would lose its digits

  // Where a state y = (ξ, P, Δv, τ, 0) has its parts; Δv is there if the bodies are used.
  int velocities() const { return 2 * lanes; }
  int clock() const { return 2 * lanes + bodies.size(); }
  double gap_rate(int i, const double* y) const {
    return U_before[i] +
           (bodies.used() ? bodies.gap_rate(i, y + velocities()) : G.row(i, y + lanes));
  }
  /// All of them, outside the unrolled paths.
  void gap_rates(const double* y, double* U) const {
    if (bodies.used()) {
      bodies.gap_rates(U_before.data(), y + velocities(), U);
    } else {
      G.apply(U_before.data(), y + lanes, U);
    }
  }
  /// Has U⁻ + G P with these impulses lost more digits than events allow?
  bool loses_digits(const double* P) const;

  /// Many contacts: is an approach to be ignored that the tolerance does not resolve?
  bool resolves_by_tolerance() const { return drive > noise; }

 private:
  void set_resolution(const Lzb& law);

  // Kept for their memory.
  SparseMatrix factor_;  ///< L⁻¹ W
  Vector diagonal_;      ///< of G
};

}  // namespace percute::laws
