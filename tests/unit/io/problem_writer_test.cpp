// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/invariants.hpp"
#include "selftest/random_problem.hpp"

#include <percute/io/problem_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>

namespace percute::io {
namespace {

ProblemFile read_back(const ProblemFile& file) {
  return read_problem(parse_json(to_json(to_node(file)), "written.json"));
}

void expect_same(const ImpactProblem& a, const ImpactProblem& b) {
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(Matrix(a.gradients), Matrix(b.gradients));
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  EXPECT_EQ(a.mass.form(), b.mass.form());
  for (Eigen::Index i = 0; i < a.mass.size(); ++i) {
    for (Eigen::Index j = 0; j < a.mass.size(); ++j) EXPECT_EQ(a.mass(i, j), b.mass(i, j));
  }
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const Material& x = a.contacts[i].material;
    const Material& y = b.contacts[i].material;
    EXPECT_EQ(x.restitution, y.restitution);
    EXPECT_EQ(x.stiffness, y.stiffness);
    EXPECT_EQ(x.exponent, y.exponent);
    EXPECT_EQ(x.friction, y.friction);
    EXPECT_EQ(x.contact_model, y.contact_model);
    EXPECT_EQ(x.tri_stiffness.has_value(), y.tri_stiffness.has_value());
    EXPECT_EQ(a.contacts[i].stored_energy, b.contacts[i].stored_energy);
    EXPECT_EQ(Matrix(tangents_of(a, i)), Matrix(tangents_of(b, i)));
  }
}

/// Numbers give every bit back, so the outcome of the impact is the same to the last bit.
TEST(WriteProblem, RandomProblemsComeBackBitByBit) {
  for (std::uint64_t k = 0; k < 60; ++k) {
    const selftest::RandomProblem random = selftest::random_problem(11, k);
    ProblemFile file;
    file.name = "problem " + std::to_string(k);
    file.problem = random.problem;
    file.law = random.law;
    const ProblemFile copy = read_back(file);
    SCOPED_TRACE(k);
    EXPECT_EQ(copy.name, file.name);
    expect_same(copy.problem, file.problem);
    EXPECT_EQ(to_json(to_node(copy.law)), to_json(to_node(file.law)));
    EXPECT_EQ(selftest::fingerprint(resolve(copy.problem, copy.law)),
              selftest::fingerprint(resolve(file.problem, file.law)));
  }
}

TEST(WriteProblem, KeepsSparseMassesBodiesAndTangents) {
  ProblemFile file;
  file.name = "odds and ends";
  SparseMatrix M(9, 9);
  for (int i = 0; i < 9; ++i) M.insert(i, i) = 1.0 + 0.1 * i;
  M.insert(0, 8) = 0.25;
  M.insert(8, 0) = 0.25;
  file.problem.mass = MassMatrix::sparse(M);
  file.problem.velocity = Vector::LinSpaced(9, -1.0, 1.0 / 3.0);
  file.problem.gradients.resize(9, 1);
  file.problem.gradients.insert(2, 0) = -1.0;
  file.problem.gradients.insert(7, 0) = 1.0 / 7.0;
  Contact contact{.material = {.friction = 0.3}, .stored_energy = 0.1};
  file.problem.contacts = {contact};
  Matrix T = Matrix::Constant(9, 2, 0.1);  // one row in full, one by index and value
  T.col(1).tail(8).setZero();
  set_tangents(file.problem, {T});
  file.bodies = {{.name = "odd", .coordinates = {1, 3, 5, 7}},
                 {.name = "even", .coordinates = {0, 2, 4, 6, 8}}};
  file.law = laws::Lzb{.tolerance = 1e-8};
  const ProblemFile copy = read_back(file);
  expect_same(copy.problem, file.problem);
  ASSERT_EQ(copy.bodies.size(), 2U);
  EXPECT_EQ(copy.bodies[0].name, "odd");
  EXPECT_EQ(copy.bodies[1].coordinates, file.bodies[1].coordinates);
}

TEST(WriteProblem, SaysWhereItCannotWrite) {
  ProblemFile file;
  EXPECT_THROW(write_problem("/nonexistent/a.json", file), FileError);
}

}  // namespace
}  // namespace percute::io
