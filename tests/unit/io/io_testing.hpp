// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/scene_reader.hpp"

#include <percute/io/problem_file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>

namespace percute::io::testing {

/// Three balls in a row, one member per line, so that messages have lines to name.
inline const std::string kThreeBalls = R"({
  "format": "percute-problem/1",
  "name": "three balls",
  "mass": {"diagonal": [1, 1, 1]},
  "velocity": [1, 0, 0],
  "contacts": [
    {"gradient": [-1, 1, 0]},
    {"gradient": [0, -1, 1]}
  ],
  "law": {"kind": "lzb", "tolerance": 1e-10}
})";

/// The same text with one part replaced; the part must be there.
inline std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

inline ProblemFile problem(const std::string& text) {
  return read_problem(parse_json(text, "p.json"));
}

/// Expects a FileError whose message has all the fragments, on one line.
template <class Action>
void expect_error(const Action& action, std::initializer_list<std::string> fragments) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused; expected: " << *fragments.begin();
  } catch (const FileError& error) {
    for (const std::string& fragment : fragments) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(fragment));
    }
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

/// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("percute_") + test->test_suite_name() + "_" + test->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    path_ = std::filesystem::path(::testing::TempDir()) / (name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace percute::io::testing
