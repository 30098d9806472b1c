// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/any_law.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <set>

namespace percute {
namespace {

ImpactProblem three_balls() {
  const systems::BallChain chain{.balls = 3, .material = {.restitution = 0.8}};
  return chain.impact(chain.at_contact(1.0));
}

/// A mass point that strikes a floor and slides along it.
ImpactProblem sliding(double friction) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.gradients = Matrix(Eigen::Vector2d(0.0, 1.0)).sparseView();
  problem.velocity = Eigen::Vector2d(1.0, -1.0);
  problem.contacts.emplace_back();
  problem.contacts[0].material.friction = friction;
  set_tangents(problem, {Eigen::Vector2d(1.0, 0.0)});
  return problem;
}

/// All velocities go to 0 where something approaches; knows nothing but that.
struct Stop {
  ImpactResult operator()(const ImpactProblem& problem) const {
    return {.velocity = Vector::Zero(problem.velocity.size()),
            .impulse = Vector::Constant(1, -problem.velocity[1])};
  }
};

/// The same with friction that brings the point to rest.
struct StopAll {
  ImpactResult operator()(const ImpactProblem& problem) const {
    ImpactResult result = Stop{}(problem);
    result.tangential_impulse = {Vector::Constant(1, -problem.velocity[0])};
    return result;
  }
};

template <class Call>
std::string complaint(Call&& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field() + ": " + error.reason();
  }
  return "";
}

TEST(AnyLaw, EveryKindHasItsLaw) {
  ASSERT_EQ(law_kinds().size(), 15U);
  EXPECT_EQ(law_kinds().front(), "lzb");
  for (const std::string_view kind : law_kinds()) EXPECT_EQ(make_law(kind).kind(), kind);
  EXPECT_FALSE(make_law("lbz"));
}

TEST(AnyLaw, EveryOptionOfEveryKindIsDescribedOnce) {
  for (const std::string_view kind : law_kinds()) {
    std::set<std::string_view> keys;
    AnyLaw law = make_law(kind);
    law.visit([&](const Field& field, const Option&) {
      EXPECT_TRUE(keys.insert(field.key).second) << kind << " " << field.key;
      EXPECT_GE(field.doc.size(), 8U) << kind << " " << field.key;
    });
    EXPECT_GE(keys.size(), 2U) << kind;
  }
}

TEST(AnyLaw, AppliesTheLawItHolds) {
  const ImpactProblem problem = three_balls();
  const ImpactResult held = resolve(problem, AnyLaw(laws::Newton{}));
  EXPECT_EQ(held.velocity, resolve(problem, laws::Newton{}).velocity);
  EXPECT_EQ(held.energy.after, resolve(problem, laws::Newton{}).energy.after);
  const AnyLaw stop = [](const ImpactProblem& p) { return Stop{}(p); };
  EXPECT_EQ(stop.kind(), "custom");
  EXPECT_EQ(stop.title(), "custom");
  EXPECT_EQ(resolve(sliding(0.0), stop).velocity, Vector::Zero(2));
}

TEST(AnyLaw, GivesTheLawBackByItsType) {
  const AnyLaw law = laws::Lzb{.tolerance = 1e-7};
  ASSERT_NE(law.as<laws::Lzb>(), nullptr);
  EXPECT_EQ(law.as<laws::Lzb>()->tolerance, 1e-7);
  EXPECT_EQ(law.as<laws::Newton>(), nullptr);
  EXPECT_EQ(AnyLaw().as<laws::Newton>(), nullptr);
}

TEST(AnyLaw, Titles) {
  EXPECT_EQ(AnyLaw(laws::Lzb{.tolerance = 1e-10}).title(), "lzb (tol 1e-10)");
  EXPECT_EQ(AnyLaw(laws::Lzb{}).title(), "lzb (tol 1e-9)");
  EXPECT_EQ(AnyLaw(laws::Compliant{.force = laws::Compliant::Force::Linear}).title(),
            "compliant (linear, tol 1e-9)");
  EXPECT_EQ(AnyLaw(laws::Newton{}).title(), "newton");
}

TEST(AnyLaw, OptionsChangeInOneCopyOnly) {
  const AnyLaw before = laws::Lzb{};
  AnyLaw after = before;
  after.visit([](const Field& field, const Option& option) {
    if (field.key == "tolerance") *std::get<double*>(option) = 1.0;
  });
  EXPECT_EQ(before.as<laws::Lzb>()->tolerance, laws::Lzb{}.tolerance);
  EXPECT_EQ(after.as<laws::Lzb>()->tolerance, 1.0);
  EXPECT_EQ(complaint([&] { before.check(); }), "");
  EXPECT_EQ(complaint([&] { after.check(); }), "law.tolerance: 1 is not in [1e-13, 0.001]");
}

TEST(AnyLaw, NoLawIsRefused) {
  EXPECT_EQ(complaint([] { resolve(three_balls(), AnyLaw()); }), "law: is missing");
}

TEST(AnyLaw, RecordsWhereThereIsAnInnerTime) {
  EXPECT_TRUE(AnyLaw(laws::Lzb{}).records());
  EXPECT_FALSE(AnyLaw(laws::Newton{}).records());
  EXPECT_FALSE(resolve(three_balls(), AnyLaw(laws::Lzb{}), Recording{}).history.empty());
  EXPECT_NE(complaint([] {
              resolve(three_balls(), AnyLaw(laws::Newton{}), Recording{});
            }).find("law.kind: 'newton' has no inner time"),
            std::string::npos);
}

TEST(Resolve, TakesAWorkspaceAndARecordingTogether) {
  laws::LzbWorkspace workspace;
  const ImpactProblem problem = three_balls();
  const ImpactResult plain = resolve(problem, laws::Lzb{}, Recording{});
  for (int k = 0; k < 2; ++k) {
    const ImpactResult result = resolve(problem, laws::Lzb{}, workspace, Recording{});
    EXPECT_EQ(result.velocity, plain.velocity);
    EXPECT_EQ(result.history.force, plain.history.force);
  }
}

TEST(LeftOut, FrictionThatALawDoesNotKnowIsNoGoodOutcome) {
  const ImpactResult without = resolve(sliding(0.3), laws::Newton{});
  EXPECT_TRUE(without.ok());
  EXPECT_TRUE(without.consistency.admissible());
  EXPECT_TRUE(without.consistency.friction_ignored);
  EXPECT_FALSE(without.consistency.all());
  EXPECT_TRUE(resolve(sliding(0.0), laws::Newton{}).consistency.all());
  for (const AnyLaw& law : {AnyLaw(laws::Coulomb{}), AnyLaw(laws::Poisson{}), AnyLaw(laws::Lzb{}),
                            AnyLaw(laws::Compliant{})}) {
    EXPECT_TRUE(resolve(sliding(0.3), law).consistency.all()) << law.kind();
    ImpactProblem bare = sliding(0.3);
    set_tangents(bare, std::vector<Matrix>(bare.contacts.size()));
    EXPECT_FALSE(resolve(bare, law).consistency.all()) << law.kind();
  }
}

TEST(LeftOut, ALawOfYourOwnIsJudgedByItsImpulses) {
  EXPECT_TRUE(resolve(sliding(0.3), Stop{}).consistency.friction_ignored);
  EXPECT_FALSE(resolve(sliding(2.0), StopAll{}).consistency.friction_ignored);
  EXPECT_TRUE(resolve(sliding(2.0), AnyLaw(Stop{})).consistency.friction_ignored);
  EXPECT_FALSE(resolve(sliding(2.0), AnyLaw(StopAll{})).consistency.friction_ignored);
}

TEST(LeftOut, AForceWithoutRestitution) {
  const ImpactResult result = resolve(three_balls(), laws::Compliant{});
  EXPECT_TRUE(result.consistency.restitution_ignored);
  EXPECT_FALSE(result.consistency.all());
  EXPECT_FALSE(
      resolve(three_balls(), laws::Moreau{.restitution = 0.5}).consistency.restitution_ignored);
}

TEST(LeftOut, ReasonsNameTheContacts) {
  const ImpactProblem problem = sliding(0.3);
  EXPECT_EQ(friction_left_out(laws::Newton{}, problem.contacts, {"1–wall"}),
            "the law newton has no friction (contact 1–wall)");
  EXPECT_EQ(friction_left_out(laws::Lzb{}, problem.contacts, {"1–wall"}), "");
  const std::vector<Contact> bare(2, Contact{.material = {.friction = 0.1}});
  EXPECT_EQ(friction_left_out(laws::Lzb{}, bare, {"1–2", "2–3"}),
            "contacts 1–2, 2–3 have no tangents");
}

}  // namespace
}  // namespace percute
