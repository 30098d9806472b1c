// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/bracketed_root.hpp"

#include <percute/analysis/chain_waves.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace percute::analysis {

namespace {

std::size_t place(int k) {
  return static_cast<std::size_t>(k);
}

/// v between two states that are h apart.
template <class State>
numerics::Cubic between(double h, const State& left, const State& right) {
  return {.h = h,
          .v0 = left.velocity,
          .v1 = right.velocity,
          .a0 = left.acceleration,
          .a1 = right.acceleration};
}

}  // namespace

ChainMotion::ChainMotion(const ImpactProblem& problem, const Chain& chain)
    : chain_(chain), before_(chain.of_balls(problem.velocity)), changes_(chain.contacts.size()) {}

void ChainMotion::watch(double time, std::span<const ContactSample> contacts) {
  constexpr std::size_t kLatest = 32;  // more than are out of order inside a step
  if (contacts.empty()) {
    time_.clear();
    latest_.clear();
    for (auto& list : changes_) list.clear();
    return;
  }
  if (!time_.empty() && time < time_.back()) return;
  Sample sample{.time = time};
  sample.contacts.reserve(chain_.contacts.size());
  for (const int i : chain_.contacts) {
    sample.contacts.push_back(
        {.impulse = contacts[place(i)].impulse, .force = contacts[place(i)].force});
  }
  const auto place = std::upper_bound(latest_.begin(), latest_.end(), time,
                                      [](double t, const Sample& s) { return t < s.time; });
  latest_.insert(place, std::move(sample));
  if (latest_.size() <= kLatest) return;
  keep(latest_.front());
  latest_.pop_front();
}

void ChainMotion::finish() {
  for (const Sample& sample : latest_) keep(sample);
  latest_.clear();
}

void ChainMotion::keep(const Sample& sample) {
  for (std::size_t j = 0; j < changes_.size(); ++j) {
    Change now = sample.contacts[j];
    now.sample = static_cast<int>(time_.size());
    std::vector<Change>& list = changes_[j];
    const bool same =
        !list.empty() && list.back().impulse == now.impulse && list.back().force == now.force;
    if (!same) list.push_back(now);
  }
  time_.push_back(sample.time);
}

int ChainMotion::sample_before(double time) const {
  return static_cast<int>(std::upper_bound(time_.begin(), time_.end(), time) - time_.begin()) - 1;
}

ChainMotion::Change ChainMotion::contact_at(int contact, int sample) const {
  if (contact < 0 || place(contact) >= changes_.size()) return {};
  const auto later =
      std::upper_bound(changes_[place(contact)].begin(), changes_[place(contact)].end(), sample,
                       [](int k, const Change& change) { return k < change.sample; });
  return *(later - 1);
}

/// v = v⁻ + (P_behind − P_ahead)/m, v̇ = (λ_behind − λ_ahead)/m.
ChainMotion::State ChainMotion::state(int ball, int sample) const {
  const int behind = ball - (chain_.wall_first ? 0 : 1);
  const Change push = contact_at(behind, sample);
  const Change resist = contact_at(behind + 1, sample);
  const double mass = chain_.masses[ball];
  return {.velocity = before_[ball] + 1.0 / mass * (push.impulse - resist.impulse),
          .acceleration = (push.force - resist.force) / mass};
}

/// Samples from which on to the next one the ball does not just go on as it did, in order.
std::vector<int> ChainMotion::changing_steps(int ball) const {
  const int behind = ball - (chain_.wall_first ? 0 : 1);
  std::vector<int> steps;
  for (const int j : {behind, behind + 1}) {
    if (j < 0 || place(j) >= changes_.size()) continue;
    for (const Change& change : changes_[place(j)]) {
      if (change.sample > 0) steps.push_back(change.sample - 1);
      steps.push_back(change.sample);
    }
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

double ChainMotion::velocity(int ball, double time) const {
  const int k = sample_before(time);
  const int last = static_cast<int>(time_.size()) - 1;
  if (k < 0 || k >= last) return state(ball, std::clamp(k, 0, last)).velocity;
  const double start = time_[place(k)];
  return between(time_[place(k + 1)] - start, state(ball, k), state(ball, k + 1))(time - start);
}

Vector ChainMotion::velocities(double time) const {
  Vector out(chain_.size());
  for (int k = 0; k < chain_.size(); ++k) out[k] = velocity(k, time);
  return out;
}

VelocityPeak ChainMotion::peak(int ball, double direction) const {
  return peak(ball, direction, time_.front(), end());
}

VelocityPeak ChainMotion::peak(int ball, double direction, double from, double to) const {
  VelocityPeak best{.time = from, .velocity = velocity(ball, from), .after = from, .before = from};
  const auto offer = [&](double time, double velocity, double after, double before) {
    const bool meant = time >= from && time <= to;
    if (meant && direction * (velocity - best.velocity) > 0.0) {
      best = {.time = time, .velocity = velocity, .after = after, .before = before};
    }
  };
  const std::vector<int> steps = changing_steps(ball);
  const int last = static_cast<int>(time_.size()) - 1;
  auto step = std::lower_bound(steps.begin(), steps.end(), std::max(sample_before(from), 0));
  for (; step != steps.end() && *step < last && time_[place(*step)] <= to; ++step) {
    const int k = *step;
    const double start = time_[place(k)];
    const double next = time_[place(k + 1)];
    const numerics::Cubic cubic = between(next - start, state(ball, k), state(ball, k + 1));
    offer(next, cubic.v1, start, time_[place(std::min(k + 2, last))]);
    const bool turns = direction * cubic.a0 > 0.0 && direction * cubic.a1 < 0.0;
    if (!turns || !(cubic.h > 0.0)) continue;
    const double s = numerics::bracketed_root([&](double x) { return cubic.slope(x); }, 0.0,
                                              cubic.h, 1e-15 * cubic.h);
    offer(start + s, cubic(s), start, next);
  }
  return best;
}

std::optional<double> ChainMotion::falls_to(int ball, double level, double direction, double from,
                                            bool backwards) const {
  const auto above = [&](double time) { return direction * velocity(ball, time) - level; };
  const int step = backwards ? -1 : 1;
  int k = sample_before(from) + (backwards ? 0 : 1);
  double reached = from;
  for (; k >= 0 && k < static_cast<int>(time_.size()); k += step) {
    const double next = time_[place(k)];
    if (above(next) <= 0.0) {
      const double low = std::min(reached, next);
      const double high = std::max(reached, next);
      return high > low ? numerics::bracketed_root(above, low, high, 1e-15 * std::abs(high)) : high;
    }
    reached = next;
  }
  return {};
}

ForcePeak ChainMotion::largest_force(int contact) const {
  ForcePeak best;
  for (const Change& change : changes_[place(contact)]) {
    if (change.force > best.force) {
      best = {.time = time_[place(change.sample)], .force = change.force};
    }
  }
  return best;
}

void ChainMotion::at_sample(double time, Eigen::Ref<Vector> velocities,
                            Eigen::Ref<Vector> forces) const {
  auto nearest = std::lower_bound(time_.begin(), time_.end(), time);
  if (nearest == time_.end()) --nearest;
  if (nearest != time_.begin() && time - *(nearest - 1) < *nearest - time) --nearest;
  const int sample = static_cast<int>(nearest - time_.begin());
  for (int k = 0; k < chain_.size(); ++k) velocities[k] = state(k, sample).velocity;
  for (int j = 0; j < static_cast<int>(changes_.size()); ++j) {
    forces[j] = contact_at(j, sample).force;
  }
}

SpaceTime space_time(const Chain& chain, const ChainMotion& motion, const ImpactResult& result,
                     const std::vector<double>& instants) {
  const auto count = static_cast<Eigen::Index>(instants.size());
  SpaceTime out{.time = Eigen::Map<const Vector>(instants.data(), count),
                .velocity = Matrix::Zero(static_cast<Eigen::Index>(chain.balls.size()), count),
                .force = Matrix::Zero(static_cast<Eigen::Index>(chain.contacts.size()), count)};
  for (Eigen::Index k = 0; k < count; ++k) {
    if (out.time[k] > motion.end()) {
      out.velocity.col(k) = chain.of_balls(result.velocity);
    } else {
      motion.at_sample(out.time[k], out.velocity.col(k), out.force.col(k));
    }
  }
  return out;
}

}  // namespace percute::analysis
