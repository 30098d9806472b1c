// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/percute.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace percute::laws {

namespace {

using ::testing::HasSubstr;

systems::BallChain chain(int balls, double restitution, double exponent = 1.5) {
  return {.balls = balls, .material = {.restitution = restitution, .exponent = exponent}};
}

ImpactProblem struck(const systems::BallChain& system, double speed = 1.0) {
  return system.impact(system.at_contact(speed));
}

/// Two bodies, one contact: closing speed 2 m/s, whatever the masses.
ImpactProblem single(const Material& material) {
  systems::BallChain pair{.balls = 2, .material = material, .masses = {1.0, 3.0}};
  return struck(pair, 2.0);
}

std::string complaint(const ImpactProblem& problem, const Lzb& law) {
  try {
    resolve(problem, law);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

long count(const ImpactHistory& history, EventKind kind) {
  return std::count_if(history.events.begin(), history.events.end(),
                       [&](const ImpactEvent& event) { return event.kind == kind; });
}

}  // namespace

TEST(Lzb, SingleContactReturnsItsRestitution) {
  for (const double eta : {1.0, 1.3, 1.5, 2.0, 3.2}) {
    for (const double e : {0.0, 1e-300, 1e-5, 1e-3, 0.2, 0.75, 1.0}) {
      for (const ContactModel model : {ContactModel::BiStiffness, ContactModel::MonoStiffness}) {
        const ImpactProblem problem =
            single({.restitution = e, .stiffness = 3e4, .exponent = eta, .contact_model = model});
        const ImpactResult result = resolve(problem, Lzb{.tolerance = 1e-10}, Recording{});
        EXPECT_EQ(result.status, Status::Ok);
        // U⁺ = −e U⁻ but for rounding. What was integrated: 10 tolerances of vs = 2 m/s.
        SCOPED_TRACE(::testing::Message() << "eta " << eta << " e " << e);
        EXPECT_NEAR(result.gap_rate[0], 2.0 * e, 1e-15);
        EXPECT_NEAR(result.dissipated[0], 0.5 * 0.75 * 4.0 * (1.0 - e * e), 1e-15);
        const ImpactHistory& history = result.history;
        EXPECT_NEAR(history.gap_rate(0, history.time.size() - 1), 2.0 * e, 2e-9);
        EXPECT_EQ(result.diagnostics.contacts[0].compressions, 1);
      }
    }
  }
}

TEST(Lzb, DurationAndForceOfASingleHertzContact) {
  const double K = 1e9;
  const ImpactProblem problem = single({.stiffness = K});
  const ImpactResult result = resolve(problem, Lzb{.tolerance = 1e-11});
  // δ_max = ((5/2) m v²/(2K))^(2/5), duration 2.9432752 δ_max/v (Hertz; printed to eight digits).
  const double depth = std::pow(2.5 * 0.75 * 4.0 / (2.0 * K), 0.4);
  const ContactSummary& contact = result.diagnostics.contacts[0];
  EXPECT_NEAR(contact.maximal_force / (K * std::pow(depth, 1.5)), 1.0, 1e-9);
  EXPECT_NEAR(contact.duration / (2.9432752 * depth / 2.0), 1.0, 2e-8);
  EXPECT_NEAR(contact.maximal_force_time / contact.duration, 0.5, 1e-8);
}

TEST(Lzb, NothingApproachingIsNoImpact) {
  const ImpactProblem problem = struck(chain(3, 1.0), -1.0);
  const ImpactResult result = resolve(problem, Lzb{});
  EXPECT_EQ(result.status, Status::NoImpact);
  EXPECT_EQ(result.velocity, problem.velocity);
  EXPECT_EQ(result.impulse, Vector::Zero(2));
  EXPECT_TRUE(result.consistency.all());
}

TEST(Lzb, AllAtRestAndNoContactsAreNoImpact) {
  EXPECT_EQ(resolve(struck(chain(3, 1.0), 0.0), Lzb{}).status, Status::NoImpact);
  ImpactProblem lonely;
  lonely.mass = MassMatrix::diagonal(Vector{{1.0}});
  lonely.velocity = Vector{{1.0}};
  lonely.gradients.resize(1, 0);
  EXPECT_EQ(resolve(lonely, Lzb{}).status, Status::NoImpact);
}

TEST(Lzb, ResolvesInAWorkspaceOfTheCaller) {
  LzbWorkspace workspace;
  // Large, small, large: nothing of one problem may reach the next.
  for (const int balls : {25, 3, 18, 2, 17, 25}) {
    const ImpactProblem problem = struck(chain(balls, 0.9), 1.0);
    const Lzb law{.tolerance = 1e-8};
    const ImpactResult fresh = resolve(problem, law);
    const ImpactResult reused = resolve(problem, law, workspace);
    EXPECT_EQ(fresh.velocity, reused.velocity) << balls << " balls";
    EXPECT_EQ(fresh.impulse, reused.impulse) << balls << " balls";
    EXPECT_EQ(fresh.consistency.margins.identity, reused.consistency.margins.identity);
  }
}

TEST(Lzb, PrecompressedPairFliesApart) {
  for (const ContactModel model : {ContactModel::BiStiffness, ContactModel::MonoStiffness}) {
    systems::BallChain pair = chain(2, 0.8);
    ImpactProblem problem = struck(pair, 0.0);
    problem.contacts[0].stored_energy = 0.5;
    const ImpactResult result = resolve(problem, Lzb{.contact_model = model, .tolerance = 1e-11});
    EXPECT_NEAR(result.velocity[1], 0.4 * std::sqrt(2.0), 1e-9);  // T⁺ = e² E0
    EXPECT_NEAR(result.dissipated[0], 0.5 * (1.0 - 0.64), 1e-9);
    EXPECT_TRUE(result.consistency.all());
    EXPECT_EQ(result.diagnostics.contacts[0].compressions, 0);
  }
}

TEST(Lzb, PrecompressedContactsWithoutRestitutionGiveNothingBack) {
  // Moving apart, nothing presses the first contact together any more: its energy is lost at once,
  // whatever its neighbour is about to do to it, and at every tolerance.
  ImpactProblem problem = struck(chain(3, 1.0), 0.0);
  problem.velocity = Vector{{0.0, 0.01, -1.0}};
  problem.contacts[0].material.restitution = 0.0;
  problem.contacts[0].stored_energy = 0.1;
  for (const auto rule : {Lzb::Reengagement::ZeroGap, Lzb::Reengagement::TrackedGap}) {
    const ImpactResult exact = resolve(problem, Lzb{.reengagement = rule, .tolerance = 1e-11});
    EXPECT_GT(exact.dissipated[0], 0.1);
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-9}) {
      const ImpactResult result =
          resolve(problem, Lzb{.reengagement = rule, .tolerance = tolerance});
      // 100 tolerances times the velocity scale, which is about 1.
      EXPECT_LT((result.velocity - exact.velocity).cwiseAbs().maxCoeff(), 100.0 * tolerance);
    }
  }
}

TEST(Lzb, MonoStiffnessCanReferToTheLastWorkOnly) {
  // Balls of e = 0.36 compress twice at the first contact (Liu, Zhao, Brogliato 2008, Table 3): the
  // two readings of W_c differ exactly when something was left from the first compression.
  const ImpactProblem twice = struck(chain(3, 0.36));
  const ImpactProblem once = struck(chain(3, 0.97));
  const Lzb stored{.contact_model = ContactModel::MonoStiffness, .tolerance = 1e-10};
  Lzb last = stored;
  last.compression_work = Lzb::CompressionWork::LastWork;
  EXPECT_LT((resolve(once, stored).velocity - resolve(once, last).velocity).norm(), 1e-12);
  ImpactProblem loaded = once;
  loaded.contacts[0].stored_energy = 0.3;
  EXPECT_GT((resolve(loaded, stored).velocity - resolve(loaded, last).velocity).norm(), 1e-3);
  EXPECT_TRUE(resolve(twice, last).ok());
}

TEST(Lzb, PlasticContactLosesItsPrecompressionAtOnce) {
  ImpactProblem problem = struck(chain(2, 0.0), 0.0);
  problem.contacts[0].stored_energy = 0.5;
  const ImpactResult result = resolve(problem, Lzb{});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_EQ(result.velocity, Vector::Zero(2));
  EXPECT_NEAR(result.dissipated[0], 0.5, 1e-15);
}

TEST(Lzb, ContactsPushedApartFromRestKeepTheirGap) {
  // Contact 3–4 rests (U⁻ = 0) and is pushed apart before it re-engages: the gap opened meanwhile
  // counts, so the answer must depend smoothly on a slight approach or separation.
  systems::BallChain chain{
      .balls = 4, .material = {.exponent = 1.0}, .masses = {1.0, 0.2, 3.0, 0.5}};
  ImpactProblem problem = chain.impact(chain.at_contact(Vector{{0.2, 0.0, -0.4, -0.4}}));
  problem.contacts[0].stored_energy = 0.3;
  const auto velocity = [&](double tolerance, double nudge) {
    ImpactProblem nudged = problem;
    nudged.velocity[3] += nudge;
    const Lzb law{.reengagement = Lzb::Reengagement::TrackedGap, .tolerance = tolerance};
    const ImpactResult result = resolve(nudged, law);
    EXPECT_EQ(result.status, Status::Ok);
    return result.velocity;
  };
  const Vector exact = velocity(1e-13, 0.0);
  EXPECT_LT((velocity(1e-6, 0.0) - exact).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((velocity(1e-9, 0.0) - exact).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((velocity(1e-12, 1e-8) - exact).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Lzb, LawsThatReturnTooLittleAreRefused) {
  const auto empty = [](const ImpactProblem&) { return ImpactResult{}; };
  EXPECT_THROW(resolve(struck(chain(3, 1.0)), empty), InvalidInput);
}

TEST(Lzb, LimitsEndARunWithAnHonestStatus) {
  const ImpactProblem problem = struck(chain(5, 0.9));
  const ImpactResult few_steps = resolve(problem, Lzb{.max_steps = 10});
  EXPECT_EQ(few_steps.status, Status::NotTerminated);
  EXPECT_FALSE(few_steps.ok());
  EXPECT_GT(few_steps.energy.stored, 0.0);
  // What is still stored is part of the ledger.
  EXPECT_NEAR(few_steps.energy.balance_error, 0.0, 1e-8);
  EXPECT_EQ(resolve(problem, Lzb{.max_events = 3}).status, Status::NotTerminated);
}

TEST(Lzb, EquilibriumNeverEndsAndSaysSo) {
  // A ball squeezed evenly between two walls.
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector{{1.0}});
  problem.velocity = Vector{{0.0}};
  problem.gradients = Matrix{{1.0, -1.0}}.sparseView();
  problem.contacts.assign(2, Contact{.stored_energy = 1.0});
  EXPECT_EQ(resolve(problem, Lzb{}).status, Status::NotTerminated);
}

TEST(Lzb, VerifyReportsTheDifferenceToATighterRun) {
  const ImpactResult result =
      resolve(struck(chain(4, 0.9)), Lzb{.tolerance = 1e-5, .verify = true});
  ASSERT_TRUE(result.diagnostics.verify_difference);
  EXPECT_GT(*result.diagnostics.verify_difference, 0.0);
  EXPECT_LT(*result.diagnostics.verify_difference, 1e-4);
}

TEST(Lzb, RefusesOptionsOutOfRange) {
  const ImpactProblem problem = struck(chain(3, 0.9));
  EXPECT_THAT(complaint(problem, Lzb{.tolerance = 0.0}), HasSubstr("law.tolerance: 0"));
  EXPECT_THAT(complaint(problem, Lzb{.tolerance = 1.0}), HasSubstr("law.tolerance"));
  EXPECT_THAT(complaint(problem, Lzb{.collapse_velocity = -1.0}), HasSubstr("collapse_velocity"));
  EXPECT_THAT(complaint(problem, Lzb{.max_steps = 0}), HasSubstr("law.max_steps"));
  EXPECT_THAT(complaint(problem, Lzb{.integrator = Lzb::Integrator::EulerImpulse, .steps = 0}),
              HasSubstr("law.steps"));
  EXPECT_THAT(complaint(problem, Lzb{.reengagement = Lzb::Reengagement::TrackedGap,
                                     .integrator = Lzb::Integrator::EulerImpulse}),
              HasSubstr("law.reengagement"));
  EXPECT_THAT(complaint(problem, Lzb{.contact_model = ContactModel::TriStiffness}),
              HasSubstr("contacts[0].tri_stiffness"));
  ImpactProblem rough = problem;
  rough.contacts[1].material.friction = 0.3;
  set_tangents(rough, {Matrix(), Matrix::Ones(rough.velocity.size(), 1)});
  EXPECT_THAT(complaint(rough, Lzb{.integrator = Lzb::Integrator::EulerImpulse}),
              HasSubstr("contacts[1].friction: 0.3"));
}

TEST(LzbHistory, TellsTheStoryOfThreeBalls) {
  const ImpactProblem problem = struck(chain(3, 0.36));
  const ImpactResult result = resolve(problem, Lzb{.tolerance = 1e-10}, Recording{});
  const ImpactHistory& h = result.history;
  ASSERT_GT(h.time.size(), 10);
  EXPECT_EQ(h.time[0], 0.0);
  for (Eigen::Index k = 1; k < h.time.size(); ++k) EXPECT_GE(h.time[k], h.time[k - 1]);
  const Eigen::Index last = h.time.size() - 1;
  EXPECT_TRUE(h.impulse.col(last).isApprox(result.impulse, 1e-14));
  EXPECT_TRUE(h.velocity.col(last).isApprox(result.velocity, 1e-12));
  EXPECT_TRUE(h.dissipated.col(last).isApprox(result.dissipated, 1e-12));
  EXPECT_EQ(h.force.col(last).norm(), 0.0);
  // Contact 1–2 compresses twice (Liu, Zhao, Brogliato 2008, Table 3, BBB).
  EXPECT_EQ(count(h, EventKind::CompressionEnd), 3);
  EXPECT_EQ(count(h, EventKind::Reengagement), 1);
  EXPECT_EQ(count(h, EventKind::Opening), 3);
  // Energy balance holds at every instant.
  for (Eigen::Index k = 0; k <= last; ++k) {
    const double sum =
        h.kinetic_energy[k] + h.stored_energy.col(k).sum() + h.dissipated.col(k).sum();
    EXPECT_NEAR(sum, 0.5, 1e-9);
    EXPECT_NEAR(h.total_impulse[k], h.impulse.col(k).sum(), 1e-15);
  }
}

TEST(LzbHistory, SamplesAskedTimesByDenseOutput) {
  const ImpactProblem problem = single({.stiffness = 1.0, .exponent = 1.0});
  const double omega = std::sqrt(1.0 / 0.75);
  Recording recording{.every = 0};
  for (const double part : {0.1, 0.5, 0.77}) {
    recording.times.push_back(part * std::numbers::pi / omega);
  }
  const ImpactResult result = resolve(problem, Lzb{.tolerance = 1e-11}, recording);
  for (const double time : recording.times) {
    Eigen::Index k = 0;
    (result.history.time.array() - time).abs().minCoeff(&k);
    EXPECT_NEAR(result.history.time[k], time, 1e-15);
    // Linear spring: λ = K v/ω sin ωτ.
    EXPECT_NEAR(result.history.force(0, k), 2.0 / omega * std::sin(omega * time), 1e-9);
  }
}

TEST(LzbHistory, EveryEventHasASample) {
  const ImpactResult result = resolve(struck(chain(5, 1.0)), Lzb{}, Recording{});
  for (const ImpactEvent& event : result.history.events) {
    EXPECT_LE((result.history.time.array() - event.time).abs().minCoeff(), 1e-12)
        << name(event.kind);
  }
}

TEST(LzbHistory, RefusesRecordingsItCannotMake) {
  const ImpactProblem problem = struck(chain(3, 1.0));
  EXPECT_THROW(resolve(problem, Lzb{}, Recording{.every = -1}), InvalidInput);
  EXPECT_THROW(resolve(problem, Lzb{}, Recording{.times = {1.0, 0.5}}), InvalidInput);
}

TEST(LzbHistory, RecordingDoesNotChangeTheResult) {
  const ImpactProblem problem = struck(chain(6, 0.8));
  const ImpactResult plain = resolve(problem, Lzb{});
  const ImpactResult recorded = resolve(problem, Lzb{}, Recording{.times = {0.5, 1.0, 2.0}});
  EXPECT_EQ(plain.velocity, recorded.velocity);
  EXPECT_EQ(plain.impulse, recorded.impulse);
}

TEST(LzbEuler, OptionsConvergeToTheSameAnswer) {
  const ImpactProblem problem = struck(chain(3, 0.97));
  const ImpactResult exact = resolve(problem, Lzb{.tolerance = 1e-11});
  for (const auto restart : {Lzb::EulerRestart::Paper, Lzb::EulerRestart::Exact}) {
    for (const auto primary : {Lzb::EulerPrimary::MaxEnergy, Lzb::EulerPrimary::MaxForce}) {
      for (const auto points : {Lzb::EulerCriticalPoints::None, Lzb::EulerCriticalPoints::Locate}) {
        const Lzb law{.integrator = Lzb::Integrator::EulerImpulse,
                      .steps = 20000,
                      .restart = restart,
                      .primary = primary,
                      .critical_points = points};
        const ImpactResult result = resolve(problem, law);
        EXPECT_EQ(result.status, Status::Ok);
        // First order: about 1 / steps.
        EXPECT_LT((result.velocity - exact.velocity).cwiseAbs().maxCoeff(), 2e-4);
        EXPECT_TRUE(result.consistency.momentum);
      }
    }
  }
}

TEST(LzbEuler, RecordsPrimaryChanges) {
  const Lzb law{.integrator = Lzb::Integrator::EulerImpulse, .steps = 2000};
  const ImpactResult result = resolve(struck(chain(3, 1.0)), law, Recording{.every = 10});
  EXPECT_GE(count(result.history, EventKind::PrimaryChange), 1);
  EXPECT_EQ(count(result.history, EventKind::Opening), 2);
  EXPECT_GT(result.history.time.size(), 100);
}

}  // namespace percute::laws
