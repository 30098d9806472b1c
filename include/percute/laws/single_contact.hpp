// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::laws {

// Restitution of a single contact in closed form, and parameters for a wanted restitution. They say
// what the forces of the law Compliant do to one contact of effective mass m* struck at speed v0,
// and are the checks of its integrator. Arguments out of range throw InvalidInput.

/// Kelvin–Voigt with damping ratio ζ = c/(2√(k m*)) ≥ 0, the contact letting go when its force
/// reaches 0.
double kelvin_voigt_restitution(double zeta);
/// The same where the contact may pull until the indentation is 0: exp(−πζ/√(1−ζ²)), 0 for ζ ≥ 1.
double kelvin_voigt_restitution_with_tension(double zeta);
/// ζ for a wanted e in (0, 1], letting go at zero force.
double kelvin_voigt_damping_ratio(double e);

/// Hunt–Crossley, x = χ v0 ≥ 0: (1 + e) x = ln((1 + x)/(1 − e x)), independent of stiffness.
double hunt_crossley_restitution(double x);
/// x = χ v0 for a wanted e in (0, 1].
double hunt_crossley_damping(double e);
/// Lankarani–Nikravesh with the coefficient e_in: the restitution it really gives.
double lankarani_nikravesh_restitution(double coefficient);

/// Tsuji–Tanaka–Ishida with β in [0, √5), pulling allowed: exp(−πβ/√(5 − β²)).
double tsuji_restitution_with_tension(double beta);
/// β for a wanted e in (0, 1], pulling allowed.
double tsuji_beta(double e);

/// Walton–Braun: √(k1/k2).
double walton_braun_restitution(double loading, double unloading);

/// Elastoplastic spheres (Thornton 1997), speed over yield speed v0/V_y ≥ 0.
double elastoplastic_restitution(double ratio);

/// Linear spring: duration π√(m*/k). Power law k δ^n: largest indentation.
double linear_duration(double stiffness, double mass);
double largest_indentation(double stiffness, double exponent, double mass, double speed);

/// Power law k δ^n, n ≥ 1, bi-stiffness unloading with energetic restitution e in [0, 1]:
///
///     time to peak  T_p = ½ I(n) δ_max/v0,     I(n) = 2 √π Γ(1 + 1/(n+1))/Γ(½ + 1/(n+1)),
///     duration      T = (1 + e) T_p,
///
/// with I(1) = π and I(3/2) = 2.9432752. The peak does not depend on e: where both were measured,
/// prefer it. Mind which of the two a table lists; taking one for the other is a factor 2^(n+1) in
/// the stiffness of an elastic contact.
double power_law_time_to_peak(double stiffness, double exponent, double mass, double speed);
double power_law_duration(double stiffness, double exponent, double mass, double speed,
                          double restitution = 1.0);
/// k from a measured time, of a single contact of effective mass m* struck at `speed`.
double stiffness_from_time_to_peak(double time_to_peak, double exponent, double mass, double speed);
double stiffness_from_contact_duration(double contact_duration, double exponent, double mass,
                                       double speed, double restitution = 1.0);

}  // namespace percute::laws
