// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fuzz/check_input.hpp"
#include "io/scene_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  percute::fuzz::check_input(text, &percute::io::read_scene);
  percute::fuzz::check_motion(text);
  return 0;
}
