// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/elastic_material.hpp>

namespace percute::systems {

// Stiffness of a Hertz contact, λ = K δ^(3/2), from what the bodies are made of (Liu, Zhao,
// Brogliato 2008, section 9, eqs (114)–(116)); from a measured time: laws/single_contact.hpp.
// Arguments out of range throw InvalidInput.

/// 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa.
double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second);

/// 1/R* = 1/R₁ + 1/R₂, m; an infinite radius is a plane.
double effective_radius(double first, double second);

/// K = (4/3) E* √R*, N/m^(3/2), of two balls, or of a ball and a plane (infinite radius).
double hertz_stiffness(const ElasticMaterial& first, double first_radius,
                       const ElasticMaterial& second, double second_radius);

}  // namespace percute::systems
