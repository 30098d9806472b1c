// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/elastic_material.hpp>
#include <percute/systems/ball_chain.hpp>

#include <optional>
#include <vector>

namespace percute::systems {

/// Solid balls on a line, by their radii and what they are made of: how a BallChain gets its
/// masses, m = (4/3) π ρ R³, and the Hertz stiffness of its contacts, with walls as planes
/// (hertz.hpp). Radii of stepped, tapered and other chains are in radii.hpp.
///
///     const BallChain chain = SphereChain{.radii = tapered_radii(20, 0.01, 0.05),
///                                         .made_of = {elastic_material("steel")}}.chain();
struct SphereChain {
  std::vector<double> radii;             ///< m, one per ball
  std::vector<ElasticMaterial> made_of;  ///< one of all balls, or one per ball
  BallChain::Wall wall = BallChain::Wall::None;
  std::optional<ElasticMaterial> wall_made_of = {};  ///< empty: as the ball that touches it
  std::vector<double> masses = {};                   ///< kg, one per ball; empty: by density
  std::vector<double> restitution = {1.0};           ///< one of all contacts, or one per contact

  /// The chain with these masses and contacts; throws InvalidInput, naming the field, if there is
  /// none.
  BallChain chain() const;
};

}  // namespace percute::systems
