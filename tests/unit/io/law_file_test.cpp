// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/laws/lzb.hpp>

namespace percute::io {
namespace {

using laws::Lzb;

AnyLaw law(const std::string& options) {
  const Document document = parse_json("{\"law\": " + options + "}", "l.json");
  return read_law(Value(document, *document.root.find("law"), "law"));
}

TEST(LawFile, WithoutOneItIsLzb) {
  EXPECT_EQ(read_law({}).as<Lzb>()->tolerance, Lzb{}.tolerance);
  EXPECT_EQ(read_law({}).kind(), "lzb");
}

TEST(LawFile, ReadsEveryOption) {
  const Lzb lzb = *law(R"({"kind": "lzb", "contact_model": "mono_stiffness",
      "reengagement": "zero_gap", "integrator": "euler_impulse", "tolerance": 1e-6,
      "wc": "last_work", "reload": "retrace", "finish": "none",
      "collapse_velocity": 1e-7, "max_steps": 11, "max_events": 1e3, "steps": 13,
      "restart": "exact", "primary": "max_force", "critical_points": "locate"})")
                       .as<Lzb>();
  EXPECT_EQ(lzb.contact_model, ContactModel::MonoStiffness);
  EXPECT_EQ(lzb.integrator, Lzb::Integrator::EulerImpulse);
  EXPECT_EQ(lzb.tolerance, 1e-6);
  EXPECT_TRUE(law(R"({"kind": "lzb", "verify": true})").as<Lzb>()->verify);
  EXPECT_EQ(lzb.compression_work, Lzb::CompressionWork::LastWork);
  EXPECT_EQ(lzb.reload, Lzb::Reload::Retrace);
  EXPECT_EQ(lzb.finish, Lzb::Finish::None);
  EXPECT_EQ(lzb.collapse_velocity, 1e-7);
  EXPECT_EQ(lzb.max_steps, 11);
  EXPECT_EQ(lzb.max_events, 1000);
  EXPECT_EQ(lzb.steps, 13);
  EXPECT_EQ(lzb.restart, Lzb::EulerRestart::Exact);
  EXPECT_EQ(lzb.primary, Lzb::EulerPrimary::MaxForce);
  EXPECT_EQ(lzb.critical_points, Lzb::EulerCriticalPoints::Locate);
}

TEST(LawFile, OptionsWithoutAKindAreThoseOfTheDefaultLaw) {
  EXPECT_EQ(law(R"({"tolerance": 1e-6})").as<Lzb>()->tolerance, 1e-6);
}

TEST(LawFile, OptionsThatExcludeEachOtherAreNamed) {
  const AnyLaw adaptive = law(R"({"kind": "lzb", "reengagement": "tracked_gap"})");
  EXPECT_EQ(adaptive.as<Lzb>()->reengagement, Lzb::Reengagement::TrackedGap);
  testing::expect_error(
      [] {
        law(R"({"kind": "lzb", "reengagement": "tracked_gap", "integrator": "euler_impulse"})");
      },
      {"l.json:1: law.reengagement", "euler_impulse"});
}

TEST(LawFile, WhatIsWrittenReadsBackTheSame) {
  for (const char* options :
       {R"({"kind": "lzb"})",
        R"({"kind": "lzb", "integrator": "euler_impulse", "steps": 77, "restart": "exact"})",
        R"({"kind": "lzb", "contact_model": "mono_stiffness", "wc": "last_work",
            "collapse_velocity": 3e-9})"}) {
    const std::string written = to_json(to_node(law(options)));
    EXPECT_EQ(to_json(to_node(law(written))), written);
  }
}

TEST(LawFile, EveryKindReadsBackWhatItWrites) {
  for (const std::string_view kind : law_kinds()) {
    std::string options = "{\"kind\": \"" + std::string(kind) + "\"";
    if (kind == "restitution_matrix") options += R"(, "matrix": [[1, 0.5], [0, 1]])";
    if (kind == "fremond_quadratic") options += R"(, "kappa": [2.5, "inf"])";
    if (kind == "fremond_cone") options += R"(, "patterns": [[1, 0], [0.5, 1]], "restitution": 1)";
    if (kind == "icr") options += R"(, "p_next_over_p_prev": [0.75], "restitution": 0.5)";
    if (kind == "binary") options += R"(, "order": "random", "seed": 7)";
    const AnyLaw read = law(options + "}");
    EXPECT_EQ(read.kind(), kind);
    const std::string written = to_json(to_node(read));
    EXPECT_EQ(to_json(to_node(law(written))), written);
  }
}

TEST(LawFile, OptionsWithoutEffectAreRefusedUnlessTheyAreTheDefault) {
  const auto refused = [](const std::string& options, const std::string& key,
                          const std::string& owner) {
    testing::expect_error([&] { law(options); }, {": law." + key, "is used by " + owner + " only"});
  };
  refused(R"({"kind": "lzb", "steps": 7})", "steps", "integrator 'euler_impulse'");
  EXPECT_EQ(law(R"({"kind": "lzb", "steps": 10000})").kind(), "lzb");
  refused(R"({"kind": "binary", "seed": 7})", "seed", "order 'random'");
  EXPECT_EQ(law(R"({"kind": "binary", "seed": 0})").kind(), "binary");
  refused(R"({"kind": "icr", "direction": [1], "energy_ratio": 1})", "energy_ratio",
          "closure 'total_energy'");
  refused(R"({"kind": "icr", "direction": [1], "closure": "total_energy", "energy_ratio": 1,
             "restitution": 1})",
          "restitution", "closure 'ray_energetic'");
  refused(R"({"kind": "compliant", "minimum_speed": 1})", "minimum_speed",
          "forces 'lankarani_nikravesh' and 'exact_restitution'");
}

TEST(LawFile, OptionsWithoutEffectAreWrittenAsTheirDefault) {
  const Node node = to_node(laws::Lzb{.steps = 77});
  EXPECT_EQ(*node.find("steps")->as<std::int64_t>(), laws::Lzb{}.steps);
}

TEST(LawFile, ValuesOutOfRangeAreNamed) {
  const auto refused = [](const std::string& options, const std::string& reason) {
    testing::expect_error([&] { law(options); }, {"l.json:1: law", reason});
  };
  refused(R"({"kind": "lzb", "max_steps": 0})", "max_steps: 0 is not >= 1");
  refused(R"({"kind": "lzb", "max_steps": 0.5})", "max_steps: must be an integer, got 0.5");
  refused(R"({"kind": "lzb", "tolerance": 1})", "tolerance: 1 is not in [1e-13, 0.001]");
  refused(R"({"kind": "binary", "order": "random", "seed": -1})", "seed: -1 is not >= 0");
  refused(R"({"kind": "fremond_quadratic"})", "the key 'kappa' is missing");
  refused(R"({"kind": "fremond_quadratic", "kappa": 0})", "kappa: 0 is not > 0");
  refused(R"({"kind": "icr"})", "needs exactly one of direction, p_next_over_p_prev");
  refused(R"({"kind": "icr", "direction": [1], "closure": "total_energy"})",
          "the key 'energy_ratio' is missing");
  refused(R"({"kind": "restitution_matrix", "matrix": 1})", "matrix: must be an array, got 1");
}

TEST(LawFile, DefaultsAreFilledIn) {
  const Node node = to_node(law(R"({"kind": "lzb"})"));
  EXPECT_EQ(node.as<Node::Object>()->size(), 16U);
  EXPECT_EQ(*node.find("reengagement")->as<std::string>(), "zero_gap");
  EXPECT_EQ(*node.find("tolerance")->as<double>(), 1e-9);
}

TEST(LawFile, Titles) {
  EXPECT_EQ(law(R"({"kind": "lzb"})").title(), "lzb (tol 1e-9)");
  EXPECT_EQ(law(R"({"kind": "lzb", "tolerance": 1e-10})").title(), "lzb (tol 1e-10)");
  EXPECT_EQ(law(R"({"kind": "lzb", "integrator": "euler_impulse"})").title(),
            "lzb (euler_impulse, 10000 steps)");
}

}  // namespace
}  // namespace percute::io
