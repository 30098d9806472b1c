// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <filesystem>

// What the program does about pictures by itself: checks, and starting Python. What Python draws is
// tested in tests/python/test_plot.py.

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

class PlotCli : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", testing::kThreeBalls);
    write("cradle.toml", testing::kScene);
    // Stands for Python: has all packages, tells how it was called and keeps what it was given.
    python(
        "case $1 in -c) exit 0 ;; esac\n"
        "echo \"$@\" >called.txt\ncp \"$3\" given\necho drawn >\"$5\"\n");
  }

  void python(const std::string& script) const {
    write("python", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder_ / "python", std::filesystem::perms::owner_all);
  }

  /// The same with that interpreter.
  Outcome drawn(const std::string& arguments) const {
    return run("--version >/dev/null; PERCUTE_PYTHON=./python '" PERCUTE_BINARY "' " + arguments);
  }
};

TEST_F(PlotCli, StartsPython) {
  Outcome outcome = drawn("plot cradle.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("called.txt"), "-m percute.plot cradle.toml -o cradle.svg --say --what auto\n");
  outcome = drawn("plot three.json --what laws --laws lzb,moreau -o a.pdf");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("called.txt"),
            "-m percute.plot three.json -o a.pdf --say --what laws --laws lzb,moreau\n");
  // A picture that nobody named is not written over something else.
  outcome = drawn("plot cradle.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "percute: cradle.svg: is there already; -o names the picture\n");
}

TEST_F(PlotCli, OtherCommandsDrawWhatTheyDid) {
  Outcome outcome = drawn("solve cradle.toml --set material.restitution=0.5 --json --plot a.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.front(), '{');
  EXPECT_THAT(read("called.txt"), HasSubstr(".json -o a.svg --impact\n"));
  EXPECT_THAT(read("given"), HasSubstr("\"restitution\": 0.5"));
  EXPECT_EQ(read("a.svg"), "drawn\n");

  outcome = drawn("compare three.json --laws moreau,lzb --quiet --plot b.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("called.txt"), HasSubstr(".json -o b.svg --what laws --laws moreau,lzb\n"));

  outcome = drawn("waves cradle.toml --quiet --plot c.png");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("called.txt"), HasSubstr(".h5 -o c.png\n"));
  EXPECT_THAT(read("given"), HasSubstr("HDF"));

  const std::string scene = PERCUTE_SOURCE_DIR "/examples/motion/bouncing_ball.toml";
  outcome = drawn("simulate " + scene + " --plot d.gif");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("file ")));
  EXPECT_THAT(read("given"), HasSubstr("HDF"));
  outcome = drawn("simulate " + scene + " -o run.h5 --plot e.png");
  EXPECT_EQ(read("called.txt"), "-m percute.plot run.h5 -o e.png\n");
  EXPECT_THAT(outcome.out, HasSubstr("run.h5"));

  // What only Python needed is gone.
  std::string temporary = read("called.txt");
  drawn("waves cradle.toml --quiet --plot f.png");
  temporary = read("called.txt").substr(16);
  EXPECT_FALSE(std::filesystem::exists(temporary.substr(0, temporary.find(' '))));
}

TEST_F(PlotCli, WhatIsMissingIsSaidBeforeAnythingIsComputed) {
  const auto refused = [this](const std::string& arguments, const std::string& message) {
    const Outcome outcome = drawn(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  };
  refused("plot cradle.toml -o a.jpg", "a.jpg: '.jpg' is no format of pictures; there are .svg,");
  refused("solve cradle.toml --plot a", "a: '' is no format of pictures");
  refused("solve --stdin --json --plot a.svg < three.json", "--plot is for one FILE");
  refused("plot", "FILE");
  refused("compare cradle.toml --plot ''", "--plot");

  python("exit 20\n");
  refused("plot cradle.toml",
          "need the package percute of Python: 'python3 -m pip install percute'");
  python("exit 21\n");
  refused("solve cradle.toml --plot a.svg", "'python3 -m pip install matplotlib'");
  python("exit 22\n");
  refused("waves cradle.toml --plot a.svg", "'python3 -m pip install h5py'");
  python("exit 1\n");
  refused("compare cradle.toml --plot a.svg", "PERCUTE_PYTHON names something else");
  std::filesystem::remove(folder_ / "python");
  refused("simulate cradle.toml --plot a.svg", "'./python' cannot be started; install Python 3.11");
}

TEST_F(PlotCli, PythonThatFailsIsAFailure) {
  python("case $1 in -c) exit 0 ;; esac\necho 'percute: cannot draw' >&2\nexit 2\n");
  const Outcome outcome = drawn("solve cradle.toml --quiet --plot a.svg");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "percute: cannot draw\n");
}

}  // namespace
}  // namespace percute::cli
