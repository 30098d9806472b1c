// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/model/elastic_material.hpp>

#include <algorithm>

// The page about scenes is true: its examples are solved, and it names every key.

namespace percute::io {
namespace {

std::string page() {
  return testing::slurp(PERCUTE_SOURCE_DIR "/docs/reference/scenes.md");
}

TEST(SceneReference, ItsExamplesAreSolved) {
  const std::string text = page();
  const std::string start = "```toml\n";
  int count = 0;
  for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    at += start.size();
    const std::string scene = text.substr(at, text.find("```", at) - at);
    const Document document = parse_toml(scene, "scenes.md");
    const ProblemFile file = read_scene(document);
    EXPECT_FALSE(file.contact_names.empty()) << scene;
    EXPECT_TRUE(resolve(file, document).consistency.all()) << scene;
    ++count;
  }
  EXPECT_EQ(count, 19);
}

TEST(SceneReference, ItNamesEveryKey) {
  // The message about an unknown key lists those that are allowed.
  const auto allowed = [](const std::string& scene) {
    std::vector<std::string> keys;
    try {
      read_scene(parse_toml(scene, "s.toml"));
    } catch (const FileError& error) {
      std::string list = error.what();
      const auto colon = list.find("allowed: ");
      EXPECT_NE(colon, std::string::npos) << list;
      std::istringstream words(list.substr(colon + 9));
      for (std::string word; std::getline(words, word, ',');) {
        word.erase(std::remove(word.begin(), word.end(), ' '), word.end());
        keys.push_back(word);
      }
    }
    EXPECT_GE(keys.size(), 1U) << scene;
    return keys;
  };
  const std::string chain = "[system]\nkind = 'ball_chain'\nballs = 2\nmass = 1\n";
  const std::string cluster =
      "[system]\nkind = 'ball_cluster'\narrangement = 'rack'\nrows = 1\n"
      "radius = 1\nmass = 1\n";
  const std::string stack = "[system]\nkind = 'stacked_balls'\nballs = 2\nmass = 1\nradius = 1\n";
  const std::string column = "[system]\nkind = 'bead_column'\nbeads = 2\nradius = 1\n";
  const std::string groove = "[system]\nkind = 'v_groove'\nmass = 1\nopening_deg = 90\n";
  const std::string block = "[system]\nkind = 'rocking_block'\nmass = 1\nwidth = 1\nheight = 1\n";
  const std::string pendulum =
      "[system]\nkind = 'double_pendulum'\nmasses = [1, 1]\nlengths = [1, 1]\n"
      "angles_deg = [20, 30]\n";
  const std::string plate = "[system]\nkind = 'four_foot_plate'\nmass = 1\nlength = 1\nwidth = 1\n";
  const std::string body =
      "[system]\nkind = 'planar_body'\nmass = 1\ninertia = 1\npoints = [{at = [0, 0]}]\n";
  const std::string cradle =
      "[system]\nkind = 'cradle'\nballs = 2\nmass = 1\nradius = 1\nlength = 1\n";
  const std::string rods =
      "[system]\nkind = 'multiple_pendulum'\nmasses = [1]\nlengths = [1]\n"
      "obstacles = [{normal = [0, 1], through = [0, 0]}]\n";
  const auto kind = [](const std::string& name, const std::string& keys = "zzz = 1\n[start]") {
    return "[system]\nkind = '" + name + "'\n" + keys;
  };
  const std::string text = page();
  for (const std::string& scene :
       {chain + "zzz = 1\n[start]\nspeed = 1",
        cluster + "zzz = 1\n[start]\nvelocity = [1, 0]",
        stack + "zzz = 1\n[start]\nspeed = 1",
        chain + "[start]\nzzz = 1",
        cluster + "[start]\nzzz = 1",
        stack + "[start]\nzzz = 1",
        column + "zzz = 1\n[start]\nspeed = 1",
        column + "mass = 1\n[start]\nzzz = 1",
        column + "made_of = {zzz = 1}\n[start]\nspeed = 1",
        column + "mass = 1\nstiffness = 1\nwall_measured = {zzz = 1}\n[start]\nspeed = 1",
        chain + "radii = {pattern = 'tapered', zzz = 1}\n[start]",
        chain + "radii = {pattern = 'decorated', zzz = 1}\n[start]",
        chain + "radii = {pattern = 'stepped', zzz = 1}\n[start]",
        chain + "radii = {pattern = 'dimer', zzz = 1}\n[start]",
        chain + "radii = {pattern = 'disordered', zzz = 1}\n[start]",
        chain + "radii = {pattern = 'big_ball', zzz = 1}\n[start]",
        groove + "zzz = 1\n[start]\nvelocity = [0, -1]",
        block + "zzz = 1\n[start]",
        block + "[start]\nzzz = 1",
        pendulum + "zzz = 1\n[start]",
        pendulum + "[start]\nzzz = 1",
        groove + "[start]\nzzz = 1",
        plate + "zzz = 1\n[start]",
        body + "zzz = 1\n[start]",
        testing::with(body, "at =", "zzz =") + "[start]",
        cradle + "zzz = 1\n[start]",
        cradle + "[start]\nzzz = 1",
        rods + "zzz = 1\n[start]",
        rods + "[start]\nzzz = 1",
        testing::with(rods, "normal =", "zzz =") + "[start]",
        chain + "base = {zzz = 1}\n[start]\nspeed = 1",
        block + "base = {zzz = 1}\n[start]",
        kind("spatial_body"),
        kind("sphere_on_plane"),
        kind("two_spheres"),
        kind("rotating_chain"),
        kind("dimer"),
        kind("three_ball_rod"),
        kind("block_stack"),
        kind("sphere_on_plane", "mass = 1\nradius = 1\n[start]\nzzz = 1"),
        kind("two_spheres", "mass = 1\nradius = 1\n[start]\nzzz = 1"),
        kind("block_stack", "widths = [1]\nheight = 1\nmass = 1\n[start]\nzzz = 1"),
        chain + "[start]\nspeed = 1\n[zzz]"}) {
    for (const std::string& key : allowed(scene)) {
      const bool found = text.find("`" + key + "`") != std::string::npos ||
                         text.find("`[" + key + "]`") != std::string::npos ||
                         text.find("`[[" + key + "]]`") != std::string::npos;
      EXPECT_TRUE(found) << "docs/reference/scenes.md says nothing about '" << key << "'";
    }
  }
}

TEST(SceneReference, ItNamesEverySubstance) {
  const std::string text = page();
  for (const NamedElasticMaterial& entry : elastic_materials()) {
    const auto at = text.find("| `\"" + std::string(entry.name) + "\"` |");
    ASSERT_NE(at, std::string::npos) << entry.name;
    const std::string row = text.substr(at, text.find('\n', at) - at);
    EXPECT_NE(row.find("| " + std::string(entry.source) + " |"), std::string::npos) << row;
    if (entry.name == "unit") continue;
    std::istringstream cells(row.substr(row.find("` |") + 3));
    double modulus = 0.0;
    double ratio = 0.0;
    double density = 0.0;
    char bar = 0;
    cells >> modulus >> bar >> ratio >> bar >> density;
    EXPECT_DOUBLE_EQ(1e9 * modulus, entry.material.youngs_modulus) << row;
    EXPECT_EQ(ratio, entry.material.poisson_ratio) << row;
    EXPECT_EQ(density, entry.material.density) << row;
  }
}

}  // namespace
}  // namespace percute::io
