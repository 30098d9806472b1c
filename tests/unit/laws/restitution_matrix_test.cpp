// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/laws/algebraic_testing.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace percute {
namespace {

using testing::expect_refused;
using testing::numbers;

/// Delassus matrix of three equal balls in a row.
Matrix three_balls() {
  Matrix G(2, 2);
  G << 2.0, -1.0, -1.0, 2.0;
  return G;
}

TEST(Admissible, OutcomesOfThreeBallsHitByTheFirst) {
  // Only the first column acts on U⁻ = (−V, 0): U⁺ = V (r₁₁, r₂₁) is possible iff both are ≥ 0 and
  // r₁₁² + r₁₁ r₂₁ + r₂₁² ≤ 1 (no energy created). Impulses ≥ 0 follow.
  int inside = 0;
  for (int i = -4; i <= 24; ++i) {
    for (int j = -4; j <= 24; ++j) {
      const double x = 0.05 * i;
      const double y = 0.05 * j;
      const double energy = x * x + x * y + y * y;
      if (std::abs(energy - 1.0) < 1e-9) continue;
      const bool possible = i >= 0 && j >= 0 && energy <= 1.0;
      Matrix R(2, 2);
      R << x, 0.0, y, 0.0;
      const ImpactProblem problem =
          testing::row(numbers({1.0, 1.0, 1.0}), numbers({1.0, 0.0, 0.0}), numbers({1.0, 1.0}));
      const ImpactResult result = resolve(problem, laws::RestitutionMatrix{.matrix = R});
      EXPECT_EQ(result.consistency.all(), possible) << x << " " << y;
      EXPECT_NEAR(result.gap_rate[0], x, 1e-14);
      EXPECT_NEAR(result.gap_rate[1], y, 1e-14);
      inside += possible ? 1 : 0;
    }
  }
  EXPECT_GT(inside, 100);
}

TEST(Admissible, VerdictsOnMatrices) {
  const Matrix G = three_balls();
  // R = e I is Newton's law in equality form; with e = 1 nothing is lost.
  const laws::Admissibility half = laws::admissible(0.5 * Matrix::Identity(2, 2), G);
  EXPECT_TRUE(half.all() && half.energetic_for_all);
  EXPECT_NEAR(half.smallest_entry, 0.0, 1e-15);
  const laws::Admissibility elastic = laws::admissible(Matrix::Identity(2, 2), G);
  EXPECT_TRUE(elastic.all());
  EXPECT_NEAR(elastic.smallest_dissipation, 0.0, 1e-14);

  // Negative entries let contacts approach; large ones create energy.
  Matrix R = 0.5 * Matrix::Identity(2, 2);
  R(0, 1) = -0.1;
  EXPECT_FALSE(laws::admissible(R, G).kinematic);
  R(0, 1) = 1.5;
  EXPECT_FALSE(laws::admissible(R, G).energetic);
  // Different coefficients with e₁ = 1: indefinite, and lossless only for some velocities.
  const laws::Admissibility mixed = laws::admissible(numbers({1.0, 0.0}).asDiagonal(), G);
  EXPECT_FALSE(mixed.energetic_for_all);
  EXPECT_LT(mixed.smallest_eigenvalue, 0.0);
  // R = −2 I would need contacts that pull.
  EXPECT_FALSE(laws::admissible(-2.0 * Matrix::Identity(2, 2), G).kinetic);
}

TEST(Admissible, TheSmallestDissipationIsTheMinimumOverTheCone) {
  // Against a fine sampling of directions u ≤ 0: from above, to second order of the step.
  Matrix R(2, 2);
  R << 0.9, 0.2, 0.1, 0.4;
  const Matrix G = three_balls();
  const Matrix inverse = G.inverse();
  const Matrix S = inverse - R.transpose() * inverse * R;
  double least = 1e300;
  for (int k = 0; k <= 10000; ++k) {
    const double angle = 0.5e-4 * k * 3.14159265358979;
    const Vector u = numbers({-std::cos(angle), -std::sin(angle)});
    least = std::min(least, u.dot(S * u));
  }
  EXPECT_NEAR(laws::admissible(R, G).smallest_dissipation, least, 1e-7);
}

TEST(Admissible, RefusesWhatItCannotJudge) {
  expect_refused([] { laws::admissible(Matrix::Identity(2, 2), Matrix::Ones(2, 2)); }, "G",
                 {"positive definite"});
  expect_refused([] { laws::admissible(Matrix::Identity(3, 3), Matrix::Identity(2, 2)); }, "R",
                 {"is 3 x 3", "G has 2 rows"});
  expect_refused([] { laws::admissible(Matrix::Identity(13, 13), Matrix::Identity(13, 13)); }, "G",
                 {"is 13 x 13", "1 to 12 rows"});
}

}  // namespace
}  // namespace percute
