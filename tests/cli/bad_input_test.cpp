// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kScene;
using testing::kThreeBalls;

class BadInput : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", kThreeBalls);
    write("cradle.toml", kScene);
  }

  /// The three balls with one part replaced are refused.
  void expect_refused_with(const std::string& part, const std::string& other,
                           std::initializer_list<std::string> fragments) const {
    std::string text = kThreeBalls;
    const auto at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    write("bad.json", text.replace(at, part.size(), other));
    expect_refused("solve bad.json", fragments);
  }
};

TEST_F(BadInput, UsageErrorsNameTheWayOut) {
  expect_refused("solve", {"percute: solve needs a FILE", "percute solve --help"});
  expect_refused("slove three.json", {"unknown command 'slove' (did you mean 'solve'?)"});
  expect_refused("three.json", {"did you mean 'percute solve three.json'?"});
  expect_refused("sweep cradle.toml", {"unknown command 'sweep'"});
  expect_refused("--frobnicate", {"--frobnicate", "percute --help"});
  expect_refused("solve three.json --frobnicate", {"--frobnicate", "percute solve --help"});
  expect_refused("solve three.json --jsn", {"unknown option '--jsn' (did you mean '--json'?)"});
  expect_refused("solve --laws=lzb three.json", {"'--laws' (did you mean '--law'?)"});
  expect_refused("solve three.json --tolernace 1e-8",
                 {"'--tolernace'; to change a value", "--set KEY=VALUE"});
  expect_refused("help slove", {"unknown command 'slove' (did you mean 'solve'?)"});
  expect_refused("solve three.json cradle.toml", {"cradle.toml"});
  expect_refused("solve three.json --stdin --json", {"FILE or --stdin"});
  expect_refused("solve --stdin < three.json", {"--json"});
  expect_refused("solve --stdin --json --history a.csv < three.json", {"--history"});
  expect_refused("solve three.json --set", {"--set"});
  expect_refused("solve three.json --set 'velocity=[1,'",
                 {"--set velocity=[1,", "neither JSON nor TOML"});
  expect_refused("compare three.json --laws ''", {"--laws", "without a law", "moreau"});
}

TEST_F(BadInput, Files) {
  expect_refused("solve missing.json", {"missing.json: cannot open: No such file"});
  expect_refused("solve .", {"is a directory"});
  expect_refused("solve /dev/null", {"/dev/null: is empty"});
  expect_refused("solve /dev/zero", {"/dev/zero: larger than 64 MiB"});
  write("half.json", kThreeBalls.substr(0, 100));
  expect_refused("solve half.json", {"half.json:1: not valid JSON"});
  write("twice.json", kThreeBalls + "\n" + kThreeBalls);
  expect_refused("solve twice.json", {"twice.json:2", "end of input"});
  write("noise.toml", "\x93\x01\xfe\xff\x7f");
  expect_refused("solve noise.toml", {"noise.toml:1: not UTF-8"});
  write("noise.json", std::string("\x93\0\xfe", 3));
  expect_refused("solve noise.json", {"noise.json: is binary"});
  write("half.toml", kScene.substr(0, 20));
  expect_refused("solve half.toml", {"half.toml:2: not valid TOML"});
}

TEST_F(BadInput, HugeFiles) {
  write("big.json", "{\"format\": \"");
  std::filesystem::resize_file(folder_ / "big.json", 100'000'000);
  expect_refused("solve big.json", {"larger than 64 MiB"});
  std::string deep;
  for (int k = 0; k < 200'000; ++k) deep += "{\"a\":";
  write("deep.json", deep);
  expect_refused("solve deep.json", {"deep.json:1: nested deeper than 64 levels"});
  write("deep2.json", std::string(200'000, '['));
  expect_refused("solve deep2.json", {"nested deeper than 64 levels"});
  write("deep.toml", "a = " + std::string(200'000, '['));
  expect_refused("solve deep.toml", {"nested deeper than 64 levels"});
}

TEST_F(BadInput, Values) {
  expect_refused_with("[1, 0, 0]", "[NaN, 0, 0]", {"bad.json:1", "NaN"});
  expect_refused_with("[1, 0, 0]", "[1e999, 0, 0]", {"bad.json:1", "1e999"});
  expect_refused_with("[1, 1, 1]", "[1, -1, 1]", {"bad.json:1: mass", "-1"});
  expect_refused_with("[1, 1, 1]", "[1, 0, 1]", {"bad.json:1: mass", "0"});
  expect_refused_with("{\"diagonal\": [1, 1, 1]}", "{\"dense\": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}",
                      {"positive definite"});
  expect_refused_with("{\"diagonal\": [1, 1, 1]}", "{\"dense\": [[1, 1, 0], [0, 9, 0], [0, 0, 1]]}",
                      {"symmetric"});
  expect_refused_with("[0, -1, 1]", "[0, 0, 0]", {"contacts[1].gradient", "zero"});
  expect_refused_with("[0, -1, 1]", "[0, -1]", {"contacts[1].gradient", "3 entries"});
  const auto contact = [&](const char* key, std::initializer_list<std::string> fragments) {
    expect_refused_with("[0, -1, 1]", std::string("[0, -1, 1], ") + key, fragments);
  };
  contact("\"restitution\": 1.5", {"contacts[1].restitution: 1.5", "[0, 1]"});
  contact("\"exponent\": 0.5", {"contacts[1].exponent: 0.5", "1"});
  contact("\"stiffness\": -1", {"contacts[1].stiffness: -1", "> 0"});
  contact("\"restitution\": true", {"contacts[1].restitution: must be a number, got true"});
  contact("\"restitutoin\": 1", {"contacts[1].restitutoin", "did you mean 'restitution'?"});
  contact("\"gradient\": [0, -1, 1]", {"'gradient' appears twice"});
  contact("\"friction\": -0.5", {"contacts[1].friction: -0.5"});
  expect_refused_with("percute-problem/1", "percute-problem/9", {"format", "percute-problem/9"});
}

TEST_F(BadInput, Overrides) {
  const auto set = [&](const std::string& setting, std::initializer_list<std::string> fragments) {
    expect_refused("solve three.json --set '" + setting + "'", fragments);
  };
  set("law.tolerence=1e-8",
      {"--set law.tolerence=1e-8: law.tolerence", "did you mean 'tolerance'?"});
  set("law.tolerance=small", {"--set law.tolerance=small", "must be a number, got \"small\""});
  set("contacts[1].restitution=2", {"--set contacts[1].restitution=2", "[0, 1]"});
  set("contacts[7].restitution=1", {"[7]"});
  set("law.tolerance", {"KEY=VALUE"});
  expect_refused("solve three.json --law lbz", {"--law lbz", "did you mean 'lzb'?"});
  expect_refused("solve cradle.toml --set 'system.masses=[1, 2, 1]'",
                 {"--set system.masses=[1, 2, 1]: system.masses: give either 'mass'",
                  "; --unset system.mass leaves out"});
  expect_refused("solve cradle.toml --unset system.mass --set 'system.masses=[1e-200, 1, 1e200]'",
                 {": system: contact 2–3: no impulse could move this contact"});
  expect_refused("solve cradle.toml --set start.speed=1", {"; --unset start.velocity leaves out"});
  expect_refused("solve cradle.toml --set material.restitution=-1",
                 {"--set material.restitution=-1", "material.restitution"});
}

TEST_F(BadInput, OutputsThatCannotBeWritten) {
  expect_refused("solve three.json --history a.txt", {"a.txt", ".csv, .h5 or .hdf5"});
  expect_refused("solve three.json --history no/a.csv", {"no/a.csv: cannot write"});
  expect_refused("solve three.json --history no/a.h5", {"no/a.h5: cannot write"});
  expect_refused("solve three.json -o no/a.json", {"no/a.json: cannot write"});
  expect_refused("solve three.json -o /dev/full", {"/dev/full: cannot write: No space left"});
  const auto full = run("solve three.json >/dev/full");
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("standard output: cannot write"));
  EXPECT_EQ(run("solve three.json >&-").code, 2);
}

}  // namespace
}  // namespace percute::cli
