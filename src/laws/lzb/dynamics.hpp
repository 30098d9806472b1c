// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

#include <cmath>
#include <vector>

namespace percute::laws {

/// Right-hand side of the LZB dynamics for frozen phases, in one of two independent variables.
///
/// State y = (ξ, P, Δv, τ, 0): indentations and impulses (`lanes` of each), changes of velocities
/// where they are needed (BodyVelocities), pseudo-time, padding.
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

  using SmallMatrix = numerics::SmallMatrix;
  using Pair = SmallMatrix::Pair;

  int size() const { return setup_->clock() + 2; }
  long evaluations() const { return evaluations_; }
  void forget_evaluations() { evaluations_ = 0; }
  /// −gain of every contact, `lanes` of them.
  const double* minus_gains() const { return rows_.data() + MinusGain * setup_->lanes; }

  /// Takes over the phases if they have changed.
  void follow_phases() {
    if (phases_->revision() != revision_) refresh();
  }

  void use_time(int k) {
    k_ = k;
    set_landing(-1);
  }
  /// The rate of contact i must stay within a factor of its present one for the landing to be
  /// valid.
  void use_landing(int i, double present_rate) {
    k_ = setup_->contact[i].radical();
    set_landing(i);
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
    if (landing_ >= 0) place_landing<Lanes>(power(x, k_), y);
    const bool defined = Lanes > 0 ? evaluate_pairs<Lanes>(y, f) : evaluate_arrays(y, f);
    if (!defined) return false;
    const int clock = Lanes > 0 ? 2 * Lanes : setup_->clock();
    SmallMatrix::store(f, clock, Pair(1.0, 0.0));
    if (plain_) return true;

    if (!special_.empty()) evaluate_special(y, f, lanes);
    if (Lanes == 0 && setup_->bodies.used()) {
      setup_->bodies.accelerations(f + lanes, f + setup_->velocities());
    }
    double pace = k_ == 1 ? 1.0 : 2.0 * x;  // dτ/dx, or dξ/dx when landing
    if (landing_ >= 0) {
      if (!(f[landing_] < -slowest_)) return false;
      pace /= f[landing_];
    }
    using States = Eigen::Array<double, (Lanes > 0 ? 2 * Lanes + 2 : Eigen::Dynamic), 1>;
    Eigen::Map<States>(f, clock + 2) *= pace;
    return true;
  }

  /// x^k for k = 1, 2.
  static double power(double x, int k) { return k == 1 ? x : x * x; }

 private:
  /// What evaluate() needs of each contact, one row of `lanes` numbers per quantity.
  enum Row {
    MinusGain,
    Inertia,    ///< what a contact at rest does not respond to, else 0
    FirstRate,  ///< dξ/dτ before any impulse: −gain U⁻, less the inertia
    LeastRate,  ///< 0 for a contact at rest, which only loads; else −∞
    Hertz,      ///< coefficients of the force
    Constant,
    Linear,
    Square,
    Lowest,   ///< least ξ at which the dynamics have a meaning
    Free,     ///< 0 for the landing contact, whose ξ follows from x; else 1
    Landing,  ///< 1 for the landing contact, else 0
    Rows
  };

  void refresh();
  void refresh(int i);
  void set_landing(int i) {
    if (landing_ >= 0) mark_landing(landing_, false);
    if (i >= 0) mark_landing(i, true);
    landing_ = i;
    choose_path();
  }
  void mark_landing(int i, bool lands) {
    rows_[Free * setup_->lanes + i] = lands ? 0.0 : 1.0;
    rows_[Landing * setup_->lanes + i] = lands ? 1.0 : 0.0;
  }
  void choose_path() {
    plain_ = landing_ < 0 && k_ == 1 && special_.empty() && !setup_->bodies.used();
  }

  /// Few contacts: two at a time, from beginning to end in registers. False where ξ is too small.
  template <int Lanes>
  [[gnu::always_inline]] bool evaluate_pairs(const double* y, double* f) const {
    const double* rows = rows_.data();
    const auto row = [rows](Row r, int i) { return SmallMatrix::load(rows + r * Lanes, i); };
    Pair margin = Pair::Zero();
    const auto finish = [&](int i, const Pair& rate) __attribute__((always_inline)) {
      const Pair xi = SmallMatrix::load(y, i);
      const Pair pressed = xi.max(0.0);
      SmallMatrix::store(f, i, rate.max(row(LeastRate, i)));
      SmallMatrix::store(f, Lanes + i, row(Hertz, i) * pressed * pressed.sqrt());
      margin = margin.min(xi - row(Lowest, i));
    };
    rates_.visit_product<Lanes>(rows + FirstRate * Lanes, y + Lanes, finish);
    if (polynomial_) {
      for (int i = 0; i < Lanes; i += 2) {
        const Pair xi = SmallMatrix::load(y, i);
        Eigen::Map<Pair>{f + Lanes + i} +=
            row(Constant, i) + xi * (row(Linear, i) + xi * row(Square, i));
      }
    }
    return !(margin.minCoeff() < 0.0);
  }
  bool evaluate_arrays(const double* y, double* f);
  void evaluate_special(const double* y, double* f, int lanes) const;

  /// Puts the landing contact where x says that it is.
  template <int Lanes>
  void place_landing(double xi, double* y) const {
    if constexpr (Lanes == 0) {
      y[landing_] = xi;
    } else {
      // All pairs alike: a number is slow to read back as a part of a pair.
      for (int i = 0; i < Lanes; i += 2) {
        const auto row = [&](Row r) { return SmallMatrix::load(rows_.data() + r * Lanes, i); };
        SmallMatrix::store(y, i, row(Free) * SmallMatrix::load(y, i) + row(Landing) * xi);
      }
    }
  }

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  SmallMatrix rates_;         ///< few contacts: −gain G
  std::vector<double> U_;     ///< otherwise: gap rates, lanes
  std::vector<double> rows_;  ///< Rows × lanes
  std::vector<int> special_;  ///< with a power function, or at rest with a tracked gap
  bool small_ = false;        ///< few contacts, gap rates from impulses
  bool polynomial_ = false;   ///< some contact has a polynomial force
  bool plain_ = false;        ///< in time, and nothing is to be seen to afterwards
  long revision_ = -1;
  int k_ = 1;
  int landing_ = -1;
  double slowest_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace percute::laws
