// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::analysis {

/// Nesterenko's solitary wave (Prikl. Mekh. Tekh. Fiz. 24 (1983) 136–148; Dynamics of Heterogeneous
/// Materials, 2001, chapter 1): the long-wave limit of a chain of equal balls without
/// precompression whose contacts resist with K δ^η, η > 1,
///
///     v(x) = v_peak cos^(2/(η−1)) (π x/L),  |x| ≤ L/2,     L = π/(η−1) √(η(η+1)/6),
///     speed V = (2K/((η+1) m))^(1/(η+1)) v_peak^((η−1)/(η+1)),     F_peak = K (v_peak/V)^η,
///
/// with x and L in balls. For Hertz contacts cos⁴, L = 5π/√10 = 4.97 balls, V ~ v_peak^(1/5). The
/// wave of a real chain is discrete: it is 0.8 % slower and narrower, and its force 11 % smaller.
struct SolitaryWave {
  double peak_velocity = 0.0;  ///< v_peak, m/s
  double exponent = 1.5;       ///< η
  double speed = 0.0;          ///< V, balls per second
  double peak_force = 0.0;     ///< N
  double support = 0.0;        ///< L, balls
  double half_width = 0.0;     ///< full width at half maximum of the velocity, balls

  /// v at x balls from the maximum, m/s.
  double velocity(double x) const;
};

/// Throws InvalidInput unless mass, stiffness and peak velocity are positive and η > 1.
SolitaryWave solitary_wave(double mass, double stiffness, double exponent, double peak_velocity);

}  // namespace percute::analysis
