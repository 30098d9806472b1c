// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>

// The page about laws is true: it names every kind, every option and every status.

namespace percute::io {
namespace {

std::string page() {
  return testing::slurp(PERCUTE_SOURCE_DIR "/docs/reference/laws.md");
}

void expect_named(const std::string& text, const std::string& word) {
  EXPECT_NE(text.find("`" + word + "`"), std::string::npos)
      << "docs/reference/laws.md says nothing about '" << word << "'";
}

/// Keys of a kind, from the message about one it does not have.
std::vector<std::string> allowed_keys(const std::string& kind) {
  std::vector<std::string> keys;
  const std::string law = R"("kind": "lzb", "tolerance": 1e-10)";
  try {
    testing::problem(
        testing::with(testing::kThreeBalls, law, R"("kind": ")" + kind + R"(", "zzz": 1)"));
  } catch (const FileError& error) {
    const std::string message = error.what();
    const auto colon = message.find("allowed: ");
    EXPECT_NE(colon, std::string::npos) << message;
    std::istringstream words(message.substr(colon + 9));
    for (std::string word; std::getline(words, word, ',');) {
      std::erase(word, ' ');
      keys.push_back(word);
    }
  }
  EXPECT_GE(keys.size(), 2U) << kind;
  return keys;
}

TEST(LawReference, ItNamesEveryKindAndEveryOption) {
  const std::string text = page();
  for (const std::string_view kind : law_kinds()) {
    expect_named(text, std::string(kind));
    for (const std::string& key : allowed_keys(std::string(kind))) {
      if (key != "kind") expect_named(text, key);
    }
  }
}

TEST(LawReference, ItNamesEveryStatus) {
  const std::string text = page();
  for (int i = 0; i <= static_cast<int>(Status::NoSlipSolution); ++i) {
    expect_named(text, name(static_cast<Status>(i)));
  }
}

}  // namespace
}  // namespace percute::io
