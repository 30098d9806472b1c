// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace percute::io {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between prefixes.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t smallest = kLongestWord;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const std::size_t allowed = (std::max(word.size(), candidate.size()) + 1) / 3;
    if (distance <= allowed && distance < smallest) {
      smallest = distance;
      best = candidate;
    }
  }
  if (!best.empty() || word.size() < 3) return best;
  // A word cut short: "tol" for "tolerance".
  for (const std::string_view candidate : candidates) {
    if (candidate.starts_with(word)) return candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view guess = closest(word, candidates);
  return guess.empty() ? "" : " (did you mean '" + std::string(guess) + "'?)";
}

std::string join(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

}  // namespace percute::io
