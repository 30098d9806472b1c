// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/delassus_operator.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/model/impact_problem.hpp>

#include <cmath>
#include <vector>

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

/// Gap rates by way of the velocities of the bodies,
///
///     dΔv/dτ = M⁻¹ W λ,   U = U⁻ + Wᵀ Δv.
///
/// It is the same as U = U⁻ + G P, except for rounding: a light body squeezed between heavy ones
/// receives two impulses, both as large as their momentum, that cancel but for a trace, and so do
/// the entries of G in which the heavy masses are a trace. U⁻ + G P has lost its digits there; the
/// velocities never had them to lose.
class BodyVelocities {
 public:
  void clear() { used_ = false; }
  void assign(const ImpactProblem& problem);

  bool used() const { return used_; }
  /// Numbers to integrate, padded to an even one; none unless used.
  int size() const { return used_ ? padded_ : 0; }

  /// M⁻¹ W λ, and 0 for the padding.
  void accelerations(const double* forces, double* out) const;
  /// (Wᵀ Δv)_i
  double gap_rate(int i, const double* dv) const {
    double sum = 0.0;
    for_column(i, [&](int k, double W_ki) { sum += W_ki * dv[k]; });
    return sum;
  }
  /// out = b + Wᵀ Δv
  void gap_rates(const double* b, const double* dv, double* out) const {
    for (int i = 0; i < W_.cols(); ++i) out[i] = b[i] + gap_rate(i, dv);
  }
  /// Calls visit(coordinate, value) for the entries of the gradient of gap i.
  template <class Visit>
  void for_column(int i, Visit&& visit) const {
    for (SparseMatrix::InnerIterator entry(W_, i); entry; ++entry) {
      visit(static_cast<int>(entry.row()), entry.value());
    }
  }

 private:
  bool used_ = false;
  int padded_ = 0;
  SparseMatrix W_;       ///< gap gradients
  SparseMatrix motion_;  ///< M⁻¹ W
};

/// Scales of an impact, and what counts as nothing beside them.
struct ImpactResolution {
  double velocity_scale = 0.0;  ///< vs
  double gap_rate_tol = 0.0;    ///< tol_U = 1e-10 vs: approach that may be left
  double noise = 0.0;           ///< 1e-13 vs: gap rates below it are rounding
  double motion = 0.0;          ///< gap rates below it do not count as motion
  double drive = 0.0;           ///< approach below it drives no resting contact
  double rest = 0.0;            ///< loaded contacts slower than it may come to rest
  double impulse_scale = 0.0;   ///< max m_i vs
  double energy_scale = 0.0;    ///< Es = ½ vs² max m_i
  double time_scale = 0.0;      ///< t_s = min s_ξ / vs
  double time_ratio = 1.0;      ///< max s_ξ / min s_ξ
  bool tracked_gap = false;

  /// Many contacts: is an approach to be ignored that the tolerance does not resolve?
  bool resolves_by_tolerance() const { return drive > noise; }
};

/// What is known of one contact, beside its law of force.
struct ImpactContact : ContactLaw {
  using ContactLaw::ContactLaw;

  double initial_energy = 0.0;  ///< E0
  double effective_mass = 0.0;  ///< m_i = 1/G_ii
  double spent = 0.0;           ///< indentation whose energy is negligible
  double empty = 0.0;           ///< the same beside what counts as motion
  double closest = 0.0;         ///< distance of ξ from an event that counts as none
  double fastest = 0.0;         ///< √(m_i/λ') at s_ξ: no motion below vs is faster
};

/// What stays constant during one impact, in contact space. Vectors marked `lanes` are padded with
/// contacts that never touch.
struct ImpactSetup : ImpactResolution {
  void assign(const ImpactProblem& problem, const Lzb& law);
  /// The contacts `members` (ascending) of a larger impact, whose scales are kept. The others have
  /// the impulses P and exert no force; place[j] is where member j stands, −1 for all others.
  void assign(const ImpactSetup& whole, const std::vector<int>& members,
              const std::vector<int>& place, const std::vector<double>& P);

  int m = 0;                              ///< contacts
  int lanes = 0;                          ///< contacts after padding
  numerics::DelassusOperator G;           ///< m × m
  std::vector<double> U_before;           ///< lanes, gap rates U⁻, rounding noise snapped to 0
  std::vector<ImpactContact> contact;     ///< m
  std::vector<double> indentation_scale;  ///< lanes, s_ξ: indentation reached by m_i at speed vs
  std::vector<double> zero;               ///< lanes, zeros
  BodyVelocities bodies;                  ///< used where U⁻ + G P would lose its digits

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

 private:
  void resize();
  void set_resolution(const Lzb& law, const ImpactScales& scale);

  // Kept for their memory.
  SparseMatrix factor_;  ///< L⁻¹ W
  Vector diagonal_;      ///< of G
};

/// Ends what is left of an impact by one plastic step (Moreau, e = 0) on the gap rates U,
///
///     0 ≤ U + G p ⊥ p ≥ 0,
///
/// to a tenth of tol_U: the rest of an infinite cascade, or, with many contacts, approach slower
/// than the tolerance resolves. Gives p, and adds what it costs to the losses. False if the step
/// was not solved.
bool plastic_step(const ImpactSetup& setup, const std::vector<double>& U, Vector& impulse,
                  Vector& dissipated);

}  // namespace percute::laws
