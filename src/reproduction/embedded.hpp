// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <string_view>

/// Files compiled into the library (cmake/Embed.cmake), so that programs find them anywhere.
namespace percute::embedded {

// data/reference
std::string_view lzb_reference();
std::string_view laws_reference();
std::string_view chains_reference();
std::string_view motion_reference();
std::string_view bar_reference();

// examples/motion
std::string_view cradle_with_gravity();
std::string_view impacting_bar();
std::string_view rocking_block();
std::string_view v_groove_drop();

}  // namespace percute::embedded
