// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

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
  EXPECT_EQ(count, 3);
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
    EXPECT_GE(keys.size(), 2U) << scene;
    return keys;
  };
  const std::string chain = "[system]\nkind = 'ball_chain'\nballs = 2\nmass = 1\n";
  const std::string cluster =
      "[system]\nkind = 'ball_cluster'\narrangement = 'rack'\nrows = 1\n"
      "radius = 1\nmass = 1\n";
  const std::string stack = "[system]\nkind = 'stacked_balls'\nballs = 2\nmass = 1\nradius = 1\n";
  const std::string text = page();
  for (const std::string& scene :
       {chain + "zzz = 1\n[start]\nspeed = 1", cluster + "zzz = 1\n[start]\nvelocity = [1, 0]",
        stack + "zzz = 1\n[start]\nspeed = 1", chain + "[start]\nzzz = 1",
        cluster + "[start]\nzzz = 1", stack + "[start]\nzzz = 1",
        chain + "[start]\nspeed = 1\n[zzz]"}) {
    for (const std::string& key : allowed(scene)) {
      const bool found = text.find("`" + key + "`") != std::string::npos ||
                         text.find("`[" + key + "]`") != std::string::npos ||
                         text.find("`[[" + key + "]]`") != std::string::npos;
      EXPECT_TRUE(found) << "docs/reference/scenes.md says nothing about '" << key << "'";
    }
  }
}

}  // namespace
}  // namespace percute::io
