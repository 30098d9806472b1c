// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "cli_testing.hpp"
#include "hdf5_reading.hpp"

#include <percute/io/document.hpp>

#include <signal.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace percute::cli {

inline const std::string kBall = R"([system]
kind = "bouncing_ball"
mass = 1.0
gravity = 9.81

[material]
restitution = 0.5

[start]
height = 1.0

[law]
kind = "newton"

[simulation]
method = "event_driven_adaptive"
duration = 2.0
output_interval = 0.01
)";

// A run of hours, with something to write at every step.
inline const std::string kLong =
    "--set simulation.method=moreau_jean --set simulation.step=1e-4 --set simulation.duration=1e7 "
    "--set simulation.output_interval=0";

class Simulate : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("ball.toml", kBall);
  }

  /// Starts a run in the background and returns its process.
  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(125);
    (void)!freopen("stdout.txt", "w", stdout);
    (void)!freopen("stderr.txt", "w", stderr);
    std::string program = PERCUTE_BINARY;
    std::vector<std::string> copies = arguments;
    std::vector<char*> words{program.data()};
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    _exit(126);
  }

  /// Waits until a file has grown to this size; false after twenty seconds.
  bool grown(const std::string& name, std::uintmax_t bytes) const {
    for (int k = 0; k < 2000; ++k) {
      std::error_code none_yet;
      const auto size = std::filesystem::file_size(folder_ / name, none_yet);
      if (!none_yet && size >= bytes) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  hid_t open_run(const std::string& name) const {
    const hid_t file = H5Fopen((folder_ / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    EXPECT_GE(file, 0) << name;
    return file;
  }

  std::vector<std::string> long_run(const std::string& output) const {
    return {"simulate", "ball.toml",
            "-o",       output,
            "--set",    "simulation.method=moreau_jean",
            "--set",    "simulation.step=1e-4",
            "--set",    "simulation.duration=1e7",
            "--set",    "simulation.output_interval=0"};
  }
};

inline double number(const io::Node& node, std::initializer_list<const char*> path) {
  const io::Node* at = &node;
  for (const char* key : path) {
    at = at->find(key);
    if (at == nullptr) return std::nan("");
  }
  const auto* integer = at->as<std::int64_t>();
  const auto* value = at->as<double>();
  return integer != nullptr ? static_cast<double>(*integer)
                            : (value != nullptr ? *value : std::nan(""));
}

/// A summary without what depends on how the run was made: its time, and right-hand sides that are
/// computed again at a restart and for dense output.
inline std::string without_cost(std::string text) {
  for (const char* key : {"\"wall_time\"", "\"iterations\""}) {
    const auto at = text.find(key);
    if (at != std::string::npos) text.erase(at, text.find('\n', at) - at);
  }
  return text;
}

}  // namespace percute::cli
