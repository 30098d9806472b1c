// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/chain_waves.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace percute::analysis {
namespace {

using systems::BallChain;

constexpr double kTolerance = 1e-10;

ChainWaves watch(const BallChain& chain, const State& state, const WaveOptions& options = {}) {
  return watch_waves(chain.impact(state), laws::Lzb{.tolerance = kTolerance}, options);
}

/// Beads on a wall at the left: the first contact is that of the wall.
BallChain column(int beads, double restitution, double wall_restitution) {
  BallChain chain{.balls = beads, .mass = 2.05e-3, .radius = 4e-3, .wall = BallChain::Wall::Left};
  chain.materials.assign(static_cast<std::size_t>(beads),
                         {.restitution = restitution, .stiffness = 6.9709e9, .exponent = 1.5});
  chain.materials.front() = {
      .restitution = wall_restitution, .stiffness = 9.858e9, .exponent = 1.5};
  return chain;
}

ChainWaves fall(const BallChain& chain, double speed, const WaveOptions& options = {}) {
  return watch(chain, chain.at_contact(Vector::Constant(chain.balls, -speed)), options);
}

BallChain equal_balls(int balls, double restitution = 1.0) {
  return {.balls = balls,
          .mass = 1.0,
          .radius = 1.0,
          .material = {.restitution = restitution, .stiffness = 1.0, .exponent = 1.5}};
}

// ½ m v² = (2/5) K δ^(5/2) at the largest force; the time there is ∫ dδ/√(v² − (4K/5m) δ^(5/2)),
// and unloading takes e times as long as loading.
TEST(OneBead, HasTheClosedFormOfHertz) {
  const double v = 0.25;
  const double m = 2.05e-3;
  const double K = 9.858e9;
  const double half = std::tgamma(0.4) * std::tgamma(0.5) / (2.5 * std::tgamma(0.9));
  const double to_peak = half * std::pow(1.25 * m / K, 0.4) * std::pow(v, -0.2);
  const double force = std::pow(K, 0.4) * std::pow(1.25 * m * v * v, 0.6);
  for (const double e : {1.0, 0.92, 0.5}) {
    const ChainWaves waves = fall(column(1, 1.0, e), v);
    const ContactPassage& wall = waves.contacts.at(0);
    // The law is asked for 1e-10; forces and times are of first order in its error.
    EXPECT_NEAR(wall.peak.force / force, 1.0, 1e-9) << e;
    EXPECT_NEAR(wall.peak.time / to_peak, 1.0, 1e-8) << e;
    EXPECT_NEAR(wall.release / to_peak, 1.0 + e, 1e-7) << e;
    EXPECT_NEAR(wall.duration, wall.release, 1e-15) << e;
    EXPECT_EQ(wall.impacts, 1) << e;
    ASSERT_TRUE(waves.rebound) << e;
    EXPECT_NEAR(waves.rebound->effective_restitution, e, 1e-9);
    EXPECT_NEAR(waves.rebound->top_velocity, e * v, 1e-10);
    EXPECT_FALSE(waves.wave) << "one bead";
  }
}

TEST(Column, ReboundsByTheImpulseOfTheWall) {
  const ChainWaves waves = fall(column(8, 0.96, 0.92), 0.25);
  ASSERT_TRUE(waves.rebound);
  EXPECT_EQ(waves.rebound->wall_contact, waves.chain.contacts.front());
  // Momentum: both are made from the same impulses.
  EXPECT_NEAR(waves.rebound->effective_restitution, waves.rebound->impulse_restitution, 1e-12);
  // The first peak is over before the wave has come back: the same for every N and bead.
  const ChainWaves longer = fall(column(12, 0.92, 0.92), 0.25);
  EXPECT_NEAR(waves.contacts[0].peak.force / longer.contacts[0].peak.force, 1.0, 1e-8);
  ASSERT_TRUE(waves.period && longer.period);
  EXPECT_LE(waves.period->shortest, waves.period->longest);
}

TEST(Column, OnTheOtherSideIsItsMirrorImage) {
  const BallChain left = column(5, 0.9, 0.8);
  BallChain right = left;
  right.wall = BallChain::Wall::Right;
  std::reverse(right.materials.begin(), right.materials.end());
  const ChainWaves a = fall(left, 0.25);
  const ChainWaves b = watch(right, right.at_contact(Vector::Constant(5, 0.25)));
  ASSERT_TRUE(a.rebound && b.rebound);
  EXPECT_NEAR(a.rebound->effective_restitution, b.rebound->effective_restitution, 1e-9);
  EXPECT_NEAR(a.rebound->top_velocity, b.rebound->top_velocity, 1e-10);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(a.balls[k].after, -b.balls[4 - k].after, 1e-10);
    EXPECT_NEAR(a.balls[k].peak.velocity, -b.balls[4 - k].peak.velocity, 1e-10);
    EXPECT_NEAR(a.contacts[k].peak.force / b.contacts[4 - k].peak.force, 1.0, 1e-9);
  }
}

// One speed: times ~ v^(−1/5), forces ~ v^(6/5), velocities ~ v; everything else stays.
TEST(Scaling, WithSpeedIsThatOfHertz) {
  const BallChain chain = column(6, 0.9, 0.8);
  const ChainWaves slow = fall(chain, 0.1);
  for (const double factor : {3.0, 50.0}) {
    const ChainWaves fast = fall(chain, 0.1 * factor);
    const double times = std::pow(factor, -0.2);
    const double forces = std::pow(factor, 1.2);
    EXPECT_NEAR(fast.rebound->effective_restitution, slow.rebound->effective_restitution, 1e-8);
    for (std::size_t k = 0; k < slow.contacts.size(); ++k) {
      const ContactPassage& a = slow.contacts[k];
      const ContactPassage& b = fast.contacts[k];
      ASSERT_EQ(a.peaks.size(), b.peaks.size());
      EXPECT_NEAR(b.peak.force / a.peak.force, forces, 1e-8 * forces);
      EXPECT_NEAR(b.peak.time / a.peak.time, times, 1e-7 * times);
      EXPECT_NEAR(b.release / a.release, times, 1e-6 * times);
      EXPECT_NEAR(slow.balls[k].peak.velocity * factor, fast.balls[k].peak.velocity, 1e-8 * factor);
    }
  }
}

TEST(Scaling, WithMassAndStiffnessIsThatOfHertz) {
  const BallChain chain = equal_balls(12, 0.95);
  BallChain other = chain;
  other.mass = 3.0;
  other.material.stiffness = 7.0;
  const ChainWaves a = watch(chain, chain.at_contact(1.0));
  const ChainWaves b = watch(other, other.at_contact(1.0));
  ASSERT_TRUE(a.wave && b.wave);
  const double times = std::pow(3.0 / 7.0, 0.4);
  const double forces = std::pow(7.0, 0.4) * std::pow(3.0, 0.6);
  EXPECT_NEAR(a.wave->speed / b.wave->speed, times, 1e-7);
  EXPECT_NEAR(b.wave->peak_force / a.wave->peak_force, forces, 1e-8 * forces);
  EXPECT_NEAR(*a.wave->half_width, *b.wave->half_width, 1e-6);
}

TEST(DoubleEnded, IsAntisymmetric) {
  const BallChain chain = equal_balls(15);
  Vector v = Vector::Zero(15);
  v[0] = 1.0;
  v[14] = -1.0;
  const ChainWaves waves = watch(chain, chain.at_contact(v), {.samples = 50});
  for (std::size_t k = 0; k < 15; ++k) {
    EXPECT_NEAR(waves.balls[k].after, -waves.balls[14 - k].after, 1e-13) << k;
  }
  // The ball in the middle never moves, and waves that meet are no wave with one speed.
  EXPECT_LT(waves.field.velocity.row(7).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_FALSE(waves.wave);
  EXPECT_NEAR(waves.chain.masses.dot(waves.chain.of_balls(waves.result.velocity)), 0.0, 1e-13);
}

TEST(LongChain, CarriesASolitaryWave) {
  const BallChain chain = equal_balls(60);
  const ChainWaves waves = watch(chain, chain.at_contact(1.0), {.samples = 30});
  ASSERT_TRUE(waves.wave);
  const Wave& wave = *waves.wave;
  // Momentum of the wave: Σ m v over the balls it spans, always the same (no external force).
  for (Eigen::Index k = 0; k < waves.field.velocity.cols(); ++k) {
    EXPECT_NEAR(waves.field.velocity.col(k).sum(), 1.0, 1e-12);
  }
  // Converged values of a chain of 100 balls; 60 are steady to 1e-6 in the middle.
  EXPECT_NEAR(wave.peak.velocity, 0.6816315, 1e-6);
  EXPECT_NEAR(wave.peak_force, 0.63955423, 1e-6);
  EXPECT_NEAR(wave.speed, 0.8405088, 1e-6);
  EXPECT_NEAR(*wave.half_width, 1.57914, 1e-4);
  EXPECT_EQ(wave.balls_above_percent, 3);
  EXPECT_EQ(wave.balls_above_permille, 5);
  EXPECT_EQ(wave.steady_from, 13);
  ASSERT_TRUE(wave.theory);
  EXPECT_NEAR(wave.speed / wave.theory->speed, 0.99219, 1e-5);
  EXPECT_NEAR(wave.peak_force / wave.theory->peak_force, 0.88608, 1e-5);
}

// Struck from the other end the wave runs the other way, with negative velocities.
TEST(LongChain, MayBeStruckFromEitherEnd) {
  const BallChain chain = equal_balls(30);
  Vector v = Vector::Zero(30);
  v[29] = -2.0;
  const ChainWaves there = watch(chain, chain.at_contact(2.0));
  const ChainWaves back = watch(chain, chain.at_contact(v));
  ASSERT_TRUE(there.wave && back.wave);
  EXPECT_GT(there.wave->speed, 0.0);
  EXPECT_LT(back.wave->speed, 0.0);
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_NEAR(there.balls[k].peak.velocity, -back.balls[29 - k].peak.velocity, 1e-9);
  }
  EXPECT_EQ(there.outcome.forward_balls, back.outcome.forward_balls);
  EXPECT_NEAR(there.outcome.forward_energy, back.outcome.forward_energy, 1e-10);
  EXPECT_NEAR(there.outcome.last_ball_energy, back.outcome.last_ball_energy, 1e-10);
}

// Only relative velocities matter: a chain that moves as a whole carries the same wave.
TEST(MovingChain, CarriesTheSameWave) {
  const BallChain chain = equal_balls(12);
  Vector v = Vector::Zero(12);
  v[0] = 1.0;
  const ChainWaves rest = watch(chain, chain.at_contact(v));
  ASSERT_TRUE(rest.wave && rest.wave->theory && rest.wave->half_width);
  for (const double frame : {4.0, -5.0}) {
    const Vector moved = (v.array() + frame).matrix();
    const ChainWaves waves = watch(chain, chain.at_contact(moved));
    ASSERT_TRUE(waves.wave && waves.wave->theory && waves.wave->half_width) << frame;
    const Wave& a = *rest.wave;
    const Wave& b = *waves.wave;
    // Both runs are asked for 1e-10; peaks of velocities are good to 1e-8, flat at their tops.
    EXPECT_NEAR(b.height, a.height, 1e-8) << frame;
    EXPECT_NEAR(b.peak.velocity, a.peak.velocity + frame, 1e-8) << frame;
    EXPECT_NEAR(b.speed / a.speed, 1.0, 1e-8) << frame;
    EXPECT_NEAR(b.peak_force / a.peak_force, 1.0, 1e-8) << frame;
    EXPECT_NEAR(*b.half_width, *a.half_width, 1e-6) << frame;
    EXPECT_NEAR(b.theory->speed / a.theory->speed, 1.0, 1e-8) << frame;
    EXPECT_NEAR(b.theory->peak_force / a.theory->peak_force, 1.0, 1e-8) << frame;
    EXPECT_EQ(b.balls_above_percent, a.balls_above_percent) << frame;
    EXPECT_EQ(b.balls_above_permille, a.balls_above_permille) << frame;
    EXPECT_EQ(b.steady_from, a.steady_from) << frame;
    for (std::size_t k = 0; k < 12; ++k) {
      EXPECT_NEAR(waves.balls[k].peak.velocity, rest.balls[k].peak.velocity + frame, 1e-8) << k;
    }
  }
}

// The wall runs into the column like a piston: the front is a pulse as in any other chain, seen
// from the beads it has not reached. It is not the largest velocity: after the rebound a bead in
// the middle is faster.
TEST(Column, CarriesAWaveAboveTheBeadsAhead) {
  const double v = 0.25;
  const ChainWaves waves = fall(column(30, 1.0, 1.0), v);
  ASSERT_TRUE(waves.wave && waves.wave->theory);
  const Wave& wave = *waves.wave;
  EXPECT_NEAR(wave.height, wave.peak.velocity + v, 1e-14);
  EXPECT_LT(wave.height, 2.0 * v);
  EXPECT_GT(wave.height, v) << "faster than the piston";
  EXPECT_GE(waves.balls[15].peak.velocity, wave.peak.velocity);
  // A solitary wave is 0.9922 times as fast, and its force 0.8861 times as large, as in theory (60
  // balls, above). The front still climbs slowly along the column: hence the per cents.
  EXPECT_NEAR(wave.speed / wave.theory->speed, 0.9922, 0.01);
  EXPECT_NEAR(wave.peak_force / wave.theory->peak_force, 0.8861, 0.02);
}

// Balls that all fly at one of two walls are pushed back by it. (Elastic ones would never come to
// an end.)
TEST(Column, BetweenTwoWallsIsPushedBack) {
  BallChain chain = equal_balls(2, 0.8);
  chain.wall = BallChain::Wall::Both;
  const ChainWaves waves = watch(chain, chain.at_contact(Vector::Constant(2, -1.0)));
  EXPECT_EQ(waves.forward, 1.0);
  for (const BallPassage& ball : waves.balls) {
    EXPECT_GT(ball.peak.velocity, 0.0);
    EXPECT_GT(ball.peak.time, 0.0);
  }
}

// Behind the first balls of a long chain there is nothing but noise of the law's tolerance.
TEST(LongChain, CountsNoNoiseAsMotion) {
  const BallChain chain = equal_balls(100);
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const Chain row = chain_of(problem);
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    const ImpactResult result = resolve(problem, laws::Lzb{.tolerance = tolerance});
    const ChainOutcome outcome = outcome_of(problem, row, result, tolerance);
    // Velocities 0.99, 0.15, 4e-3, 1.3e-5; the next one, 3e-9, is below what counts.
    EXPECT_EQ(outcome.forward_balls, 4) << tolerance;
    EXPECT_EQ(outcome.resolution, 1e-6);
    EXPECT_FALSE(outcome.at_rest);
  }
}

// A column that has collapsed has no shares of energy.
TEST(Column, AtRestHasNoDispersion) {
  const ChainWaves waves = fall(column(4, 0.3, 0.3), 0.25);
  ASSERT_EQ(waves.result.status, Status::Zeno);
  EXPECT_TRUE(waves.outcome.at_rest);
  EXPECT_EQ(waves.outcome.forward_balls, 0);
  EXPECT_FALSE(waves.outcome.dispersion);
}

// Elastic contacts without gaps that matter: two laws, one answer.
TEST(LongChain, IsTheSameForCompliantContacts) {
  const BallChain chain = equal_balls(20);
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const ChainWaves a = watch_waves(problem, laws::Lzb{.tolerance = kTolerance});
  const ChainWaves b = watch_waves(problem, laws::Compliant{.tolerance = kTolerance});
  for (std::size_t k = 0; k < a.contacts.size(); ++k) {
    EXPECT_NEAR(a.contacts[k].peak.force, b.contacts[k].peak.force, 1e-8) << k;
    EXPECT_NEAR(a.contacts[k].peak.time, b.contacts[k].peak.time, 1e-6) << k;
    EXPECT_NEAR(a.balls[k].peak.velocity, b.balls[k].peak.velocity, 1e-8) << k;
  }
}

// A closer look changes the velocity peaks by less than is promised.
TEST(VelocityPeaks, AreConverged) {
  const BallChain chain = equal_balls(20, 0.9);
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const ChainWaves a = watch_waves(problem, laws::Lzb{.tolerance = kTolerance});
  const ChainWaves b = watch_waves(problem, laws::Lzb{.tolerance = 1e-12}, {.samples = 5000});
  for (std::size_t k = 0; k < a.balls.size(); ++k) {
    EXPECT_NEAR(a.balls[k].peak.velocity, b.balls[k].peak.velocity, 1e-8) << k;
    EXPECT_NEAR(a.balls[k].peak.time, b.balls[k].peak.time, 1e-5) << k << ": flat at its top";
  }
}

// What is told sample by sample is what a history would hold, which then keeps the events alone.
template <class Law>
void expect_watched_as_recorded(const Law& law) {
  const BallChain row = equal_balls(12, 0.9);
  const ImpactProblem problem = row.impact(row.at_contact(1.0));
  const Chain chain = chain_of(problem);
  const ImpactResult recorded = resolve(problem, law, Recording{});
  ChainMotion motion(problem, chain);
  long samples = 0;
  Recording recording;
  recording.watch = [&](double time, std::span<const ContactSample> contacts) {
    samples = contacts.empty() ? 0 : samples + 1;
    motion.watch(time, contacts);
  };
  const ImpactResult watched = resolve(problem, law, recording);
  motion.finish();
  const ImpactHistory& history = recorded.history;
  EXPECT_EQ(watched.velocity, recorded.velocity);
  EXPECT_EQ(watched.history.events.size(), history.events.size());
  EXPECT_TRUE(watched.history.empty());
  ASSERT_EQ(samples, history.time.size());
  Vector velocities(chain.size());
  Vector forces(chain.size() - 1);
  for (Eigen::Index k = 0; k < history.time.size(); ++k) {
    const bool jumps = k > 0 && history.time[k] == history.time[k - 1];
    if (jumps) continue;  // the first of two samples at one instant is the nearest
    motion.at_sample(history.time[k], velocities, forces);
    EXPECT_LT((velocities - history.velocity.col(k)).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_EQ(forces, history.force.col(k));
  }
}

TEST(ChainMotion, IsThatOfTheHistory) {
  expect_watched_as_recorded(laws::Lzb{.tolerance = kTolerance});
  expect_watched_as_recorded(laws::Compliant{.tolerance = kTolerance});
}

TEST(SolitaryWave, HasTheLongWaveNumbersOfHertz) {
  const SolitaryWave wave = solitary_wave(1.0, 1.0, 1.5, 0.5);
  EXPECT_NEAR(wave.speed, std::pow(0.8, 0.4) * std::pow(0.5, 0.2), 1e-15);
  EXPECT_NEAR(wave.support, 5.0 * std::numbers::pi / std::sqrt(10.0), 1e-14);
  EXPECT_NEAR(wave.peak_force, std::pow(0.5 / wave.speed, 1.5), 1e-15);
  EXPECT_NEAR(wave.velocity(0.3), 0.5 * std::pow(std::cos(std::sqrt(0.4) * 0.3), 4.0), 1e-15);
  EXPECT_NEAR(wave.velocity(0.5 * wave.half_width), 0.25, 1e-15);
  EXPECT_EQ(wave.velocity(2.5), 0.0);
}

TEST(SolitaryWave, RefusesWhatHasNone) {
  EXPECT_THROW(solitary_wave(1.0, 1.0, 1.0, 0.5), InvalidInput) << "linear springs";
  EXPECT_THROW(solitary_wave(0.0, 1.0, 1.5, 0.5), InvalidInput);
  EXPECT_THROW(solitary_wave(1.0, 1.0, 1.5, -0.5), InvalidInput);
}

TEST(ForcePeaks, MakeAPeriodAndATrain) {
  const std::vector<ForcePeak> peaks{{1.0, 10.0}, {3.0, 0.4}, {6.0, 2.0}, {7.0, 1.0}};
  ASSERT_TRUE(period(peaks));
  EXPECT_EQ(period(peaks)->shortest, 2.0);
  EXPECT_EQ(period(peaks)->longest, 3.0) << "the last interval does not count";
  EXPECT_FALSE(period({{1.0, 1.0}, {2.0, 1.0}}));
  EXPECT_EQ(wave_train(peaks).size(), 3U);
  EXPECT_EQ(largest(peaks).time, 1.0);
  EXPECT_EQ(largest({}).force, 0.0);
}

// Without restitution a contact loses its force when it is largest.
TEST(ForcePeaks, KnowPlasticContacts) {
  const ChainWaves waves = fall(column(1, 0.0, 0.0), 0.25);
  ASSERT_EQ(waves.contacts[0].peaks.size(), 1U);
  EXPECT_NEAR(waves.contacts[0].peaks[0].force / waves.contacts[0].peak.force, 1.0, 1e-9);
}

}  // namespace
}  // namespace percute::analysis
