// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reference/cases.hpp"

namespace percute::reproduction {
namespace {

// The papers' scheme must have the errors that another implementation of it was found to have,
// within a factor 3: details of event handling differ, and errors fluctuate with N.
class EulerScheme : public ::testing::TestWithParam<ReferenceCase> {
 protected:
  const ReferenceCase& reference_ = GetParam();

  ImpactResult run(long N) const {
    laws::Lzb law = law_of(reference_);
    law.integrator = laws::Lzb::Integrator::EulerImpulse;
    law.steps = N;
    return resolve(reference_.problem, law);
  }
};

TEST_P(EulerScheme, HasTheKnownErrors) {
  for (const EulerError& known : reference_.euler_errors) {
    SCOPED_TRACE("N = " + std::to_string(known.N));
    const ImpactResult result = run(known.N);
    const double error = velocity_error(reference_, result);
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_LE(error, 3.0 * known.velocity_error);
    EXPECT_GE(error, known.velocity_error / 3.0);
    // The number of steps is the impulse passed on over the step: it depends little on details.
    EXPECT_NEAR(static_cast<double>(result.diagnostics.steps), static_cast<double>(known.steps),
                0.05 * static_cast<double>(known.steps));
  }
}

TEST_P(EulerScheme, ConvergesWithFirstOrder) {
  // Errors fluctuate by a factor of a few from one N to the next, so compare N and 30 N.
  const double coarse = velocity_error(reference_, run(1000));
  const double fine = velocity_error(reference_, run(30'000));
  EXPECT_LT(fine, coarse / 10.0);
  EXPECT_GT(fine, coarse / 300.0) << "faster than first order: not the papers' scheme";
}

INSTANTIATE_TEST_SUITE_P(Lzb, EulerScheme, ::testing::ValuesIn(cases_where([](const auto& c) {
                           return !c.euler_errors.empty();
                         })),
                         test_name<ReferenceCase>);

}  // namespace
}  // namespace percute::reproduction
