// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/scene_reader.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"

namespace percute::cli {

namespace {

constexpr const char* kCradle = R"(
name = "five-ball cradle"

[system]
kind = "ball_chain"
balls = 5
mass = 0.1
radius = 0.01

[material]
restitution = 1.0
stiffness = 1.0e9
exponent = 1.5

[start]
speed = 1.0

[law]
kind = "lzb"
tolerance = 1e-10
)";

constexpr const char* kNext = R"(
One ball strikes four at rest. Textbooks let one ball leave at the other end; with elastic contacts
in between all five move, and here is how. Next:

  percute solve --help         a scene to copy, all options, examples
  percute solve cradle.toml    your own scene or problem
  percute reproduce --list     published results, next to ours
  percute --help               all commands
)";

}  // namespace

ExitCode run_default() {
  const io::Document document = io::parse_toml(kCradle, "built-in cradle");
  const io::ProblemFile file = io::read_scene(document);
  const ImpactResult result = io::resolve(file, document);
  Output().write(report(file, result, terminal_columns()) + kNext);
  return result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace percute::cli
