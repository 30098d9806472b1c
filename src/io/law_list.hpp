// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percute::io {

/// A law in one word, "coulomb:tangential=0": its kind, and options after colons.
struct LawChoice {
  std::string text = {};  ///< as typed
  std::string kind = {};
  std::vector<std::pair<std::string, std::string>> options = {};  ///< keys and values as typed
};

/// "moreau,coulomb:tangential=0,icr:p_next_over_p_prev=[0.75]" taken apart. Commas and colons
/// inside brackets, braces and quotes belong to the value. Throws FileError that begins with
/// `origin`; whether there is such a law shows when it is read.
std::vector<LawChoice> parse_law_list(std::string_view list, const std::string& origin);

/// Replaces the law of a document; messages about it will begin with `origin` and its text. The
/// options of the same kind are kept where the choice names none.
void override_law(Document& document, const LawChoice& choice, const std::string& origin);

}  // namespace percute::io
