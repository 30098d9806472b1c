// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulate_testing.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace percute::cli {
namespace {

// Runs that are killed, stopped, kept and gone on with.

using testing::dataset;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Simulate, AKilledRunLeavesAReadableFile) {
  const pid_t child = start(long_run("run.h5"));
  ASSERT_GT(child, 0);
  // Beyond what the file has at its start: rows have been flushed at least once.
  const bool wrote = grown("run.h5", 4U << 20U);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(wrote) << read("stderr.txt");
  const hid_t file = open_run("run.h5");
  const auto t = dataset(file, "/state/t");
  EXPECT_GT(t.values.size(), 1000U);
  EXPECT_EQ(dataset(file, "/state/q").values.size(), t.values.size());
  EXPECT_EQ(dataset(file, "/state/v").values.size(), t.values.size());
  EXPECT_TRUE(std::is_sorted(t.values.begin(), t.values.end()));
  const hid_t meta = H5Oopen(file, "/meta", H5P_DEFAULT);
  EXPECT_EQ(testing::text_attribute(meta, "status"), "incomplete");
  H5Oclose(meta);
  H5Fclose(file);
}

TEST_F(Simulate, CtrlCClosesTheFileAndSaysSo) {
  auto arguments = long_run("run.h5");
  arguments.insert(arguments.end(), {"--json", "--checkpoint", "run.ckpt"});
  const pid_t child = start(arguments);
  ASSERT_GT(child, 0);
  const bool wrote = grown("run.h5", 4U << 20U);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(wrote) << read("stderr.txt");
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const io::Document summary = io::parse_json(read("stdout.txt"), "summary");
  EXPECT_EQ(*summary.root.find("status")->as<std::string>(), "interrupted");
  const hid_t file = open_run("run.h5");
  const auto t = dataset(file, "/state/t");
  EXPECT_EQ(t.values.back(), number(summary.root, {"time", "end"}));
  const hid_t meta = H5Oopen(file, "/meta", H5P_DEFAULT);
  EXPECT_EQ(testing::text_attribute(meta, "status"), "interrupted");
  H5Oclose(meta);
  H5Fclose(file);
  EXPECT_THAT(read("run.ckpt"), HasSubstr("percute-checkpoint/3"));
}

// Progress is for terminals; its line is gone before the report is written over it.
TEST_F(Simulate, TheReportOfAnInterruptedRunHasALineOfItsOwn) {
  write("go.sh", "stty cols 40; '" PERCUTE_BINARY "' simulate ball.toml --checkpoint run.ckpt " +
                     kLong + " & sleep 2; kill -INT $!; wait $!\n");
  // script(1) makes a terminal; Debian has it always.
  const auto outcome = run("--version; script -qec 'sh go.sh' /dev/null");
  EXPECT_EQ(outcome.code, 1);
  const auto report = outcome.out.find("ball · 1 body");
  ASSERT_NE(report, std::string::npos) << outcome.out;
  const std::string start = "\r\033[K";
  const auto line = outcome.out.find(start + "t = ");
  ASSERT_NE(line, std::string::npos) << outcome.out;
  // As long as the terminal is wide, but for the cursor.
  EXPECT_EQ(outcome.out.find(start, line + 1), line + start.size() + 39) << outcome.out;
  EXPECT_TRUE(outcome.out.substr(0, report).ends_with("\r\033[K")) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("run.ckpt; --restart run.ckpt continues"));
}

TEST_F(Simulate, ACheckpointReplacesRegularFilesOnly) {
  std::filesystem::create_symlink(folder_ / "real.ckpt", folder_ / "link.ckpt");
  write("real.ckpt", "");
  EXPECT_EQ(run("simulate ball.toml --quiet --checkpoint link.ckpt").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.ckpt"));
  EXPECT_THAT(read("real.ckpt"), HasSubstr("percute-checkpoint/3"));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect_refused("simulate ball.toml --checkpoint pipe", {"pipe", "is not a regular file"});
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
}

TEST_F(Simulate, CheckpointsAtEveryStepChangeNoBit) {
  const auto whole = run("simulate ball.toml --json -o whole.csv");
  ASSERT_EQ(whole.code, 0) << whole.err;
  const auto parts =
      run("simulate ball.toml --json -o parts.csv --checkpoint c.ckpt --checkpoint-every 1e-9");
  EXPECT_EQ(without_cost(parts.out), without_cost(whole.out));
  EXPECT_EQ(read("parts.csv"), read("whole.csv"));
  EXPECT_EQ(read("parts.events.csv"), read("whole.events.csv"));
}

TEST_F(Simulate, ARestartGoesOnWithTheSameBits) {
  const std::string method =
      " --set simulation.method=moreau_jean --set simulation.step=2e-6 --set "
      "material.restitution=0.9";
  const auto whole = run("simulate ball.toml --json -o whole.csv" + method);
  ASSERT_EQ(whole.code, 0) << whole.err;
  // Interrupted somewhere; the result must not know where.
  run("simulate ball.toml --quiet -o a.csv --checkpoint run.ckpt" + method +
      " & sleep 0.2; kill -INT $!; wait $!");
  const auto rest = run("simulate ball.toml --json -o b.csv --restart run.ckpt" + method);
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(without_cost(rest.out), without_cost(whole.out));
  const std::string states = read("b.csv");
  EXPECT_EQ(read("a.csv") + states.substr(states.find('\n') + 1), read("whole.csv"));
}

TEST_F(Simulate, ARestartOfAnotherSceneIsRefused) {
  ASSERT_EQ(run("simulate ball.toml --quiet -o a.h5 --checkpoint run.ckpt").code, 0);
  expect_refused("simulate ball.toml --restart run.ckpt --set system.mass=2",
                 {"run.ckpt: system.mass", "another run", "it is 1", "in the scene 2"});
  expect_refused("simulate ball.toml --restart run.ckpt --set simulation.tolerance=1e-9",
                 {"simulation.tolerance"});
  expect_refused("simulate ball.toml --restart run.ckpt -o a.h5",
                 {"a.h5", "first part of this run"});
  expect_refused("simulate ball.toml --restart ball.toml", {"percute-checkpoint/3"});
  expect_refused("simulate ball.toml --restart nothing.ckpt", {"nothing.ckpt", "No such file"});
  // A longer run of the same is what a checkpoint is for.
  EXPECT_EQ(run("simulate ball.toml --quiet --restart run.ckpt --set simulation.duration=3").code,
            0);
}

TEST_F(Simulate, ARestartBeyondTheEndIsRefused) {
  ASSERT_EQ(run("simulate ball.toml --quiet --checkpoint run.ckpt").code, 0);
  expect_refused("simulate ball.toml --restart run.ckpt --set simulation.duration=1.5",
                 {"--set simulation.duration=1.5: simulation.duration", "1.5 s",
                  "checkpoint run.ckpt", "at 2 s"});
  // At its end the run is what was asked for, and says that it was before.
  const auto over = run("simulate ball.toml --restart run.ckpt");
  EXPECT_EQ(over.code, 0) << over.err;
  EXPECT_THAT(over.out, HasSubstr("there was nothing left to do"));
  EXPECT_THAT(run("simulate ball.toml --restart run.ckpt --set simulation.duration=2.1").out,
              Not(HasSubstr("nothing was left")));
  // Time stepping arrives up to a step late: 2.0007 s, which is no longer run than asked for.
  const std::string late =
      "simulate ball.toml --quiet --set simulation.method=paoli_schatzman --set "
      "simulation.step=7e-4 "
      "--set simulation.duration=2.0004 ";
  ASSERT_EQ(run(late + "--checkpoint late.ckpt").code, 0);
  EXPECT_EQ(run(late + "--restart late.ckpt").code, 0);
}

TEST_F(Simulate, ACheckpointEditedByHandIsRefused) {
  ASSERT_EQ(run("simulate ball.toml --quiet --checkpoint run.ckpt").code, 0);
  std::string text = read("run.ckpt");
  const auto at = text.find("\"position\": [");
  ASSERT_NE(at, std::string::npos);
  write("edited.ckpt", text.insert(at + 13, "1"));
  expect_refused("simulate ball.toml --restart edited.ckpt",
                 {"edited.ckpt:", ": checksum: the file was changed since it was written"});
}

}  // namespace
}  // namespace percute::cli
