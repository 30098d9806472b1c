// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <string_view>

/// Files compiled into the library (cmake/Embed.cmake), so that programs find them anywhere.
namespace percute::embedded {

std::string_view lzb_reference();     ///< data/reference/lzb.json
std::string_view laws_reference();    ///< data/reference/laws.json
std::string_view chains_reference();  ///< data/reference/chains.json
std::string_view motion_reference();  ///< data/reference/motion.json
std::string_view bar_reference();     ///< data/reference/bar.json

}  // namespace percute::embedded
