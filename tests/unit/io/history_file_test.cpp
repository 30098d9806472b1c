// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/columns.hpp"
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>

#include <sstream>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::kThreeBalls;
using testing::problem;
using testing::slurp;
using testing::TemporaryFolder;
using testing::with;

std::vector<std::vector<std::string>> csv(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(slurp(path));
  for (std::string line; std::getline(text, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(HistoryFormat, IsDecidedBySuffix) {
  EXPECT_TRUE(is_csv("a.csv"));
  EXPECT_FALSE(is_csv("a.h5"));
  EXPECT_FALSE(is_csv("a.hdf5"));
  for (const char* path : {"a.txt", "a", "csv", "a.csv.gz"}) {
    expect_error([&] { is_csv(path); }, {path, ".csv, .h5 or .hdf5"});
  }
}

class HistoryCsv : public ::testing::Test {
 protected:
  ProblemFile file_ = problem(kThreeBalls);
  ImpactResult result_ = resolve(file_.problem, file_.law, Recording{});
  TemporaryFolder folder_;
};

TEST_F(HistoryCsv, HasOneRowPerSampleAndUnitsInTheHeader) {
  write_history(folder_ / "run.csv", result_, file_);
  const auto rows = csv(folder_ / "run.csv");
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(result_.history.time.size()) + 1);
  const auto& header = rows[0];
  // time, total impulse, kinetic energy, primary; six quantities of two contacts; three velocities
  ASSERT_EQ(header.size(), 4U + 6U * 2U + 3U);
  EXPECT_EQ(header[0], "time [s]");
  EXPECT_EQ(header[4], "impulse 1-2 [N s]");
  EXPECT_EQ(header[5], "impulse 2-3 [N s]");
  EXPECT_EQ(header[16], "velocity body 1");
  for (const auto& row : rows) EXPECT_EQ(row.size(), header.size());
  // Full precision: the last row is the state after the impact, bit for bit.
  EXPECT_EQ(std::stod(rows.back()[0]), result_.history.time[result_.history.time.size() - 1]);
  EXPECT_EQ(std::stod(rows.back()[18]),
            result_.history.velocity(2, result_.history.time.size() - 1));
  EXPECT_NEAR(std::stod(rows.back()[18]), result_.velocity[2], 1e-12);
}

TEST_F(HistoryCsv, PutsEventsBesideIt) {
  write_history(folder_ / "run.csv", result_, file_);
  EXPECT_EQ(events_path("x/run.csv"), "x/run.events.csv");
  const auto rows = csv(folder_ / "run.events.csv");
  ASSERT_EQ(rows.size(), result_.history.events.size() + 1);
  EXPECT_EQ(rows[0][0], "time [s]");
  EXPECT_EQ(rows[1][1], "1-2");
  EXPECT_EQ(rows[1][2], "activation");
}

TEST_F(HistoryCsv, QuotesNamesWithCommas) {
  const ProblemFile named = problem(with(
      kThreeBalls, "\"law\"",
      R"("bodies": [{"name": "a, \"b\"", "coordinates": [0]}, {"coordinates": [1, 2]}], "law")"));
  write_history(folder_ / "run.csv", result_, named);
  const std::string text = slurp(folder_ / "run.csv");
  EXPECT_NE(text.find("\"velocity a, \"\"b\"\"\""), std::string::npos);
  EXPECT_NE(text.find("velocity body 2 (1),velocity body 2 (2)\n"), std::string::npos);
}

TEST_F(HistoryCsv, VelocitiesHaveTheirOwnUnits) {
  ProblemFile block = file_;
  block.bodies = {{.name = "block",
                   .coordinates = {0, 1, 2},
                   .axes = {"x", "y", "angle"},
                   .units = {"m/s", "m/s", "rad/s"}}};
  write_history(folder_ / "run.csv", result_, block);
  EXPECT_NE(
      slurp(folder_ / "run.csv").find("velocity block y [m/s],velocity block angle [rad/s]\n"),
      std::string::npos);
}

TEST_F(HistoryCsv, ReportsWhatCannotBeWritten) {
  expect_error([&] { write_history(folder_ / "no/run.csv", result_, file_); },
               {"no/run.csv", "cannot write"});
  expect_error([&] { write_history(folder_ / "no/run.h5", result_, file_); },
               {"no/run.h5", "cannot write"});
}

TEST_F(HistoryCsv, EmptyHistoriesAreFilesToo) {
  const ImpactResult still =
      resolve(problem(with(kThreeBalls, "[1, 0, 0]", "[0, 0, 0]")).problem, file_.law, Recording{});
  EXPECT_NO_THROW(write_history(folder_ / "still.csv", still, file_));
  EXPECT_NO_THROW(write_history(folder_ / "still.h5", still, file_));
}

}  // namespace
}  // namespace percute::io
