// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reference/cases.hpp"

namespace percute::reproduction {
namespace {

// Each case at the tolerance its match_tolerance refers to (1e-10), against the converged values.
class PublishedCase : public ::testing::TestWithParam<ReferenceCase> {};

// What the rows of the reproduction do not tell.
TEST_P(PublishedCase, ReachesTheConvergedValues) {
  const ReferenceCase& reference = GetParam();
  ASSERT_EQ(law_of(reference).tolerance, 1e-10);
  const ImpactResult result = resolve(reference.problem, law_of(reference));

  EXPECT_EQ(name(result.status), reference.status);
  EXPECT_LE(velocity_error(reference, result), reference.match_tolerance);
  EXPECT_NEAR(result.energy.before, reference.energy_before, 1e-12 * 10.0)
      << "the data give 12 digits of energies below 10 J";
  EXPECT_TRUE(result.consistency.momentum);
  EXPECT_TRUE(result.consistency.identity);
  EXPECT_TRUE(result.consistency.kinematic);
  EXPECT_TRUE(result.consistency.kinetic);
  EXPECT_GE(result.consistency.margins.energetic, -1e-9 * result.energy.before)
      << "energy may grow by ten times the tolerance of the integration";
  EXPECT_LE(std::abs(result.energy.balance_error), 1e-9) << "required of the energy ledger";
  for (Eigen::Index i = 0; i < reference.dissipated.size(); ++i) {
    EXPECT_NEAR(result.dissipated[i], reference.dissipated[i], 1e-8)
        << "energies follow velocities of order one, known to 1e-8; contact " << i;
  }
}

TEST_P(PublishedCase, IsReproduced) {
  const Item& item = GetParam().item;
  EXPECT_EQ(item.id, GetParam().id);
  const auto contacts = static_cast<std::ptrdiff_t>(GetParam().impulse.size());
  for (const char* word : {"impulse", "dissipated", "compressions", "impacts"}) {
    const auto has_word = [&](const Expected& number) { return number.name.starts_with(word); };
    EXPECT_EQ(std::ranges::count_if(item.cases[0].expected, has_word), contacts) << word;
  }
  expect_reproduced(item);
}

INSTANTIATE_TEST_SUITE_P(Lzb, PublishedCase, ::testing::ValuesIn(all_cases()),
                         test_name<ReferenceCase>);

// What `tolerance` promises: max |v⁺ − v⁺_converged| ≤ 10 tolerance vs where tolerance ≥ 1e-5, and
// ≤ 100 tolerance vs below, vs being the largest gap rate before the impact.
class ToleranceSweep : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(ToleranceSweep, KeepsThePromise) {
  const ReferenceCase& reference = GetParam();
  const ImpactProblem& problem = reference.problem;
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  const double vs = gap_rates.cwiseAbs().maxCoeff();
  // The converged values have 12 decimals and changed by up to 3e-11 when refined once more.
  const double own_error = std::max(2e-11, reference.uncertainty);
  for (int digits = 3; digits <= 12; ++digits) {
    laws::Lzb law = law_of(reference);
    law.tolerance = std::pow(10.0, -digits);
    const ImpactResult result = resolve(problem, law);
    EXPECT_EQ(result.status, Status::Ok) << "tolerance 1e-" << digits;
    const double factor = digits <= 5 ? 10.0 : 100.0;
    EXPECT_LE(velocity_error(reference, result), factor * law.tolerance * vs + own_error)
        << "tolerance 1e-" << digits << ", vs " << vs;
  }
}

INSTANTIATE_TEST_SUITE_P(Lzb, ToleranceSweep, ::testing::ValuesIn(cases_where([](const auto& c) {
                           return c.status == "ok";
                         })),
                         test_name<ReferenceCase>);

}  // namespace
}  // namespace percute::reproduction
