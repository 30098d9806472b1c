// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/complementarity.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/model/invalid_input.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

namespace percute::testing {

inline Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

/// Balls in a row, contact i between balls i and i + 1.
inline ImpactProblem row(const Vector& masses, const Vector& velocities, const Vector& e) {
  const Eigen::Index n = masses.size();
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(masses);
  problem.velocity = velocities;
  Matrix W = Matrix::Zero(n, n - 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    W(i, i) = -1.0;
    W(i + 1, i) = 1.0;
    problem.contacts.push_back({.material = {.restitution = e[i]}});
  }
  problem.gradients = W.sparseView();
  return problem;
}

inline ImpactProblem row(const Vector& velocities, double e) {
  const Eigen::Index n = velocities.size();
  return row(Vector::Ones(n), velocities, Vector::Constant(n - 1, e));
}

/// A particle of mass 1 above the floor, (x, y), with the tangent along x.
inline ImpactProblem particle(double vx, double vy, double e, double friction) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.velocity = numbers({vx, vy});
  Matrix W(2, 1);
  W << 0.0, 1.0;
  problem.gradients = W.sparseView();
  problem.contacts = {{.material = {.restitution = e, .friction = friction}}};
  set_tangents(problem, {numbers({1.0, 0.0})});
  return problem;
}

/// Every law, with parameters that suit `contacts` contacts.
inline auto all_laws(Eigen::Index contacts) {
  using namespace laws;
  return std::make_tuple(
      Moreau{.restitution = 0.5}, Newton{}, Newton{.form = Newton::Form::Equality}, Poisson{},
      RestitutionMatrix{.matrix = 0.5 * Matrix::Identity(contacts, contacts)},
      FremondQuadratic{.kappa = Matrix::Constant(1, 1, 3.0)},
      FremondCone{.patterns = Matrix::Identity(contacts, contacts), .restitution = 0.5},
      ImpulseRatios{.direction = Vector::Ones(contacts), .restitution = 0.5}, Binary{},
      SimultaneousSet{}, ScalarRestitution{}, CradleSort{}, Coulomb{});
}

/// Calls f(law) for each of them.
template <class F>
void for_each_law(Eigen::Index contacts, F&& f) {
  std::apply([&](const auto&... law) { (f(law), ...); }, all_laws(contacts));
}

/// Expects InvalidInput about `field` whose message holds all `words`.
template <class Call>
void expect_refused(Call&& call, const std::string& field, const std::vector<std::string>& words) {
  try {
    call();
    ADD_FAILURE() << "accepted; expected a complaint about " << field;
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), field) << error.what();
    for (const std::string& word : words) EXPECT_THAT(error.what(), ::testing::HasSubstr(word));
  }
}

inline void expect_near(const Vector& actual, std::initializer_list<double> expected,
                        double tolerance) {
  ASSERT_EQ(actual.size(), static_cast<Eigen::Index>(expected.size()));
  EXPECT_LE((actual - numbers(expected)).cwiseAbs().maxCoeff(), tolerance) << actual.transpose();
}

}  // namespace percute::testing
