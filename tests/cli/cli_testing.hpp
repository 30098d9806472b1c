// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace percute::cli::testing {

/// Three balls in a row: v⁺ = −0.0709523537, 0.0764030391, 0.9945493146 (Hertz, elastic).
inline const std::string kThreeBalls =
    R"({"format": "percute-problem/1", "name": "three balls", "mass": {"diagonal": [1, 1, 1]}, )"
    R"("velocity": [1, 0, 0], "contacts": [{"gradient": [-1, 1, 0]}, {"gradient": [0, -1, 1]}], )"
    R"("law": {"kind": "lzb", "tolerance": 1e-10}})";

inline const std::string kScene = R"([system]
kind = "ball_chain"
balls = 3
mass = 0.1

[material]
restitution = 1.0
stiffness = 1.0e9

[start]
velocity = [1.0, 0.0, 0.0]

[law]
kind = "lzb"
tolerance = 1e-10
)";

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

/// Runs the program in a folder of its own, through the shell.
class CliTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("percute_cli_") + test->test_suite_name() + "_" + test->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    folder_ = std::filesystem::path(::testing::TempDir()) / (name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  /// `arguments` is shell text; redirections of stdin and pipes may follow.
  Outcome run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && { '" PERCUTE_BINARY "' " +
                                arguments + "; } >stdout.txt 2>stderr.txt";
    const int status = std::system(command.c_str());  // NOLINT(*-env33-c,concurrency-*)
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout.txt"),
            read("stderr.txt")};
  }

  /// Bad input: exit 2, nothing on stdout, one line on stderr that has the fragments.
  void expect_refused(const std::string& arguments,
                      std::initializer_list<std::string> fragments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_LT(outcome.err.size(), 1000U);
    for (const std::string& fragment : fragments) {
      EXPECT_THAT(outcome.err, ::testing::HasSubstr(fragment)) << arguments;
    }
  }

  std::filesystem::path folder_;
};

}  // namespace percute::cli::testing
