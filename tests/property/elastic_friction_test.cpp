// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// Contacts that lose nothing but by friction: `lzb` with tracked gaps, `compliant` with force
// `power`, and the motion of a system that has nothing but these contacts, are one law.

#include "selftest/elastic_friction.hpp"

#include "frozen_impact.hpp"
#include "selftest/friction_checks.hpp"

#include <percute/simulation/compliant_motion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

namespace percute::property {

namespace {

using selftest::ElasticFriction;

constexpr std::uint64_t kSeed = 31;

/// PERCUTE_PROPERTY_SCALE multiplies the number of problems, as for the other properties.
std::uint64_t scaled(std::uint64_t count) {
  const char* scale = std::getenv("PERCUTE_PROPERTY_SCALE");
  const double wanted = static_cast<double>(count) * (scale ? std::atof(scale) : 1.0);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
}

/// Problems that fail, to be seen at once: all of them, or `percute selftest friction --only`.
class Failures {
 public:
  template <class... Words>
  void add(std::uint64_t index, const Words&... words) {
    ++count_;
    text_ << "\n  seed " << kSeed << " problem " << index << ": ";
    (text_ << ... << words);
  }
  long count() const { return count_; }
  std::string text() const { return text_.str(); }

 private:
  long count_ = 0;
  std::ostringstream text_;
};

/// What tolerances of energies refer to.
double energy_scale(const ImpactProblem& problem) {
  return std::max(scales(problem).energy, problem.mass.kinetic_energy(problem.velocity));
}

/// Half as long again as the impact lasts: then nothing acts any more. It is ended where it needs a
/// hundred times what other runs need.
simulation::Run moved(const FrozenImpact& impact, double duration, double micro_bounce_velocity) {
  const laws::Compliant law = selftest::compliant_of_elastic_contacts();
  const simulation::CompliantMotion method{.law = law,
                                           .tolerance = law.tolerance,
                                           .run = {.duration = 1.5 * duration,
                                                   .micro_bounce_velocity = micro_bounce_velocity,
                                                   .max_events = 2'000}};
  long steps = 0;
  simulation::Observer observer;
  observer.step = [&](double, const Vector&, const Vector&) { return ++steps < 20'000; };
  return method(impact, impact.start(), observer);
}

}  // namespace

TEST(ElasticFriction, CompliantContactsDoWhatLzbDoesWithTrackedGaps) {
  const std::uint64_t count = scaled(300);
  Failures failures;
  std::uint64_t sensitive = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const ElasticFriction trial =
        selftest::compare_elastic(selftest::random_friction(kSeed, k).problem);
    if (!trial.compared || trial.agree()) continue;
    if (trial.sensitive()) {
      ++sensitive;
    } else {
      failures.add(k, name(trial.compliant.status), ", |Δv⁺| ", trial.difference, ", allowed ",
                   trial.allowed);
    }
  }
  EXPECT_EQ(failures.count(), 0) << failures.text();
  EXPECT_LE(sensitive, std::max<std::uint64_t>(1, count / 200));
}

TEST(ElasticFriction, EveryStepKeepsToCoulombAndCreatesNoEnergy) {
  const std::uint64_t count = scaled(200);
  Failures failures;
  for (std::uint64_t k = 0; k < count; ++k) {
    const ElasticFriction trial =
        selftest::compare_elastic(selftest::random_friction(kSeed, k).problem);
    if (!trial.asked) continue;
    const ImpactHistory& compliant = trial.compliant.history;
    const ImpactHistory lzb =
        resolve(trial.problem, selftest::lzb_of_elastic_contacts(), Recording{.every = 1}).history;
    const auto contacts = static_cast<double>(trial.problem.contacts.size());
    // 10 tolerances, for energies each contact its own: what both laws promise.
    const double allowed = 10.0 * selftest::lzb_of_elastic_contacts().tolerance;
    const double energy = allowed * contacts * energy_scale(trial.problem);
    for (const auto& [law, history] :
         {std::pair("lzb", &lzb), std::pair("compliant", &compliant)}) {
      const double beyond = selftest::beyond_coulomb(trial.problem, *history);
      const double gained = selftest::energy_gained(*history);
      // What is left of sliding where contacts stop is taken away at once.
      if (!(beyond <= 10.0 * allowed)) failures.add(k, law, " beyond the cone by ", beyond);
      if (!(gained <= energy)) failures.add(k, law, " gains ", gained, ", allowed ", energy);
    }
  }
  EXPECT_EQ(failures.count(), 0) << failures.text();
}

TEST(ElasticFriction, MotionOfAFrozenImpactEndsWithTheVelocitiesOfLzb) {
  const std::uint64_t count = scaled(200);
  Failures failures;
  std::uint64_t sensitive = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    FrozenImpact frozen{selftest::made_elastic(selftest::random_friction(kSeed, k).problem)};
    // A run starts where contacts touch.
    for (Contact& contact : frozen.problem.contacts) contact.stored_energy = 0.0;
    const laws::Lzb law = selftest::lzb_of_elastic_contacts();
    const ImpactResult lzb = resolve(frozen.problem, law, Recording{.every = 0});
    if (lzb.status != Status::Ok) continue;

    const double vs = scales(frozen.problem).velocity;
    const simulation::Run run = moved(frozen, lzb.diagnostics.duration, 1e-12 * vs);
    const double allowed = 1e-7 * std::max(frozen.problem.velocity.lpNorm<Eigen::Infinity>(), vs);
    const double difference = (run.end.state.velocity - lzb.velocity).lpNorm<Eigen::Infinity>();
    const bool over = run.status == simulation::RunStatus::Ok;
    if (over && difference <= allowed) continue;
    // As ElasticFriction::sensitive(): what is explained by changes ten times those of the spread.
    if (over && difference <= 10.0 * selftest::outcome_spread(frozen.problem, lzb)) {
      ++sensitive;
    } else {
      failures.add(k, name(run.status), " ", run.reason, ", |Δv⁺| ", difference, ", allowed ",
                   allowed);
    }
  }
  EXPECT_EQ(failures.count(), 0) << failures.text();
  EXPECT_LE(sensitive, std::max<std::uint64_t>(1, count / 200));
}

}  // namespace percute::property
