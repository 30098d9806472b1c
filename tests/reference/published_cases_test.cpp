// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reference/cases.hpp"

namespace percute::io {
namespace {

// Each case at the tolerance its match_tolerance refers to (1e-10), against the converged values.
class PublishedCase : public ::testing::TestWithParam<ReferenceCase> {
 protected:
  const ReferenceCase& reference_ = GetParam();
  const ConvergedValues& converged_ = reference_.converged;
};

TEST_P(PublishedCase, ReachesTheConvergedValues) {
  ASSERT_EQ(law_of(reference_).tolerance, 1e-10);
  const ImpactResult result = resolve(reference_.problem.problem, reference_.problem.law);

  EXPECT_EQ(name(result.status), converged_.status);
  EXPECT_LE(velocity_error(reference_, result), converged_.match_tolerance);
  EXPECT_NEAR(result.energy.before, converged_.kinetic_energy_before, 1e-12 * 10.0)
      << "the data give 12 digits of energies below 10 J";
  EXPECT_TRUE(result.consistency.momentum);
  EXPECT_TRUE(result.consistency.identity);
  EXPECT_TRUE(result.consistency.kinematic);
  EXPECT_TRUE(result.consistency.kinetic);
  EXPECT_GE(result.consistency.margins.energetic, -1e-9 * result.energy.before)
      << "energy may grow by ten times the tolerance of the integration";
  EXPECT_LE(std::abs(result.energy.balance_error), 1e-9) << "required of the energy ledger";

  for (Eigen::Index i = 0; i < converged_.impulse.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    SCOPED_TRACE("contact " + std::to_string(i));
    EXPECT_NEAR(result.impulse[i], converged_.impulse[i], converged_.match_tolerance);
    EXPECT_NEAR(result.dissipated[i], converged_.dissipated[i], 1e-8)
        << "energies follow velocities of order one, known to 1e-8";
    ASSERT_LT(k, result.diagnostics.contacts.size());
    EXPECT_LE(std::abs(result.diagnostics.contacts[k].compressions - converged_.compressions[k]),
              converged_.compressions_tolerance);
    EXPECT_EQ(result.diagnostics.contacts[k].impacts, converged_.impacts[k]);
  }
  for (const long i : converged_.exactly_zero) {
    EXPECT_EQ(result.impulse[static_cast<Eigen::Index>(i)], 0.0) << "contact " << i;
  }
}

TEST_P(PublishedCase, IsReproduced) {
  const Reproduction item = reproduce(reference_);
  EXPECT_EQ(item.id, reference_.id);
  for (const ReferenceRow& row : item.rows) {
    EXPECT_TRUE(row.ok()) << row.label << ": " << row.quantity << " computed "
                          << row.computed.value_or(0.0) << " converged "
                          << row.reference.value_or(0.0) << " published "
                          << row.published.value_or(0.0) << "; " << row.note;
  }
  EXPECT_TRUE(item.ok());
}

INSTANTIATE_TEST_SUITE_P(Lzb, PublishedCase, ::testing::ValuesIn(all_cases()), test_name);

// What `tolerance` promises: max |v⁺ − v⁺_converged| ≤ 10 tolerance vs where tolerance ≥ 1e-5, and
// ≤ 100 tolerance vs below, vs being the largest gap rate before the impact.
class ToleranceSweep : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(ToleranceSweep, KeepsThePromise) {
  const ReferenceCase& reference = GetParam();
  const ImpactProblem& problem = reference.problem.problem;
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  const double vs = gap_rates.cwiseAbs().maxCoeff();
  // The converged values have 12 decimals and changed by up to 3e-11 when refined once more.
  const double own_error = std::max(2e-11, reference.converged.uncertainty);
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
                           return c.converged.status == "ok";
                         })),
                         test_name);

}  // namespace
}  // namespace percute::io
