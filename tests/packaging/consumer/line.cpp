// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// A straight line through three points: what percute::fit does, without an impact.
#include <percute/fit/least_squares.hpp>

#include <cmath>
#include <cstdio>

int main() {
  percute::fit::LeastSquaresProblem problem;
  problem.parameters = {{.name = "a", .start = 1.0}, {.name = "b", .start = 1.0}};
  problem.measured = percute::Vector::LinSpaced(3, 2.0, 8.0);
  problem.sigma = percute::Vector::Ones(3);
  problem.model = [](const percute::Vector& x) {
    return percute::fit::Prediction{
        .values = x[0] + (x[1] * percute::Vector::LinSpaced(3, 0.0, 2.0)).array()};
  };
  const percute::fit::Fit fit = percute::fit::least_squares(problem);
  // Differences of a linear model are exact but for rounding over the step, 1e-16/1e-5.
  const bool right = fit.ok() && std::abs(fit.estimates[0].value - 2.0) < 1e-9 &&
                     std::abs(fit.estimates[1].value - 3.0) < 1e-9;
  std::printf("%.10f + %.10f t\n", fit.estimates[0].value, fit.estimates[1].value);
  return right ? 0 : 1;
}
