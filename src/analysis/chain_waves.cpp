// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/chain_waves.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace percute::analysis {

namespace {

/// Least number of balls with a middle that is far from both ends of a wave of five balls.
constexpr int kLeastBalls = 10;

/// Samples put between the two beside the peak of a ball: v is a cubic between samples, and 16
/// times closer ones make its error 65536 times smaller.
constexpr int kPeakSamples = 16;

/// The middle ball is sampled while a wave passes, from 4 balls before to 4 balls behind it.
constexpr double kPassage = 4.0;
constexpr int kPassageSamples = 160;

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

/// Largest force of a contact. Laws note it at their steps, the ends of compression are located,
/// and samples may come closer to the maximum of a damped force.
ForcePeak largest_force(const ImpactResult& result, int contact, const ForcePeak& sampled,
                        const std::vector<ForcePeak>& peaks) {
  ForcePeak best = largest(peaks);
  const ContactSummary& summary = result.diagnostics.contacts[at(contact)];
  if (summary.maximal_force > best.force) {
    best = {.time = summary.maximal_force_time, .force = summary.maximal_force};
  }
  return sampled.force > best.force ? sampled : best;
}

/// A contact that an endless cascade left loaded: it is held from its last closing to the end.
void hold_to_the_end(const ImpactResult& result, int contact, ContactPassage& passage) {
  double closed = 0.0;
  bool held = false;
  for (const ImpactEvent& event : result.history.events) {
    if (event.contact != contact) continue;
    const bool closes =
        event.kind == EventKind::Activation || event.kind == EventKind::Reengagement;
    const bool opens = event.kind == EventKind::Opening || event.kind == EventKind::ClosedOut ||
                       event.kind == EventKind::PlasticLoss;
    if (closes) closed = event.time;
    if (closes || opens) held = closes;
  }
  if (!held) return;
  passage.release = result.diagnostics.duration;
  passage.duration += passage.release - closed;
}

std::vector<ContactPassage> contact_passages(const ChainWaves& waves) {
  const ImpactResult& result = waves.result;
  const std::vector<int>& contacts = waves.chain.contacts;
  std::vector<ContactPassage> passages;
  passages.reserve(contacts.size());
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const int contact = contacts[j];
    const ContactSummary& summary = result.diagnostics.contacts[at(contact)];
    ContactPassage passage{.peaks = force_peaks(result.history, contact),
                           .first_contact = summary.first_contact_time,
                           .release = summary.opening_time,
                           .duration = summary.duration,
                           .impulse = result.impulse[contact],
                           .impacts = summary.impacts};
    const ForcePeak sampled = waves.motion.largest_force(static_cast<int>(j));
    passage.peak = largest_force(result, contact, sampled, passage.peaks);
    if (result.status == Status::Zeno) hold_to_the_end(result, contact, passage);
    passages.push_back(std::move(passage));
  }
  for (std::size_t k = 0; k + 1 < passages.size(); ++k) {
    const double next = passages[k + 1].impulse;
    if (next > 0.0) passages[k].ratio_to_next = passages[k].impulse / next;
  }
  return passages;
}

/// Contacts between which a speed is measured: the middle of the row, without walls.
struct Stretch {
  int first = 0;
  int last = 0;
};

Stretch middle_of(const Chain& chain) {
  const int start = chain.wall_first ? 1 : 0;
  const int joints = chain.size() - 1;
  return {.first = start + (3 * joints) / 10, .last = start + (6 * joints) / 10};
}

/// (j₂ − j₁)/(t₂ − t₁), if the force is handed on from contact to contact in between.
std::optional<double> speed_over(const Stretch& stretch,
                                 const std::vector<ContactPassage>& contacts) {
  const auto time = [&](int j) { return contacts[at(j)].peak.time; };
  const double elapsed = time(stretch.last) - time(stretch.first);
  if (elapsed == 0.0) return {};
  for (int j = stretch.first; j < stretch.last; ++j) {
    if (!(contacts[at(j)].peak.force > 0.0) || !((time(j + 1) - time(j)) / elapsed > 0.0)) {
      return {};
    }
  }
  return (stretch.last - stretch.first) / elapsed;
}

/// Theory for the balls and contacts of a stretch, if these are all alike.
std::optional<SolitaryWave> theory_of(const ImpactProblem& problem, const Chain& chain,
                                      const Stretch& stretch, double height) {
  const auto material = [&](int j) -> const Material& {
    return problem.contacts[at(chain.contacts[at(j)])].material;
  };
  const Material& first = material(stretch.first);
  const double mass = chain.masses[chain.ball_before(stretch.first)];
  for (int j = stretch.first; j <= stretch.last; ++j) {
    const bool alike = material(j).stiffness == first.stiffness &&
                       material(j).exponent == first.exponent &&
                       chain.masses[chain.ball_before(j) + 1] == mass;
    if (!alike) return {};
  }
  if (!(first.exponent > 1.0)) return {};
  return solitary_wave(mass, first.stiffness, first.exponent, height);
}

/// Balls around the given one, side by side, that are above a limit.
int balls_above(const Vector& heights, int ball, double limit) {
  if (!(heights[ball] > limit)) return 0;
  int count = 1;
  for (int k = ball + 1; k < heights.size() && heights[k] > limit; ++k) ++count;
  for (int k = ball - 1; k >= 0 && heights[k] > limit; --k) ++count;
  return count;
}

/// The peak of a ball as the force passes it. A wave pushes every ball along its own way, and the
/// ball is fastest where the forces on its two sides are equal: between their peaks. (At other
/// times it may be faster still, as in a column that has rebounded.) Nothing where the force is
/// not handed on.
std::optional<VelocityPeak> passing_peak(const ChainWaves& waves, int ball, double direction) {
  const int before = ball - (waves.chain.wall_first ? 0 : 1);
  if (before < 0 || before + 1 >= static_cast<int>(waves.contacts.size())) return {};
  const double one = waves.contacts[at(before)].peak.time;
  const double two = waves.contacts[at(before + 1)].peak.time;
  if (!(direction * (two - one) > 0.0)) return {};
  return waves.motion.peak(ball, direction, std::min(one, two), std::max(one, two));
}

double height_of(const ChainWaves& waves, const VelocityPeak& peak, int ball, double direction) {
  return direction * (peak.velocity - waves.balls[at(ball)].before);
}

/// Upstream from the middle.
int steady_from(const ChainWaves& waves, const Wave& wave) {
  constexpr double kSteady = 1e-4;
  const double direction = wave.speed > 0.0 ? 1.0 : -1.0;
  const int upstream = wave.speed > 0.0 ? -1 : 1;
  int from = wave.ball;
  for (int k = from + upstream; k >= 0 && k < waves.chain.size(); k += upstream) {
    const auto peak = passing_peak(waves, k, direction);
    if (!peak) break;
    const double height = height_of(waves, *peak, k, direction);
    if (!(std::abs(height - wave.height) <= kSteady * wave.height)) break;
    from = k;
  }
  return from;
}

std::optional<Wave> wave_of(const ImpactProblem& problem, const ChainWaves& waves) {
  const ChainMotion& motion = waves.motion;
  if (waves.chain.size() < kLeastBalls) return {};
  const Stretch stretch = middle_of(waves.chain);
  const auto speed = speed_over(stretch, waves.contacts);
  if (!speed) return {};
  const double direction = *speed > 0.0 ? 1.0 : -1.0;
  const int ball = waves.chain.size() / 2;
  const auto peak = passing_peak(waves, ball, direction);
  if (!peak) return {};
  const double height = height_of(waves, *peak, ball, direction);
  if (!(height > 0.0)) return {};

  Wave wave{.first_contact = stretch.first,
            .last_contact = stretch.last,
            .speed = *speed,
            .ball = ball,
            .peak = *peak,
            .height = height};
  const int behind = ball - (waves.chain.wall_first ? 0 : 1);
  wave.peak_force = waves.contacts[at(*speed > 0.0 ? behind : behind + 1)].peak.force;
  const Vector profile =
      direction * (motion.velocities(peak->time) - waves.chain.of_balls(problem.velocity));
  wave.balls_above_percent = balls_above(profile, ball, 1e-2 * height);
  wave.balls_above_permille = balls_above(profile, ball, 1e-3 * height);
  const double half = direction * waves.balls[at(ball)].before + 0.5 * height;
  const auto start = motion.falls_to(ball, half, direction, peak->time, true);
  const auto end = motion.falls_to(ball, half, direction, peak->time, false);
  // What falls later is another wave.
  const double passage = kPassage / std::abs(*speed);
  if (start && end && *end - *start < 2.0 * passage) {
    wave.half_width = (*end - *start) * std::abs(*speed);
  }
  wave.steady_from = steady_from(waves, wave);
  wave.theory = theory_of(problem, waves.chain, stretch, height);
  return wave;
}

/// The velocity that more than half of the balls share; 0 where there is none.
double shared_velocity(const Vector& velocities) {
  Vector sorted = velocities;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[sorted.size() / 2];
  const auto sharing = (velocities.array() == middle).count();
  return 2 * sharing > velocities.size() ? middle : 0.0;
}

/// +1 or −1, see ChainWaves.
double forward_of(const ImpactProblem& problem, const Chain& chain) {
  const Vector v = chain.of_balls(problem.velocity);
  if (chain.wall_last && v.minCoeff() > 0.0) return -1.0;
  if (chain.wall_first && v.maxCoeff() < 0.0) return 1.0;
  const Vector seen = (v.array() - shared_velocity(v)).matrix();
  return chain.masses.dot(seen) < 0.0 ? -1.0 : 1.0;
}

void spread(double from, double to, int count, std::vector<double>& times) {
  for (int k = 1; k <= count; ++k) times.push_back(from + (to - from) * k / (count + 1.0));
}

/// Instants of the field: those asked for, and an even grid from touch to end.
std::vector<double> field_instants(const WaveOptions& options, double end) {
  std::vector<double> instants = options.instants;
  if (options.samples == 1) instants.push_back(0.0);
  for (int k = 0; options.samples > 1 && k < options.samples; ++k) {
    instants.push_back(end * k / (options.samples - 1.0));
  }
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return instants;
}

/// Runs the law with samples at its steps and at `times`, and fills in what that tells.
void gather(const ImpactProblem& problem, const RecordedRun& run, std::vector<double> times,
            ChainWaves& waves) {
  const Chain& chain = waves.chain;
  waves.motion = ChainMotion(problem, chain);
  waves.result = run(Recording{.every = 1,
                               .times = std::move(times),
                               .watch = [&](double time, std::span<const ContactSample> contacts) {
                                 waves.motion.watch(time, contacts);
                               }});
  waves.motion.finish();
  if (waves.motion.empty()) return;
  waves.contacts = contact_passages(waves);
  const Vector before = chain.of_balls(problem.velocity);
  const Vector after = chain.of_balls(waves.result.velocity);
  waves.balls.clear();
  waves.balls.reserve(chain.balls.size());
  for (int k = 0; k < chain.size(); ++k) {
    waves.balls.push_back(
        {.before = before[k], .after = after[k], .peak = waves.motion.peak(k, waves.forward)});
  }
}

/// Instants at which the second run needs samples.
std::vector<double> close_instants(const std::vector<BallPassage>& balls,
                                   const std::optional<Wave>& wave) {
  std::vector<double> times;
  const auto look_at = [&](const VelocityPeak& peak) {
    if (peak.before > peak.after) spread(peak.after, peak.before, kPeakSamples, times);
  };
  for (const BallPassage& ball : balls) look_at(ball.peak);
  if (wave) {
    look_at(wave->peak);
    const double passage = kPassage / std::abs(wave->speed);
    spread(std::max(0.0, wave->peak.time - passage), wave->peak.time + passage, kPassageSamples,
           times);
  }
  return times;
}

}  // namespace

ChainWaves watch_waves(const ImpactProblem& problem, const Chain& chain, const RecordedRun& run,
                       const WaveOptions& options) {
  if (options.samples < 0) {
    throw InvalidInput("samples", std::to_string(options.samples) + " is below 0");
  }
  ChainWaves waves{.chain = chain, .forward = forward_of(problem, chain)};
  gather(problem, run, {}, waves);
  if (waves.motion.empty()) {
    // Nothing happened: there is no time to look at.
    waves.rebound = rebound_of(problem, chain, waves.result);
    waves.outcome = outcome_of(problem, chain, waves.result, options.tolerance);
    return waves;
  }
  const std::vector<double> instants = field_instants(options, waves.result.diagnostics.duration);
  std::vector<double> times = close_instants(waves.balls, wave_of(problem, waves));
  times.insert(times.end(), instants.begin(), instants.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  gather(problem, run, std::move(times), waves);
  waves.rebound = rebound_of(problem, chain, waves.result);
  waves.outcome = outcome_of(problem, chain, waves.result, options.tolerance);
  if (chain.wall_first != chain.wall_last) {
    const std::size_t wall = chain.wall_first ? 0 : chain.contacts.size() - 1;
    waves.period = period(waves.contacts[wall].peaks);
  }
  waves.wave = wave_of(problem, waves);
  waves.field = space_time(chain, waves.motion, waves.result, instants);
  return waves;
}

}  // namespace percute::analysis
