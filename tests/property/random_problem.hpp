// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/percute.hpp>

#include <rapidcheck.h>

#include <ostream>
#include <vector>

namespace percute::property {

/// A random impact as a few small integers, so that a failing one shrinks to something readable.
struct Recipe {
  enum class Shape { Chain, ChainOnWall, Cluster, DenseMass };
  struct Body {
    int mass = 0;       ///< kg = 10^(mass/1000), mass in −1000 … 1000, wide: −6000 … 6000
    int speed = 0;      ///< m/s = speed/1000
    int direction = 0;  ///< planar: 2π direction/1000; also where the next disk sits
  };
  struct Touch {
    int restitution = 0;  ///< < 0: e = 0; > 1000: e = 1; else e = restitution/1000
    int stiffness = 0;    ///< N/m^η = 10^(stiffness/1000)
    int exponent = 0;     ///< index into {1, 1.5, 2, 1.3}
    int stored = 0;       ///< J = stored/1000, 0 if negative
  };

  Shape shape = Shape::Chain;
  std::vector<Body> bodies;
  std::vector<Touch> touches;  ///< used in turn for the contacts
  bool duplicate = false;      ///< repeat the first contact: redundant
  bool tracked_gap = false;    ///< re-engagement rule
  int model = 0;               ///< bi, mono, tri

  ImpactProblem problem() const;
  laws::Lzb law() const;
};

std::ostream& operator<<(std::ostream& out, const Recipe& recipe);

/// What kind of recipes to draw.
struct Family {
  bool one_exponent = false;   ///< all contacts share it (needed for scaling)
  bool tri_stiffness = true;   ///< may use the tri-stiffness model
  bool precompression = true;  ///< may store energy beforehand
  bool elastic = false;        ///< e = 1 everywhere
  bool wide = false;           ///< masses and stiffnesses over twelve orders of magnitude
  bool free_bodies = false;    ///< no wall, no dense mass matrix: a Galilean shift changes nothing
};

rc::Gen<Recipe> recipes(Family family = {});

/// vs of a problem: the velocity all tolerances refer to.
double velocity_scale(const ImpactProblem& problem);

/// max |a − b|.
double distance(const Vector& a, const Vector& b);

}  // namespace percute::property
