// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>

#include <cmath>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::kThreeBalls;
using testing::problem;
using testing::TemporaryFolder;
using testing::with;

std::vector<std::string> keys(const Node& node) {
  std::vector<std::string> out;
  for (const Node::Member& member : *node.as<Node::Object>()) out.push_back(member.key);
  return out;
}

double number(const Node& node) {
  return node.as<double>() != nullptr ? *node.as<double>()
                                      : static_cast<double>(*node.as<std::int64_t>());
}

class ResultFile : public ::testing::Test {
 protected:
  const ProblemFile file_ = problem(kThreeBalls);
  const ImpactResult result_ = resolve(file_.problem, file_.law);
};

TEST_F(ResultFile, HasTheDocumentedKeysInOrder) {
  using Keys = std::vector<std::string>;
  const Node node = to_node(result_, file_);
  EXPECT_EQ(keys(node), (Keys{"format", "law", "status", "velocity", "contacts", "energy",
                              "indices", "consistency", "non_unique_impulse", "diagnostics"}));
  EXPECT_EQ(keys((*node.find("contacts")->as<Node::Array>())[0]),
            (Keys{"impulse", "tangential_impulse", "gap_rate", "tangential_velocity", "dissipated",
                  "compressions"}));
  EXPECT_EQ(keys(*node.find("energy")),
            (Keys{"before", "after", "ratio", "dissipated", "balance_error"}));
  EXPECT_EQ(keys(*node.find("indices")), (Keys{"KER", "KER_rel", "C_KE", "W_n", "W_t", "D_t"}));
  EXPECT_EQ(keys(*node.find("consistency")),
            (Keys{"energetic", "kinematic", "kinetic", "friction_cone", "margins"}));
  EXPECT_EQ(keys(*node.find("consistency")->find("margins")),
            (Keys{"momentum", "identity", "energetic", "kinematic", "kinetic", "friction_cone"}));
  EXPECT_EQ(*node.find("format")->as<std::string>(), "percute-result/1");
  EXPECT_EQ(*node.find("status")->as<std::string>(), "ok");
}

TEST_F(ResultFile, NumbersComeBackBitForBit) {
  const Document read = parse_json(to_json(result_, file_), "r.json");
  for (std::size_t k = 0; k < 3; ++k) {
    const Node& entry = (*read.root.find("velocity")->as<Node::Array>())[k];
    EXPECT_EQ(number(entry), result_.velocity[static_cast<Eigen::Index>(k)]);
  }
  const Node& contact = (*read.root.find("contacts")->as<Node::Array>())[1];
  EXPECT_EQ(number(*contact.find("impulse")), result_.impulse[1]);
  EXPECT_EQ(number(*contact.find("gap_rate")), result_.gap_rate[1]);
  EXPECT_EQ(number(*read.root.find("energy")->find("after")), result_.energy.after);
}

// Converged values of three equal balls under Hertz contact; 1e-9 is ten times the tolerance.
TEST_F(ResultFile, HoldsTheThreeBalls) {
  EXPECT_NEAR(result_.velocity[0], -0.0709523537, 1e-9);
  EXPECT_NEAR(result_.velocity[1], 0.0764030391, 1e-9);
  EXPECT_NEAR(result_.velocity[2], 0.9945493146, 1e-9);
}

TEST_F(ResultFile, FitsOnOneLine) {
  const std::string line = to_json(result_, file_, JsonLayout::Line);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(to_json(parse_json(line, "r").root), to_json(result_, file_));
}

TEST_F(ResultFile, WritesNullWhereThereIsNoNumber) {
  ImpactResult odd = result_;
  odd.energy.before = 0.0;
  odd.energy.after = std::nan("");
  const Document read = parse_json(to_json(odd, file_), "r.json");
  EXPECT_TRUE(read.root.find("energy")->find("ratio")->is_null());
  EXPECT_TRUE(read.root.find("energy")->find("after")->is_null());
}

TEST_F(ResultFile, TellsOptionalDiagnosticsOnlyWhenPresent) {
  EXPECT_EQ(to_node(result_, file_).find("diagnostics")->find("verify_difference"), nullptr);
  ImpactResult verified = result_;
  verified.diagnostics.verify_difference = 1e-12;
  verified.diagnostics.residual_velocity = 1e-9;
  const Node node = to_node(verified, file_);
  EXPECT_EQ(number(*node.find("diagnostics")->find("verify_difference")), 1e-12);
  EXPECT_EQ(number(*node.find("diagnostics")->find("residual_velocity")), 1e-9);
}

/// Three balls of which the second contact is soft: zero_gap and tracked_gap are far apart.
std::string soft_beside_hard(const std::string& law) {
  std::string text = with(kThreeBalls, "[1, 0, 0]", "[1, 0.3, -0.5]");
  text = with(text, "[-1, 1, 0]", R"([-1, 1, 0], "exponent": 1)");
  text = with(text, "[0, -1, 1]", R"([0, -1, 1], "exponent": 1, "stiffness": 1e-4)");
  return with(text, R"("kind": "lzb", "tolerance": 1e-10)", law);
}

TEST_F(ResultFile, TellsHowMuchTheRuleOfReengagementMatters) {
  const auto told = [](const ImpactResult& result, const ProblemFile& file) {
    const Document read = parse_json(to_json(result, file), "r.json");
    const Node* value = read.root.find("diagnostics")->find("reengagement_difference");
    return value == nullptr ? std::nullopt : std::optional(number(*value));
  };
  // Nothing meets again among the three balls: known without a second run.
  EXPECT_EQ(told(result_, file_), 0.0);

  const ProblemFile file = problem(soft_beside_hard(R"("kind": "lzb")"));
  ImpactResult result = resolve(file.problem, file.law);
  EXPECT_EQ(told(result, file), std::nullopt);
  const auto other = try_other_reengagement(file, result);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->rule, laws::Lzb::Reengagement::TrackedGap);
  // It is the change that the table of both rules would show, and comes back bit for bit.
  const ProblemFile tracked =
      problem(soft_beside_hard(R"("kind": "lzb", "reengagement": "tracked_gap")"));
  const Vector change = resolve(tracked.problem, tracked.law).velocity - result.velocity;
  EXPECT_EQ(told(result, file), change.cwiseAbs().maxCoeff());
  // With verify the law itself tells.
  const ProblemFile verified = problem(soft_beside_hard(R"("kind": "lzb", "verify": true)"));
  EXPECT_EQ(told(resolve(verified.problem, verified.law), verified), told(result, file));
}

TEST_F(ResultFile, OtherLawsHaveNoRuleOfReengagement) {
  const ProblemFile file = problem(soft_beside_hard(R"("kind": "moreau")"));
  ImpactResult result = resolve(file.problem, file.law);
  EXPECT_FALSE(try_other_reengagement(file, result));
  EXPECT_EQ(to_node(result, file).find("diagnostics")->find("reengagement_difference"), nullptr);
}

TEST(WriteText, ReportsFailure) {
  const TemporaryFolder folder;
  write_text(folder / "a.txt", "abc");
  EXPECT_EQ(testing::slurp(folder / "a.txt"), "abc");
  expect_error([&] { write_text(folder / "no/a.txt", "abc"); }, {"no/a.txt", "cannot write"});
  expect_error([] { write_text("/dev/full", "abc"); }, {"/dev/full: cannot write", "No space"});
}

}  // namespace
}  // namespace percute::io
