// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/distributions.hpp"

#include <percute/fit/least_squares.hpp>
#include <percute/model/invalid_input.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace percute::fit {
namespace {

using ::testing::HasSubstr;

/// y = a + b t at t = 0, 1, …, 9: everything about its fit is known in closed form.
LeastSquaresProblem straight_line(const Vector& measured, double sigma) {
  const Vector t =
      Vector::LinSpaced(measured.size(), 0.0, static_cast<double>(measured.size() - 1));
  LeastSquaresProblem problem;
  problem.parameters = {{.name = "a", .start = 1.0}, {.name = "b", .start = 1.0}};
  problem.measured = measured;
  problem.sigma = Vector::Constant(measured.size(), sigma);
  problem.model = [t](const Vector& x) { return Prediction{.values = x[0] + (x[1] * t).array()}; };
  return problem;
}

/// One parameter x, measured through f(x).
template <class Function>
LeastSquaresProblem scalar(const Parameter& parameter, const Vector& measured,
                           const Function& function) {
  LeastSquaresProblem problem;
  problem.parameters = {parameter};
  problem.measured = measured;
  problem.sigma = Vector::Ones(measured.size());
  problem.model = [function, n = measured.size()](const Vector& x) {
    return Prediction{.values = Vector::Constant(n, function(x[0]))};
  };
  return problem;
}

TEST(LeastSquares, StraightLineInClosedForm) {
  const Vector measured{{2.1, 2.4, 3.2, 3.4, 4.1, 4.4, 5.2, 5.3, 6.1, 6.4}};
  const double sigma = 0.1;
  const Fit fit = least_squares(straight_line(measured, sigma));
  ASSERT_EQ(fit.status, FitStatus::Converged);
  // Normal equations with Σ (t − 4.5)² = 82.5.
  const Vector t = Vector::LinSpaced(10, -4.5, 4.5);
  const double slope = t.dot(measured) / 82.5;
  const double intercept = measured.mean() - 4.5 * slope;
  // The search stops about 1e-5 standard errors away, which are 0.06 and 0.01.
  EXPECT_NEAR(fit.estimates[0].value, intercept, 1e-6);
  EXPECT_NEAR(fit.estimates[1].value, slope, 2e-7);
  // Differences of a linear model are exact but for rounding over the step, 1e-16/1e-5.
  EXPECT_NEAR(fit.estimates[1].standard_error, sigma / std::sqrt(82.5), 1e-9);
  const double error = sigma * std::sqrt(0.1 + 4.5 * 4.5 / 82.5);
  EXPECT_NEAR(fit.estimates[0].standard_error, error, 1e-9);
  EXPECT_NEAR(fit.estimates[0].upper - intercept, 1.959964 * error, 1e-7);
  EXPECT_NEAR(fit.correlation(0, 1), -4.5 / std::sqrt(8.25 + 4.5 * 4.5), 1e-8);
  EXPECT_EQ(fit.degrees_of_freedom, 8);
  EXPECT_NEAR(fit.sum_of_squares, fit.residual.squaredNorm(), 1e-12);
  EXPECT_NEAR(*fit.probability, numerics::chi_squared_tail(fit.sum_of_squares, 8), 1e-12);
  EXPECT_TRUE(fit.others.empty());
  EXPECT_EQ(fit.search.converged_starts, 12);
  EXPECT_EQ(fit.search.best_starts, 12);
}

TEST(LeastSquares, EstimatedNoiseUsesStudent) {
  const Vector measured{{2.1, 2.4, 3.2, 3.4, 4.1}};
  const Fit known = least_squares(straight_line(measured, 1.0));
  const Fit fit = least_squares(straight_line(measured, 1.0), {.noise = Noise::Estimated});
  const double s = std::sqrt(fit.sum_of_squares / 3.0);
  EXPECT_NEAR(fit.noise, s, 1e-12);
  EXPECT_FALSE(fit.probability.has_value());
  EXPECT_NEAR(fit.estimates[1].standard_error, s * known.estimates[1].standard_error, 1e-9);
  // 3.18 instead of 1.96: three degrees of freedom.
  EXPECT_NEAR(fit.estimates[1].upper - fit.estimates[1].value,
              3.182446305 * fit.estimates[1].standard_error, 1e-8);
  // The unit of the measurements does not matter, however small.
  const Fit tiny = least_squares(straight_line(1e-9 * measured, 1.0), {.noise = Noise::Estimated});
  ASSERT_EQ(tiny.status, FitStatus::Converged);
  EXPECT_NEAR(tiny.estimates[1].value, 1e-9 * fit.estimates[1].value, 1e-15);
}

/// Intervals hold the truth as often as they say. 600 lines, both kinds of noise.
TEST(LeastSquares, IntervalsOfALineCover) {
  constexpr int kTrials = 600;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> bell;
  for (const Noise noise : {Noise::Known, Noise::Estimated}) {
    int covered = 0;
    for (int k = 0; k < kTrials; ++k) {
      Vector measured(5);
      for (int i = 0; i < 5; ++i) measured[i] = 2.0 + 0.5 * i + 0.3 * bell(engine);
      const Fit fit =
          least_squares(straight_line(measured, 0.3), {.level = 0.9, .noise = noise, .starts = 1});
      covered += fit.estimates[1].lower <= 0.5 && 0.5 <= fit.estimates[1].upper ? 1 : 0;
    }
    // Binomial(600, 0.9): 540 ± 7.3; both tails beyond 3.3 standard deviations are below 1e-3.
    EXPECT_GE(covered, 516);
    EXPECT_LE(covered, 564);
  }
}

TEST(LeastSquares, LogarithmicIntervalsAreFactors) {
  const Fit fit = least_squares(
      scalar({.name = "K", .start = 1e3, .lower = 0.0, .scale = Scale::Logarithmic},
             Vector::Constant(1, std::log(4e7)), [](double x) { return std::log(x); }));
  ASSERT_EQ(fit.status, FitStatus::Converged);
  EXPECT_NEAR(fit.estimates[0].value / 4e7, 1.0, 1e-8);
  // ln x is measured with σ = 1.
  EXPECT_NEAR(fit.estimates[0].upper / fit.estimates[0].value, std::exp(1.959964), 1e-5);
  EXPECT_NEAR(fit.estimates[0].lower / fit.estimates[0].value, std::exp(-1.959964), 1e-6);
}

TEST(LeastSquares, ActiveBoundsAreReported) {
  // Ten values about 1.3 of something that cannot exceed 1.
  const Fit fit = least_squares(scalar({.name = "e", .start = 0.5, .lower = 0.0, .upper = 1.0},
                                       Vector::Constant(10, 1.3), [](double x) { return x; }));
  EXPECT_EQ(fit.status, FitStatus::Converged);  // χ² is 0.9
  EXPECT_EQ(fit.estimates[0].value, 1.0);
  EXPECT_EQ(fit.estimates[0].at_bound, AtBound::Upper);
  EXPECT_TRUE(std::isnan(fit.estimates[0].upper));
  // Nothing is free: ten degrees of freedom.
  EXPECT_EQ(fit.degrees_of_freedom, 10);

  // Inside, but close: the interval ends at the bound.
  const Fit close = least_squares(scalar({.name = "e", .start = 0.5, .lower = 0.0, .upper = 1.0},
                                         Vector::Constant(100, 0.95), [](double x) { return x; }));
  EXPECT_EQ(close.estimates[0].at_bound, AtBound::No);
  EXPECT_EQ(close.estimates[0].upper, 1.0);
  EXPECT_NEAR(close.estimates[0].lower, 0.95 - 0.1959964, 1e-6);
}

TEST(LeastSquares, UnidentifiableParametersAreNamed) {
  // Only a/b and c are measured, d not at all.
  LeastSquaresProblem problem;
  problem.parameters = {{.name = "a", .start = 2.0, .lower = 0.1, .scale = Scale::Logarithmic},
                        {.name = "b", .start = 3.0, .lower = 0.1, .scale = Scale::Logarithmic},
                        {.name = "c", .start = 1.0},
                        {.name = "d", .start = 1.0}};
  problem.measured = Vector{{0.5, 0.52, 4.0, 4.1}};
  problem.sigma = Vector::Constant(4, 0.1);
  problem.model = [](const Vector& x) {
    return Prediction{.values = Vector{{x[0] / x[1], x[0] / x[1], x[2], x[2]}}};
  };
  const Fit fit = least_squares(problem);
  ASSERT_EQ(fit.status, FitStatus::Converged);
  EXPECT_EQ(fit.rank, 2);
  EXPECT_FALSE(fit.estimates[0].identifiable);
  EXPECT_FALSE(fit.estimates[1].identifiable);
  EXPECT_TRUE(fit.estimates[2].identifiable);
  EXPECT_FALSE(fit.estimates[3].identifiable);
  EXPECT_TRUE(std::isnan(fit.estimates[0].standard_error));
  EXPECT_NEAR(fit.estimates[2].standard_error, 0.1 / std::numbers::sqrt2, 1e-7);
  EXPECT_NEAR(fit.estimates[0].value / fit.estimates[1].value, 0.51, 1e-6);
  ASSERT_EQ(fit.unnoticed.cols(), 2);
  // ln a and ln b move together.
  const Eigen::Index together = std::abs(fit.unnoticed(3, 0)) > 0.5 ? 1 : 0;
  EXPECT_NEAR(fit.unnoticed(0, together), fit.unnoticed(1, together), 1e-3);
  // Ends of the valley are one minimum.
  EXPECT_TRUE(fit.others.empty());
  // Four measurements less a rank of two, for the test and for the noise: (0.01² 2 + 0.05² 2)/0.1².
  EXPECT_EQ(fit.degrees_of_freedom, 2);
  EXPECT_NEAR(*fit.probability, std::exp(-0.52 / 2.0), 1e-6);
  const Fit estimated = least_squares(problem, {.noise = Noise::Estimated});
  EXPECT_EQ(estimated.degrees_of_freedom, 2);
  EXPECT_NEAR(estimated.noise, std::sqrt(0.52 / 2.0), 1e-6);
  EXPECT_NEAR(estimated.estimates[2].upper - estimated.estimates[2].value,
              4.30265273 * estimated.noise * 0.1 / std::numbers::sqrt2, 1e-6);
}

/// Of two parameters only u = ln a/b counts, and all ends of searches lie in valleys of u.
TEST(LeastSquares, ValleysAreToldApart) {
  const auto of_ratio = [](const Vector& measured, const std::function<Vector(double)>& f) {
    LeastSquaresProblem problem;
    problem.parameters = {{.name = "a", .start = 3.0, .lower = 0.0, .scale = Scale::Logarithmic},
                          {.name = "b", .start = 1.0, .lower = 0.0, .scale = Scale::Logarithmic}};
    problem.measured = measured;
    problem.sigma = Vector::Constant(measured.size(), 0.01);
    problem.model = [f](const Vector& x) {
      return Prediction{.values = f(std::log(x[0] / x[1])), .accuracy = 1e-8};
    };
    return problem;
  };
  // Three roots, −1, 0 and 1, are as good.
  const Fit three = least_squares(
      of_ratio(Vector{{0.0}}, [](double u) { return Vector{{u * (u - 1.0) * (u + 1.0)}}; }));
  EXPECT_EQ(three.status, FitStatus::Ambiguous);
  EXPECT_EQ(three.rank, 1);
  ASSERT_EQ(three.others.size(), 2U);
  EXPECT_TRUE(three.others[0].near && three.others[1].near);
  EXPECT_EQ(three.search.best_starts + three.others[0].starts + three.others[1].starts,
            three.search.converged_starts);
  // A worse one, near u = −1, is another.
  const Fit worse = least_squares(of_ratio(
      Vector{{0.0, 0.0}}, [](double u) { return Vector{{u * u - 1.0, 0.05 * (u - 1.0)}}; }));
  EXPECT_EQ(worse.status, FitStatus::Converged);
  EXPECT_NEAR(worse.estimates[0].value / worse.estimates[1].value, std::exp(1.0), 1e-4);
  ASSERT_EQ(worse.others.size(), 1U);
  EXPECT_FALSE(worse.others[0].near);
  EXPECT_GT(worse.others[0].sum_of_squares, 50.0);
}

TEST(LeastSquares, ABentValleyIsOneMinimum) {
  LeastSquaresProblem problem;
  problem.parameters = {{.name = "a", .start = 2.0, .lower = 0.5, .upper = 20.0},
                        {.name = "b", .start = 2.0, .lower = 0.5, .upper = 20.0}};
  problem.measured = Vector{{6.0}};
  problem.sigma = Vector{{0.01}};
  problem.model = [](const Vector& x) { return Prediction{.values = Vector{{x[0] * x[1]}}}; };
  const Fit fit = least_squares(problem);
  EXPECT_EQ(fit.status, FitStatus::Converged);
  EXPECT_FALSE(fit.estimates[0].identifiable);
  EXPECT_TRUE(fit.others.empty());
}

TEST(LeastSquares, PreciseMeasurementsHideNoOthers) {
  // The accuracy of the model matters for a, measured to 1e-7, not for b, measured to 10 %.
  LeastSquaresProblem problem;
  problem.parameters = {{.name = "a", .start = 4.0}, {.name = "b", .start = 1.0}};
  problem.measured = Vector{{5.0, 1.2}};
  problem.sigma = Vector{{1e-7, 0.1}};
  problem.model = [](const Vector& x) {
    return Prediction{.values = Vector{{x[0], x[1]}}, .accuracy = 1e-8};
  };
  const Fit fit = least_squares(problem);
  EXPECT_EQ(fit.rank, 2);
  EXPECT_NEAR(fit.estimates[1].standard_error, 0.1, 1e-6);

  // Ten thousand measurements are no burden.
  const Fit long_line = least_squares(straight_line(Vector::LinSpaced(10'000, 0.0, 1.0), 0.1));
  EXPECT_EQ(long_line.status, FitStatus::Converged);
  EXPECT_NEAR(long_line.estimates[1].value, 1.0 / 9999.0, 1e-9);
}

TEST(LeastSquares, OtherMinimaAreFound) {
  // x² = 4 within [−3, 3]: two minima that cannot be told apart. A tilt of 1 % prefers 2.
  const Parameter x{.name = "x", .start = -2.5, .lower = -3.0, .upper = 3.0};
  const Fit fit = least_squares(scalar(x, Vector::Constant(1, 4.0),
                                       [](double v) { return v * v + 0.01 * (v < 0.0 ? v : 0.0); }),
                                {.starts = 10});
  ASSERT_EQ(fit.status, FitStatus::Ambiguous);
  EXPECT_FALSE(fit.ok());
  EXPECT_NEAR(std::abs(fit.estimates[0].value), 2.0, 0.01);
  EXPECT_EQ(fit.search.best_starts + fit.others.front().starts, 10);
  ASSERT_GE(fit.others.size(), 1U);
  EXPECT_TRUE(fit.others.front().near);
  EXPECT_LT(fit.others.front().parameters[0] * fit.estimates[0].value, 0.0);
}

/// Groups of two at 1.1, 2.1 and 3.1, ±0.1: one constant for all is far off.
LeastSquaresProblem constant_of_groups() {
  LeastSquaresProblem problem =
      scalar({.name = "c", .start = 1.0}, Vector{{1.0, 1.2, 2.0, 2.2, 3.0, 3.2}},
             [](double x) { return x; });
  problem.repeats = {0, 0, 1, 1, 2, 2};
  return problem;
}

TEST(LeastSquares, LackOfFitInClosedForm) {
  const Fit fit = least_squares(constant_of_groups(), {.noise = Noise::Estimated});
  // Lack 2 (1² + 0² + 1²) with 3 − 1, pure error 6 · 0.1² with 6 − 3 degrees of freedom.
  ASSERT_TRUE(fit.lack_of_fit.has_value());
  EXPECT_NEAR(fit.lack_of_fit->F, (4.0 / 2.0) / (0.06 / 3.0), 1e-8);
  EXPECT_EQ(fit.lack_of_fit->freedom, 2);
  EXPECT_EQ(fit.lack_of_fit->pure_error_freedom, 3);
  EXPECT_NEAR(fit.lack_of_fit->probability, std::pow(1.0 + 2.0 * 100.0 / 3.0, -1.5), 1e-10);
  EXPECT_EQ(fit.status, FitStatus::Rejected);
  EXPECT_EQ(
      least_squares(constant_of_groups(), {.noise = Noise::Estimated, .significance = 1e-3}).status,
      FitStatus::Converged);

  // The size of sigma does not matter, its ratios do: a mean of weights 4 and 1.
  LeastSquaresProblem weighted = constant_of_groups();
  weighted.sigma = Vector{{1.0, 2.0, 1.0, 2.0, 1.0, 2.0}} * 1e3;
  const Fit loose = least_squares(weighted);
  EXPECT_NEAR(loose.lack_of_fit->F,
              (2.0 * 1.25 / 2.0) / (3.0 * (0.04 * 0.04 + 0.16 * 0.16 / 4.0) / 3.0), 1e-6);

  // Repeats that do not scatter, or none, or nothing left to test: no test.
  LeastSquaresProblem same = constant_of_groups();
  same.measured = Vector{{0.1 + 0.2, 0.3, 2.0, 2.0, 3.0, 3.0}};
  EXPECT_FALSE(least_squares(same).lack_of_fit.has_value());
  same = constant_of_groups();
  same.repeats = {0, 1, 2, 3, 4, 5};
  EXPECT_FALSE(least_squares(same).lack_of_fit.has_value());
  same.repeats = {0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(least_squares(same).lack_of_fit.has_value());
}

TEST(LeastSquares, TooLargeResidualsAreRejected) {
  // Σ (y − ȳ)² = 4.06 with five degrees of freedom: σ = 1 may be, σ = 0.4 not.
  LeastSquaresProblem problem = constant_of_groups();
  problem.repeats.clear();
  EXPECT_EQ(least_squares(problem).status, FitStatus::Converged);
  problem.sigma *= 0.4;
  const Fit fit = least_squares(problem);
  EXPECT_EQ(fit.status, FitStatus::Rejected);
  EXPECT_NEAR(*fit.probability, numerics::chi_squared_tail(4.06 / 0.16, 5), 1e-9);
  EXPECT_EQ(least_squares(problem, {.significance = 0.0}).status, FitStatus::Converged);
}

/// A true model is rejected about as often as `significance` says, by either test alone.
TEST(LeastSquares, TrueModelsAreRarelyRejected) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> bell;
  for (const Noise noise : {Noise::Known, Noise::Estimated}) {
    int rejected = 0;
    for (int k = 0; k < 1000; ++k) {
      LeastSquaresProblem problem = constant_of_groups();
      for (double& value : problem.measured) value = 2.0 + bell(engine);
      if (noise == Noise::Known) problem.repeats.clear();
      const FitOptions options{.noise = noise, .significance = 0.1, .starts = 1};
      rejected += least_squares(problem, options).status == FitStatus::Rejected ? 1 : 0;
    }
    // Binomial(1000, 0.1): 100 ± 9.5.
    EXPECT_GE(rejected, 70);
    EXPECT_LE(rejected, 131);
  }
}

TEST(LeastSquares, ASearchThatSeesNothingEndsWithinSixDecades) {
  double least = 1.0;
  double most = 1.0;
  // Flat below 1 and above 1e4: the derivative at the start is small, the step it asks for immense.
  LeastSquaresProblem problem =
      scalar({.name = "K", .start = 1e-2, .lower = 0.0, .scale = Scale::Logarithmic},
             Vector::Constant(1, 0.5), [](double x) { return 1.0 / (1.0 + 1e-4 * x * x); });
  problem.sigma[0] = 1e-3;
  problem.model = [&, inner = problem.model](const Vector& x) {
    least = std::min(least, x[0]);
    most = std::max(most, x[0]);
    return inner(x);
  };
  const Fit fit = least_squares(problem, {.starts = 20});
  EXPECT_NEAR(fit.estimates[0].value, 100.0, 1e-3);
  // As far as the differences beside the end.
  EXPECT_GE(least, 0.9e-8);
  EXPECT_LE(most, 1.1e4);
}

TEST(LeastSquares, StepsIntoNoAnswerAreTakenBack) {
  // The model knows nothing beyond 5, the first step would go to 100.
  LeastSquaresProblem problem = scalar({.name = "x", .start = 0.1}, Vector::Constant(1, 3.0),
                                       [](double v) { return std::sqrt(v); });
  problem.measured[0] = 2.0;
  problem.model = [inner = problem.model](const Vector& x) {
    if (x[0] > 4.5) throw InvalidInput("x", "too large");
    if (x[0] < 0.0) return Prediction{.failure = "not_terminated"};
    return inner(x);
  };
  const Fit fit = least_squares(problem, {.starts = 1});
  EXPECT_EQ(fit.status, FitStatus::Converged);
  EXPECT_NEAR(fit.estimates[0].value, 4.0, 1e-6);

  // No answer anywhere but at the start: no derivatives, hence no fit.
  problem.model = [](const Vector& x) {
    if (x[0] != 0.1) return Prediction{.failure = "not_terminated"};
    return Prediction{.values = Vector::Ones(1)};
  };
  const Fit stuck = least_squares(problem, {.starts = 3});
  EXPECT_EQ(stuck.status, FitStatus::Failed);
  EXPECT_EQ(stuck.failure, "not_terminated");
  EXPECT_GT(stuck.search.failed_evaluations, 0);

  // No answer at all.
  problem.model = [](const Vector&) { return Prediction{.failure = "not_terminated"}; };
  EXPECT_EQ(least_squares(problem).status, FitStatus::Failed);
  // Refused at the start: bad input, and other exceptions pass too.
  problem.model = [](const Vector&) -> Prediction { throw InvalidInput("x", "refused"); };
  EXPECT_THROW(least_squares(problem), InvalidInput);
  problem.model = [](const Vector& x) -> Prediction {
    if (x[0] != 0.1) throw std::bad_alloc();
    return {.values = Vector::Ones(1)};
  };
  EXPECT_THROW(least_squares(problem), std::bad_alloc);
}

TEST(LeastSquares, StoppedItKeepsTheBestPoint) {
  int asked = 0;
  FitOptions options{.starts = 100};
  options.stop = [&asked] { return ++asked > 200; };
  const Fit fit = least_squares(straight_line(Vector{{2.0, 3.0, 4.0, 5.0}}, 0.1), options);
  EXPECT_EQ(fit.status, FitStatus::Interrupted);
  EXPECT_GT(fit.search.starts, 1);
  EXPECT_LT(fit.search.starts, 100);
  ASSERT_EQ(fit.estimates.size(), 2U);
  EXPECT_NEAR(fit.estimates[1].value, 1.0, 1e-4);
  EXPECT_TRUE(std::isnan(fit.estimates[1].standard_error));
  // Before anything was found.
  options.stop = [] { return true; };
  const Fit none = least_squares(straight_line(Vector{{2.0, 3.0, 4.0, 5.0}}, 0.1), options);
  EXPECT_EQ(none.status, FitStatus::Interrupted);
  EXPECT_EQ(none.search.starts, 0);
  EXPECT_TRUE(none.estimates.empty());
}

TEST(LeastSquares, StoppedAfterTheLastValueItIsWhole) {
  int calls = 0;
  LeastSquaresProblem problem = straight_line(Vector{{2.0, 3.1, 4.0, 5.0}}, 0.1);
  problem.model = [&calls, inner = problem.model](const Vector& x) {
    ++calls;
    return inner(x);
  };
  ASSERT_EQ(least_squares(problem, {.starts = 3}).status, FitStatus::Converged);
  FitOptions options{.starts = 3};
  options.stop = [&calls, all = calls] { return calls >= all; };
  calls = 0;
  const Fit fit = least_squares(problem, options);
  EXPECT_EQ(fit.status, FitStatus::Converged);
  EXPECT_FALSE(std::isnan(fit.estimates[1].standard_error));
}

TEST(LeastSquares, IterationLimitIsSaid) {
  const Fit fit = least_squares(
      scalar({.name = "x", .start = 10.0}, Vector::Zero(2), [](double v) { return v * v * v * v; }),
      {.starts = 1, .max_iterations = 2});
  EXPECT_EQ(fit.status, FitStatus::NotConverged);
}

TEST(LeastSquares, TheSameSeedGivesTheSameBits) {
  const Vector measured{{2.1, 2.4, 3.2, 3.4, 4.1}};
  const Fit a = least_squares(straight_line(measured, 0.1), {.seed = 7});
  const Fit b = least_squares(straight_line(measured, 0.1), {.seed = 7});
  EXPECT_EQ(a.estimates[0].value, b.estimates[0].value);
  EXPECT_EQ(a.search.evaluations, b.search.evaluations);
}

TEST(LeastSquares, BadProblemsAreRefused) {
  const auto expect_refused = [](const LeastSquaresProblem& problem, const FitOptions& options,
                                 const std::string& fragment) {
    try {
      least_squares(problem, options);
      ADD_FAILURE() << "nothing was refused; expected: " << fragment;
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), HasSubstr(fragment));
    }
  };
  const LeastSquaresProblem good = straight_line(Vector::Ones(4), 0.1);
  LeastSquaresProblem bad = good;
  bad.parameters[1].upper = 0.5;
  expect_refused(bad, {}, "parameter[1].start: 1 is not between the bounds -inf and 0.5");
  bad = good;
  bad.parameters[0].lower = 3.0;
  bad.parameters[0].upper = 2.0;
  expect_refused(bad, {}, "parameter[0].lower: 3 is not below");
  bad = good;
  bad.parameters[0].scale = Scale::Logarithmic;
  expect_refused(bad, {}, "parameter[0].lower");
  bad = good;
  bad.sigma[2] = 0.0;
  expect_refused(bad, {}, "sigma");
  bad = good;
  bad.parameters.clear();
  expect_refused(bad, {}, "nothing to estimate");
  expect_refused(good, {.level = 1.0}, "fit.level: 1 is not in (0, 1)");
  expect_refused(good, {.starts = 0}, "fit.starts");
  expect_refused(good, {.step = 0.6}, "fit.step");
}

}  // namespace
}  // namespace percute::fit
