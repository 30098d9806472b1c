// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_law.hpp"

#include <percute/numerics/delassus_operator.hpp>

#include <vector>

namespace percute::laws {

/// What stays constant during one impact, in contact space. Vectors marked `lanes` are padded with
/// contacts that never touch.
struct ImpactSetup {
  void assign(const ImpactProblem& problem, const Lzb& law);

  int m = 0;                              ///< contacts
  int lanes = 0;                          ///< contacts after padding
  numerics::DelassusOperator G;           ///< m × m
  std::vector<double> U_before;           ///< lanes, gap rates U⁻, rounding noise snapped to 0
  std::vector<ContactLaw> contact;        ///< m
  std::vector<double> initial_energy;     ///< m, E0
  std::vector<double> effective_mass;     ///< m, m_i = 1/G_ii
  std::vector<double> indentation_scale;  ///< lanes, s_ξ: indentation reached by m_i at speed vs
  std::vector<double> spent;              ///< m, indentation whose energy is negligible
  std::vector<double> closest;            ///< m, distance of ξ from an event that counts as none
  std::vector<double> fastest;            ///< m, √(m_i/λ') at s_ξ: no motion below vs is faster
  std::vector<double> zero;               ///< lanes, zeros
  double velocity_scale = 0.0;            ///< vs
  double gap_rate_tol = 0.0;              ///< tol_U = 1e-10 vs: what counts as motion
  double noise = 0.0;                     ///< 1e-13 vs: gap rates below it drive nothing
  double impulse_scale = 0.0;             ///< max m_i vs
  double energy_scale = 0.0;              ///< Es = ½ vs² max m_i
  double time_scale = 0.0;                ///< t_s = min s_ξ / vs
  bool tracked_gap = false;

 private:
  // Kept for their memory.
  SparseMatrix factor_;  ///< L⁻¹ W
  Vector diagonal_;      ///< of G
};

}  // namespace percute::laws
