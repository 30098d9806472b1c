// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

#include <cmath>
#include <vector>

namespace percute::laws {

/// Right-hand side of the LZB dynamics for frozen phases, in one of two independent variables.
///
/// State y = (ξ, P, W, τ): indentations, impulses, absorbed work −∫ U dP, pseudo-time.
///
///     dξ/dτ = −gain U,   dP/dτ = λ(ξ),   dW/dτ = −U λ,   U = U⁻ + G P               (Z1)–(Z3)
///
/// Hertz contacts start and end with ξ^(3/2), which is smooth in √τ and √ξ only. Hence
///   * time mode:    τ = τ₀ + x^k, k = 2 where a Hertz contact starts at τ₀, k = 1 if nothing
///                   singular starts;
///   * landing mode: x = ξ_i^(1/k) runs down to 0 and ends exactly at the opening of contact i.
class LzbDynamics {
 public:
  void assign(const ImpactSetup& setup, const ContactPhases& phases) {
    setup_ = &setup;
    phases_ = &phases;
    U_.assign(static_cast<std::size_t>(setup.m), 0.0);
    evaluations_ = 0;
  }

  int size() const { return 3 * setup_->m + 1; }
  long evaluations() const { return evaluations_; }
  /// Gap rates at the last evaluation.
  const std::vector<double>& gap_rates() const { return U_; }

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

  bool operator()(double x, double* y, double* f) {
    const int m = setup_->m;
    if (landing_ >= 0) y[landing_] = power(x, k_);
    if (!rates(y, f)) return false;
    double pace = k_ == 1 ? 1.0 : 2.0 * x;  // dτ/dx, or dξ/dx when landing
    if (landing_ >= 0) {
      const double rate = f[landing_];
      if (!(rate < -slowest_)) return false;
      pace /= rate;
    }
    if (pace != 1.0) {
      for (int k = 0; k < 3 * m; ++k) f[k] *= pace;
    }
    f[3 * m] = pace;
    return true;
  }

  /// x^k for k = 1, 2.
  static double power(double x, int k) { return k == 1 ? x : x * x; }

 private:
  /// d(ξ, P, W)/dτ. False where a spent contact with a fractional exponent is asked for more.
  bool rates(const double* y, double* f) {
    ++evaluations_;
    const int m = setup_->m;
    setup_->G.apply(setup_->U_before.data(), y + m, U_.data());
    for (int i = 0; i < m; ++i) {
      const ContactState& s = (*phases_)[i];
      const double U = U_[i];
      double force = 0.0;
      double rate = -s.gain * U;
      if (s.phase != Phase::Open) {
        const ContactLaw& contact = setup_->contact[i];
        force = contact.force(y[i], s.plastic);
        if (s.phase == Phase::Resting) {
          // Driven together it loads; driven apart it opens a gap where gaps are tracked (ξ < 0).
          const bool drifts = setup_->tracked_gap && y[i] <= setup_->spent[i];
          rate = U < -setup_->noise || (drifts && U > setup_->noise) ? -U : 0.0;
          if (y[i] <= 0.0) force = 0.0;
          if (y[i] < -setup_->spent[i] && !setup_->tracked_gap) return false;
        } else if (y[i] < -setup_->spent[i] && contact.singular()) {
          return false;
        }
      }
      f[i] = rate;
      f[m + i] = force;
      f[2 * m + i] = -U * force;
    }
    return true;
  }

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  std::vector<double> U_;  ///< m
  int k_ = 1;
  int landing_ = -1;
  double slowest_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace percute::laws
