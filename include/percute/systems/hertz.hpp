// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/elastic_material.hpp>

namespace percute::systems {

// Stiffness of a Hertz contact, λ = K δ^(3/2), from what the bodies are made of or from a measured
// time (Liu, Zhao, Brogliato 2008, section 9, eqs (114)–(118)). Arguments out of range throw
// InvalidInput.

/// 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa.
double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second);

/// 1/R* = 1/R₁ + 1/R₂, m; an infinite radius is a plane.
double effective_radius(double first, double second);

/// K = (4/3) E* √R*, N/m^(3/2), of two balls, or of a ball and a plane (infinite radius).
double hertz_stiffness(const ElasticMaterial& first, double first_radius,
                       const ElasticMaterial& second, double second_radius);

/// K of a wall, from the time between first touch and largest force when one ball of this mass
/// strikes it at this speed: K = (5m/4) (τ₀/τ)^(5/2) v^(−1/2) with τ = 2 `time_to_peak` and
/// τ₀ = 2.9432752.
double hertz_stiffness_from_time_to_peak(double time_to_peak, double mass, double speed);

/// The same from the duration τ of an impact without loss. With loss, a bi-stiffness contact
/// lasts (1 + e)/2 times as long: the time to the peak, which is the same for every e, is the safer
/// thing to measure.
double hertz_stiffness_from_contact_duration(double contact_duration, double mass, double speed);

}  // namespace percute::systems
