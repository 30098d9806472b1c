// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <Eigen/Core>

#include <array>
#include <cmath>

namespace percute::numerics {

/// Collocation at the five points of Radau: method IIA, order 9 (Hairer and Wanner, Solving
/// Ordinary Differential Equations II, IV.5 and IV.8).
struct RadauTable {
  static constexpr int kStages = 5;
  using Square = Eigen::Matrix<double, kStages, kStages>;
  using Row = Eigen::Matrix<double, kStages, 1>;

  /// Zeros of d⁴/dc⁴ c⁴ (c − 1)⁵.
  static constexpr std::array<double, kStages> kNodes{
      0.05710419611451768219312119, 0.2768430136381238276800460, 0.5835904323689168200566977,
      0.8602401356562194478479129, 1.0};
  /// Weight γ of the slope at the start in the error estimate: one over the real eigenvalue of a⁻¹,
  /// as Hairer and Wanner choose it (IV.8).
  static constexpr double kStart = 1.0 / 6.286704751729317;

  Square a;        ///< Σ_j a_kj c_j^(q−1) = c_k^q/q
  Square twice;    ///< a²
  Square inverse;  ///< a⁻¹
  Row estimate;    ///< Σ_j d_j c_j^(q−1) = −γ for q = 1, else 0: γ f₀ + Σ_j d_j f_j has order 5

  /// Factor by which a step of this error could have been longer.
  static double growth(double error) { return std::pow(error, -1.0 / (kStages + 1)); }

  RadauTable();
};

const RadauTable& radau_table();

}  // namespace percute::numerics
