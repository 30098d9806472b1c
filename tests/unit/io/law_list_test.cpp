// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/comparison.hpp"
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>

namespace percute::io {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

TEST(LawList, SplitsKindsAndOptions) {
  const std::vector<LawChoice> laws = parse_law_list(
      "moreau, coulomb:tangential=0:on_energy_growth=reduce_e,"
      "restitution_matrix:matrix=[[0.5, 0],[0.1,0.5]]",
      "--laws");
  ASSERT_EQ(laws.size(), 3U);
  EXPECT_EQ(laws[0].kind, "moreau");
  EXPECT_TRUE(laws[0].options.empty());
  EXPECT_EQ(laws[1].kind, "coulomb");
  EXPECT_EQ(laws[1].text, "coulomb:tangential=0:on_energy_growth=reduce_e");
  EXPECT_EQ(laws[1].options, (Options{{"tangential", "0"}, {"on_energy_growth", "reduce_e"}}));
  EXPECT_EQ(laws[2].options, (Options{{"matrix", "[[0.5, 0],[0.1,0.5]]"}}));
}

TEST(LawList, RefusesWhatIsNoList) {
  testing::expect_error([] { parse_law_list("", "--laws"); }, {"--laws", "without a law"});
  testing::expect_error([] { parse_law_list("moreau,,lzb", "--laws"); },
                        {"--laws", "'moreau,,lzb'", "cradle_sort"});
  testing::expect_error([] { parse_law_list("moreau:restitution", "--laws"); },
                        {"'restitution'", "KEY=VALUE"});
  testing::expect_error([] { parse_law_list("moreau:=1", "--laws"); }, {"'=1'", "KEY=VALUE"});
}

TEST(LawList, ReplacesTheLawOfADocument) {
  Document document = parse_json(R"({"law": {"kind": "lzb", "tolerance": 1e-7}})", "p.json");
  const auto read = [&document] {
    return read_law(Value(document, *document.root.find("law"), "law"));
  };
  // The same kind keeps its options, another one begins anew.
  override_law(document, parse_law_list("lzb:verify=true", "--laws").front(), "--laws");
  EXPECT_EQ(read().as<laws::Lzb>()->tolerance, 1e-7);
  EXPECT_TRUE(read().as<laws::Lzb>()->verify);
  override_law(document, parse_law_list("coulomb:tangential=-0.5", "--laws").front(), "--laws");
  EXPECT_EQ(read().as<laws::Coulomb>()->tangential, -0.5);
  override_law(document, parse_law_list("lzb", "--laws").front(), "--laws");
  EXPECT_EQ(read().as<laws::Lzb>()->tolerance, laws::Lzb{}.tolerance);
  override_law(document, parse_law_list("moraeu", "--laws").front(), "--laws");
  testing::expect_error([&] { read(); }, {"--laws moraeu", "did you mean 'moreau'?"});
}

}  // namespace
}  // namespace percute::io
