// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <string>

namespace percute::analysis {

namespace {

constexpr int kNone = -1;

[[noreturn]] void refuse(const std::string& field, const std::string& reason) {
  throw InvalidInput(field, reason +
                                "; a chain has bodies of one coordinate and contacts that join "
                                "neighbours, or an end to a wall");
}

std::string contact_field(int contact) {
  return "contacts[" + std::to_string(contact) + "].gradient";
}

std::string coordinate_text(int coordinate) {
  return "coordinate " + std::to_string(coordinate);
}

/// What each ball meets on its two sides.
struct Sides {
  std::vector<int> contact_behind;  ///< contact on the side of smaller x
  std::vector<int> contact_ahead;   ///< contact on the side of larger x
  std::vector<int> next;            ///< ball ahead, kNone: wall or nothing
  std::vector<bool> first;          ///< no ball behind
};

void occupy(std::vector<int>& side, int ball, int contact) {
  int& place = side[static_cast<std::size_t>(ball)];
  if (place != kNone) {
    refuse(contact_field(contact),
           "meets " + coordinate_text(ball) + " on the same side as " + contact_field(place));
  }
  place = contact;
}

/// The two balls of a contact: gap rate v_ahead − v_behind; kNone is a wall.
struct Pair {
  int behind = kNone;
  int ahead = kNone;
};

Pair pair_of(const ImpactProblem& problem, int contact) {
  constexpr double kRounding = 1e-12;
  Pair pair;
  for (SparseMatrix::InnerIterator entry(problem.gradients, contact); entry; ++entry) {
    if (entry.value() == 0.0) continue;
    const bool unit = std::abs(std::abs(entry.value()) - 1.0) <= kRounding;
    int& side = entry.value() > 0.0 ? pair.ahead : pair.behind;
    if (!unit || side != kNone) {
      refuse(contact_field(contact), "is not the distance between two balls or to a wall");
    }
    side = static_cast<int>(entry.row());
  }
  return pair;
}

Sides sides_of(const ImpactProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.velocity.size());
  Sides sides{.contact_behind = std::vector<int>(n, kNone),
              .contact_ahead = std::vector<int>(n, kNone),
              .next = std::vector<int>(n, kNone),
              .first = std::vector<bool>(n, true)};
  for (int i = 0; i < static_cast<int>(problem.contacts.size()); ++i) {
    const auto [behind, ahead] = pair_of(problem, i);
    if (behind != kNone) occupy(sides.contact_ahead, behind, i);
    if (ahead != kNone) occupy(sides.contact_behind, ahead, i);
    if (behind == kNone || ahead == kNone) continue;
    sides.next[static_cast<std::size_t>(behind)] = ahead;
    sides.first[static_cast<std::size_t>(ahead)] = false;
  }
  return sides;
}

int first_ball(const Sides& sides) {
  int first = kNone;
  for (std::size_t i = 0; i < sides.first.size(); ++i) {
    if (!sides.first[i]) continue;
    if (first != kNone) {
      refuse("contacts", "no contact joins the row that begins at " + coordinate_text(first) +
                             " to that at " + coordinate_text(static_cast<int>(i)));
    }
    first = static_cast<int>(i);
  }
  if (first == kNone) refuse("contacts", "the balls form no row with two ends");
  return first;
}

void require_own_masses(const ImpactProblem& problem) {
  if (problem.mass.form() == MassMatrix::Form::Diagonal) return;
  const Eigen::Index n = problem.mass.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    Vector unit = Vector::Zero(n);
    unit[i] = 1.0;
    const Vector column = problem.mass * unit;
    if ((column - column[i] * unit).cwiseAbs().maxCoeff() > 0.0) {
      refuse("mass", "couples " + coordinate_text(static_cast<int>(i)) + " to others");
    }
  }
}

double largest_entry(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace

Chain chain_of(const ImpactProblem& problem, const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (body.coordinates.size() == 1) continue;
    refuse("bodies",
           "'" + body.name + "' has " + std::to_string(body.coordinates.size()) + " coordinates");
  }
  if (problem.contacts.empty()) refuse("contacts", "nothing touches");
  require_own_masses(problem);
  const Sides sides = sides_of(problem);
  Chain chain;
  const auto n = static_cast<std::size_t>(problem.velocity.size());
  chain.balls.reserve(n);
  chain.contacts.reserve(problem.contacts.size());
  const int first = first_ball(sides);
  const int wall = sides.contact_behind[static_cast<std::size_t>(first)];
  chain.wall_first = wall != kNone;
  if (chain.wall_first) chain.contacts.push_back(wall);
  for (int ball = first; ball != kNone; ball = sides.next[static_cast<std::size_t>(ball)]) {
    chain.balls.push_back(ball);
    const int ahead = sides.contact_ahead[static_cast<std::size_t>(ball)];
    if (ahead == kNone) continue;
    chain.contacts.push_back(ahead);
    chain.wall_last = sides.next[static_cast<std::size_t>(ball)] == kNone;
  }
  if (chain.balls.size() < n) refuse("contacts", "some balls form a ring");
  chain.masses.resize(static_cast<Eigen::Index>(n));
  std::ranges::transform(chain.balls, chain.masses.begin(),
                         [&](int i) { return problem.mass(i, i); });
  return chain;
}

ChainOutcome outcome_of(const ImpactProblem& problem, const Chain& chain,
                        const ImpactResult& result, double tolerance) {
  const double momentum = chain.masses.dot(chain.of_balls(problem.velocity));
  const double forward = momentum < 0.0 ? -1.0 : 1.0;
  const Vector v = forward * chain.of_balls(result.velocity);
  const double before = problem.mass.kinetic_energy(problem.velocity);
  ChainOutcome out;
  out.resolution = std::max(std::max(100.0 * tolerance, 1e-6) * largest_entry(problem.velocity),
                            result.diagnostics.residual_velocity.value_or(0.0));
  out.at_rest = !(largest_entry(v) > out.resolution);
  if (before > 0.0) {
    const auto share = [&](Eigen::Index k) { return 0.5 * chain.masses[k] * v[k] * v[k] / before; };
    for (Eigen::Index k = 0; k < v.size(); ++k) {
      if (!(v[k] > out.resolution)) continue;
      ++out.forward_balls;
      out.forward_energy += share(k);
    }
    out.last_ball_energy = share(forward > 0.0 ? v.size() - 1 : 0);
    out.energy_ratio = problem.mass.kinetic_energy(result.velocity) / before;
  }
  if (!out.at_rest) {
    std::vector<Body> bodies;
    bodies.reserve(chain.balls.size());
    for (const int ball : chain.balls) bodies.push_back({.name = "", .coordinates = {ball}});
    out.dispersion = dispersion(problem.mass, result.velocity, bodies);
  }
  const Vector p = chain.of_contacts(result.impulse);
  if (p.size() > 1) out.impulse_ratios = p.head(p.size() - 1).cwiseQuotient(p.tail(p.size() - 1));
  return out;
}

std::optional<Rebound> rebound_of(const ImpactProblem& problem, const Chain& chain,
                                  const ImpactResult& result) {
  if (chain.wall_first == chain.wall_last) return {};
  // Velocities towards the wall.
  const double towards = chain.wall_last ? 1.0 : -1.0;
  const Vector before = towards * chain.of_balls(problem.velocity);
  const Vector after = towards * chain.of_balls(result.velocity);
  if (!(before.minCoeff() > 0.0)) return {};
  const double momentum = chain.masses.dot(before);
  const int wall = chain.wall_last ? chain.contacts.back() : chain.contacts.front();
  return Rebound{.wall_contact = wall,
                 .effective_restitution = -chain.masses.dot(after) / momentum,
                 .impulse_restitution = result.impulse[wall] / momentum - 1.0,
                 .top_velocity = -after[chain.wall_last ? 0 : after.size() - 1]};
}

std::vector<ForcePeak> force_peaks(const ImpactHistory& history, int contact) {
  std::vector<ForcePeak> peaks;
  for (const ImpactEvent& event : history.events) {
    // Without restitution the force is gone at the instant at which it is largest.
    const bool ends =
        event.kind == EventKind::CompressionEnd || event.kind == EventKind::PlasticLoss;
    if (event.contact != contact || !ends) continue;
    if (!peaks.empty() && peaks.back().time == event.time) {
      peaks.back().force = std::max(peaks.back().force, event.force);
    } else {
      peaks.push_back({.time = event.time, .force = event.force});
    }
  }
  return peaks;
}

ForcePeak largest(const std::vector<ForcePeak>& peaks) {
  const auto found =
      std::max_element(peaks.begin(), peaks.end(),
                       [](const ForcePeak& a, const ForcePeak& b) { return a.force < b.force; });
  return found != peaks.end() ? *found : ForcePeak{};
}

std::vector<ForcePeak> wave_train(const std::vector<ForcePeak>& peaks, double least) {
  const double limit = least * largest(peaks).force;
  std::vector<ForcePeak> train;
  std::copy_if(peaks.begin(), peaks.end(), std::back_inserter(train),
               [limit](const ForcePeak& peak) { return peak.force > limit; });
  return train;
}

std::optional<Period> period(const std::vector<ForcePeak>& peaks) {
  if (peaks.size() < 3) return {};
  const double first = peaks[1].time - peaks[0].time;
  Period out{.shortest = first, .longest = first};
  for (std::size_t k = 1; k + 2 < peaks.size(); ++k) {
    const double interval = peaks[k + 1].time - peaks[k].time;
    out.shortest = std::min(out.shortest, interval);
    out.longest = std::max(out.longest, interval);
  }
  return out;
}

namespace {

void require_above(double value, double bound, const char* field) {
  if (value > bound && std::isfinite(value)) return;
  throw InvalidInput(field, text(value) + " is not above " + text(bound));
}

}  // namespace

double SolitaryWave::velocity(double x) const {
  if (2.0 * std::abs(x) >= support) return 0.0;
  return peak_velocity * std::pow(std::cos(std::numbers::pi * x / support), 2.0 / (exponent - 1.0));
}

SolitaryWave solitary_wave(double mass, double stiffness, double exponent, double peak_velocity) {
  require_above(mass, 0.0, "mass");
  require_above(stiffness, 0.0, "stiffness");
  require_above(exponent, 1.0, "exponent");
  require_above(peak_velocity, 0.0, "peak_velocity");
  const double eta = exponent;
  SolitaryWave wave{.peak_velocity = peak_velocity, .exponent = eta};
  wave.speed = std::pow(2.0 * stiffness / ((eta + 1.0) * mass), 1.0 / (eta + 1.0)) *
               std::pow(peak_velocity, (eta - 1.0) / (eta + 1.0));
  wave.peak_force = stiffness * std::pow(peak_velocity / wave.speed, eta);
  wave.support = std::numbers::pi / (eta - 1.0) * std::sqrt(eta * (eta + 1.0) / 6.0);
  wave.half_width =
      2.0 * wave.support / std::numbers::pi * std::acos(std::pow(2.0, -0.5 * (eta - 1.0)));
  return wave;
}

}  // namespace percute::analysis
