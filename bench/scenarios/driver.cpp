// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/driver.hpp"

#include <array>
#include <cstdio>

namespace percute::bench {

std::string quoted(const std::filesystem::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
  return out + "'";
}

std::string run_driver(const std::filesystem::path& driver, const std::string& arguments) {
  const std::string command = quoted(driver) + " " + arguments + " 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(*-env33-c): our own driver
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  return pclose(pipe) == 0 ? text : "";
}

}  // namespace percute::bench
