// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/impacting_bar.hpp>

#include <array>
#include <numbers>

namespace percute::io {

namespace {

using systems::ImpactingBar;

constexpr long kMostSegments = 100000;

constexpr std::array<std::string_view, 13> kKeys{"kind",
                                                 "model",
                                                 "segments",
                                                 "angle_deg",
                                                 "length",
                                                 "radius",
                                                 "density",
                                                 "gravity",
                                                 "tip_height",
                                                 "tip_velocity",
                                                 "hemisphere_inertia",
                                                 "excitation",
                                                 "young"};

constexpr Names<ImpactingBar::HemisphereInertia, 2> kInertias{
    {{"as_printed", ImpactingBar::HemisphereInertia::AsPrinted},
     {"physical", ImpactingBar::HemisphereInertia::Physical}}};

/// A key with a number in a range; `what` says which.
double within(const Value& value, double lowest, double highest, std::string_view what) {
  const double number = value.number();
  if (!(number >= lowest && number <= highest)) {
    value.fail("must be " + std::string(what) + ", got " + value.node().describe());
  }
  return number;
}

ImpactingBar::Excitation read_excitation(const Table& system) {
  ImpactingBar::Excitation excitation;
  const auto value = system.find("excitation");
  if (!value) return excitation;
  const Table table(*value, std::array<std::string_view, 2>{"energy_fraction", "phase_deg"});
  if (const auto fraction = table.find("energy_fraction")) {
    excitation.energy_fraction = within(*fraction, 0.0, 1.0, "in [0, 1]");
  }
  excitation.phase = radians(table.number("phase_deg", 0.0));
  return excitation;
}

/// The bar has its material in [system], and of the contact there is only a restitution to say.
double read_restitution(const Table& scene) {
  for (const std::string_view key : {"material", "contact", "start"}) {
    if (const auto other = scene.find(key)) {
      other->fail(
          "is not for an impacting_bar: its material and its start are keys of [system], its "
          "restitution one of [impact]");
    }
  }
  const Material material;
  const auto impact = scene.find("impact");
  if (!impact) return material.restitution;
  const Table table(*impact, std::array<std::string_view, 2>{"restitution", "law"});
  const auto restitution = table.find("restitution");
  return restitution ? within(*restitution, 0.0, 1.0, "in [0, 1]") : material.restitution;
}

}  // namespace

SystemInMotion read_moving_impacting_bar(const Table& scene, const AnyLaw& /*law*/) {
  const Table system(scene.required("system"), kKeys);
  ImpactingBar bar;
  bar.model = system.integer("model", 2, 1, 2) == 1 ? ImpactingBar::Model::SeparateSprings
                                                    : ImpactingBar::Model::ParallelSprings;
  bar.segments = static_cast<int>(system.integer("segments", bar.segments, 2, kMostSegments));
  const double degrees = within(system.required("angle_deg"), 0.0, 90.0, "in [0, 90]");
  bar.angle = radians(degrees);
  bar.length = system.number("length", bar.length);
  bar.radius = system.number("radius", bar.radius);
  bar.density = system.number("density", bar.density);
  bar.young = system.number("young", bar.young);
  bar.gravity = read_gravity(system);
  bar.tip_height = system.number("tip_height", bar.tip_height);
  bar.tip_velocity = system.number("tip_velocity", bar.tip_velocity);
  bar.hemisphere_inertia = system.choice("hemisphere_inertia", bar.hemisphere_inertia, kInertias);
  bar.excitation = read_excitation(system);
  bar.material.restitution = read_restitution(scene);

  const systems::BarVibrations free = vibrations(bar);
  SystemInMotion moving{.system = bar, .start = {.state = bar.start()}};
  moving.first_bending_hz = free.first_bending / (2.0 * std::numbers::pi);
  Node& defaults = moving.defaults;
  defaults.add("model", bar.model == ImpactingBar::Model::SeparateSprings ? 1 : 2);
  defaults.add("segments", bar.segments);
  defaults.add("length", bar.length);
  defaults.add("radius", bar.radius);
  defaults.add("density", bar.density);
  defaults.add("young", bar.young);
  defaults.add("tip_height", bar.tip_height);
  defaults.add("tip_velocity", bar.tip_velocity);
  defaults.add("hemisphere_inertia", name_of(bar.hemisphere_inertia, kInertias));
  Node excitation;
  excitation.add("energy_fraction", bar.excitation.energy_fraction);
  excitation.add("phase_deg", bar.excitation.phase * 180.0 / std::numbers::pi);
  defaults.add("excitation", excitation);
  return moving;
}

}  // namespace percute::io
