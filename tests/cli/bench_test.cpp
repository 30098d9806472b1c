// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <algorithm>
#include <map>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;

class Bench : public testing::CliTest {
 protected:
  /// One quick run serves all tests of its output; nothing is said about times.
  static io::Document measured(const testing::Outcome& outcome) {
    return io::parse_json(outcome.out, "stdout");
  }
};

double number(const io::Node& node, std::string_view key) {
  const io::Node* found = node.find(key);
  return found == nullptr || found->as<double>() == nullptr ? -1.0 : *found->as<double>();
}

TEST_F(Bench, EveryTimeHasAnErrorBelowItsTarget) {
  const auto outcome = run("bench small --quick --json -o small.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = measured(outcome);
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-bench/1");
  const io::Node& small = (*document.root.find("benchmarks")->as<io::Node::Array>())[0];
  std::map<std::string, int> rows;
  for (const io::Node& row : *small.find("rows")->as<io::Node::Array>()) {
    const std::string method = *row.find("method")->as<std::string>();
    ++rows[method];
    if (!*row.find("reached")->as<bool>()) {
      EXPECT_NE(method, "percute");
      continue;
    }
    EXPECT_LE(number(row, "error"), number(row, "target"));
    EXPECT_GT(number(row, "seconds"), 0.0);
    EXPECT_GE(number(row, "median_seconds"), number(row, "seconds"));
  }
  // Four problems, three errors for percute, two for the first-order scheme.
  EXPECT_EQ(rows["percute"], 12);
  EXPECT_EQ(rows["euler_impulse"], 8);
  // The converged values come from two methods without common code. The plain one is good to 1e-11
  // or so, a hundred times better than the tightest target needs.
  for (const io::Node& reference : *small.find("references")->as<io::Node::Array>()) {
    EXPECT_GE(number(reference, "cross_check"), 0.0);
    EXPECT_LE(number(reference, "cross_check"), 1e-10);
  }
  const std::string csv = read("small.csv");
  EXPECT_THAT(csv, HasSubstr("benchmark,problem,contacts,method,target_error,error,time_us"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
            1 + std::ptrdiff_t(small.find("rows")->as<io::Node::Array>()->size()));
}

TEST_F(Bench, ChainsAreConfirmed) {
  const auto outcome = run("bench chain --quick --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = measured(outcome);
  const io::Node& chain = (*document.root.find("benchmarks")->as<io::Node::Array>())[0];
  int ours = 0;
  for (const io::Node& row : *chain.find("rows")->as<io::Node::Array>()) {
    if (*row.find("method")->as<std::string>() != "percute") continue;
    ++ours;
    EXPECT_TRUE(*row.find("reached")->as<bool>());
    EXPECT_LE(number(row, "error"), 1e-6);
  }
  EXPECT_EQ(ours, 3);
  // Plain steps of 0.005 are good to 1e-8 after 100 balls, a hundred times better than the target.
  for (const io::Node& reference : *chain.find("references")->as<io::Node::Array>()) {
    EXPECT_LE(number(reference, "cross_check"), 1e-8);
  }
}

TEST_F(Bench, LawsAreExact) {
  const auto outcome = run("bench laws --quick --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = measured(outcome);
  const io::Node& laws = (*document.root.find("benchmarks")->as<io::Node::Array>())[0];
  std::map<std::string, int> rows;
  for (const io::Node& row : *laws.find("rows")->as<io::Node::Array>()) {
    const std::string method = *row.find("method")->as<std::string>();
    ++rows[method];
    if (method.starts_with("siconos")) continue;
    EXPECT_TRUE(*row.find("reached")->as<bool>()) << method;
    // The residual of the pile is computed anew, in another order.
    EXPECT_LE(number(row, "error"), 1.001 * number(row, "target")) << method;
  }
  for (const char* law : {"moreau", "newton", "poisson", "coulomb", "binary", "lzb"}) {
    EXPECT_EQ(rows[law], 2) << law;
  }
  EXPECT_EQ(rows["percute"], 3);  // one complementarity problem, two residuals of the pile
}

TEST_F(Bench, ListsItsNames) {
  const auto outcome = run("bench --list");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("small"));
}

TEST_F(Bench, HelpTeaches) {
  const auto help = run("bench --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"Examples:", "percute bench small --full", "Exit status", "small.csv"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST_F(Bench, RefusesWhatItDoesNotKnow) {
  expect_refused("bench smal", {"unknown benchmark 'smal' (did you mean 'small'?)", "small"});
  expect_refused("bench small --quick -o times.txt", {"times.txt", ".csv or .json"});
  expect_refused("bench small --quick --full", {"--full", "percute bench --help"});
  expect_refused("bench small --quick -o no/times.csv", {"no/times.csv: cannot write"});
}

}  // namespace
}  // namespace percute::cli
