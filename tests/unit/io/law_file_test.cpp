// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/law_file.hpp>

namespace percute::io {
namespace {

using laws::Lzb;

Law law(const std::string& options) {
  const Document document = parse_json("{\"law\": " + options + "}", "l.json");
  return read_law(Value(document, *document.root.find("law"), "law"));
}

TEST(LawFile, WithoutOneItIsLzb) {
  EXPECT_EQ(std::get<Lzb>(read_law({})).tolerance, Lzb{}.tolerance);
  EXPECT_EQ(kind(read_law({})), "lzb");
}

TEST(LawFile, ReadsEveryOption) {
  const Lzb lzb = std::get<Lzb>(law(R"({"kind": "lzb", "contact_model": "mono_stiffness",
      "reengagement": "zero_gap", "integrator": "euler_impulse", "tolerance": 1e-6,
      "wc": "last_work", "reload": "retrace", "finish": "none",
      "collapse_velocity": 1e-7, "max_steps": 11, "max_events": 1e3, "steps": 13,
      "restart": "exact", "primary": "max_force", "critical_points": "locate"})"));
  EXPECT_EQ(lzb.contact_model, ContactModel::MonoStiffness);
  EXPECT_EQ(lzb.integrator, Lzb::Integrator::EulerImpulse);
  EXPECT_EQ(lzb.tolerance, 1e-6);
  EXPECT_TRUE(std::get<Lzb>(law(R"({"kind": "lzb", "verify": true})")).verify);
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
  EXPECT_EQ(std::get<Lzb>(law(R"({"tolerance": 1e-6})")).tolerance, 1e-6);
}

TEST(LawFile, OptionsThatExcludeEachOtherAreNamed) {
  const Law adaptive = law(R"({"kind": "lzb", "reengagement": "tracked_gap"})");
  EXPECT_EQ(std::get<Lzb>(adaptive).reengagement, Lzb::Reengagement::TrackedGap);
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

TEST(LawFile, DefaultsAreFilledIn) {
  const Node node = to_node(law(R"({"kind": "lzb"})"));
  EXPECT_EQ(node.as<Node::Object>()->size(), 16U);
  EXPECT_EQ(*node.find("reengagement")->as<std::string>(), "zero_gap");
  EXPECT_EQ(*node.find("tolerance")->as<double>(), 1e-9);
}

TEST(LawFile, Titles) {
  EXPECT_EQ(title(law(R"({"kind": "lzb"})")), "lzb (tol 1e-9)");
  EXPECT_EQ(title(law(R"({"kind": "lzb", "tolerance": 1e-10})")), "lzb (tol 1e-10)");
  EXPECT_EQ(title(law(R"({"kind": "lzb", "integrator": "euler_impulse"})")),
            "lzb (euler_impulse, 10000 steps)");
}

}  // namespace
}  // namespace percute::io
