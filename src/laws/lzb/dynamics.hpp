// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

#include <cmath>
#include <vector>

namespace percute::laws {

/// Right-hand side of the LZB dynamics for frozen phases, in one of two independent variables.
///
/// State y = (ξ, P, τ, 0): indentations and impulses (`lanes` of each), pseudo-time, padding.
///
///     dξ/dτ = −gain U,   dP/dτ = λ(ξ),   U = U⁻ + G P
///
/// Hertz contacts start and end with ξ^(3/2), which is smooth in √τ and √ξ only. Hence
///   * time mode:    τ = τ₀ + x^k, k = 2 where a Hertz contact starts at τ₀, k = 1 if nothing
///                   singular starts;
///   * landing mode: x = ξ_i^(1/k) runs down to 0 and ends exactly at the opening of contact i.
///
/// evaluate<Lanes>() treats all contacts alike, without branches, from flat arrays that follow from
/// the phases; the few that need more (odd exponents, gaps about to open) are seen to afterwards.
class LzbDynamics {
 public:
  void assign(const ImpactSetup& setup, const ContactPhases& phases);

  int size() const { return 2 * setup_->lanes + 2; }
  long evaluations() const { return evaluations_; }
  /// Gap rates at the last evaluation.
  const std::vector<double>& gap_rates() const { return U_; }
  /// −gain of every contact, `lanes` of them.
  const double* minus_gains() const { return rows_.data() + MinusGain * setup_->lanes; }

  /// Takes over the phases if they have changed.
  void follow_phases() {
    if (phases_->revision() != revision_) refresh();
  }

  void use_time(int k) {
    k_ = k;
    landing_ = -1;
  }
  /// The rate of contact i must stay within a factor of its present one for the landing to be
  /// valid.
  void use_landing(int i, double present_rate) {
    landing_ = i;
    k_ = setup_->contact[i].radical();
    slowest_ = 0.05 * std::abs(present_rate);
  }
  int landing() const { return landing_; }
  int radical() const { return k_; }

  /// Slopes f = dy/dx. False where they are not defined: a spent contact with a fractional exponent
  /// is asked for more, or the landing contact does not move towards its opening. Lanes = 0: any
  /// number.
  template <int Lanes>
  bool evaluate(double x, double* y, double* f) {
    ++evaluations_;
    const int lanes = Lanes > 0 ? Lanes : setup_->lanes;
    if (landing_ >= 0) y[landing_] = power(x, k_);
    setup_->G.template apply<Lanes>(setup_->U_before.data(), y + lanes, U_.data());

    using Array = Eigen::Array<double, (Lanes > 0 ? Lanes : Eigen::Dynamic), 1>;
    const auto row = [&](Row r) {
      return Eigen::Map<const Array>(rows_.data() + r * lanes, lanes);
    };
    const Eigen::Map<const Array> xi(y, lanes);
    const Eigen::Map<const Array> U(U_.data(), lanes);
    Eigen::Map<Array> rate(f, lanes);
    Eigen::Map<Array> force(f + lanes, lanes);
    rate = (row(MinusGain) * U - row(Inertia)).max(row(LeastRate));
    force = row(Hertz) * xi.max(0.0) * xi.max(0.0).sqrt();
    if (polynomial_) force += row(Constant) + xi * (row(Linear) + xi * row(Square));
    f[2 * lanes] = 1.0;
    f[2 * lanes + 1] = 0.0;
    if (!special_.empty()) evaluate_special(y, f, lanes);
    if ((row(Lowest) > xi).any()) return false;

    double pace = k_ == 1 ? 1.0 : 2.0 * x;  // dτ/dx, or dξ/dx when landing
    if (landing_ >= 0) {
      if (!(f[landing_] < -slowest_)) return false;
      pace /= f[landing_];
    }
    if (pace != 1.0) {
      using States = Eigen::Array<double, (Lanes > 0 ? 2 * Lanes + 2 : Eigen::Dynamic), 1>;
      Eigen::Map<States>(f, 2 * lanes + 2) *= pace;
    }
    return true;
  }

  /// x^k for k = 1, 2.
  static double power(double x, int k) { return k == 1 ? x : x * x; }

 private:
  /// What evaluate() needs of each contact, one row of `lanes` numbers per quantity.
  enum Row {
    MinusGain,
    Inertia,    ///< what a contact at rest does not respond to, else 0
    LeastRate,  ///< 0 for a contact at rest, which only loads; else −∞
    Hertz,      ///< coefficients of the force
    Constant,
    Linear,
    Square,
    Lowest,  ///< least ξ at which the dynamics have a meaning
    Rows
  };

  void refresh();
  void refresh(int i);
  void evaluate_special(const double* y, double* f, int lanes) const;

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  std::vector<double> U_;     ///< lanes
  std::vector<double> rows_;  ///< Rows × lanes
  std::vector<int> special_;  ///< with a power function, or at rest with a tracked gap
  bool has_special_ = false;  ///< there can be such contacts
  bool polynomial_ = false;   ///< some contact has a polynomial force
  long revision_ = -1;
  int k_ = 1;
  int landing_ = -1;
  double slowest_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace percute::laws
