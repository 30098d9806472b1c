// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// Contacts that touch without load, U⁻ = 0 to the last bit, while others are struck: some are
// pressed together by what happens there, others opened, now or later. Whatever the force of
// `compliant`, there is an answer, its balances hold, and bodies that move give the same one.

#include "frozen_impact.hpp"

#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/simulation/compliant_motion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>

namespace percute::property {

namespace {

using laws::Compliant;
using Force = Compliant::Force;

constexpr std::array kForces{Force::Hertz,
                             Force::Linear,
                             Force::Power,
                             Force::KelvinVoigt,
                             Force::HuntCrossley,
                             Force::KuwabaraKono,
                             Force::Tsuji,
                             Force::LankaraniNikravesh,
                             Force::ExactRestitution,
                             Force::BiStiffness,
                             Force::WaltonBraun,
                             Force::TriStiffness,
                             Force::Elastoplastic};

enum class Friction { None, Finite, Infinite };

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(random_() >> 11U) * 0x1p-53;
  }
  int among(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937_64 random_;
};

Material material(Draw& draw) {
  return {.restitution = draw.uniform(0.1, 0.95),
          .stiffness = std::exp(draw.uniform(-1.5, 1.5)),
          .exponent = draw.among(2) == 0 ? 1.0 : 1.5,
          .tri_stiffness = TriStiffness{.yield_indentation = draw.uniform(0.02, 0.3),
                                        .plastic_stiffness = draw.uniform(0.2, 0.8),
                                        .unloading_stiffness = draw.uniform(5.0, 8.0)},
          .damping = draw.uniform(0.05, 0.5),
          .unloading_stiffness = draw.uniform(5.0, 50.0),
          .effective_modulus = draw.uniform(3.0, 10.0),
          .effective_radius = draw.uniform(0.5, 2.0),
          .yield_pressure = draw.uniform(0.2, 0.8)};
}

/// Bodies with two coordinates to spare for contacts at rest: these do not feel the others, which
/// alone move before the impact.
ImpactProblem touching(unsigned seed, Friction friction) {
  Draw draw(seed);
  const int resting = 1 + draw.among(3);
  const int struck = 1 + draw.among(2);
  const int n = resting + struck + draw.among(3);
  const int moving = 1 + draw.among(n - resting);  // coordinates, the last ones
  ImpactProblem problem;
  Vector masses(n);
  for (double& mass : masses) mass = std::exp(draw.uniform(-1.0, 1.0));
  problem.mass = MassMatrix::diagonal(masses);
  problem.velocity = Vector::Zero(n);
  for (int k = n - moving; k < n; ++k) problem.velocity[k] = draw.uniform(-1.0, 1.0);
  Matrix W = Matrix::Zero(n, resting + struck);
  Matrix T = Matrix::Zero(n, 2 * (resting + struck));
  for (int i = 0; i < resting + struck; ++i) {
    const int reach = i < resting ? n - moving : n;
    for (int k = 0; k < reach; ++k) W(k, i) = draw.uniform(-1.0, 1.0);
    for (int k = 0; k < n; ++k) T(k, 2 * i) = draw.uniform(-1.0, 1.0);
    if (i >= resting && W.col(i).dot(problem.velocity) > 0.0) W.col(i) *= -1.0;
    Contact contact{.material = material(draw)};
    if (friction != Friction::None) {
      contact.directions = 1;
      contact.material.friction = friction == Friction::Infinite && draw.among(2) == 0
                                      ? std::numeric_limits<double>::infinity()
                                      : draw.uniform(0.05, 0.5);
    }
    problem.contacts.push_back(contact);
  }
  problem.gradients = W.sparseView();
  if (friction != Friction::None) problem.tangents = T.sparseView();
  return problem;
}

/// With the exponent that the force has.
ImpactProblem made_for(Force force, ImpactProblem problem) {
  for (Contact& contact : problem.contacts) {
    Material& m = contact.material;
    const bool linear = force == Force::Linear || force == Force::KelvinVoigt ||
                        force == Force::WaltonBraun || force == Force::TriStiffness;
    const bool free = force == Force::Power || force == Force::BiStiffness ||
                      force == Force::HuntCrossley || force == Force::LankaraniNikravesh ||
                      force == Force::ExactRestitution;
    if (!free) m.exponent = linear ? 1.0 : 1.5;
  }
  return problem;
}

double speed_of(const ImpactProblem& problem) {
  return std::max(problem.velocity.lpNorm<Eigen::Infinity>(), scales(problem).velocity);
}

class Failures {
 public:
  template <class... Words>
  void add(unsigned seed, Force force, const Words&... words) {
    text_ << "\n  seed " << seed << ", " << name_of(force) << ": ";
    (text_ << ... << words);
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

constexpr unsigned kProblems = 150;

/// Bodies that friction wedges may oscillate for ever.
constexpr long kMostSteps = 20'000;

}  // namespace

class TouchingContacts : public testing::TestWithParam<Friction> {};

INSTANTIATE_TEST_SUITE_P(Property, TouchingContacts,
                         testing::Values(Friction::None, Friction::Finite, Friction::Infinite));

TEST_P(TouchingContacts, HaveAnAnswerWhateverTheirForce) {
  Failures failures;
  int without = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    const ImpactProblem drawn = touching(seed, GetParam());
    for (const Force force : kForces) {
      const ImpactProblem problem = made_for(force, drawn);
      const Compliant law{.force = force, .max_steps = kMostSteps};
      const ImpactResult result = resolve(problem, law);
      if (result.status == Status::NoImpact) continue;
      if (result.status != Status::Ok) {
        if (result.diagnostics.reason.empty()) failures.add(seed, force, "no reason");
        // Friction may wedge bodies, and without limit it may have no solution.
        ++without;
        if (GetParam() == Friction::None || result.status == Status::StepUnderflow) {
          failures.add(seed, force, name(result.status), ", ", result.diagnostics.reason);
        }
        continue;
      }
      const Consistency& verdict = result.consistency;
      if (!verdict.momentum || !verdict.energetic || !verdict.kinematic || !verdict.kinetic) {
        failures.add(seed, force, "a verdict is bad");
      }
      // 10 tolerances, as the law promises, each contact its own.
      const double allowed = 10.0 * law.tolerance * static_cast<double>(problem.contacts.size());
      if (!(std::abs(result.energy.balance_error) <= allowed)) {
        failures.add(seed, force, "energy off by ", result.energy.balance_error);
      }
    }
  }
  EXPECT_EQ(failures.text(), "");
  const bool infinite = GetParam() == Friction::Infinite;
  EXPECT_LE(without, static_cast<int>(kProblems * kForces.size()) / (infinite ? 2 : 20));
}

TEST_P(TouchingContacts, WithTwoStiffnessesAreThoseOfLzbUntilRecompressed) {
  Failures failures;
  int compared = 0;
  for (unsigned seed = 0; seed < 4 * kProblems; ++seed) {
    const ImpactProblem problem = touching(seed, GetParam());
    const ImpactResult lzb =
        resolve(problem,
                laws::Lzb{.reengagement = laws::Lzb::Reengagement::TrackedGap, .tolerance = 1e-10});
    const auto& contacts = lzb.diagnostics.contacts;
    const bool once = std::all_of(contacts.begin(), contacts.end(), [](const ContactSummary& c) {
      return c.impacts <= 1 && c.compressions <= 1;
    });
    if (lzb.status != Status::Ok || !once) continue;
    ++compared;
    const ImpactResult compliant =
        resolve(problem, Compliant{.force = Force::BiStiffness, .tolerance = 1e-10});
    const double difference = (compliant.velocity - lzb.velocity).lpNorm<Eigen::Infinity>();
    if (compliant.status != Status::Ok || !(difference <= 1e-7 * speed_of(problem))) {
      failures.add(seed, Force::BiStiffness, name(compliant.status), " ",
                   compliant.diagnostics.reason, ", off by ", difference);
    }
  }
  EXPECT_EQ(failures.text(), "");
  EXPECT_GE(compared, static_cast<int>(kProblems));
}

TEST_P(TouchingContacts, MoveAsTheyAreSolved) {
  Failures failures;
  for (unsigned seed = 0; seed < kProblems / 2; ++seed) {
    const ImpactProblem drawn = touching(seed, GetParam());
    for (const Force force : kForces) {
      const FrozenImpact frozen{made_for(force, drawn)};
      const double speed = speed_of(frozen.problem);
      // What sets the damping of contacts that close slowly.
      const Compliant law{.force = force, .minimum_speed = 1e-3 * speed, .max_steps = kMostSteps};
      const ImpactResult solved = resolve(frozen.problem, law);
      if (solved.status != Status::Ok) continue;
      const simulation::CompliantMotion method{
          .law = law,
          .tolerance = law.tolerance,
          .run = {.duration = 1.5 * solved.diagnostics.duration,
                  .micro_bounce_velocity = 1e-12 * speed}};
      long steps = 0;
      simulation::Observer observer;
      observer.step = [&](double, const Vector&, const Vector&) { return ++steps < kMostSteps; };
      const simulation::Run run = method(frozen, frozen.start(), observer);
      const double difference =
          (run.end.state.velocity - solved.velocity).lpNorm<Eigen::Infinity>();
      if (run.status != simulation::RunStatus::Ok || !(difference <= 1e-6 * speed)) {
        failures.add(seed, force, name(run.status), " ", run.reason, ", off by ", difference);
      }
    }
  }
  EXPECT_EQ(failures.text(), "");
}

}  // namespace percute::property
