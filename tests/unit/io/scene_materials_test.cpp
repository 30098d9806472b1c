// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "ball_chain"
balls = 3
mass = 0.1
wall = true
[material]
restitution = 0.5
stiffness = [1.0e9, 2.0e9, 3.0e9]
[[contact]]
name = "2-3"
restitution = 0.25
stiffness = 7.0
[start]
speed = 1.0
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

Material material(const std::string& text, std::size_t contact) {
  return scene(text).problem.contacts.at(contact).material;
}

TEST(SceneMaterials, ListsHaveOneEntryPerContact) {
  EXPECT_EQ(material(kScene, 0).stiffness, 1.0e9);
  EXPECT_EQ(material(kScene, 2).stiffness, 3.0e9);
  EXPECT_EQ(material(kScene, 2).restitution, 0.5);
  EXPECT_EQ(material(kScene, 2).exponent, 1.5);
}

TEST(SceneMaterials, AContactHasItsOwn) {
  EXPECT_EQ(material(kScene, 1).restitution, 0.25);
  EXPECT_EQ(material(kScene, 1).stiffness, 7.0);
}

TEST(SceneMaterials, NamesMayBeCopiedFromTheTable) {
  EXPECT_EQ(material(with(kScene, "2-3", "2–3"), 1).restitution, 0.25);
  EXPECT_EQ(material(with(kScene, "2-3", "3-wall"), 2).restitution, 0.25);
}

TEST(SceneMaterials, WithoutMaterialThereAreDefaults) {
  const std::string text =
      with(with(kScene, "[material]\nrestitution = 0.5\nstiffness = [1.0e9, 2.0e9, 3.0e9]\n", ""),
           "stiffness = 7.0\n", "");
  EXPECT_EQ(material(text, 0).restitution, 1.0);
  EXPECT_EQ(material(text, 1).restitution, 0.25);
}

TEST(SceneMaterials, ContactModelsMayDiffer) {
  const std::string slopes =
      "{yield_indentation = 0.5, plastic_stiffness = 0.5e9, unloading_stiffness = 4e9}";
  const std::string text =
      with(kScene, "restitution = 0.5",
           "contact_model = [\"tri_stiffness\", \"bi_stiffness\", \"mono_stiffness\"]\n"
           "tri_stiffness = " +
               slopes);
  EXPECT_EQ(material(text, 0).contact_model, ContactModel::TriStiffness);
  EXPECT_EQ(material(text, 0).tri_stiffness->plastic_stiffness, 0.5e9);
  EXPECT_EQ(material(text, 2).contact_model, ContactModel::MonoStiffness);
  EXPECT_FALSE(material(text, 2).tri_stiffness.has_value());
  // Slopes that no contact uses are a mistake.
  expect_error([&] { scene(with(text, "\"tri_stiffness\"", "\"bi_stiffness\"")); },
               {"s.toml:8: material.tri_stiffness", "'tri_stiffness' only"});
  expect_error([&] { scene(with(text, "restitution = 0.25", "tri_stiffness = " + slopes)); },
               {"s.toml:12: contact[0].tri_stiffness", "'tri_stiffness' only"});
  expect_error(
      [&] { scene(with(kScene, "restitution = 0.25", "contact_model = \"tri_stiffness\"")); },
      {"s.toml:9: contact[0]", "needs the key 'tri_stiffness'"});
}

TEST(SceneMaterials, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("[1.0e9, 2.0e9, 3.0e9]", "[1.0e9, 2.0e9]",
          {"s.toml:8: material.stiffness", "3 entries, one per contact (1–2, 2–3, 3–wall), got 2"});
  refused("[1.0e9, 2.0e9, 3.0e9]", "[1.0e9, 2.0e9, \"a\"]",
          {"s.toml:8: material.stiffness[2]", "must be a number"});
  refused("[1.0e9, 2.0e9, 3.0e9]", "[1.0e9, 2.0e9, -3.0e9]",
          {"s.toml:8: material.stiffness[2]", "-3e+09", "> 0"});
  refused("0.25", "2.5", {"s.toml:11: contact[0].restitution", "2.5", "[0, 1]"});
  refused("0.5", "2.5", {"s.toml:7: material.restitution", "2.5"});
  refused("0.25", "[0.1, 0.2, 0.3]", {"s.toml:11: contact[0].restitution", "must be a number"});
  refused("restitution = 0.25", "restituton = 0.25",
          {"s.toml:11: contact[0].restituton", "did you mean 'restitution'?"});
  refused("2-3", "2-4",
          {"s.toml:10: contact[0].name", "there is no contact \"2-4\"",
           "the contacts are 1–2, 2–3, 3–wall"});
  refused("name = \"2-3\"\n", "", {"s.toml:9: contact[0]", "'name' is missing"});
  refused("[start]", "[[contact]]\nname = \"2–3\"\n[start]",
          {"s.toml:14: contact[1].name", "was described before, on line 9"});
  refused("[[contact]]", "[contact]", {"s.toml:9: contact", "must be an array"});
  refused("name = \"2-3\"\nrestitution = 0.25", "name = \"2-3\"\ntri_stiffness = 1",
          {"s.toml:11: contact[0].tri_stiffness: must be a table, got 1"});
  refused("0.25", "0.25\ndamping = 1", {"s.toml:12: contact[0].damping", "'compliant' only"});
}

TEST(SceneMaterials, WhatTheLawRefusesIsLocated) {
  const auto refused = [](const std::string& text, std::initializer_list<std::string> fragments) {
    const Document document = parse_toml(text, "s.toml");
    const ProblemFile file = read_scene(document);
    expect_error([&] { resolve(file, document); }, fragments);
  };
  refused(with(kScene, "restitution = 0.25", "restitution = 1.2"),
          {"s.toml:11: contact[0].restitution", "1.2"});
  refused(with(kScene, "restitution = 0.5", "restitution = [0, 0, 1.3]"),
          {"s.toml:7: material.restitution[2]", "1.3"});
}

}  // namespace
}  // namespace percute::io
