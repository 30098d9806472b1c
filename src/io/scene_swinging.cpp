// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"

#include <percute/systems/cradle.hpp>
#include <percute/systems/impacting_bar.hpp>
#include <percute/systems/multiple_pendulum.hpp>

#include <numbers>
#include <utility>

// What swings: cradles and pendula; and the bar that vibrates.

namespace percute::io {

namespace {

using systems::ImpactingBar;

/// The bar has its material in [system], and of the contact there is only a restitution to say.
double read_bar_restitution(const Table& scene) {
  for (const std::string_view key : {"material", "contact", "start"}) {
    if (const auto other = scene.find(key)) {
      other->fail(
          "is not for an impacting_bar: its material and its start are keys of [system], its "
          "restitution one of [impact]");
    }
  }
  const double usual = Material{}.restitution;
  const auto impact = scene.find("impact");
  if (!impact) return usual;
  const auto restitution = table_of(*impact, {"restitution", "law"}).find("restitution");
  if (!restitution) return usual;
  const double number = restitution->number();
  if (!(number >= 0.0 && number <= 1.0)) {
    restitution->fail("must be in [0, 1], got " + restitution->node().describe());
  }
  return number;
}

}  // namespace

SceneSystem read_cradle(const Scene& scene) {
  constexpr int kMostStrings = 1000;
  systems::Cradle cradle;
  const Table table = read_system(scene.system, cradle, {"mass", "masses", "density"});
  require_at_most(table, "balls", cradle.balls, kMostStrings);
  cradle.masses = read_masses(
      table, std::vector<double>(static_cast<std::size_t>(cradle.balls), cradle.radius));
  validate(cradle);
  const Table start = table_of(scene.start(), {"angles_deg", "rates"});
  const auto per_ball = [&](std::string_view key) -> Vector {
    const auto list = start.find(key);
    if (!list) return Vector::Zero(cradle.balls);
    require_per(*list, cradle.balls);
    return list->numbers();
  };
  return made(cradle, cradle.at(per_ball("angles_deg").unaryExpr(&radians), per_ball("rates")));
}

SceneSystem read_double_pendulum(const Scene& scene) {
  systems::DoublePendulum pendulum;
  read_system(scene.system, pendulum);
  if (!scene.moves) {
    const Table start = table_of(scene.start(), {"rates"});
    return made(pendulum, pendulum.at_contact(Eigen::Vector2d(
                              read_numbers(start.required("rates"), 2, "one per rod"))));
  }
  validate(pendulum);
  const Table start = table_of(scene.start(), {"angles_deg", "rates"});
  const Vector degrees = read_numbers(start.required("angles_deg"), 2, "one per rod");
  return made(pendulum,
              pendulum.at(Eigen::Vector2d(degrees.unaryExpr(&radians)),
                          Eigen::Vector2d(read_numbers(start, "rates", 2, "one per rod"))));
}

SceneSystem read_multiple_pendulum(const Scene& scene) {
  systems::MultiplePendulum pendulum;
  const Table table = read_system(scene.system, pendulum, {"obstacles"});
  require_few(table.required("lengths"), "rod");
  const auto rods = static_cast<Eigen::Index>(pendulum.lengths.size());
  pendulum.obstacles = read_list<systems::PendulumObstacle>(table.required("obstacles"), "obstacle",
                                                            {.rod = static_cast<int>(rods)});
  validate(pendulum);
  const Table start = table_of(scene.start(), {"angles_deg", "rates"});
  const Vector degrees = read_numbers(start.required("angles_deg"), rods, "one per rod");
  return made(pendulum, pendulum.at(degrees.unaryExpr(&radians),
                                    read_numbers(start, "rates", rods, "one per rod")));
}

SceneSystem read_impacting_bar(const Scene& scene) {
  constexpr int kMostSegments = 100000;
  ImpactingBar bar;
  const Table table = read_system(scene.system, bar, {"model", "excitation"});
  require_at_most(table, "segments", bar.segments, kMostSegments);
  bar.model = table.integer("model", 2, 1, 2) == 1 ? ImpactingBar::Model::SeparateSprings
                                                   : ImpactingBar::Model::ParallelSprings;
  if (const auto excitation = table.find("excitation")) {
    bar.excitation = read_fields<ImpactingBar::Excitation>(*excitation);
  }
  bar.material.restitution = read_bar_restitution(scene.table);

  const systems::BarVibrations free = vibrations(bar);
  SceneSystem result = made(bar, bar.start());
  result.first_bending_hz = free.first_bending / (2.0 * std::numbers::pi);
  Node defaults;
  defaults.add("model", bar.model == ImpactingBar::Model::SeparateSprings ? 1 : 2);
  add_options(defaults, options_of(bar));
  add_options(defaults.add("excitation", {}), options_of(bar.excitation));
  result.defaults = std::move(defaults);
  return result;
}

}  // namespace percute::io
