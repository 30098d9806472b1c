// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"
#include "hdf5_reading.hpp"

#include <algorithm>
#include <vector>

namespace percute::cli {
namespace {

using testing::Dataset;
using testing::dataset;
using ::testing::HasSubstr;
using testing::kScene;
using ::testing::StartsWith;
using testing::text_attribute;

class History : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("cradle.toml", kScene);
  }
};

TEST_F(History, Csv) {
  const auto outcome = run("solve cradle.toml --history run.csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("in run.csv"));
  EXPECT_THAT(read("run.csv"),
              StartsWith("time [s],total impulse [N s],kinetic energy [J],primary contact,"
                         "impulse 1-2 [N s],impulse 2-3 [N s],force 1-2 [N]"));
  EXPECT_THAT(read("run.events.csv"), StartsWith("time [s],contact,event,"));
  EXPECT_THAT(read("run.events.csv"), HasSubstr("compression_end"));
}

TEST_F(History, RecordingDoesNotChangeTheResult) {
  EXPECT_EQ(run("solve cradle.toml --json --history run.h5").out,
            run("solve cradle.toml --json").out);
}

TEST_F(History, Hdf5) {
  ASSERT_EQ(run("solve cradle.toml --quiet --history run.h5").code, 0);
  const hid_t file = H5Fopen((folder_ / "run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);

  // One row per sample; contacts and coordinates along the second axis.
  const Dataset time = dataset(file, "/state/time");
  ASSERT_EQ(time.shape.size(), 1U);
  const hsize_t samples = time.shape[0];
  EXPECT_GT(samples, 10U);
  EXPECT_TRUE(std::is_sorted(time.values.begin(), time.values.end()));
  EXPECT_EQ(time.units, "s");
  const Dataset impulse = dataset(file, "/state/impulse");
  EXPECT_EQ(impulse.shape, (std::vector<hsize_t>{samples, 2}));
  EXPECT_EQ(impulse.units, "N s");

  // The first row is the state before the impact, the last one after it.
  const Dataset velocity = dataset(file, "/state/velocity");
  EXPECT_EQ(velocity.shape, (std::vector<hsize_t>{samples, 3}));
  EXPECT_EQ(velocity.units, "m/s");
  EXPECT_EQ(velocity.values[0], 1.0);
  EXPECT_EQ(velocity.values[1], 0.0);
  EXPECT_NEAR(velocity.values[3 * (samples - 1) + 2], 0.9945493146, 1e-9);

  const Dataset event = dataset(file, "/events/time");
  EXPECT_GE(event.shape[0], 6U);  // two contacts start, turn and open
  const hid_t meta = H5Oopen(file, "/meta", H5P_DEFAULT);
  EXPECT_EQ(text_attribute(meta, "format"), "percute-history/1");
  EXPECT_THAT(text_attribute(meta, "law"), StartsWith("{\"kind\":\"lzb\""));
  H5Oclose(meta);
  H5Fclose(file);
}

TEST_F(History, Hdf5SaysWhereUnitsDiffer) {
  const auto units = [&](const std::string& scene) {
    EXPECT_EQ(
        run("solve '" PERCUTE_SOURCE_DIR "/examples/scenes/" + scene + "' --quiet --history run.h5")
            .code,
        0);
    const hid_t file = H5Fopen((folder_ / "run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    std::string result = dataset(file, "/state/velocity").units;
    EXPECT_GT(H5Lexists(file, "/meta/units", H5P_DEFAULT), 0);
    H5Fclose(file);
    return result;
  };
  EXPECT_EQ(units("double_pendulum.toml"), "rad/s");
  EXPECT_EQ(units("rocking_block.toml"), "see /meta/units");
}

}  // namespace
}  // namespace percute::cli
