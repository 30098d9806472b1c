// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/lzb.hpp>

#include <cmath>

namespace percute::laws {

/// Force law of one contact in its equivalent indentation ξ ≥ 0:
///
///     power:  λ = K ξ^η,   E = K ξ^(1+η)/(1+η)
///     tri:    λ = k1 ξ up to d_y, then F_y + k2 (ξ − d_y);   E = ∫ λ dξ
///
/// λ is continued analytically to ξ < 0 where it is a polynomial; otherwise it is 0 there.
class ContactLaw {
 public:
  ContactLaw() = default;
  ContactLaw(const Contact& contact, const Lzb& law);

  ContactModel model() const { return model_; }
  double restitution() const { return e_; }
  double stiffness() const { return K_; }
  double exponent() const { return eta_; }
  double yield_indentation() const { return d_y_; }
  double unloading_stiffness() const { return k3_; }

  /// ξ^η has a singular derivative at 0, so openings need a variable of their own.
  bool singular() const { return power_ == Power::Hertz || power_ == Power::General; }

  /// Root k such that ξ^(1/k) is a good variable near ξ = 0: with k = 2 Hertz contacts become
  /// polynomial; beyond η = 2 the force is smooth enough for ξ itself (measured, also for k = 4,
  /// whose high powers mislead the error estimate of the first step).
  int radical() const { return singular() && eta_ < 2.0 ? 2 : 1; }

  bool hertz() const { return power_ == Power::Hertz; }
  bool general() const { return power_ == Power::General; }  ///< needs a power function

  /// The force as λ = constant + linear ξ + square ξ² + hertz ξ₊^(3/2): all exponents that need no
  /// power function; zeros for the other ones.
  struct Polynomial {
    double constant = 0.0;
    double linear = 0.0;
    double square = 0.0;
    double hertz = 0.0;
  };
  Polynomial polynomial(bool plastic) const;

  /// Force; `plastic` selects the second branch of a tri-stiffness contact.
  double force(double xi, bool plastic) const {
    switch (power_) {
      case Power::Linear:
        return K_ * xi;
      case Power::Hertz:
        return xi > 0.0 ? K_ * xi * std::sqrt(xi) : 0.0;
      case Power::Square:
        return K_ * xi * xi;
      case Power::General:
        return xi > 0.0 ? K_ * std::pow(xi, eta_) : 0.0;
      case Power::Tri:
        return plastic ? K_ * d_y_ + k2_ * (xi - d_y_) : K_ * xi;
    }
    return 0.0;
  }

  /// dλ/dξ.
  double slope(double xi, bool plastic) const;
  /// Stored energy E(ξ).
  double energy(double xi) const;
  /// Indentation that stores the energy E.
  double indentation(double energy) const;
  /// Indentation that stores 1e-24 E, where ξ = `full` stores E.
  double negligible_indentation(double energy, double full) const;

 private:
  enum class Power { Linear, Hertz, Square, General, Tri };

  ContactModel model_ = ContactModel::BiStiffness;
  Power power_ = Power::Hertz;
  double e_ = 1.0;
  double K_ = 1.0;
  double eta_ = 1.5;
  double d_y_ = 0.0;
  double k2_ = 0.0;
  double k3_ = 0.0;
};

}  // namespace percute::laws
