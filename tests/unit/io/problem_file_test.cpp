// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::kThreeBalls;
using testing::problem;
using testing::with;

TEST(ProblemFile, ReadsTheThreeBalls) {
  const ProblemFile file = problem(kThreeBalls);
  EXPECT_EQ(file.name, "three balls");
  EXPECT_EQ(file.problem.velocity, Vector::Unit(3, 0));
  EXPECT_EQ(file.problem.mass(1, 1), 1.0);
  EXPECT_EQ(file.problem.gradients.coeff(0, 0), -1.0);
  EXPECT_EQ(file.problem.gradients.coeff(2, 1), 1.0);
  EXPECT_EQ(file.problem.gradients.nonZeros(), 4);
  EXPECT_EQ(file.problem.contacts[0].material.exponent, 1.5);
  EXPECT_EQ(file.law.as<laws::Lzb>()->tolerance, 1e-10);
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"1–2", "2–3"}));
  EXPECT_EQ(file.bodies[2].name, "body 3");
}

TEST(ProblemFile, TomlHasTheSameKeys) {
  const ProblemFile file = read_problem(parse_toml(R"(
format = "percute-problem/1"
velocity = [1, 0, 0]
mass = {diagonal = [1, 2, 3]}
[[contacts]]
gradient = [-1, 1, 0]
restitution = 0.5
[[contacts]]
gradient = {index = [2, 1], value = [1, -1]}
stored_energy = 0.25
[law]
kind = "lzb"
reengagement = "tracked_gap"
)",
                                                   "folder/chain.toml"));
  EXPECT_EQ(file.name, "chain");
  EXPECT_EQ(file.problem.mass(2, 2), 3.0);
  EXPECT_EQ(file.problem.contacts[0].material.restitution, 0.5);
  EXPECT_EQ(file.problem.contacts[1].stored_energy, 0.25);
  EXPECT_EQ(file.problem.gradients.coeff(1, 1), -1.0);
  EXPECT_EQ(file.law.as<laws::Lzb>()->reengagement, laws::Lzb::Reengagement::TrackedGap);
}

TEST(ProblemFile, AllFormsOfMassAgree) {
  const std::string diagonal = R"({"diagonal": [1, 1, 1]})";
  const ProblemFile dense =
      problem(with(kThreeBalls, diagonal, R"({"dense": [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]]})"));
  const ProblemFile sparse = problem(with(kThreeBalls, diagonal,
                                          R"({"sparse": {"size": 3, "rows": [0, 0, 1, 1, 2],
      "columns": [0, 1, 0, 1, 2], "values": [2, 0.5, 0.5, 3, 4]}})"));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(dense.problem.mass(i, j), sparse.problem.mass(i, j));
  }
  EXPECT_EQ(dense.problem.mass(0, 1), 0.5);
}

TEST(ProblemFile, ReadsEveryKeyOfAContact) {
  const ProblemFile file = problem(with(kThreeBalls, R"({"gradient": [-1, 1, 0]})", R"({
    "gradient": [-1, 1, 0], "tangents": [[0, 0, 1], [0, 1, 0]], "restitution": 0.75,
    "stiffness": 2e9, "exponent": 1, "friction": 0.5, "stored_energy": 0.125,
    "contact_model": "mono_stiffness"})"));
  const Contact& contact = file.problem.contacts[0];
  EXPECT_EQ(contact.material.restitution, 0.75);
  EXPECT_EQ(contact.material.stiffness, 2e9);
  EXPECT_EQ(contact.material.exponent, 1.0);
  EXPECT_EQ(contact.material.friction, 0.5);
  EXPECT_EQ(contact.stored_energy, 0.125);
  EXPECT_EQ(contact.material.contact_model, ContactModel::MonoStiffness);
  EXPECT_EQ(Matrix(tangents_of(file.problem, 0)), (Matrix(3, 2) << 0, 0, 0, 1, 1, 0).finished());
  EXPECT_FALSE(file.problem.contacts[1].material.contact_model);
}

TEST(ProblemFile, TriStiffnessComesWithItsSlopes) {
  const std::string contact = R"({"gradient": [-1, 1, 0]})";
  const std::string slopes = R"("tri_stiffness": {"yield_indentation": 0.5,
      "plastic_stiffness": 0.5, "unloading_stiffness": 2})";
  const ProblemFile file = problem(
      with(kThreeBalls, contact,
           R"({"gradient": [-1, 1, 0], "contact_model": "tri_stiffness", )" + slopes + "}"));
  EXPECT_EQ(file.problem.contacts[0].material.tri_stiffness->unloading_stiffness, 2.0);
  expect_error(
      [&] { problem(with(kThreeBalls, contact, R"({"gradient": [-1, 1, 0], )" + slopes + "}")); },
      {"contacts[0].tri_stiffness", "contact model 'tri_stiffness' only"});
  expect_error(
      [&] {
        problem(with(kThreeBalls, R"("kind": "lzb")",
                     R"("kind": "lzb", "contact_model": "tri_stiffness")"));
      },
      {"p.json:7: contacts[0]", "needs the key 'tri_stiffness'"});
}

TEST(ProblemFile, NamesContactsAfterBodies) {
  const auto named = [](const std::string& bodies) {
    return problem(with(kThreeBalls, R"("law")", R"("bodies": )" + bodies + R"(, "law")"))
        .contact_names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(
      named(R"([{"name": "ball 4", "coordinates": [0]}, {"name": "ball 5", "coordinates": [1]},
                      {"name": "ball 6", "coordinates": [2]}])"),
      (Names{"4–5", "5–6"}));
  EXPECT_EQ(named(R"([{"name": "left", "coordinates": [0]}, {"name": "ball 2", "coordinates": [1]},
                      {"coordinates": [2]}])"),
            (Names{"left–ball 2", "ball 2–body 3"}));
  EXPECT_EQ(named(R"([{"name": "all", "coordinates": [2, 0, 1]}])"),
            (Names{"all–wall #1", "all–wall #2"}));
  EXPECT_EQ(named(R"([{"name": "a", "coordinates": [0, 1]}, {"name": "b", "coordinates": [2]}])"),
            (Names{"a–wall", "a–b"}));
}

TEST(ProblemFile, ContactsOfManyBodiesAreNumbered) {
  const ProblemFile file = problem(with(kThreeBalls, "[0, -1, 1]", "[1, 1, 1]"));
  EXPECT_EQ(file.contact_names[1], "contact 2");
}

TEST(ProblemFile, SitsInsideOtherDocuments) {
  const Document document = parse_json("{\"cases\": [\n" + kThreeBalls + "]}", "cases.json");
  const Node& node = (*document.root.find("cases")->as<Node::Array>())[0];
  EXPECT_EQ(read_problem(Value(document, node, "cases[0]")).problem.velocity.size(), 3);

  const Document bad = parse_json(
      "{\"cases\": [\n" + with(kThreeBalls, "[-1, 1, 0]", "[0, 0, 0]") + "]}", "cases.json");
  const Node& bad_node = (*bad.root.find("cases")->as<Node::Array>())[0];
  expect_error([&] { read_problem(Value(bad, bad_node, "cases[0]")); },
               {"cases.json:8: cases[0].contacts[0].gradient"});
}

TEST(ProblemFile, WhatTheLawRefusesIsLocated) {
  const Document document =
      parse_json(with(kThreeBalls, "[0, -1, 1]", "[0, -1, 1], \"restitution\": 1.3"), "p.json");
  const ProblemFile file = read_problem(document);
  expect_error([&] { resolve(file, document); }, {"p.json:8: contacts[1].restitution", "1.3"});
}

TEST(ProblemFile, IsToldFromAScene) {
  EXPECT_NO_THROW(read_problem_or_scene(parse_json(kThreeBalls, "p.json")));
  expect_error([] { read_problem_or_scene(parse_json("{\"a\": 1}", "p.json")); },
               {"p.json", "percute-problem/1", "'system'"});
  expect_error([] { read_problem_or_scene(parse_toml("\n[sistem]\n", "s.toml")); },
               {"'sistem' on line 2", "did you mean 'system'?"});
}

}  // namespace
}  // namespace percute::io
