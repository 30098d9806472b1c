// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

// The pages about laws are true: the commands they print run, and give what is printed.
//
//   * a json block is a file with the name mentioned last before it;
//   * a comment behind a command that starts with a parenthesis holds velocities, to their digits;
//   * lines of a text block are lines of what the commands before it print.

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;

struct Block {
  std::string kind;  ///< json, sh, text, …
  std::string file;  ///< name ending in .json that was mentioned last
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::filesystem::path& page) {
  std::vector<Block> blocks;
  std::ifstream in(page);
  std::string file;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({.kind = line.substr(3), .file = file, .lines = {}});
    } else if (inside) {
      blocks.back().lines.push_back(line);
    } else if (const auto end = line.rfind(".json`"); end != std::string::npos) {
      const auto start = line.rfind('`', end) + 1;
      file = line.substr(start, end + 5 - start);
    }
  }
  return blocks;
}

std::vector<std::filesystem::path> pages() {
  const std::filesystem::path docs = PERCUTE_SOURCE_DIR "/docs";
  std::vector<std::filesystem::path> list{docs / "howto/which_law.md", docs / "howto/waves.md",
                                          docs / "howto/simulate.md",
                                          docs / "reference/problems.md"};
#ifdef PERCUTE_HAS_FIT
  list.push_back(docs / "howto/fit.md");
#endif
  for (const auto& entry : std::filesystem::directory_iterator(docs / "theory")) {
    list.push_back(entry.path());
  }
  return list;
}

struct Command {
  std::string arguments;  ///< of percute, for the shell
  std::string comment;
};

/// Commands of a block; those that go on behind a backslash are put together.
std::vector<Command> commands_of(const Block& block) {
  std::vector<Command> commands;
  std::string text;
  for (const std::string& line : block.lines) {
    text += line;
    if (text.ends_with("\\")) {
      text.pop_back();
      continue;
    }
    Command command{.arguments = text, .comment = ""};
    if (const auto hash = text.find("  # "); hash != std::string::npos) {
      command = {.arguments = text.substr(0, hash), .comment = text.substr(hash + 4)};
    }
    text.clear();
    const std::string program = "percute ";
    EXPECT_TRUE(command.arguments.starts_with(program)) << command.arguments;
    command.arguments.erase(0, program.size());
    if (const auto at = command.arguments.find("examples/"); at != std::string::npos) {
      command.arguments.insert(at, PERCUTE_SOURCE_DIR "/");
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

class Docs : public testing::CliTest {
 protected:
  /// "(0, 0.55, -1), …": velocities with as many digits as they are known.
  void expect_velocities(const Command& command) const {
    const Outcome outcome = run(command.arguments + " --json");
    const io::Document document = io::parse_json(outcome.out, command.arguments);
    const auto* velocity = document.root.find("velocity");
    ASSERT_NE(velocity, nullptr) << outcome.out;
    const auto& found = *velocity->as<io::Node::Array>();
    std::istringstream list(command.comment.substr(1, command.comment.find(')') - 1));
    std::size_t i = 0;
    for (std::string word; std::getline(list, word, ','); ++i) {
      ASSERT_LT(i, found.size()) << command.arguments;
      const auto point = word.find('.');
      const double digits =
          point == std::string::npos ? 6.0 : static_cast<double>(word.size() - point - 1);
      // Half a unit of the last digit printed; whole numbers are meant exactly.
      EXPECT_NEAR(std::stod(word), number(found[i]), 0.5001 * std::pow(10.0, -digits))
          << command.arguments << ", entry " << i;
    }
    EXPECT_EQ(i, found.size()) << command.arguments;
  }

  static double number(const io::Node& node) {
    if (const auto* whole = node.as<std::int64_t>()) return static_cast<double>(*whole);
    return *node.as<double>();
  }
};

TEST_F(Docs, PrintedCommandsGiveWhatIsPrinted) {
  int count = 0;
  for (const std::filesystem::path& page : pages()) {
    SCOPED_TRACE(page);
    std::string printed;
    for (const Block& block : blocks_of(page)) {
      if (block.kind == "json") {
        std::string text;
        for (const std::string& line : block.lines) text += line + "\n";
        write(block.file, text);
      } else if (block.kind == "sh") {
        printed.clear();
        for (const Command& command : commands_of(block)) {
          if (command.arguments.find("FILE") != std::string::npos) continue;
          const Outcome outcome = run(command.arguments);
          EXPECT_EQ(outcome.code, 0) << command.arguments << "\n" << outcome.err;
          printed += outcome.out;
          if (outcome.code == 0 && command.comment.starts_with("(")) expect_velocities(command);
          ++count;
        }
      } else if (block.kind == "text") {
        for (const std::string& line : block.lines) {
          if (line == "…") continue;
          EXPECT_THAT(printed, HasSubstr(line + "\n"));
        }
      }
    }
  }
  EXPECT_GE(count, 20);
}

}  // namespace
}  // namespace percute::cli
