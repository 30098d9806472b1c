// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>

#include <optional>

namespace percute {

/// How a contact gives back the energy it stored (Liu, Zhao, Brogliato 2008, section 4).
enum class ContactModel {
  BiStiffness,    ///< unloads along a stiffer curve; the loss grows steadily during expansion
  MonoStiffness,  ///< unloads along the loading curve and lets go early; the loss comes at the end
  TriStiffness,   ///< piecewise linear: elastic, plastic and unloading slopes
};
constexpr Names<ContactModel, 3> names(ContactModel) {
  return {{{"bi_stiffness", ContactModel::BiStiffness},
           {"mono_stiffness", ContactModel::MonoStiffness},
           {"tri_stiffness", ContactModel::TriStiffness}}};
}

/// Slopes of a tri-stiffness contact beyond its first one, which is Material::stiffness.
struct TriStiffness {
  double yield_indentation = 0.0;    ///< d_y > 0, m: end of the elastic slope
  double plastic_stiffness = 0.0;    ///< k2 > 0, N/m: loading slope beyond d_y
  double unloading_stiffness = 0.0;  ///< k3 >= max(k1, k2), N/m: unloading slope after yield
};

/// Contact law of one contact: λ = K δ^η while loading, E = K δ^(1+η)/(1+η).
struct Material {
  double restitution = 1.0;  ///< e in [0, 1], for Poisson's law [0, 2]; which kind (energetic,
                             ///< kinematic, kinetic) the law says
  double stiffness = 1.0;    ///< K > 0, N/m^η; only ratios matter for velocities when η is shared
  double exponent = 1.5;     ///< η >= 1: 1 linear spring, 3/2 Hertz
  double friction = 0.0;     ///< Coulomb coefficient μ >= 0; infinite: what the law
                             ///< resists in sliding is stopped, whatever it takes

  std::optional<ContactModel> contact_model = {};  ///< overrides the model named by the law
  std::optional<TriStiffness> tri_stiffness = {};  ///< required by, and only for, TriStiffness

  // Of the law Compliant only, for the forces that use them.
  double damping = 0.0;              ///< c, χ, g or β, as the force says
  double unloading_stiffness = 0.0;  ///< k2 of Walton–Braun, N/m
  double effective_modulus = 0.0;    ///< E* of elastoplastic contacts, Pa
  double effective_radius = 0.0;     ///< R*, m
  double yield_pressure = 0.0;       ///< p_y, Pa
};

template <Same<TriStiffness> Slopes>
constexpr void fields(Slopes& slopes, auto&& visit) {
  visit(Field{"yield_indentation", "end of the elastic slope", Range::positive(), "m"}.needed(),
        slopes.yield_indentation);
  visit(Field{"plastic_stiffness", "slope of loading beyond it", Range::positive(), "N/m"}.needed(),
        slopes.plastic_stiffness);
  visit(Field{"unloading_stiffness", "slope of unloading after yield; at least that of loading",
              Range::positive(), "N/m"}
            .needed(),
        slopes.unloading_stiffness);
}

/// What the ranges leave open validate(ImpactProblem) and the laws check.
template <Same<Material> Contact>
constexpr void fields(Contact& material, auto&& visit) {
  visit(Field{"restitution", "e, up to 1; of law poisson up to 2", Range::closed(0.0, 2.0)},
        material.restitution);
  visit(Field{"stiffness", "K of the force K δ^exponent", Range::positive(), "N/m^exponent"},
        material.stiffness);
  visit(Field{"exponent", "1: linear, 1.5: Hertz", Range::closed(1.0, Range::kInfinity)},
        material.exponent);
  visit(Field{"friction", "Coulomb's μ; infinite: nothing slides",
              Range::not_negative().or_infinite()},
        material.friction);
  visit(Field{"contact_model", "of this contact, instead of law.contact_model"},
        material.contact_model);
  visit(Field{"tri_stiffness", "slopes beyond the first one; of contact model tri_stiffness only"},
        material.tri_stiffness);
  visit(Field{"damping", "c, χ, g or β, as the force of law compliant says", Range::not_negative()},
        material.damping);
  visit(Field{"unloading_stiffness", "k2 of force walton_braun", Range::not_negative(), "N/m"},
        material.unloading_stiffness);
  visit(Field{"effective_modulus", "E* of force elastoplastic", Range::not_negative(), "Pa"},
        material.effective_modulus);
  visit(Field{"effective_radius", "R* of force elastoplastic", Range::not_negative(), "m"},
        material.effective_radius);
  visit(Field{"yield_pressure", "p_y of force elastoplastic", Range::not_negative(), "Pa"},
        material.yield_pressure);
}

}  // namespace percute
