// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/chain.hpp>
#include <percute/analysis/chain_motion.hpp>
#include <percute/analysis/force_peaks.hpp>
#include <percute/analysis/solitary_wave.hpp>
#include <percute/laws/impact_law.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace percute::analysis {

/// What went through one contact of a chain.
struct ContactPassage {
  ForcePeak peak = {};                ///< the largest force of all
  std::vector<ForcePeak> peaks = {};  ///< at the ends of its compressions
  double first_contact = 0.0;         ///< instant it was first loaded, s
  double release = 0.0;   ///< instant it let go for good (the end, if a cascade left it loaded), s
  double duration = 0.0;  ///< time during which it carried a force, s
  double impulse = 0.0;   ///< N s
  int impacts = 0;        ///< times it was loaded anew
  std::optional<double> ratio_to_next = {};  ///< ICR = impulse / impulse of the next contact
};

/// What went through one ball.
struct BallPassage {
  double before = 0.0;     ///< v⁻, along the row, m/s
  double after = 0.0;      ///< v⁺
  VelocityPeak peak = {};  ///< largest velocity in the direction `forward` of the impact
};

/// A wave in the middle of a chain. It is measured from the balls ahead of it, which may move
/// (a falling column): heights are v − v⁻, and no number but `peak` depends on the frame.
struct Wave {
  int first_contact = 0;    ///< the speed is that between these contacts of the row,
  int last_contact = 0;     ///< (j₂ − j₁)/(t₂ − t₁) with t_j the instants of their largest forces
  double speed = 0.0;       ///< balls per second; negative: against the order of the row
  int ball = 0;             ///< the middle one, where the other quantities are measured
  VelocityPeak peak = {};   ///< of that ball, while the force passes from one side to the other
  double height = 0.0;      ///< |v − v⁻| of that ball then, m/s
  double peak_force = 0.0;  ///< largest force of the contact behind it, N
  int balls_above_percent = 0;   ///< side by side above 1 % of the height when that ball peaks
  int balls_above_permille = 0;  ///< above 0.1 % of it
  std::optional<double> half_width =
      {};               ///< full width at half the height of v(t), times speed, balls
  int steady_from = 0;  ///< first ball from which on, to the middle, heights agree to 1e-4
  /// Long-wave theory for the same height, where the chain is uniform there.
  std::optional<SolitaryWave> theory = {};
};

/// All of an impact in a chain, in the order of the row.
struct ChainWaves {
  Chain chain = {};
  ImpactResult result = {};  ///< with a history that has samples at all instants asked for
  /// +1 or −1: away from the wall that all balls approach; otherwise the direction of the momentum
  /// before the impact, seen from the balls at rest to each other if these are more than half.
  double forward = 1.0;
  std::vector<ContactPassage> contacts = {};
  std::vector<BallPassage> balls = {};
  ChainOutcome outcome = {};
  std::optional<Rebound> rebound = {};
  std::optional<Period> period = {};  ///< of the force at the wall, if there is one wall
  std::optional<Wave> wave = {};      ///< where ten balls or more pass a force on from one to next
  SpaceTime field = {};               ///< at the instants asked for
};

struct WaveOptions {
  int samples = 0;                    ///< instants of `field`, evenly spaced over the impact
  std::vector<double> instants = {};  ///< instants of `field` besides these, s
  double tolerance = 0.0;             ///< of the law, see outcome_of
};

/// Solves the problem with the given recording.
using RecordedRun = std::function<ImpactResult(const Recording& recording)>;

/// Watches an impact in a chain. The law runs twice: once to find when it ends and where the
/// velocities are largest, and once with samples close enough there (velocities to about 1e-8 of
/// the largest). Throws InvalidInput if the problem is not a chain.
ChainWaves watch_waves(const ImpactProblem& problem, const Chain& chain, const RecordedRun& run,
                       const WaveOptions& options = {});

template <RecordingLaw Law>
ChainWaves watch_waves(const ImpactProblem& problem, const Law& law,
                       const WaveOptions& options = {}) {
  WaveOptions full = options;
  if constexpr (requires { law.tolerance; }) {
    full.tolerance = std::max<double>(full.tolerance, law.tolerance);
  }
  return watch_waves(
      problem, chain_of(problem),
      [&](const Recording& recording) { return resolve(problem, law, recording); }, full);
}

}  // namespace percute::analysis
