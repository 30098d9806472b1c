// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace percute::io {

namespace {

/// Length of the UTF-8 sequence that starts at `text`, 0 if it is not one (also: overlong forms,
/// surrogates, beyond U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // The second byte decides whether a three or four byte form is the shortest and in range.
  const std::uint8_t second = byte(1);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return text.size();
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() >= limit) return out + "…";
    const std::size_t length = utf8_length(text.substr(at));
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xC2 && static_cast<std::uint8_t>(text[at + 1]) < 0xA0) {
      // U+0080 to U+009F, the control characters beyond ASCII.
      out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[at + 1]));
    } else {
      out += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

int line_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<int>(std::ranges::count(before, '\n'));
}

std::string plain_name(std::string_view name) {
  constexpr std::string_view kDash = "–";
  std::string out;
  for (auto at = name.find(kDash); at != std::string_view::npos; at = name.find(kDash)) {
    out.append(name.substr(0, at)).push_back('-');
    name.remove_prefix(at + kDash.size());
  }
  return out.append(name);
}

std::string csv_cell(std::string_view text) {
  std::string plain = plain_name(text);
  if (plain.find_first_of(",\"\r\n") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace percute::io
