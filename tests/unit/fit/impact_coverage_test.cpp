// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/fit_file.hpp>

#include <gtest/gtest.h>

#include <random>

// Known parameters are found again from noisy rebound heights of two balls dropped together, as
// often as the intervals promise (Liu, Zhao, Brogliato 2008, section 8.3).

namespace percute::io {
namespace {

constexpr const char* kDrops = R"(
format = "percute-fit/1"

[problem.system]
kind = "stacked_balls"
names = ["basketball", "tennis ball"]
masses = [0.58, 0.058]
radii = [0.38, 0.0325]
pressure = 1.0e5
[problem.material]
restitution = [0.8, 0.55]
[problem.start]
height = 1.5
gravity = 9.81
[problem.law]
kind = "lzb"
tolerance = 1e-8

[[parameter]]
name = "floor"
key = "material.restitution[0]"
start = 0.6

[[parameter]]
name = "balls"
key = "material.restitution[1]"
start = 0.7

[[experiment]]
measure = [
  {quantity = "rebound_height", body = "basketball", values = [0, 0, 0], sigma = 0.01},
  {quantity = "rebound_height", body = "tennis ball", values = [0, 0, 0], sigma = 0.05},
]
[[experiment]]
set = {"start.height" = 1.0}
measure = [{quantity = "velocity", body = "tennis ball", values = [0, 0], sigma = 0.05}]

[fit]
starts = 1
)";

struct Coverage {
  int floor = 0;
  int balls = 0;
  int rejected = 0;
};

Coverage trials(FitFile file, int count, std::uint64_t seed) {
  const Vector truth{{0.8, 0.55}};
  const Vector exact = predict(file, truth).values;
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> bell;
  Coverage covered;
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < file.measurements.size(); ++i) {
      FitMeasurement& one = file.measurements[i];
      one.value = exact[static_cast<Eigen::Index>(i)] + one.sigma * bell(engine);
    }
    const fit::Fit fit = fit::least_squares(least_squares_problem(file), file.options);
    covered.rejected += fit.status == fit::FitStatus::Rejected ? 1 : 0;
    EXPECT_TRUE(fit.ok() || fit.status == fit::FitStatus::Rejected) << k;
    const auto holds = [&](std::size_t j) {
      const fit::Estimate& estimate = fit.estimates[j];
      return estimate.lower <= truth[static_cast<Eigen::Index>(j)] &&
             truth[static_cast<Eigen::Index>(j)] <= estimate.upper;
    };
    covered.floor += holds(0) ? 1 : 0;
    covered.balls += holds(1) ? 1 : 0;
  }
  return covered;
}

// Binomial(200, 0.95) is 190 ± 3.1: fewer than 180 (90 %) or more than 198 (99 %) come by chance
// less than once in a thousand.
void expect_binomial(int covered) {
  EXPECT_GE(covered, 180);
  EXPECT_LE(covered, 198);
}

// Two tests at 1 % each: Binomial(200, 0.02) exceeds 11 once in a thousand times.
constexpr int kMostRejected = 11;

TEST(ImpactCoverage, KnownNoise) {
  const Coverage covered = trials(read_fit(parse_toml(kDrops, "drops.toml")), 200, 11);
  expect_binomial(covered.floor);
  expect_binomial(covered.balls);
  EXPECT_LE(covered.rejected, kMostRejected);
}

TEST(ImpactCoverage, EstimatedNoise) {
  FitFile file = read_fit(parse_toml(kDrops, "drops.toml"));
  file.options.noise = fit::Noise::Estimated;
  const Coverage covered = trials(std::move(file), 200, 12);
  expect_binomial(covered.floor);
  expect_binomial(covered.balls);
  EXPECT_LE(covered.rejected, kMostRejected);
}

/// Velocities depend on ratios of stiffnesses only: a common factor cannot be found, the ratio can.
TEST(ImpactIdentifiability, OnlyRatiosOfStiffnessesShow) {
  Document document = parse_toml(kDrops, "drops.toml");
  document.root.find("problem")->find("system")->as<Node::Object>()->pop_back();  // pressure
  override_value(document, "problem.material.stiffness", "[1e4, 2e3]", "test");
  override_value(document, "problem.material.exponent", "1.0", "test");
  override_value(document, "parameter[0]",
                 R"({"name": "K0", "key": "material.stiffness[0]", "start": 1e4})", "test");
  override_value(document, "parameter[1]",
                 R"({"name": "K1", "key": "material.stiffness[1]", "start": 2e3})", "test");
  FitFile file = read_fit(document);
  const Vector exact = predict(file, Vector{{3e4, 4e3}}).values;
  for (std::size_t i = 0; i < file.measurements.size(); ++i) {
    file.measurements[i].value = exact[static_cast<Eigen::Index>(i)];
  }
  const fit::Fit fit = fit::least_squares(least_squares_problem(file), file.options);
  ASSERT_EQ(fit.status, fit::FitStatus::Converged);
  EXPECT_EQ(fit.rank, 1);
  EXPECT_FALSE(fit.estimates[0].identifiable);
  EXPECT_FALSE(fit.estimates[1].identifiable);
  // To the accuracy of the law, 100 tolerances, in heights that change little with the ratio.
  EXPECT_NEAR(fit.estimates[0].value / fit.estimates[1].value, 7.5, 1e-3);
}

/// A force curve tells stiffness and exponent, which velocities do not.
TEST(ImpactIdentifiability, ForceCurve) {
  constexpr const char* kCurve = R"({
    "format": "percute-fit/1",
    "problem": {"format": "percute-problem/1", "mass": {"diagonal": [0.02]}, "velocity": [-1.5],
                "contacts": [{"gradient": [1], "restitution": 0.7, "stiffness": 1e6}],
                "law": {"kind": "lzb", "tolerance": 1e-10}},
    "parameter": [{"name": "K", "key": "contacts[0].stiffness", "start": 1e6},
                  {"name": "n", "key": "contacts[0].exponent", "start": 1.2, "upper": 3},
                  {"name": "e", "key": "contacts[0].restitution", "start": 0.9}],
    "experiment": [{"measure": [
      {"quantity": "force", "contact": 0, "sigma": 1.0,
       "times": [1e-4, 3e-4, 5e-4, 7e-4, 9e-4, 11e-4],
       "values": [0, 0, 0, 0, 0, 0]},
      {"quantity": "maximal_force", "contact": 0, "value": 0, "sigma": 1.0},
      {"quantity": "duration", "contact": 0, "value": 0, "sigma": 1e-6},
      {"quantity": "maximal_force_time", "contact": 0, "value": 0, "sigma": 1e-6}]}]})";
  FitFile file = read_fit(parse_json(kCurve, "curve.json"));
  const Vector truth{{3e6, 1.5, 0.7}};
  const Vector exact = predict(file, truth).values;
  EXPECT_GT(exact[2], 10.0);  // the impact is under way at 0.5 ms
  for (std::size_t i = 0; i < file.measurements.size(); ++i) {
    file.measurements[i].value = exact[static_cast<Eigen::Index>(i)];
  }
  file.options.starts = 3;
  const fit::Fit fit = fit::least_squares(least_squares_problem(file), file.options);
  ASSERT_EQ(fit.status, fit::FitStatus::Converged);
  for (std::size_t j = 0; j < 3; ++j) {
    const double exactly = truth[static_cast<Eigen::Index>(j)];
    EXPECT_NEAR(fit.estimates[j].value, exactly, 1e-4 * exactly) << j;
  }
}

}  // namespace
}  // namespace percute::io
