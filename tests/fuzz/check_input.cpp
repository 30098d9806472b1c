// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fuzz/check_input.hpp"

#include "io/text.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/io/problem_file.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace percute::fuzz {

namespace {

constexpr Eigen::Index kMaxSize = 12;  // coordinates and contacts worth resolving here
constexpr long kMaxSteps = 500;
constexpr long kMaxEvents = 100;
constexpr double kMaxCount = 200.0;  // numbers of balls and the like worth building
constexpr std::array<std::string_view, 5> kCounts{"balls", "beads", "blocks", "rows", "segments"};

void require(bool kept, const char* promise, const std::string& text = {}) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n%s\n", promise, text.c_str());
  std::abort();
}

void check_message(const io::FileError& error) {
  const std::string message = error.what();
  require(message.size() < 1000, "messages are short", message);
  require(io::first_invalid_utf8(message) == message.size(), "messages are UTF-8", message);
  require(std::ranges::none_of(message, [](unsigned char c) { return c < 0x20 || c == 0x7F; }),
          "messages are one line of clean text", message);
}

io::Document parse(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  return json ? io::parse_json(text, "input") : io::parse_toml(text, "input");
}

bool is_large(const io::Node& node) {
  const auto* integer = node.as<std::int64_t>();
  const auto* number = node.as<double>();
  return (integer != nullptr && static_cast<double>(*integer) > kMaxCount) ||
         (number != nullptr && *number > kMaxCount);
}

/// A scene names its size; building a million balls is correct and slow.
bool builds_much(const io::Document& document) {
  const io::Node* system = document.root.find("system");
  const auto* members = system == nullptr ? nullptr : system->as<io::Node::Object>();
  if (members == nullptr) return false;
  const io::Node* radii = system->find("radii");
  const io::Node* counts = radii == nullptr ? nullptr : radii->find("counts");
  const auto* list = counts == nullptr ? nullptr : counts->as<io::Node::Array>();
  const auto counts_much = [](const io::Node::Member& member) {
    return std::ranges::find(kCounts, member.key) != kCounts.end() && is_large(member.value);
  };
  return std::ranges::any_of(*members, counts_much) ||
         (list != nullptr && std::ranges::any_of(*list, is_large));
}

void limit(AnyLaw& law) {
  if (const auto* lzb = law.as<laws::Lzb>()) {
    laws::Lzb short_one = *lzb;
    short_one.max_steps = std::min(lzb->max_steps, kMaxSteps);
    short_one.max_events = std::min(lzb->max_events, kMaxEvents);
    short_one.steps = std::min(lzb->steps, kMaxSteps);
    law = short_one;
  }
}

void check_outcome(const io::ProblemFile& file, const ImpactResult& result) {
  const Eigen::Index n = file.problem.velocity.size();
  const Eigen::Index m = file.problem.gradients.cols();
  require(result.velocity.size() == n, "one velocity per coordinate");
  require(result.impulse.size() == m && result.gap_rate.size() == m, "one impulse per contact");
  const std::string json = io::to_json(result, file, io::JsonLayout::Line);
  if (result.ok()) {
    require(
        result.velocity.allFinite() && result.impulse.allFinite() && result.gap_rate.allFinite(),
        "an accepted outcome is finite", json);
  }
  try {
    (void)io::parse_json(json, "result");
  } catch (const io::FileError& error) {
    require(false, "a result is valid JSON", error.what() + ("\n" + json));
  }
}

}  // namespace

void check_input(std::string_view text, io::ProblemFile (*read)(const io::Document&)) {
  try {
    const io::Document document = parse(text);
    if (builds_much(document)) return;
    io::ProblemFile file = read(document);
    const Eigen::Index n = file.problem.velocity.size();
    const Eigen::Index m = file.problem.gradients.cols();
    require(file.problem.gradients.rows() == n && file.problem.mass.size() == n,
            "sizes of an accepted problem agree");
    require(std::cmp_equal(file.contact_names.size(), m), "one name per contact");
    if (n > kMaxSize || m > kMaxSize) return;
    limit(file.law);
    check_outcome(file, io::resolve(file, document));
  } catch (const io::FileError& error) {
    check_message(error);
  }
}

void check_motion(std::string_view text) {
  try {
    const io::Document document = parse(text);
    if (builds_much(document)) return;
    const io::MotionFile file = io::read_motion(document);
    const int n = file.system.coordinates();
    const State& start = file.start.state;
    require(start.position.size() == n && start.velocity.size() == n,
            "a start has every coordinate");
    require(std::cmp_equal(file.contact_names.size(), file.system.contacts()),
            "one name per contact");
    std::vector<int> owners(static_cast<std::size_t>(n), 0);
    for (const Body& body : file.bodies) {
      for (const int i : body.coordinates) {
        require(i >= 0 && i < n, "bodies have coordinates that exist");
        ++owners[static_cast<std::size_t>(i)];
      }
    }
    require(std::ranges::all_of(owners, [](int count) { return count == 1; }),
            "every coordinate belongs to one body");
    const auto& run = io::run_options(file.method);
    require(run.duration || run.stop_after_quiet, "a run has an end");
    for (const auto* node : {&file.system_keys, &file.impact_keys, &file.simulation_keys}) {
      (void)io::parse_json(io::to_json(*node), "summary");
    }
  } catch (const io::FileError& error) {
    check_message(error);
  }
}

}  // namespace percute::fuzz
