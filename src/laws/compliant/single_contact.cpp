// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/bracketed_root.hpp"

#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <numbers>

namespace percute::laws {

namespace {

using std::numbers::pi;

/// Time to peak over δ_max/v0 of the force k δ^n: ∫₀¹ dx/√(1 − x^(n+1)).
double half_period(double exponent) {
  const double share = 1.0 / (exponent + 1.0);
  return std::sqrt(pi) * std::tgamma(1.0 + share) / std::tgamma(0.5 + share);
}

void require_restitution(double e) {
  require(e > 0.0 && e <= 1.0, "restitution", e, "in (0, 1]");
}

/// ((1 + e) x − ln((1 + x)/(1 − e x)))/x², as its power series Σ_{k≥2} ((−1)^k − e^k) x^(k−2)/k for
/// small x, where the closed form would cancel.
double hunt_crossley_defect(double e, double x) {
  if (x > 0.1) return ((1.0 + e) * x - std::log1p(x) + std::log1p(-e * x)) / (x * x);
  double sum = 0.5 * (1.0 - e) * (1.0 + e);
  double power = x;
  double sign = -1.0;
  double e_power = e * e * e;
  for (int k = 3; k < 24; ++k) {  // 0.1^22 is below rounding
    sum += (sign - e_power) * power / k;
    power *= x;
    e_power *= e;
    sign = -sign;
  }
  return sum;
}

}  // namespace

double kelvin_voigt_restitution(double zeta) {
  require(std::isfinite(zeta) && zeta >= 0.0, "damping_ratio", zeta, "a finite number >= 0");
  if (zeta < 1.0) {
    const double w = std::sqrt((1.0 - zeta) * (1.0 + zeta));
    return std::exp(-zeta * std::atan2(2.0 * zeta * w, 2.0 * zeta * zeta - 1.0) / w);
  }
  const double s = std::sqrt((zeta - 1.0) * (zeta + 1.0));
  // ln((ζ+s)/(ζ−s))/s = 2 artanh(s/ζ)/s, which tends to 2 at ζ = 1.
  const double tau = s < 1e-8 ? 2.0 : 2.0 * std::atanh(s / zeta) / s;
  return std::exp(-zeta * tau);
}

double kelvin_voigt_restitution_with_tension(double zeta) {
  require(std::isfinite(zeta) && zeta >= 0.0, "damping_ratio", zeta, "a finite number >= 0");
  return zeta >= 1.0 ? 0.0 : std::exp(-pi * zeta / std::sqrt((1.0 - zeta) * (1.0 + zeta)));
}

double kelvin_voigt_damping_ratio(double e) {
  require_restitution(e);
  double high = 1.0;
  while (kelvin_voigt_restitution(high) > e) high *= 2.0;
  return numerics::bracketed_root([e](double z) { return kelvin_voigt_restitution(z) - e; }, 0.0,
                                  high, 1e-16);
}

double hunt_crossley_restitution(double x) {
  require(std::isfinite(x) && x >= 0.0, "x", x, "a finite number >= 0");
  if (x == 0.0) return 1.0;
  // The defect falls from e = 0 on; e x < 1 throughout, and comes closer to 1 than rounding tells
  // where x is large.
  const double high = x < 1.0 ? 1.0 : (1.0 - 1e-16) / x;
  const auto defect = [x](double e) { return hunt_crossley_defect(e, x); };
  if (defect(high) >= 0.0) return high;
  return numerics::bracketed_root(defect, 0.0, high, 1e-17);
}

double hunt_crossley_damping(double e) {
  require_restitution(e);
  if (e == 1.0) return 0.0;
  // The root lies in (0, 1/e), for small e closer to 1/e than rounding tells.
  const auto defect = [e](double x) { return hunt_crossley_defect(e, x); };
  const double high = (1.0 - 1e-16) / e;
  if (defect(high) >= 0.0) return high;
  return numerics::bracketed_root(defect, 0.0, high, 1e-17);
}

double lankarani_nikravesh_restitution(double coefficient) {
  require(coefficient >= 0.0 && coefficient <= 1.0, "coefficient", coefficient, "in [0, 1]");
  return hunt_crossley_restitution(0.75 * (1.0 - coefficient * coefficient));
}

double tsuji_restitution_with_tension(double beta) {
  require(beta >= 0.0 && beta < std::sqrt(5.0), "beta", beta, "in [0, sqrt 5)");
  return std::exp(-pi * beta / std::sqrt(5.0 - beta * beta));
}

double tsuji_beta(double e) {
  require_restitution(e);
  const double log = std::log(e);
  return -std::sqrt(5.0) * log / std::sqrt(pi * pi + log * log);
}

double walton_braun_restitution(double loading, double unloading) {
  require(loading > 0.0 && unloading >= loading, "unloading", unloading, ">= loading > 0");
  return std::sqrt(loading / unloading);
}

double elastoplastic_restitution(double ratio) {
  require(std::isfinite(ratio) && ratio >= 0.0, "speed_ratio", ratio, "a finite number >= 0");
  if (ratio <= 1.0) return 1.0;
  const double r = 1.0 / ratio;
  const double inner = r / (r + 2.0 * std::sqrt(1.2 - 0.2 * r * r));
  return std::sqrt(1.2 * std::numbers::sqrt3) * std::sqrt(1.0 - r * r / 6.0) *
         std::sqrt(std::sqrt(inner));
}

double linear_duration(double stiffness, double mass) {
  require(stiffness > 0.0, "stiffness", stiffness, "> 0");
  require(mass > 0.0, "mass", mass, "> 0");
  return pi * std::sqrt(mass / stiffness);
}

double largest_indentation(double stiffness, double exponent, double mass, double speed) {
  require(stiffness > 0.0, "stiffness", stiffness, "> 0");
  require(mass > 0.0, "mass", mass, "> 0");
  require(speed >= 0.0, "speed", speed, ">= 0");
  require(exponent >= 1.0, "exponent", exponent, ">= 1");
  return std::pow(0.5 * (exponent + 1.0) * mass * speed * speed / stiffness,
                  1.0 / (exponent + 1.0));
}

double power_law_time_to_peak(double stiffness, double exponent, double mass, double speed) {
  require(speed > 0.0, "speed", speed, "> 0");
  return half_period(exponent) * largest_indentation(stiffness, exponent, mass, speed) / speed;
}

double power_law_duration(double stiffness, double exponent, double mass, double speed,
                          double restitution) {
  require(restitution >= 0.0 && restitution <= 1.0, "restitution", restitution, "in [0, 1]");
  return (1.0 + restitution) * power_law_time_to_peak(stiffness, exponent, mass, speed);
}

double stiffness_from_time_to_peak(double time_to_peak, double exponent, double mass,
                                   double speed) {
  require(std::isfinite(time_to_peak) && time_to_peak > 0.0, "time_to_peak", time_to_peak, "> 0");
  require(exponent >= 1.0, "exponent", exponent, ">= 1");
  require(mass > 0.0, "mass", mass, "> 0");
  require(speed > 0.0, "speed", speed, "> 0");
  // The peak gives the largest indentation, and that the stiffness: k δ^(n+1)/(n+1) = ½ m* v0².
  const double indentation = time_to_peak * speed / half_period(exponent);
  return 0.5 * (exponent + 1.0) * mass * speed * speed / std::pow(indentation, exponent + 1.0);
}

double stiffness_from_contact_duration(double contact_duration, double exponent, double mass,
                                       double speed, double restitution) {
  require(std::isfinite(contact_duration) && contact_duration > 0.0, "contact_duration",
          contact_duration, "> 0");
  require(restitution >= 0.0 && restitution <= 1.0, "restitution", restitution, "in [0, 1]");
  return stiffness_from_time_to_peak(contact_duration / (1.0 + restitution), exponent, mass, speed);
}

}  // namespace percute::laws
