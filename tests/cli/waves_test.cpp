// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <hdf5.h>

#include <sstream>
#include <vector>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kScene;
using testing::kThreeBalls;
using testing::Outcome;

/// Four beads that fall on a wall.
const std::string kColumn = R"([system]
kind = "ball_chain"
balls = 4
mass = 2.05e-3
radius = 4e-3
wall = "left"

[material]
restitution = [0.92, 0.96, 0.96, 0.96]
stiffness = [9.858327626e9, 6.970890316e9, 6.970890316e9, 6.970890316e9]

[start]
velocity = [-0.246621167, -0.246621167, -0.246621167, -0.246621167]

[law]
kind = "lzb"
tolerance = 1e-10
)";

class Waves : public testing::CliTest {};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(Waves, PrintsTables) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("waves cradle.toml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word : {"cradle · 3 balls in a row · 2 contacts · lzb (tol 1e-10)", "F peak [N]",
                           "1.076822", "v peak [m/s]", "-0.070952", "2 of 3 balls move forward"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("Nesterenko"))) << "too short for a wave";
}

TEST_F(Waves, ShowsASolitaryWaveBesideTheory) {
  write("cradle.toml", kScene);
  const Outcome outcome =
      run(R"(waves cradle.toml --set system.balls=30 --set 'start={"speed": 1}')");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"wave      8404.8", "3 balls above 1 % of the height, 5 above 0.1 %",
                           "Nesterenko's long wave of this height: 8471.2"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

// Liu, Zhao and Brogliato 2008, section 9, four beads: converged values.
TEST_F(Waves, ShowsTheReboundOfAColumn) {
  write("column.toml", kColumn);
  const Outcome outcome = run("waves column.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word :
       {"52.900", "column    e_eff 0.838608", "wall hit 1 time", "let go at 0.000120125 s"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("move forward")));
}

TEST_F(Waves, PrintsJson) {
  write("column.toml", kColumn);
  const Outcome outcome = run("waves column.toml --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = io::parse_json(outcome.out, "stdout");
  std::vector<std::string> keys;
  for (const auto& member : *document.root.as<io::Node::Object>()) keys.push_back(member.key);
  EXPECT_THAT(keys, ::testing::ElementsAre("format", "name", "law", "status", "duration",
                                           "wall_first", "wall_last", "contacts", "balls",
                                           "outcome", "column", "period", "wave"));
  const auto value = [&](const char* key) {
    return io::Value(document, *document.root.find(key), key);
  };
  EXPECT_EQ(value("format").string(), "percute-waves/1");
  ASSERT_EQ(value("contacts").size(), 4U);
  ASSERT_EQ(value("balls").size(), 4U);
  const io::Node wall = value("contacts")[0].node();
  EXPECT_EQ(*wall.find("name")->as<std::string>(), "wall–1");
  EXPECT_NEAR(*wall.find("peak_force")->as<double>(), 52.9000777, 1e-5);
  EXPECT_NEAR(*value("column").node().find("effective_restitution")->as<double>(), 0.838608, 1e-6);
  EXPECT_TRUE(value("wave").node().is_null());
}

TEST_F(Waves, WritesInstantsAsCsv) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("waves cradle.toml -o waves.csv --samples 5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("5 instants in waves.csv"));
  const std::vector<std::string> lines = lines_of(read("waves.csv"));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0],
            "time [s],velocity ball 1 [m/s],velocity ball 2 [m/s],velocity ball 3 [m/s],"
            "force 1-2 [N],force 2-3 [N]");
  EXPECT_EQ(lines[1], "0,1,0,0,0,0");
  // Momentum: three equal balls, no wall.
  for (std::size_t k = 1; k < lines.size(); ++k) {
    std::istringstream cells(lines[k]);
    std::vector<double> numbers;
    for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
    ASSERT_EQ(numbers.size(), 6U);
    EXPECT_NEAR(numbers[1] + numbers[2] + numbers[3], 1.0, 1e-12);
    if (k > 1 && k < 5) {
      EXPECT_GT(numbers[4] + numbers[5], 0.0);
    }
  }
}

TEST_F(Waves, WritesInstantsAsHdf5) {
  write("cradle.toml", kScene);
  ASSERT_EQ(run("waves cradle.toml -o waves.h5 --quiet").code, 0);
  const std::string path = (folder_ / "waves.h5").string();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto shape = [&](const char* name) {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << name;
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> size(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    EXPECT_GT(H5Aexists(dataset, "units"), 0) << name;
    H5Sclose(space);
    H5Dclose(dataset);
    return size;
  };
  EXPECT_EQ(shape("/space_time/time"), (std::vector<hsize_t>{200}));
  EXPECT_EQ(shape("/space_time/velocity"), (std::vector<hsize_t>{200, 3}));
  EXPECT_EQ(shape("/space_time/force"), (std::vector<hsize_t>{200, 2}));
  EXPECT_EQ(shape("/contacts/peak_force"), (std::vector<hsize_t>{2}));
  EXPECT_EQ(shape("/balls/peak_velocity"), (std::vector<hsize_t>{3}));
  H5Fclose(file);
}

// Infinitely many impacts: told so, with the speed at which they were given up.
TEST_F(Waves, SaysWhereAColumnCollapses) {
  write("column.toml", kColumn);
  const Outcome outcome = run("waves column.toml --set material.restitution=0.3");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("status    zeno: impacts without end"));
  // What is left is noise: no shares of it, and no sign.
  EXPECT_THAT(outcome.out, HasSubstr("column    e_eff 0.000000, top ball leaves at 0 m/s"));
  EXPECT_THAT(outcome.out,
              HasSubstr("outcome   all balls at rest (to 2.5e-07 m/s); KER 0.000000\n"));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("C_KE")));
}

TEST_F(Waves, NamesNoForwardBallsBetweenWalls) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("waves cradle.toml --set system.wall=right");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("move forward")));
  EXPECT_THAT(outcome.out, HasSubstr("outcome   KER"));
}

TEST_F(Waves, SaysWhereNothingHappens) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("waves cradle.toml --set 'start.velocity=[-1,0,0]' -o waves.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("status    no_impact"));
  EXPECT_EQ(lines_of(read("waves.csv")).size(), 1U) << "the header";
}

TEST_F(Waves, HelpTeaches) {
  const Outcome help = run("waves --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"Examples:", "Nesterenko", "percute waves cradle.toml", "--samples"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST_F(Waves, RefusesBadInput) {
  write("cradle.toml", kScene);
  write("three.json", kThreeBalls);
  expect_refused("waves", {"FILE", "percute waves --help"});
  expect_refused("waves missing.toml", {"missing.toml: cannot open"});
  expect_refused("waves three.json --law moreau", {"'moreau' has no inner time", "lzb, compliant"});
  expect_refused("waves three.json --set 'contacts[1].gradient=[-1,0,1]'",
                 {"contacts[1].gradient", "same side", "a chain has bodies of one coordinate"});
  expect_refused("waves three.json -o waves.txt", {"waves.txt", ".csv, .h5 or .hdf5"});
  expect_refused("waves three.json --samples 1", {"--samples", "2"});
  expect_refused("waves three.json -o no/such/folder.csv", {"no/such/folder.csv"});
  expect_refused("waves " PERCUTE_SOURCE_DIR "/examples/scenes/billiard_rack.toml",
                 {"billiard_rack.toml:", "system: is no chain", "2 coordinates", "a chain has"});
}

}  // namespace
}  // namespace percute::cli
