// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"

namespace percute::io {

SystemInMotion read_moving_ball_chain(const Table& scene, const AnyLaw& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  systems::BallChain chain = build_ball_chain(system);
  require_moderate(system, chain.balls, "balls");
  if (chain.wall == systems::BallChain::Wall::Both) {
    Value(system.document(), *system.node().find("wall"), "system.wall")
        .fail("walls at both ends leave no room for motion: \"none\", \"left\" or \"right\"");
  }
  const bool hertz = !chain.materials.empty();
  chain.materials = read_materials(scene, law, systems::AnySystem(chain).contact_names(),
                                   chain.materials, hertz ? "system.made_of" : "");
  SystemInMotion moving{
      .system = chain,
      .start = {.state = read_ball_chain_start(scene.required("start"), chain)},
  };
  moving.defaults.add("wall", "none");
  if (system.node().find("radii") == nullptr) {
    moving.defaults.add("radius", systems::BallChain{}.radius);
  }
  return moving;
}

}  // namespace percute::io
