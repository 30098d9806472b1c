// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/sphere_chain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace percute::systems {
namespace {

using testing::field_refused;
using testing::message_of;
using Radii = std::vector<double>;
using Wall = BallChain::Wall;

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Radii, Patterns) {
  EXPECT_EQ(stepped_radii({2, 1, 1}, {2.0, 1.0, 3.0}), (Radii{2.0, 2.0, 1.0, 3.0}));
  EXPECT_EQ(tapered_radii(3, 2.0, 0.5), (Radii{2.0, 1.0, 0.5}));
  EXPECT_EQ(tapered_radii(3, 2.0, -0.5), (Radii{2.0, 3.0, 4.5}));
  EXPECT_EQ(decorated_radii({3.0, 2.0, 1.0}, 0.5), (Radii{3.0, 0.5, 2.0, 0.5, 1.0}));
  EXPECT_EQ(decorated_radii({3.0}, 0.5), Radii{3.0});
  EXPECT_EQ(dimer_radii(5, 1.0, 0.5), (Radii{1.0, 0.5, 1.0, 0.5, 1.0}));
  EXPECT_EQ(big_ball_radii(4, 1.0, 5.0, 2), (Radii{1.0, 5.0, 1.0, 1.0}));
  EXPECT_EQ(reversed_radii({1.0, 2.0, 3.0}), (Radii{3.0, 2.0, 1.0}));
}

TEST(Radii, DisorderIsTheSameEverywhere) {
  // SplitMix64 from seed 0 begins with 0xe220a8397b1dcdaf; the radius is 1 + that/2⁶⁴, cut to 53
  // bits.
  const double first = 1.0 + std::ldexp(static_cast<double>(0xE220A8397B1DCDAFU >> 11U), -53);
  EXPECT_EQ(disordered_radii(3, 1.0, 2.0, 0)[0], first);
  EXPECT_EQ(disordered_radii(5, 0.7, 1.3, 42), disordered_radii(5, 0.7, 1.3, 42));
  EXPECT_NE(disordered_radii(5, 0.7, 1.3, 42), disordered_radii(5, 0.7, 1.3, 43));
  // A longer chain begins like a shorter one.
  EXPECT_EQ(disordered_radii(9, 0.7, 1.3, 42)[4], disordered_radii(5, 0.7, 1.3, 42)[4]);
}

TEST(Radii, DisorderIsUniform) {
  const Radii radii = disordered_radii(10'000, 0.7, 1.3, 7);
  const auto [low, high] = std::minmax_element(radii.begin(), radii.end());
  EXPECT_GE(*low, 0.7);
  EXPECT_LE(*high, 1.3);
  // The mean of 10 000 has standard deviation 0.6/√12/100 = 0.0017; five of them.
  EXPECT_NEAR(std::accumulate(radii.begin(), radii.end(), 0.0) / 10'000, 1.0, 0.009);
  EXPECT_EQ(disordered_radii(2, 1.5, 1.5, 7), (Radii{1.5, 1.5}));
}

TEST(Radii, RefusesWhatCannotBeBuilt) {
  EXPECT_EQ(field_refused([] { stepped_radii({}, {}); }), "counts");
  EXPECT_EQ(field_refused([] { stepped_radii({1, 0}, {1.0, 1.0}); }), "counts[1]");
  EXPECT_EQ(field_refused([] { stepped_radii({1, 1}, {1.0}); }), "values");
  EXPECT_EQ(field_refused([] { stepped_radii({1}, {-1.0}); }), "values[0]");
  EXPECT_EQ(field_refused([] { tapered_radii(0, 1.0, 0.1); }), "balls");
  EXPECT_EQ(field_refused([] { tapered_radii(2, 0.0, 0.1); }), "first");
  EXPECT_EQ(field_refused([] { tapered_radii(2, 1.0, 1.0); }), "taper");
  EXPECT_EQ(field_refused([] { tapered_radii(2, 1.0, kNan); }), "taper");
  // Too many balls for their taper: the last would have no size, or no end.
  EXPECT_EQ(message_of([] { tapered_radii(10'000, 1.0, 0.5); }),
            "taper: 0.5 gives the last of 10000 balls the radius 0");
  EXPECT_EQ(field_refused([] { tapered_radii(10'000, 1.0, -0.5); }), "taper");
  EXPECT_EQ(field_refused([] { decorated_radii({}, 1.0); }), "large");
  EXPECT_EQ(field_refused([] { decorated_radii({1.0, 0.0}, 1.0); }), "large[1]");
  EXPECT_EQ(field_refused([] { decorated_radii({1.0}, 0.0); }), "small");
  EXPECT_EQ(field_refused([] { dimer_radii(2, 0.0, 1.0); }), "first");
  EXPECT_EQ(field_refused([] { dimer_radii(2, 1.0, 0.0); }), "second");
  EXPECT_EQ(field_refused([] { dimer_radii(-2, 1.0, 1.0); }), "balls");
  EXPECT_EQ(field_refused([] { disordered_radii(2, 0.0, 1.0, 0); }), "smallest");
  EXPECT_EQ(field_refused([] { disordered_radii(2, 2.0, 1.0, 0); }), "largest");
  EXPECT_EQ(field_refused([] { disordered_radii(2, 2.0, kNan, 0); }), "largest");
  EXPECT_EQ(field_refused([] { big_ball_radii(3, 1.0, 5.0, 0); }), "place");
  EXPECT_EQ(field_refused([] { big_ball_radii(3, 1.0, 5.0, 4); }), "place");
  EXPECT_EQ(field_refused([] { big_ball_radii(3, 1.0, -5.0, 1); }), "big");
}

TEST(SphereChain, UnitBallsHaveTheirCubesAsMasses) {
  const BallChain chain =
      SphereChain{.radii = {1.0, 2.0, 0.5}, .made_of = {unit_material()}, .wall = Wall::Right}
          .chain();
  // Two roundings more than in the product itself.
  EXPECT_NEAR(chain.masses[1], 8.0, 1e-14);
  EXPECT_NEAR(chain.masses[2], 0.125, 1e-16);
  ASSERT_EQ(chain.materials.size(), 3U);
  EXPECT_DOUBLE_EQ(chain.materials[0].stiffness, std::sqrt(2.0 * 2.0 / 3.0));
  EXPECT_DOUBLE_EQ(chain.materials[1].stiffness, std::sqrt(2.0 * 1.0 / 2.5));
  EXPECT_DOUBLE_EQ(chain.materials[2].stiffness, 1.0);  // √(2 R) of the last, R = 1/2
  for (const Material& material : chain.materials) EXPECT_EQ(material.exponent, 1.5);
}

TEST(SphereChain, EachBallMayBeOfItsOwnSubstance) {
  const ElasticMaterial steel = elastic_material("steel");
  const ElasticMaterial ptfe = elastic_material("ptfe");
  const ElasticMaterial brass = elastic_material("brass");
  const BallChain chain = SphereChain{.radii = {0.01, 0.005},
                                      .made_of = {steel, ptfe},
                                      .wall = Wall::Both,
                                      .wall_made_of = brass,
                                      .restitution = {0.9, 0.8, 0.7}}
                              .chain();
  const double plane = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(chain.masses[0], sphere_mass(7850.0, 0.01));
  EXPECT_DOUBLE_EQ(chain.masses[1], sphere_mass(2178.0, 0.005));
  ASSERT_EQ(chain.contacts(), 3);
  EXPECT_EQ(chain.materials[0].stiffness, hertz_stiffness(steel, 0.01, brass, plane));
  EXPECT_EQ(chain.materials[1].stiffness, hertz_stiffness(steel, 0.01, ptfe, 0.005));
  EXPECT_EQ(chain.materials[2].stiffness, hertz_stiffness(ptfe, 0.005, brass, plane));
  EXPECT_EQ(chain.materials[2].restitution, 0.7);
}

TEST(SphereChain, MassesMayBeGiven) {
  const ElasticMaterial light{.youngs_modulus = 1.0};  // no density
  const BallChain chain =
      SphereChain{.radii = {1.0, 1.0}, .made_of = {light}, .masses = {3.0, 4.0}}.chain();
  EXPECT_EQ(chain.masses, (Radii{3.0, 4.0}));
}

TEST(SphereChain, RefusesWhatCannotBeBuilt) {
  const SphereChain good{.radii = {1.0, 2.0}, .made_of = {unit_material()}};
  EXPECT_NO_THROW(good.chain());
  const auto refused = [&](auto change) {
    SphereChain chain = good;
    change(chain);
    return field_refused([&] { chain.chain(); });
  };
  EXPECT_EQ(refused([](auto& c) { c.radii.clear(); }), "radii");
  EXPECT_EQ(refused([](auto& c) { c.radii[1] = 0.0; }), "radii[1]");
  EXPECT_EQ(refused([](auto& c) { c.radii[1] = 1e-120; }), "radii[1]");  // its mass is 0
  EXPECT_EQ(refused([](auto& c) {
              c.made_of[0].youngs_modulus = std::numeric_limits<double>::infinity();
            }),
            "made_of");
  EXPECT_EQ(refused([](auto& c) { c.made_of.clear(); }), "made_of");
  EXPECT_EQ(refused([](auto& c) { c.made_of.resize(3, unit_material()); }), "made_of");
  EXPECT_EQ(refused([](auto& c) { c.made_of[0].youngs_modulus = 0.0; }),
            "made_of[0].youngs_modulus");
  EXPECT_EQ(refused([](auto& c) { c.made_of[0].density = 0.0; }), "made_of[0].density");
  EXPECT_EQ(refused([](auto& c) { c.wall_made_of = ElasticMaterial{}; }),
            "wall_made_of.youngs_modulus");
  EXPECT_EQ(refused([](auto& c) { c.masses = {1.0}; }), "masses");
  EXPECT_EQ(refused([](auto& c) { c.restitution = {}; }), "restitution");
  EXPECT_EQ(refused([](auto& c) { c.restitution = {0.1, 0.2}; }), "restitution");
}

}  // namespace
}  // namespace percute::systems
