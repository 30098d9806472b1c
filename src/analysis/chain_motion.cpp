// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/bracketed_root.hpp"
#include "numerics/cubic.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace percute::analysis {

namespace {

/// The sample nearest to a time.
Eigen::Index nearest(const Vector& times, double time) {
  const double* end = times.data() + times.size();
  const double* at = std::lower_bound(times.data(), end, time);
  if (at == end) return times.size() - 1;
  if (at != times.data() && time - *(at - 1) < *at - time) --at;
  return at - times.data();
}

}  // namespace

ChainMotion::ChainMotion(const Chain& chain, const ImpactHistory& history) {
  if (history.empty()) throw InvalidInput("history", "is empty: nothing was recorded");
  const Eigen::Index samples = history.time.size();
  const auto n = static_cast<Eigen::Index>(chain.balls.size());
  time_ = history.time;
  velocity_.resize(n, samples);
  acceleration_ = Matrix::Zero(n, samples);
  for (Eigen::Index k = 0; k < n; ++k) {
    velocity_.row(k) = history.velocity.row(chain.balls[static_cast<std::size_t>(k)]);
  }
  for (int j = 0; j < static_cast<int>(chain.contacts.size()); ++j) {
    const auto force = history.force.row(chain.contacts[static_cast<std::size_t>(j)]);
    const int behind = chain.ball_before(j);
    if (behind >= 0) acceleration_.row(behind) -= force;
    if (behind + 1 < chain.size()) acceleration_.row(behind + 1) += force;
  }
  acceleration_.array().colwise() /= chain.masses.array();
}

Eigen::Index ChainMotion::sample_before(double time) const {
  const double* end = time_.data() + time_.size();
  return std::upper_bound(time_.data(), end, time) - time_.data() - 1;
}

double ChainMotion::inside(int ball, Eigen::Index k, double time) const {
  const numerics::Cubic cubic{.h = time_[k + 1] - time_[k],
                              .v0 = velocity_(ball, k),
                              .v1 = velocity_(ball, k + 1),
                              .a0 = acceleration_(ball, k),
                              .a1 = acceleration_(ball, k + 1)};
  return cubic(time - time_[k]);
}

double ChainMotion::velocity(int ball, double time) const {
  const Eigen::Index k = sample_before(time);
  if (k < 0) return velocity_(ball, 0);
  if (k + 1 >= time_.size()) return velocity_(ball, time_.size() - 1);
  return inside(ball, k, time);
}

Vector ChainMotion::velocities(double time) const {
  Vector out(velocity_.rows());
  for (Eigen::Index k = 0; k < out.size(); ++k) out[k] = velocity(static_cast<int>(k), time);
  return out;
}

VelocityPeak ChainMotion::peak(int ball, double direction) const {
  return peak(ball, direction, time_[0], end());
}

VelocityPeak ChainMotion::peak(int ball, double direction, double from, double to) const {
  VelocityPeak best{.time = from, .velocity = velocity(ball, from), .after = from, .before = from};
  const auto offer = [&](double time, double velocity, double after, double before) {
    const bool meant = time >= from && time <= to;
    if (meant && direction * (velocity - best.velocity) > 0.0) {
      best = {.time = time, .velocity = velocity, .after = after, .before = before};
    }
  };
  for (Eigen::Index k = std::max<Eigen::Index>(sample_before(from), 0); k + 1 < time_.size(); ++k) {
    if (time_[k] > to) break;
    const numerics::Cubic cubic{.h = time_[k + 1] - time_[k],
                                .v0 = velocity_(ball, k),
                                .v1 = velocity_(ball, k + 1),
                                .a0 = acceleration_(ball, k),
                                .a1 = acceleration_(ball, k + 1)};
    offer(time_[k + 1], cubic.v1, time_[k], time_[std::min(k + 2, time_.size() - 1)]);
    const bool turns = direction * cubic.a0 > 0.0 && direction * cubic.a1 < 0.0;
    if (!turns || !(cubic.h > 0.0)) continue;
    const double s = numerics::bracketed_root([&](double at) { return cubic.slope(at); }, 0.0,
                                              cubic.h, 1e-15 * cubic.h);
    offer(time_[k] + s, cubic(s), time_[k], time_[k + 1]);
  }
  return best;
}

std::optional<double> ChainMotion::falls_to(int ball, double level, double direction, double from,
                                            bool backwards) const {
  const auto above = [&](double time) { return direction * velocity(ball, time) - level; };
  const Eigen::Index step = backwards ? -1 : 1;
  Eigen::Index k = sample_before(from) + (backwards ? 0 : 1);
  double reached = from;
  for (; k >= 0 && k < time_.size(); k += step) {
    const double next = time_[k];
    if (above(next) <= 0.0) {
      const double low = std::min(reached, next);
      const double high = std::max(reached, next);
      return high > low ? numerics::bracketed_root(above, low, high, 1e-15 * std::abs(high)) : high;
    }
    reached = next;
  }
  return {};
}

SpaceTime space_time(const Chain& chain, const ImpactResult& result,
                     const std::vector<double>& instants) {
  const ImpactHistory& history = result.history;
  if (history.empty()) throw InvalidInput("history", "is empty: nothing was recorded");
  const auto count = static_cast<Eigen::Index>(instants.size());
  SpaceTime out{.time = Eigen::Map<const Vector>(instants.data(), count),
                .velocity = Matrix::Zero(static_cast<Eigen::Index>(chain.balls.size()), count),
                .force = Matrix::Zero(static_cast<Eigen::Index>(chain.contacts.size()), count)};
  for (Eigen::Index k = 0; k < count; ++k) {
    if (out.time[k] > history.time[history.time.size() - 1]) {
      out.velocity.col(k) = chain.of_balls(result.velocity);
      continue;
    }
    const Eigen::Index sample = nearest(history.time, out.time[k]);
    out.velocity.col(k) = chain.of_balls(history.velocity.col(sample));
    out.force.col(k) = chain.of_contacts(history.force.col(sample));
  }
  return out;
}

}  // namespace percute::analysis
