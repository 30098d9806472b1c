// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/elastic_friction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::selftest {
namespace {

/// A block 2 wide and 1 high that falls on both corners, and slides.
ImpactProblem block() {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector{{1.0, 1.0, 5.0 / 12.0}});
  Matrix W(3, 2);
  W << 0.0, 0.0, 1.0, 1.0, -1.0, 1.0;
  problem.gradients = W.sparseView();
  problem.velocity = Vector{{2.0, -1.0, 0.3}};
  const Matrix t = (Matrix(3, 1) << 1.0, 0.0, 0.5).finished();
  problem.contacts.assign(2, {.material = {.restitution = 0.5, .friction = 0.3}});
  set_tangents(problem, {t, t});
  return problem;
}

TEST(ElasticFriction, ContactsLoseNothingAndKeepTheRest) {
  ImpactProblem problem = block();
  problem.contacts[0].material = {.restitution = 0.2,
                                  .stiffness = 3.0,
                                  .exponent = 1.0,
                                  .friction = std::numeric_limits<double>::infinity(),
                                  .contact_model = ContactModel::TriStiffness,
                                  .tri_stiffness = TriStiffness{0.1, 1.0, 4.0}};
  problem.contacts[1].stored_energy = 0.25;
  const ImpactProblem elastic = made_elastic(problem);
  const Material& material = elastic.contacts[0].material;
  EXPECT_EQ(material.restitution, 1.0);
  EXPECT_EQ(material.stiffness, 3.0);
  EXPECT_EQ(material.exponent, 1.0);
  EXPECT_TRUE(std::isinf(material.friction));
  EXPECT_FALSE(material.contact_model || material.tri_stiffness);
  EXPECT_EQ(elastic.contacts[1].stored_energy, 0.25);
  EXPECT_EQ(Matrix(tangents_of(elastic, 1)), Matrix(tangents_of(problem, 1)));
}

TEST(ElasticFriction, BothLawsAgreeOnABlock) {
  const ElasticFriction trial = compare_elastic(block());
  EXPECT_TRUE(trial.asked && trial.compared && trial.agree());
  EXPECT_FALSE(trial.sensitive());
  EXPECT_EQ(trial.spread, 0.0);  // not measured where nothing asks for it
  EXPECT_GT(trial.compliant.history.time.size(), 10);
  EXPECT_NEAR(trial.allowed, 2.15e-7, 1e-15);  // sliding at 2 + 0.3/2
  // What 1e-9 does is about 1e-9 here.
  const double spread = outcome_spread(trial.problem, trial.lzb);
  EXPECT_GT(spread, 1e-11);
  EXPECT_LT(spread, 2e-8);
}

TEST(ElasticFriction, OnlyWhatTinyChangesExplainIsSensitive) {
  ElasticFriction trial;
  trial.compared = true;
  trial.allowed = 1e-7;
  trial.difference = 5e-7;
  trial.spread = 1e-8;  // of changes of 1e-9: ten times that is what 100 tolerances do
  EXPECT_FALSE(trial.sensitive());
  trial.spread = 6e-8;
  EXPECT_TRUE(trial.sensitive());
  trial.spread = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(trial.sensitive());
  trial.difference = std::numeric_limits<double>::infinity();  // no answer
  EXPECT_FALSE(trial.sensitive());
  trial.difference = 5e-8;  // they agree
  EXPECT_FALSE(trial.sensitive());
}

TEST(ElasticFriction, StepsBeyondCoulombAreSeen) {
  const ImpactProblem problem = made_elastic(block());
  ImpactHistory history =
      resolve(problem, lzb_of_elastic_contacts(), Recording{.every = 1}).history;
  EXPECT_LE(beyond_coulomb(problem, history), 1e-10);
  // One step of contact 1 pushes by 1e-6 too much; the sum over the impact stays inside its cone.
  const ImpactScales scale = scales(problem);
  const double unit = scale.effective_mass[1] * scale.velocity;
  const Eigen::Index last = history.time.size() - 1;
  history.tangential_impulse.row(1).tail(last / 2).array() -= 1e-6 * unit;
  EXPECT_NEAR(beyond_coulomb(problem, history), 1e-6, 1e-9);
  // Infinite friction knows no limit.
  ImpactProblem rough = problem;
  rough.contacts[1].material.friction = std::numeric_limits<double>::infinity();
  EXPECT_LE(beyond_coulomb(rough, history), 1e-10);
  EXPECT_EQ(beyond_coulomb(problem, {}), 0.0);
}

TEST(ElasticFriction, EnergyThatRisesAfterItHasFallenIsSeen) {
  ImpactHistory history;
  history.time = Vector{{0.0, 1.0, 2.0, 3.0}};
  history.kinetic_energy = Vector{{5.0, 3.0, 3.5, 2.0}};
  history.stored_energy = (Matrix(1, 4) << 0.0, 1.0, 1.25, 2.0).finished();
  EXPECT_DOUBLE_EQ(energy_gained(history), 0.75);  // 5, 4, 4.75, 4
  history.kinetic_energy[2] = 2.5;
  EXPECT_DOUBLE_EQ(energy_gained(history), 0.25);  // 5, 4, 3.75, 4
}

}  // namespace
}  // namespace percute::selftest
