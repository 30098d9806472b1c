// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fuzz/check_input.hpp"

#include <percute/io/problem_file.hpp>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  percute::fuzz::check_input({reinterpret_cast<const char*>(data), size},
                             &percute::io::read_problem_or_scene);
  return 0;
}
