// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/law_options.hpp"

#include <limits>

namespace percute::io {

namespace {

using laws::Compliant;
using Force = Compliant::Force;

constexpr Names<Force, 13> kForces{{
    {"hertz", Force::Hertz},
    {"linear", Force::Linear},
    {"power", Force::Power},
    {"kelvin_voigt", Force::KelvinVoigt},
    {"hunt_crossley", Force::HuntCrossley},
    {"kuwabara_kono", Force::KuwabaraKono},
    {"tsuji", Force::Tsuji},
    {"lankarani_nikravesh", Force::LankaraniNikravesh},
    {"exact_restitution", Force::ExactRestitution},
    {"bi_stiffness", Force::BiStiffness},
    {"walton_braun", Force::WaltonBraun},
    {"tri_stiffness", Force::TriStiffness},
    {"elastoplastic", Force::Elastoplastic},
}};
constexpr Names<Compliant::Tension, 2> kTensions{{
    {"clamp", Compliant::Tension::Clamp},
    {"allow", Compliant::Tension::Allow},
}};
constexpr std::array<std::string_view, 8> kKeys{
    "kind",      "force",     "tension", "tolerance", "minimum_speed", "regularisation_velocity",
    "max_steps", "max_events"};
constexpr long kMany = std::numeric_limits<long>::max();

}  // namespace

ForceKeys force_keys(Force force) {
  switch (force) {
    case Force::Hertz:
      return {.keys = {}, .exponent = 1.5};
    case Force::Linear:
      return {.keys = {}, .exponent = 1.0};
    case Force::KelvinVoigt:
      return {.keys = {"damping"}, .exponent = 1.0};
    case Force::HuntCrossley:
      return {.keys = {"damping"}};
    case Force::KuwabaraKono:
    case Force::Tsuji:
      return {.keys = {"damping"}, .exponent = 1.5};
    case Force::WaltonBraun:
      return {.keys = {"unloading_stiffness"}, .exponent = 1.0};
    case Force::Elastoplastic:
      return {.keys = {"effective_modulus", "effective_radius", "yield_pressure"}};
    default:
      return {};
  }
}

std::string_view force_name(Force force) {
  return name_of(force, kForces);
}

Law read_compliant(const Value& value) {
  const Table table(value, kKeys);
  Compliant law;
  law.force = table.choice("force", law.force, kForces);
  law.tension = table.choice("tension", law.tension, kTensions);
  law.tolerance = table.number("tolerance", law.tolerance);
  law.minimum_speed = optional_number(table, "minimum_speed");
  if (law.minimum_speed && law.force != Force::LankaraniNikravesh &&
      law.force != Force::ExactRestitution) {
    table.fail("minimum_speed", "is used by forces 'lankarani_nikravesh' and 'exact_restitution'");
  }
  law.regularisation_velocity = optional_number(table, "regularisation_velocity");
  law.max_steps = table.integer("max_steps", law.max_steps, 1, kMany);
  law.max_events = table.integer("max_events", law.max_events, 1, kMany);
  validate_options(table, law);
  return law;
}

Node law_node(const Compliant& law) {
  Node node = law_start("compliant");
  node.add("force", name_of(law.force, kForces));
  node.add("tension", name_of(law.tension, kTensions));
  node.add("tolerance", law.tolerance);
  if (law.minimum_speed) node.add("minimum_speed", *law.minimum_speed);
  if (law.regularisation_velocity) {
    node.add("regularisation_velocity", *law.regularisation_velocity);
  }
  node.add("max_steps", law.max_steps);
  node.add("max_events", law.max_events);
  return node;
}

}  // namespace percute::io
