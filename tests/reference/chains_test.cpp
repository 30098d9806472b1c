// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/laws/impact_law.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

// Systems and materials make the chains and columns of the reference data, and scale as they must.

namespace percute::reproduction {
namespace {

using systems::BallChain;
using systems::BeadColumn;
using systems::SphereChain;

const laws::Lzb kLaw{.tolerance = 1e-10};

/// The beads of Liu, Zhao and Brogliato (2008), section 9: steel, diameter 8 mm, 2.05 g.
constexpr double kBeadRadius = 0.004;
const ElasticMaterial kBead = elastic_material("bead_steel");

/// The problem of a case of the reference data, "item/case".
ImpactProblem problem_called(const std::string& id) {
  static const std::vector<Item> items = items_of("chains");
  const auto slash = id.find('/');
  const Item item = one_case(item_called(items, id.substr(0, slash)), id.substr(slash + 1));
  return problem_of(item.cases.at(0));
}

/// What a system makes is what the data have, whose outcomes are tested with the other reference
/// cases. The data have 12 digits, and a stiffness is a few products.
void expect_same(const ImpactProblem& made, const std::string& id) {
  SCOPED_TRACE(id);
  const ImpactProblem listed = problem_called(id);
  ASSERT_EQ(made.contacts.size(), listed.contacts.size());
  ASSERT_EQ(made.velocity.size(), listed.velocity.size());
  const auto near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-11 * std::abs(b)); };
  for (Eigen::Index i = 0; i < listed.velocity.size(); ++i) {
    near(made.velocity[i], listed.velocity[i]);
    const Vector e = Vector::Unit(listed.velocity.size(), i);
    near(made.mass.solve(e)[i], listed.mass.solve(e)[i]);
  }
  EXPECT_EQ(Matrix(made.gradients), Matrix(listed.gradients));
  for (std::size_t j = 0; j < listed.contacts.size(); ++j) {
    near(made.contacts[j].material.stiffness, listed.contacts[j].material.stiffness);
    EXPECT_EQ(made.contacts[j].material.restitution, listed.contacts[j].material.restitution);
    EXPECT_EQ(made.contacts[j].material.exponent, listed.contacts[j].material.exponent);
  }
}

BeadColumn steel_column(int beads, double restitution, double wall_restitution = 0.92) {
  const double plane = std::numeric_limits<double>::infinity();
  return {
      .beads = beads,
      .mass = 2.05e-3,
      .radius = kBeadRadius,
      .material = {.restitution = restitution,
                   .stiffness = systems::hertz_stiffness(kBead, kBeadRadius, kBead, kBeadRadius)},
      .wall = {.restitution = wall_restitution,
               .stiffness = systems::hertz_stiffness(kBead, kBeadRadius, kBead, plane)}};
}

TEST(ReferenceChains, Columns) {
  for (const int beads : {1, 2, 8, 12}) {
    const std::string id = "/N" + std::to_string(beads);
    const auto dropped = [](const BeadColumn& column, double height) {
      return column.impact(column.dropped_from(height, 9.81));
    };
    expect_same(dropped(steel_column(beads, 0.96), 0.0031), "lzb2008.fig31" + id);
    expect_same(dropped(steel_column(beads, 0.96), 0.0051), "lzb2008.fig32" + id);
    expect_same(dropped(steel_column(beads, 1.0, 1.0), 0.0051), "lzb2008.column.elastic_h5.1" + id);
    BeadColumn pvc = steel_column(beads, 0.92, 0.7);
    pvc.wall.stiffness = 3.67e8;
    expect_same(dropped(pvc, 0.0029), "lzb2008.fig40_42.pvc" + id);
  }
}

TEST(ReferenceChains, SeveralStrikersAndBothEnds) {
  const BallChain ten{.balls = 10};
  expect_same(ten.impact(ten.at_contact(1.0, 1)), "lzb2008.case4/1to9");
  expect_same(ten.impact(ten.at_contact(1.0, 4)), "lzb2008.case4/4to6");
  for (const int balls : {15, 16}) {
    const BallChain chain{.balls = balls};
    expect_same(chain.impact(chain.struck_at_both_ends(1.0)),
                "lzb2008.case3/n" + std::to_string(balls));
  }
}

TEST(ReferenceChains, SpheresOfManySizes) {
  const auto wall = BallChain::Wall::Right;
  const auto none = BallChain::Wall::None;
  const struct {
    const char* id;
    std::vector<double> radii;
    BallChain::Wall wall = BallChain::Wall::None;
    double restitution = 1.0;
  } cases[] = {
      {"chains.stepped/stepped_7big_25small_wall", systems::stepped_radii({7, 25}, {2, 1}), wall},
      {"chains.stepped/stepped_7big_50small_wall_e0.95", systems::stepped_radii({7, 50}, {2, 1}),
       wall, 0.95},
      {"chains.reverse_step/reverse_step_25small_7big", systems::stepped_radii({25, 7}, {1, 2}),
       none},
      {"chains.tapered/tapered_q5pct_20", systems::tapered_radii(20, 1.0, 0.05), none},
      {"chains.tapered/tapered_q10pct_20", systems::tapered_radii(20, 1.0, 0.1), none},
      {"chains.tapered/antitapered_q5pct_20",
       systems::reversed_radii(systems::tapered_radii(20, 1.0, 0.05)), none},
      {"chains.tapered/decorated_tapered_21",
       systems::decorated_radii(systems::tapered_radii(11, 1.0, 0.05), 0.3), none},
      {"chains.dimer/dimer_r0.35_41", systems::dimer_radii(41, 1.0, 0.35), none},
      {"chains.big_ball/bigball_21", systems::big_ball_radii(21, 1.0, 5.0, 10), none},
  };
  for (const auto& entry : cases) {
    const BallChain chain = SphereChain{
        .radii = entry.radii,
        .made_of = {unit_material()},
        .wall = entry.wall,
        .restitution = {
            entry.restitution}}.chain();
    expect_same(chain.impact(chain.at_contact(1.0)), entry.id);
  }
}

TEST(ReferenceChains, HeavyStrikers) {
  const BallChain chain = systems::with_striker_mass({.balls = 200}, 4.0);
  expect_same(chain.impact(chain.at_contact(1.0)), "chains.heavy_striker/m4");
}

// With one speed scale v, one stiffness scale K and one mass scale m, velocities go with v and
// impulses with m v, whatever K is. The runs differ by their accuracy only, 1e-8 and better here.

TEST(ChainScaling, OutcomesDependOnRatiosOnly) {
  const BeadColumn column{.beads = 6,
                          .mass = 1.0,
                          .material = {.restitution = 0.95, .stiffness = 1.0},
                          .wall = {.restitution = 0.9, .stiffness = 0.03}};
  BeadColumn other = column;
  other.mass = 2.05e-3;
  other.material.stiffness = 7.0e9;
  other.wall.stiffness = 0.03 * 7.0e9;
  const ImpactResult one = resolve(column.impact(column.at_contact(1.0)), kLaw);
  const ImpactResult two = resolve(other.impact(other.at_contact(0.25)), kLaw);
  ASSERT_EQ(one.status, Status::Ok);
  EXPECT_LE((two.velocity / 0.25 - one.velocity).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_LE((two.impulse / (0.25 * 2.05e-3) - one.impulse).lpNorm<Eigen::Infinity>(), 1e-7);
}

/// Largest force of the wall, when, and when the wall is left for the last time.
struct WallForce {
  double largest = 0.0;
  double at = 0.0;
  double end = 0.0;
};

WallForce wall_force(const BeadColumn& column, double speed) {
  const ImpactResult result =
      resolve(column.impact(column.at_contact(speed)), kLaw, Recording{.every = 0});
  WallForce force;
  for (const ImpactEvent& event : result.history.events) {
    if (event.contact != 0) continue;
    if (event.kind == EventKind::Opening) force.end = event.time;
    if (event.kind != EventKind::CompressionEnd || event.force <= force.largest) continue;
    force.largest = event.force;
    force.at = event.time;
  }
  return force;
}

// At law tolerance 1e-10 forces are good to 1e-7, instants of peaks to 1e-6 and of releases to
// 5e-6.

TEST(ChainScaling, OneBeadOnTheWallHasClosedForms) {
  const BeadColumn column = steel_column(1, 0.96);
  const double speed = std::sqrt(2.0 * 9.81 * 0.0031);
  const WallForce force = wall_force(column, speed);
  // F = K^(2/5) (5 m v²/4)^(3/5); loss shortens the way back only.
  EXPECT_NEAR(force.largest / 51.660195, 1.0, 1e-7);
  EXPECT_NEAR(force.at / 18.002758e-6, 1.0, 1e-6);
  EXPECT_NEAR(force.end / force.at, 1.0 + 0.92, 1e-5);
  // The time to the peak gives the stiffness back; the 5/2 power makes 2.5e-6 of 1e-6.
  EXPECT_NEAR(
      laws::stiffness_from_time_to_peak(force.at, 1.5, column.mass, speed) / column.wall.stiffness,
      1.0, 2.5e-6);
}

TEST(ChainScaling, TheLargestForceOnAHardWallComesBeforeAnyWaveReturns) {
  const double speed = std::sqrt(2.0 * 9.81 * 0.0031);
  for (const int beads : {3, 5, 8}) {
    for (const double restitution : {0.92, 0.96, 1.0}) {
      const WallForce force = wall_force(steel_column(beads, restitution), speed);
      EXPECT_NEAR(force.largest / 52.9000777, 1.0, 1e-7) << beads << " " << restitution;
    }
  }
}

TEST(ChainScaling, ForcesAndTimes) {
  // Forces go with K^(2/5) m^(3/5) v^(6/5), times with (m/K)^(2/5) v^(−1/5).
  const BeadColumn column = steel_column(4, 0.96);
  const WallForce one = wall_force(column, 0.25);
  const WallForce faster = wall_force(column, 0.75);
  EXPECT_NEAR(faster.largest / one.largest, std::pow(3.0, 1.2), 1e-7);
  EXPECT_NEAR(faster.at / one.at, std::pow(3.0, -0.2), 1e-6);
  EXPECT_NEAR(faster.end / one.end, std::pow(3.0, -0.2), 5e-6);
  BeadColumn other = column;
  other.mass *= 10.0;
  other.material.stiffness *= 0.01;
  other.wall.stiffness *= 0.01;
  const WallForce softer = wall_force(other, 0.25);
  EXPECT_NEAR(softer.largest / one.largest, std::pow(0.01, 0.4) * std::pow(10.0, 0.6), 1e-7);
  EXPECT_NEAR(softer.end / one.end, std::pow(1000.0, 0.4), 5e-6 * std::pow(1000.0, 0.4));
}

TEST(ChainScaling, SizeAndSubstanceOfEqualSpheresDoNotMatter) {
  // Masses go with ρ R³ and stiffnesses with E √R: one factor each, in all of the chain.
  const auto velocity = [](double scale, const ElasticMaterial& material) {
    std::vector<double> radii = systems::tapered_radii(8, scale, 0.1);
    const BallChain chain =
        SphereChain{.radii = radii, .made_of = {material}, .wall = BallChain::Wall::Right}.chain();
    return resolve(chain.impact(chain.at_contact(1.0)), kLaw).velocity;
  };
  const Vector unit = velocity(1.0, unit_material());
  EXPECT_LE((velocity(0.01, elastic_material("steel")) - unit).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_LE((velocity(0.002, elastic_material("rubber")) - unit).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(ChainScaling, AColumnIsAChainAgainstAWallUpsideDown) {
  const BeadColumn column{.beads = 5, .mass = 0.1, .material = {.restitution = 0.9}};
  const BallChain chain{
      .balls = 5, .mass = 0.1, .material = {.restitution = 0.9}, .wall = BallChain::Wall::Right};
  BallChain lossless_wall = chain;
  lossless_wall.materials.assign(5, chain.material);
  lossless_wall.materials.back() = column.wall;
  const ImpactResult up = resolve(column.impact(column.at_contact(1.0)), kLaw);
  const ImpactResult right =
      resolve(lossless_wall.impact(lossless_wall.at_contact(Vector::Constant(5, 1.0))), kLaw);
  EXPECT_LE((up.velocity + right.velocity.reverse()).lpNorm<Eigen::Infinity>(), 1e-8);
}

}  // namespace
}  // namespace percute::reproduction
