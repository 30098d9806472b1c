// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/indices.hpp>
#include <percute/model/fields.hpp>
#include <percute/model/impact_result.hpp>

#include <optional>

// What percute-result/1 has of each part of a result.

namespace percute {

constexpr void fields(Same<Consistency::Margins> auto& margins, auto&& visit) {
  visit(Field{"momentum", "|M (v⁺ − v⁻) − W p|_∞"}, margins.momentum);
  visit(Field{"identity", "T⁺ − T⁻ − ½ pᵀ (U⁺ + U⁻)", {}, "J"}, margins.identity);
  visit(Field{"energetic", "energy lost", {}, "J"}, margins.energetic);
  visit(Field{"kinematic", "min U⁺", {}, "m/s"}, margins.kinematic);
  visit(Field{"kinetic", "min p_i / (m_i v)"}, margins.kinetic);
  visit(Field{"friction_cone", "min μ_i p_i − |p_t,i|", {}, "N s"}, margins.friction_cone);
}

constexpr void fields(Same<Consistency> auto& verdict, auto&& visit) {
  visit(Field{"energetic", "no energy is created"}, verdict.energetic);
  visit(Field{"kinematic", "nothing approaches any more"}, verdict.kinematic);
  visit(Field{"kinetic", "contacts only push"}, verdict.kinetic);
  visit(Field{"friction_cone", "tangential impulses are inside Coulomb's cone"},
        verdict.friction_cone);
  visit(Field{"margins", "by how much; momentum and identity: the defect"}, verdict.margins);
}

void fields(Same<Collision> auto& collision, auto&& visit) {
  visit(Field{"contact", "its number, from 0"}, collision.contact);
  visit(Field{"impulse", "", {}, "N s"}, collision.impulse);
  visit(Field{"energy_ratio", "kinetic energy after it over that before the impact"},
        collision.energy_ratio);
}

void fields(Same<ContactSummary> auto& contact, auto&& visit) {
  visit(Field{"impacts", "times it closed or was driven together again"}, contact.impacts);
  visit(Field{"maximal_force", "", {}, "N"}, contact.maximal_force);
  visit(Field{"maximal_force_time", "", {}, "s"}, contact.maximal_force_time);
  visit(Field{"first_contact_time", "", {}, "s"}, contact.first_contact_time);
  visit(Field{"opening_time", "at which it let go for good", {}, "s"}, contact.opening_time);
  visit(Field{"duration", "time during which it carried a force", {}, "s"}, contact.duration);
}

enum class PhaseStage { Compression, Expansion };
constexpr Names<PhaseStage, 2> names(PhaseStage) {
  return {{{"compression", PhaseStage::Compression}, {"expansion", PhaseStage::Expansion}}};
}

void fields(Same<ImpactPhase> auto& phase, auto&& visit) {
  visit(Field{"motion", ""}, phase.motion);
  visit(Field{"stage", ""},
        [&phase] { return phase.compression ? PhaseStage::Compression : PhaseStage::Expansion; });
  visit(Field{"from", "normal impulse", {}, "N s"}, phase.from);
  visit(Field{"to", "normal impulse", {}, "N s"}, phase.to);
}

void fields(Same<EnergyLedger> auto& energy, auto&& visit) {
  visit(Field{"before", "kinetic", {}, "J"}, energy.before);
  visit(Field{"after", "kinetic", {}, "J"}, energy.after);
  visit(Field{"ratio", "KER = after / before; null at rest"}, [&energy] {
    return energy.before > 0.0 ? std::optional(energy.after / energy.before) : std::nullopt;
  });
  visit(Field{"dissipated", "at all contacts", {}, "J"}, energy.dissipated);
  visit(Field{"balance_error", "defect of the balance of energy, relative"}, energy.balance_error);
}

namespace analysis {
void fields(Same<Indices> auto& indices, auto&& visit) {
  visit(Field{"KER", "kinetic energy after over before"}, indices.energy_ratio);
  visit(Field{"KER_rel", "the same of the part that the contacts can reach"},
        indices.relative_energy_ratio);
  visit(Field{"C_KE", "how unevenly the energy is spread over the bodies"}, indices.dispersion);
  visit(Field{"W_n", "work of the normal impulses", {}, "J"}, indices.normal_work);
  visit(Field{"W_t", "work of the tangential impulses", {}, "J"}, indices.tangential_work);
  visit(Field{"D_t", "lost in sliding", {}, "J"}, indices.sliding_loss);
}
}  // namespace analysis

}  // namespace percute
