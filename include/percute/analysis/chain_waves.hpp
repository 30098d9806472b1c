// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/body.hpp>
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace percute::analysis {

/// Nesterenko's solitary wave (Prikl. Mekh. Tekh. Fiz. 24 (1983) 136–148; Dynamics of Heterogeneous
/// Materials, 2001, chapter 1): the long-wave limit of a chain of equal balls without
/// precompression whose contacts resist with K δ^η, η > 1,
///
///     v(x) = v_peak cos^(2/(η−1)) (π x/L),  |x| ≤ L/2,     L = π/(η−1) √(η(η+1)/6),
///     speed V = (2K/((η+1) m))^(1/(η+1)) v_peak^((η−1)/(η+1)),     F_peak = K (v_peak/V)^η,
///
/// with x and L in balls. For Hertz contacts cos⁴, L = 5π/√10 = 4.97 balls, V ~ v_peak^(1/5). The
/// wave of a real chain is discrete: it is 0.8 % slower and narrower, and its force 11 % smaller.
struct SolitaryWave {
  double peak_velocity = 0.0;  ///< v_peak, m/s
  double exponent = 1.5;       ///< η
  double speed = 0.0;          ///< V, balls per second
  double peak_force = 0.0;     ///< N
  double support = 0.0;        ///< L, balls
  double half_width = 0.0;     ///< full width at half maximum of the velocity, balls

  /// v at x balls from the maximum, m/s.
  double velocity(double x) const;
};

/// Throws InvalidInput unless mass, stiffness and peak velocity are positive and η > 1.
SolitaryWave solitary_wave(double mass, double stiffness, double exponent, double peak_velocity);

/// A maximum of a contact force.
struct ForcePeak {
  double time = 0.0;   ///< s
  double force = 0.0;  ///< N
};

/// Forces at the ends of the compressions of a contact, in the order of time. These instants are
/// located by the laws, not sampled. Where the force depends on the indentation alone (elastic,
/// bi- and mono-stiffness contacts) they are its local maxima; a damped force is largest before.
std::vector<ForcePeak> force_peaks(const ImpactHistory& history, int contact);

/// The largest; zero force if there is none.
ForcePeak largest(const std::vector<ForcePeak>& peaks);

/// The peaks above a part of the largest, in the order of time: the pulses of a wave train.
std::vector<ForcePeak> wave_train(const std::vector<ForcePeak>& peaks, double least = 0.05);

/// Shortest and longest time from one peak to the next.
struct Period {
  double shortest = 0.0;  ///< s
  double longest = 0.0;   ///< s
};
/// The last interval does not count: the end of the column shortens it. Nothing where no other is.
std::optional<Period> period(const std::vector<ForcePeak>& peaks);

/// Balls in a row: bodies of one coordinate x, growing in one direction, whose contacts join
/// neighbours (gap rate v_{k+1} − v_k) or an end of the row to a wall. Balls and contacts are
/// numbered from 0 in the order of the row, whatever their order in the problem.
struct Chain {
  std::vector<int> balls;     ///< coordinates of the problem
  std::vector<int> contacts;  ///< contacts of the problem, walls included
  Vector masses;              ///< of the balls, kg
  bool wall_first = false;    ///< the first contact joins the first ball to a wall
  bool wall_last = false;     ///< the last contact joins the last ball to a wall

  int size() const { return static_cast<int>(balls.size()); }
  /// Ball before contact k of the row, −1 for a wall; the ball behind it is the next one.
  int ball_before(int contact) const { return contact - (wall_first ? 1 : 0); }
  /// Entries of a vector over the coordinates, in the order of the row.
  Vector of_balls(const Vector& coordinates) const { return coordinates(balls); }
  /// Entries of a vector over the contacts, in the order of the row.
  Vector of_contacts(const Vector& values) const { return values(contacts); }
};

/// The chain a problem is. Throws InvalidInput, naming the contact or coordinate that does not
/// fit; with `bodies` also where one has several coordinates.
Chain chain_of(const ImpactProblem& problem, const std::vector<Body>& bodies = {});

/// What became of the momentum and energy a chain was struck with. Forward is the direction of the
/// momentum before the impact (that of the row where it is zero).
struct ChainOutcome {
  double resolution = 0.0;                  ///< velocities up to this are no motion, m/s
  bool at_rest = false;                     ///< no ball is faster: e.g. a column has collapsed
  int forward_balls = 0;                    ///< those that are faster in the forward direction
  double forward_energy = 0.0;              ///< Σ T_i⁺ of these over T⁻
  double last_ball_energy = 0.0;            ///< T⁺ of the foremost ball over T⁻
  std::optional<double> energy_ratio = {};  ///< KER = T⁺/T⁻
  std::optional<double> dispersion = {};    ///< C_KE, see Indices; not where all are at rest
  Vector impulse_ratios = {};  ///< ICR_k = p_k/p_{k+1}, one per triple of balls (or wall)
};
/// The resolution is max(100 tolerance, 1e-6) of the largest |v⁻|, at least the residual velocity
/// of a cascade without end. Errors of v⁺ of lzb and compliant stay below 100 tolerances: what is
/// smaller may be noise. In long chains the velocities of the last balls that move forward fall
/// from 1e-5 to 1e-9 and on within two balls: a limit that went below 1e-6 with the tolerance
/// would count more of them for every finer one.
ChainOutcome outcome_of(const ImpactProblem& problem, const Chain& chain,
                        const ImpactResult& result, double tolerance = 0.0);

/// A column of balls that all moved towards a wall.
struct Rebound {
  int wall_contact = 0;  ///< of the problem
  /// e_eff = −Σ m v⁺ / Σ m v⁻, after all contacts have let go.
  double effective_restitution = 0.0;
  /// P_wall/|Σ m v⁻| − 1: the same, from the impulse of the wall.
  double impulse_restitution = 0.0;
  double top_velocity = 0.0;  ///< of the ball farthest from the wall, away from it, m/s
};
/// Nothing where there is not exactly one wall that all balls approach.
std::optional<Rebound> rebound_of(const ImpactProblem& problem, const Chain& chain,
                                  const ImpactResult& result);

/// The instant at which a ball is fastest.
struct VelocityPeak {
  double time = 0.0;      ///< s
  double velocity = 0.0;  ///< along the row, m/s
  double after = 0.0;     ///< the samples beside it: the peak lies between these instants
  double before = 0.0;
};

/// Velocities of the balls of a chain at any instant of an impact, and forces between them, from
/// samples. Forces give the accelerations, m_k v̇_k = λ_behind − λ_ahead, so that between two
/// samples v is the cubic with the right ends and slopes; its error falls with the fourth power of
/// their distance. Of each contact a sample is kept only where it differs from the one before: a
/// wave that runs through a long chain takes memory for the balls it moves at each instant.
class ChainMotion {
 public:
  ChainMotion() = default;
  /// Without samples: watch() takes them.
  ChainMotion(const ImpactProblem& problem, const Chain& chain);

  /// A sample of all contacts of the problem, see Recording; finish() follows the last.
  void watch(double time, std::span<const ContactSample> contacts);
  void finish();

  bool empty() const { return time_.empty(); }
  double end() const { return time_.back(); }  ///< of the samples, s
  /// Of a ball of the row; before the first sample that of the first, after the last of the last.
  double velocity(int ball, double time) const;
  Vector velocities(double time) const;  ///< of all balls: a profile
  /// Largest velocity in a direction, +1 or −1 along the row.
  VelocityPeak peak(int ball, double direction = 1.0) const;
  /// The same between two instants.
  VelocityPeak peak(int ball, double direction, double from, double to) const;
  /// Instant from `from` on, forwards or backwards in time, at which direction · v falls to
  /// `level`. Nothing where it does not.
  std::optional<double> falls_to(int ball, double level, double direction, double from,
                                 bool backwards) const;
  /// Largest sampled force of a contact of the row.
  ForcePeak largest_force(int contact) const;
  /// Velocities of the balls and forces of the contacts at the sample nearest to a time.
  void at_sample(double time, Eigen::Ref<Vector> velocities, Eigen::Ref<Vector> forces) const;

 private:
  /// A contact from one sample on, until the next change.
  struct Change {
    int sample = 0;
    double impulse = 0.0;
    double force = 0.0;
  };
  struct Sample {
    double time = 0.0;
    std::vector<Change> contacts = {};
  };
  struct State {
    double velocity = 0.0;
    double acceleration = 0.0;
  };

  void keep(const Sample& sample);
  int sample_before(double time) const;
  Change contact_at(int contact, int sample) const;  ///< nothing for −1 and beyond the row
  State state(int ball, int sample) const;
  std::vector<int> changing_steps(int ball) const;

  Chain chain_;
  Vector before_;                             ///< v⁻ of the balls
  std::vector<double> time_;                  ///< of each sample
  std::vector<std::vector<Change>> changes_;  ///< of each contact of the row
  std::deque<Sample> latest_;                 ///< not kept yet, in the order of time
};

/// Velocities and forces over the row and time, at instants that were recorded.
struct SpaceTime {
  Vector time;      ///< s
  Matrix velocity;  ///< balls × instants, m/s
  Matrix force;     ///< contacts × instants, N
};
/// The samples nearest to the given instants. After the end nothing changes any more.
SpaceTime space_time(const Chain& chain, const ChainMotion& motion, const ImpactResult& result,
                     const std::vector<double>& instants);

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
  ImpactResult result = {};  ///< with the events of its history; samples are in `motion`
  ChainMotion motion = {};
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
