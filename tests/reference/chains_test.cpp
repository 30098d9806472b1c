// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/reader.hpp>
#include <percute/laws/impact_law.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/systems/bead_column.hpp>
#include <percute/systems/hertz.hpp>
#include <percute/systems/radii.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string>

// Chains and columns, built by their systems and materials, against a second implementation.

namespace percute::io {
namespace {

using systems::BallChain;
using systems::BeadColumn;
using systems::SphereChain;

const laws::Lzb kLaw{.tolerance = 1e-10};  // the tolerances of the data are for this one

const Document& document() {
  static const Document read =
      read_document(std::filesystem::path(PERCUTE_SOURCE_DIR) / "tests/reference/chains.json");
  return read;
}

Value member(const Value& value, const char* key) {
  return {document(), *value.node().find(key), value.path() + "." + key};
}
double number(const Value& value, const char* key) {
  return member(value, key).number();
}
int integer(const Value& value, const char* key) {
  return static_cast<int>(member(value, key).integer(0, 1'000'000));
}

/// The cases of one kind: calls `check(entry)` for each, with its id in the trace.
template <class Check>
void for_each_case(const char* kind, std::size_t count, Check check) {
  const Value cases(document(), *document().root.find(kind), kind);
  ASSERT_EQ(cases.size(), count);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(member(cases[i], "id").string());
    check(cases[i]);
  }
}

/// The beads of Liu, Zhao and Brogliato (2008), section 9: steel, diameter 8 mm, 2.05 g.
constexpr double kBeadRadius = 0.004;
const ElasticMaterial kBead = elastic_material("bead_steel");

BeadColumn column_of(const Value& group, int beads) {
  return {
      .beads = beads,
      .mass = 2.05e-3,
      .radius = kBeadRadius,
      .material = {.restitution = number(group, "restitution"),
                   .stiffness = systems::hertz_stiffness(kBead, kBeadRadius, kBead, kBeadRadius)},
      .wall = {.restitution = number(group, "wall_restitution"),
               .stiffness = number(group, "wall_stiffness")}};
}

TEST(ReferenceChains, Columns) {
  for_each_case("columns", 10, [](const Value& group) {
    const Value cases = member(group, "cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const int beads = integer(cases[i], "beads");
      SCOPED_TRACE(beads);
      const BeadColumn column = column_of(group, beads);
      const State state = column.dropped_from(number(group, "height"), 9.81);
      const double speed = -state.velocity[0];
      const ImpactResult result = resolve(column.impact(state), kLaw);
      ASSERT_TRUE(result.ok());
      // e_eff is a mean velocity over the speed: the tolerance of velocities is its own.
      const double tolerance = number(cases[i], "tolerance");
      const double e_eff = result.velocity.sum() / (beads * speed);
      EXPECT_NEAR(e_eff, number(cases[i], "e_eff"), tolerance);
      // The wall's impulse says the same: Σ m v⁺ = p_wall − N m |v⁻|, exact but for rounding.
      EXPECT_NEAR(e_eff, result.impulse[0] / (beads * column.mass * speed) - 1.0, 1e-12);
      if (cases[i].node().find("velocity") != nullptr) {
        const Vector expected = member(cases[i], "velocity").numbers();
        EXPECT_LE((result.velocity - expected).lpNorm<Eigen::Infinity>(), tolerance * speed);
      } else {
        // Inelastic collapse: the beads stay on the wall.
        EXPECT_EQ(result.status, Status::Zeno);
        EXPECT_LE(result.velocity.lpNorm<Eigen::Infinity>(), tolerance * speed);
      }
    }
  });
}

TEST(ReferenceChains, AColumnOfSteelHasTheWallOfTheData) {
  const double wall =
      systems::hertz_stiffness(kBead, kBeadRadius, kBead, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(wall / 9858327626.57, 1.0, 1e-11);  // printed to 12 digits
}

TEST(ReferenceChains, SeveralStrikers) {
  for_each_case("strikers", 4, [](const Value& entry) {
    const BallChain chain{.balls = integer(entry, "balls")};
    const int strikers = integer(entry, "strikers");
    const ImpactResult result = resolve(chain.impact(chain.at_contact(1.0, strikers)), kLaw);
    ASSERT_EQ(result.status, Status::Ok);
    const Vector expected = member(entry, "velocity").numbers();
    EXPECT_LE((result.velocity - expected).lpNorm<Eigen::Infinity>(), number(entry, "tolerance"));
    // m strikers send m + 2 balls forward.
    EXPECT_EQ((result.velocity.array() > 0.0).count(), strikers + 2);
  });
}

TEST(ReferenceChains, StruckAtBothEnds) {
  for_each_case("both_ends", 4, [](const Value& entry) {
    const BallChain chain{.balls = integer(entry, "balls")};
    const ImpactResult result = resolve(chain.impact(chain.struck_at_both_ends(1.0)), kLaw);
    ASSERT_EQ(result.status, Status::Ok);
    const Vector expected = member(entry, "velocity").numbers();
    EXPECT_LE((result.velocity - expected).lpNorm<Eigen::Infinity>(), number(entry, "tolerance"));
    // Antisymmetric, as the start is; the two halves differ by the accuracy of the run.
    EXPECT_LE((result.velocity + result.velocity.reverse()).lpNorm<Eigen::Infinity>(), 1e-8);
  });
}

/// The radii of a case, by the function that makes such chains.
std::vector<double> radii_of(const std::string& id) {
  const std::map<std::string, std::vector<double>> radii{
      {"chain.stepped_7big_25small_wall", systems::stepped_radii({7, 25}, {2.0, 1.0})},
      {"chain.stepped_7big_50small_wall", systems::stepped_radii({7, 50}, {2.0, 1.0})},
      {"chain.reverse_step_25small_7big", systems::stepped_radii({25, 7}, {1.0, 2.0})},
      {"chain.tapered_q5pct_20", systems::tapered_radii(20, 1.0, 0.05)},
      {"chain.antitapered_q5pct_20",
       systems::reversed_radii(systems::tapered_radii(20, 1.0, 0.05))},
      {"chain.tapered_q10pct_20", systems::tapered_radii(20, 1.0, 0.1)},
      {"chain.decorated_tapered_21",
       systems::decorated_radii(systems::tapered_radii(11, 1.0, 0.05), 0.3)},
      {"chain.dimer_r0.90_41", systems::dimer_radii(41, 1.0, 0.9)},
      {"chain.dimer_r0.50_41", systems::dimer_radii(41, 1.0, 0.5)},
      {"chain.dimer_r0.35_41", systems::dimer_radii(41, 1.0, 0.35)},
      {"chain.dimer_r0.20_41", systems::dimer_radii(41, 1.0, 0.2)},
      {"chain.bigball_3", systems::big_ball_radii(3, 1.0, 5.0, 2)},
      {"chain.bigball_21", systems::big_ball_radii(21, 1.0, 5.0, 10)}};
  const auto found = radii.find(id.substr(0, id.find("_e0.95")));
  return found == radii.end() ? std::vector<double>{} : found->second;
}

TEST(ReferenceChains, SpheresOfManySizes) {
  for_each_case("spheres", 16, [](const Value& entry) {
    const Vector listed = member(entry, "radii").numbers();
    std::vector<double> radii = radii_of(member(entry, "id").string());
    if (radii.empty()) {
      EXPECT_EQ(member(entry, "id").string(), "chain.disordered30");
      radii.assign(listed.begin(), listed.end());
    }
    ASSERT_EQ(radii.size(), static_cast<std::size_t>(listed.size()));
    // Twenty products of a taper, and the 15 digits of the list.
    EXPECT_LE((Vector::Map(radii.data(), listed.size()) - listed).lpNorm<Eigen::Infinity>(), 1e-14);

    const SphereChain spheres{
        .radii = radii,
        .made_of = {unit_material()},
        .wall = member(entry, "wall").boolean() ? BallChain::Wall::Right : BallChain::Wall::None,
        .restitution = {number(entry, "restitution")}};
    const BallChain chain = spheres.chain();
    const ImpactResult result = resolve(chain.impact(chain.at_contact(1.0)), kLaw);
    ASSERT_EQ(result.status, Status::Ok);
    const Vector expected = member(entry, "velocity").numbers();
    EXPECT_LE((result.velocity - expected).lpNorm<Eigen::Infinity>(), number(entry, "tolerance"));
  });
}

TEST(ReferenceChains, HeavyStrikersMakeTrainsOfWaves) {
  for_each_case("heavy_striker", 3, [](const Value& entry) {
    const BallChain chain = systems::with_striker_mass({.balls = integer(entry, "balls")},
                                                       number(entry, "striker_mass"));
    const ImpactResult result = resolve(chain.impact(chain.at_contact(1.0)), kLaw);
    ASSERT_TRUE(result.ok());
    const Vector expected = member(entry, "last_velocities").numbers();
    EXPECT_LE((result.velocity.tail(expected.size()) - expected).lpNorm<Eigen::Infinity>(),
              number(entry, "tolerance"));
  });
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

BeadColumn steel_column(int beads, double restitution) {
  const double plane = std::numeric_limits<double>::infinity();
  return {
      .beads = beads,
      .mass = 2.05e-3,
      .radius = kBeadRadius,
      .material = {.restitution = restitution,
                   .stiffness = systems::hertz_stiffness(kBead, kBeadRadius, kBead, kBeadRadius)},
      .wall = {.restitution = 0.92,
               .stiffness = systems::hertz_stiffness(kBead, kBeadRadius, kBead, plane)}};
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
}  // namespace percute::io
